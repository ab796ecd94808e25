import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CheckingClient } from '../support/checking-client.ts'
import {
  assertAcceptedOrNoRoom,
  assertConsistent,
  type ContendedSite,
  type ContendedSlot,
  day,
  nodesOf,
  noRoom,
  now,
  openContendedSite,
} from '../support/contended-site.ts'
import { databasesHere } from '../support/databases.ts'
import { type BlockedInterval, type OccupiedInterval, replayLog, storedReservations } from '../support/log-replay.ts'
import { offerings } from '../support/offerings.ts'
import { proved } from '../support/proof.ts'
import { scaled, seed, seededRandom, suiteTimeout } from '../support/scale.ts'
import type { Sql } from '../support/sql.ts'

const clients = 16
const batches = scaled(2)
const operationsOfClient = 40

/** The services, each with one of its providers, whose settings change while clients book. */
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
  describe(`concurrent changes of settings on ${kind}`, { skip, timeout: suiteTimeout }, () => {
    let site: ContendedSite
    let slots: ContendedSlot[] = []
    /** The ids of reservations that every client may change. */
    const common = new Set<string>()
    before(async () => {
      site = await openContendedSite(kind, { clients, fixedClock: true, nodes: nodesOf(kind) })
      // A window of four hours is so small that clients often compete for the same slot.
      const window = { from: now + day, until: now + day + 4 * 3_600 }
      const each = offerings.flatMap(({ key, providers }) => providers.map((provider) => ({ key, provider })))
      slots = (await Promise.all(each.map(({ key, provider }) => site.slots(key, { ...window, provider })))).flat()
    })
    after(() => site.close())

    test('never book twice, and match every response', async (t) => {
      const random = seededRandom(seed)
      const checkingClients = site.clients.numbers.map((number) => new CheckingClient({ site, number, random }))
      for (let batch = 0; batch < batches; batch++) {
        await Promise.all(checkingClients.map((client, number) => work(client, number, random)))
        await assertConsistent(site)
        await assertKept(checkingClients)
      }
      const { violations, last, changes } = await replayLog(site.sql, site.occupancyRules)
      proved(t, `B2 ${kind}`, {
        operations: batches * clients * operationsOfClient,
        changes,
        overlaps: violations.length,
      })
      assert.deepEqual(violations, [])
      assert.deepEqual(last, await storedReservations(site.sql))
    })

    test('respect the settings and calendars of each moment', async (t) => {
      const random = seededRandom(seed + 1)
      const checkingClients = site.clients.numbers.map(
        (number) => new CheckingClient({ site, number, random, reasons, name: 'later' }),
      )
      const { changes: before } = await replayLog(site.sql, site.occupancyRules)
      const blocks: BlockedInterval[] = []
      for (let batch = 0; batch < batches; batch++) {
        const block = await closeCalendar(random)
        await Promise.all([
          ...checkingClients.map((client, number) => workAndChange(client, number, random)),
          site.service.apply({ services: [sizeOf(random)] }),
        ])
        blocks.push({ ...block, before: await countChanges(site.sql) })
        await site.sql('delete from busy')
        await assertKept(checkingClients)
      }
      const { violations, last, occupied, changes, edits } = await replayLog(site.sql, site.occupancyRules, blocks)
      const operations = batches * clients * operationsOfClient
      proved(t, `B2 ${kind}`, { operations, changes: changes - before, edits, overlaps: violations.length })
      assert.deepEqual(violations, [])
      assert.deepEqual(last, await storedReservations(site.sql))
      assert.deepEqual(await occupancy(site.sql), occupied.map(seatText).sort())
    })

    async function assertKept(checkingClients: readonly CheckingClient[]): Promise<void> {
      const stored = await storedReservations(site.sql)
      for (const client of checkingClients) {
        assert.equal(client.lostResponse, undefined)
        client.assertDurable(stored)
      }
    }

    async function workAndChange(client: CheckingClient, number: number, random: () => number): Promise<void> {
      for (let n = 0; n < operationsOfClient; n++) {
        if (random() < 0.05) await changeSettings(client, number)
        else await client.sendRandomWrite(slots)
      }
    }

    async function changeSettings(client: CheckingClient, number: number): Promise<void> {
      const { key, provider } = client.pick(changing) ?? changing[0]
      const query = { serviceId: site.serviceId(key), providerId: String(provider) }
      const body = client.pick(changed) ?? {}
      const reply = await site.clients.send(number, { path: '/providers/edit/service/', query, body })
      assert.equal(reply.status, 200, JSON.stringify(reply.body))
    }

    /**
     * Blocks between 30 minutes and an hour of a provider's time by a calendar event; returns the blocked interval and
     * the number of changes of reservations so far.
     */
    async function closeCalendar(random: () => number): Promise<Omit<BlockedInterval, 'before'>> {
      const { provider } = changing[Math.floor(random() * changing.length)] ?? changing[0]
      const from = now + day + Math.floor(random() * 3) * 3_600
      const until = from + 1_800 + Math.floor(random() * 1_800)
      await site.sql(
        "insert into busy (id, provider_id, source, start_at, end_at, note) values ('b', ?, 'calendar', ?, ?, '')",
        [provider, from, until],
      )
      return { providerId: provider, from, until, after: await countChanges(site.sql) }
    }

    async function work(client: CheckingClient, number: number, random: () => number): Promise<void> {
      for (let n = 0; n < operationsOfClient; n++) {
        const choice = random()
        if (choice < 0.05) {
          const id = await client.add(slots, 1)
          if (id !== undefined) common.add(id)
        } else if (choice < 0.2) await changeCommon(client, number, random)
        else await client.sendRandomWrite(slots)
      }
    }

    async function changeCommon(client: CheckingClient, number: number, random: () => number): Promise<void> {
      const id = client.pick([...common])
      if (id === undefined) return
      const removes = random() < 0.1
      const reply = await site.clients.send(
        number,
        removes
          ? { path: '/reservations/remove/', query: { id } }
          : { path: '/reservations/edit/', body: { id, ...client.randomChange(slots) } },
      )
      if (removes) common.delete(id)
      if (reply.status === 404) assert.equal(reply.body.reason, 'reservation_not_found')
      else assertAcceptedOrNoRoom(reply)
    }
  })
}

/** Returns a service of the site file with a random capacity and buffer, which apply to all of its providers. */
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

/** Returns the rows of the table `occupancy`, each as `reservation resource start end`, sorted. */
async function occupancy(sql: Sql): Promise<string[]> {
  const rows = await sql('select reservation_id, resource, start_at, end_at from occupancy')
  return rows.map((row) => `${row.reservation_id} ${row.resource} ${row.start_at} ${row.end_at}`).sort()
}

function seatText({ id, providerId, from, until }: OccupiedInterval): string {
  return `${id} p${providerId} ${from} ${until}`
}
