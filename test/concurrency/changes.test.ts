import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  type Arena,
  accepted,
  assertAcceptedOrNoRoom,
  assertNothingUnsold,
  assertSound,
  contend,
  day,
  now,
  openArena,
  type Slot,
} from '../support/arena.ts'
import { databasesHere } from '../support/databases.ts'
import type { Reply, Write } from '../support/race.ts'
import { patience, scaled } from '../support/scale.ts'

const rounds = scaled(10)

for (const { kind, skip } of await databasesHere()) {
  describe(`concurrent changes on ${kind}`, { skip, timeout: patience }, () => {
    let arena: Arena
    let unused: Slot[][] = []
    before(async () => {
      arena = await openArena(kind, { clients: 16, fixedClock: true })
      const slots = await arena.slots('single', { from: now + day, until: now + 59 * day })
      unused = [...Map.groupBy(slots, (slot) => slot.start).values()]
    })
    after(() => arena.close())

    /** Returns slots of both providers at a time that is not used yet. */
    function freshPair(): [Slot, Slot] {
      const [one, other] = unused.shift() ?? []
      assert.ok(one && other)
      return [one, other]
    }

    function fresh(): Slot {
      return freshPair()[0]
    }

    async function booked(client: number, slot: Slot): Promise<string> {
      const reply = await arena.clients.ask(client, arena.booking(client, slot))
      assert.equal(reply.status, 200, JSON.stringify(reply.body))
      return reply.body.id
    }

    async function race(...writes: readonly Write[]): Promise<Reply[]> {
      const replies = await arena.clients.race(writes)
      for (const reply of replies) assertAcceptedOrNoRoom(reply)
      return replies
    }

    for (const count of [2, 16]) {
      test(`of ${count} pending reservations of one seat confirmed concurrently, one is confirmed`, async () => {
        const slots = await arena.slots('asking', { from: now + count * day, until: now + (count + 2) * day })
        for (const slot of slots.slice(0, rounds)) {
          const clients = arena.clients.numbers.slice(0, count)
          const ids = await Promise.all(clients.map((client) => booked(client, slot)))
          assert.equal(accepted(await race(...ids.map((id) => edit(id, { status: 'confirmed' })))), 1)
        }
        await assertSound(arena)
      })
    }

    test('restored and new reservations never share the seat', async () => {
      for (let round = 0; round < rounds; round++) {
        const slot = fresh()
        const writes: Write[] = []
        for (const client of arena.clients.numbers) {
          if (client % 2) {
            writes.push(arena.booking(client, slot))
            continue
          }
          const id = await booked(client, slot)
          await race(edit(id, { status: 'cancelled' }))
          writes.push(edit(id, { status: 'confirmed' }))
        }
        assert.equal(accepted(await race(...writes)), 1)
      }
      await assertSound(arena)
    })

    test('of reservations moved concurrently into one free slot, one gets it', async () => {
      for (let round = 0; round < rounds; round++) {
        const ids = await Promise.all(arena.clients.numbers.map((client) => booked(client, fresh())))
        const { start, end } = fresh()
        assert.equal(accepted(await race(...ids.map((id) => edit(id, { start, end })))), 1)
      }
      await assertSound(arena)
    })

    test('reservations that swap providers concurrently all succeed', async () => {
      for (let round = 0; round < rounds; round++) {
        const writes = await Promise.all(
          arena.clients.numbers.map(async (client) => {
            const [from, to] = client % 2 ? freshPair() : freshPair().reverse()
            assert.ok(from && to)
            return edit(await booked(client, from), { providerId: to.providerId })
          }),
        )
        assert.equal(accepted(await race(...writes)), writes.length)
      }
      await assertSound(arena)
    })

    test('two reservations that want each other’s slot concurrently keep their own', async () => {
      for (let round = 0; round < rounds; round++) {
        const pairs = arena.clients.numbers.filter((client) => client % 2 === 0).map(() => freshPair())
        const writes = await Promise.all(
          pairs.flatMap(([one, other], pair) => [
            booked(2 * pair, one).then((id) => edit(id, { providerId: other.providerId })),
            booked(2 * pair + 1, other).then((id) => edit(id, { providerId: one.providerId })),
          ]),
        )
        assert.equal(accepted(await race(...writes)), 0)
      }
      await assertSound(arena)
    })

    test('concurrent bookings, moves and cancellations of one seat leave it with one reservation', async () => {
      for (let round = 0; round < rounds; round++) {
        const slot = fresh()
        const elsewhere = fresh()
        const holder = await booked(0, slot)
        const mover = await booked(1, elsewhere)
        const wanted = arena.clients.numbers.slice(3).map(() => slot)
        const replies = await race(
          { path: '/reservations/remove/', query: { id: holder } },
          edit(mover, { start: slot.start, end: slot.end }),
          edit(mover, { status: 'cancelled' }),
          ...wanted.map((_, n) => arena.booking(n + 3, slot)),
        )
        assert.equal(replies[0]?.status, 200)
        assert.equal(replies[2]?.status, 200)
        await assertSound(arena)
        const again = await contend(arena, [slot])
        await assertNothingUnsold(arena, [slot], again)
      }
    })
  })
}

function edit(id: string, change: object): Write {
  return { path: '/reservations/edit/', body: { id, ...change } }
}
