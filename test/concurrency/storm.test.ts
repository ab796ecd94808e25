import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  type Arena,
  assertAcceptedOrNoRoom,
  assertSound,
  day,
  noRoom,
  now,
  openArena,
  type Slot,
} from '../support/arena.ts'
import { databasesHere } from '../support/databases.ts'
import { type Block, replayed, storedReservations, type Taken } from '../support/history.ts'
import { offerings } from '../support/offers.ts'
import { proved } from '../support/proof.ts'
import { chance, patience, scaled, seed } from '../support/scale.ts'
import type { Sql } from '../support/sql.ts'
import { Witness } from '../support/witness.ts'

const clients = 16
const batches = scaled(2)
const operationsOfClient = 40

/** What changes during the bookings: services of a single provider each, with that provider. */
const changing = [
  { key: 'single', provider: 1 },
  { key: 'single', provider: 2 },
  { key: 'trio', provider: 2 },
  { key: 'long', provider: 3 },
  { key: 'short', provider: 3 },
  { key: 'pair', provider: 11 },
  { key: 'ten', provider: 11 },
] as const
const changed = [
  ...[1, 2, 3, 5].map((capacity) => ({ capacity })),
  ...[0, 5, 20].flatMap((minutes) => [{ bufferBeforeMinutes: minutes }, { bufferAfterMinutes: minutes }]),
  ...[true, true, false].map((participate) => ({ participate })),
]
const reasons = [...noRoom, 'provider_not_eligible', 'slot_calendar_busy']

for (const { kind, skip } of await databasesHere()) {
  describe(`concurrent changes of settings on ${kind}`, { skip, timeout: patience }, () => {
    let arena: Arena
    let slots: Slot[] = []
    /** Reservations that every client changes. */
    const common = new Set<string>()
    before(async () => {
      arena = await openArena(kind, { clients, fixedClock: true })
      // Small enough that clients often meet.
      const window = { from: now + day, until: now + day + 4 * 3_600 }
      const each = offerings.flatMap(({ key, providers }) => providers.map((provider) => ({ key, provider })))
      slots = (await Promise.all(each.map(({ key, provider }) => arena.slots(key, { ...window, provider })))).flat()
    })
    after(() => arena.close())

    test('never book twice, and match every response', async (t) => {
      const random = chance(seed)
      const witnesses = arena.clients.numbers.map((number) => new Witness({ arena, number, random }))
      for (let batch = 0; batch < batches; batch++) {
        await Promise.all(witnesses.map((witness, number) => work(witness, number, random)))
        await assertSound(arena)
        await assertKept(witnesses)
      }
      const { faults, last, changes } = await replayed(arena.sql, arena.rooms)
      proved(t, `B2 ${kind}`, { operations: batches * clients * operationsOfClient, changes, overlaps: faults.length })
      assert.deepEqual(faults, [])
      assert.deepEqual(last, await storedReservations(arena.sql))
    })

    test('respect the settings and calendars of each moment', async (t) => {
      const random = chance(seed + 1)
      const witnesses = arena.clients.numbers.map(
        (number) => new Witness({ arena, number, random, reasons, name: 'later' }),
      )
      const { changes: before } = await replayed(arena.sql, arena.rooms)
      const blocks: Block[] = []
      for (let batch = 0; batch < batches; batch++) {
        const block = await closeCalendar(random)
        await Promise.all([
          ...witnesses.map((witness, number) => workAndChange(witness, number, random)),
          arena.service.apply({ services: [sizeOf(random)] }),
        ])
        blocks.push({ ...block, before: await countChanges(arena.sql) })
        await arena.sql('delete from busy')
        await assertKept(witnesses)
      }
      const { faults, last, taken, changes, edits } = await replayed(arena.sql, arena.rooms, blocks)
      const operations = batches * clients * operationsOfClient
      proved(t, `B2 ${kind}`, { operations, changes: changes - before, edits, overlaps: faults.length })
      assert.deepEqual(faults, [])
      assert.deepEqual(last, await storedReservations(arena.sql))
      assert.deepEqual(await occupancy(arena.sql), taken.map(seatText).sort())
    })

    async function assertKept(witnesses: readonly Witness[]): Promise<void> {
      const stored = await storedReservations(arena.sql)
      for (const witness of witnesses) {
        assert.equal(witness.lost, undefined)
        witness.assertKept(stored)
      }
    }

    async function workAndChange(witness: Witness, number: number, random: () => number): Promise<void> {
      for (let n = 0; n < operationsOfClient; n++) {
        if (random() < 0.05) await changeSettings(witness, number)
        else await witness.act(slots)
      }
    }

    async function changeSettings(witness: Witness, number: number): Promise<void> {
      const { key, provider } = witness.pick(changing) ?? changing[0]
      const query = { serviceId: arena.serviceId(key), providerId: String(provider) }
      const body = witness.pick(changed) ?? {}
      const reply = await arena.clients.ask(number, { path: '/providers/edit/service/', query, body })
      assert.equal(reply.status, 200, JSON.stringify(reply.body))
    }

    /** Blocks an interval that clients want. */
    async function closeCalendar(random: () => number): Promise<Omit<Block, 'before'>> {
      const { provider } = changing[Math.floor(random() * changing.length)] ?? changing[0]
      const from = now + day + Math.floor(random() * 3) * 3_600
      const until = from + 1_800 + Math.floor(random() * 1_800)
      await arena.sql(
        "insert into busy (id, provider_id, source, start_at, end_at, note) values ('b', ?, 'calendar', ?, ?, '')",
        [provider, from, until],
      )
      return { at: provider, from, until, after: await countChanges(arena.sql) }
    }

    async function work(witness: Witness, number: number, random: () => number): Promise<void> {
      for (let n = 0; n < operationsOfClient; n++) {
        const choice = random()
        if (choice < 0.05) {
          const id = await witness.add(slots, 1)
          if (id !== undefined) common.add(id)
        } else if (choice < 0.2) await changeCommon(witness, number, random)
        else await witness.act(slots)
      }
    }

    async function changeCommon(witness: Witness, number: number, random: () => number): Promise<void> {
      const id = witness.pick([...common])
      if (id === undefined) return
      const removes = random() < 0.1
      const reply = await arena.clients.ask(
        number,
        removes
          ? { path: '/reservations/remove/', query: { id } }
          : { path: '/reservations/edit/', body: { id, ...witness.anyChange(slots) } },
      )
      if (removes) common.delete(id)
      if (reply.status === 404) assert.equal(reply.body.reason, 'reservation_not_found')
      else assertAcceptedOrNoRoom(reply)
    }
  })
}

/** A service of the site file with another capacity and buffer, for all of its providers. */
function sizeOf(random: () => number): object {
  const { key } = changing[Math.floor(random() * changing.length)] ?? changing[0]
  return {
    key,
    name: key,
    capacity: 1 + Math.floor(random() * 4),
    bufferAfterMinutes: 5 * Math.floor(random() * 4),
  }
}

async function countChanges(sql: Sql): Promise<number> {
  const [row] = await sql("select count(*) as n from event where kind = 'reservation'")
  return Number(row?.n)
}

/** Returns every row of occupancy as text. */
async function occupancy(sql: Sql): Promise<string[]> {
  const rows = await sql('select reservation_id, resource, start_at, end_at from occupancy')
  return rows.map((row) => `${row.reservation_id} ${row.resource} ${row.start_at} ${row.end_at}`).sort()
}

function seatText({ id, at, from, until }: Taken): string {
  return `${id} p${at} ${from} ${until}`
}
