import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ClientWrite, WriteResponse } from '../support/concurrent-clients.ts'
import {
  accepted,
  assertAcceptedOrNoRoom,
  assertConsistent,
  assertRefusedOnlyWhenFull,
  bookConcurrently,
  type ContendedSite,
  type ContendedSlot,
  day,
  now,
  openContendedSite,
} from '../support/contended-site.ts'
import { databasesHere } from '../support/databases.ts'
import { scaled, suiteTimeout } from '../support/scale.ts'

const rounds = scaled(10)

for (const { kind, skip } of await databasesHere()) {
  describe(`concurrent changes on ${kind}`, { skip, timeout: suiteTimeout }, () => {
    let site: ContendedSite
    let unused: ContendedSlot[][] = []
    before(async () => {
      site = await openContendedSite(kind, { clients: 16, fixedClock: true })
      const slots = await site.slots('single', { from: now + day, until: now + 59 * day })
      unused = [...Map.groupBy(slots, (slot) => slot.start).values()]
    })
    after(() => site.close())

    /** Returns two slots of one service at the same unused time, each with another provider. */
    function freshPair(): [ContendedSlot, ContendedSlot] {
      const [one, other] = unused.shift() ?? []
      assert.ok(one && other)
      return [one, other]
    }

    function fresh(): ContendedSlot {
      return freshPair()[0]
    }

    async function booked(client: number, slot: ContendedSlot): Promise<string> {
      const reply = await site.clients.send(client, site.booking(client, slot))
      assert.equal(reply.status, 200, JSON.stringify(reply.body))
      return reply.body.id
    }

    async function inParallel(...writes: readonly ClientWrite[]): Promise<WriteResponse[]> {
      const replies = await site.clients.sendConcurrently(writes)
      for (const reply of replies) assertAcceptedOrNoRoom(reply)
      return replies
    }

    for (const count of [2, 16]) {
      test(`of ${count} pending reservations of one seat confirmed concurrently, one is confirmed`, async () => {
        const slots = await site.slots('asking', { from: now + count * day, until: now + (count + 2) * day })
        for (const slot of slots.slice(0, rounds)) {
          const clients = site.clients.numbers.slice(0, count)
          const ids = await Promise.all(clients.map((client) => booked(client, slot)))
          assert.equal(accepted(await inParallel(...ids.map((id) => edit(id, { status: 'confirmed' })))), 1)
        }
        await assertConsistent(site)
      })
    }

    test('restored and new reservations never share the seat', async () => {
      for (let round = 0; round < rounds; round++) {
        const slot = fresh()
        const writes: ClientWrite[] = []
        for (const client of site.clients.numbers) {
          if (client % 2) {
            writes.push(site.booking(client, slot))
            continue
          }
          const id = await booked(client, slot)
          await inParallel(edit(id, { status: 'cancelled' }))
          writes.push(edit(id, { status: 'confirmed' }))
        }
        assert.equal(accepted(await inParallel(...writes)), 1)
      }
      await assertConsistent(site)
    })

    test('of reservations moved concurrently into one free slot, one gets it', async () => {
      for (let round = 0; round < rounds; round++) {
        const ids = await Promise.all(site.clients.numbers.map((client) => booked(client, fresh())))
        const { start, end } = fresh()
        assert.equal(accepted(await inParallel(...ids.map((id) => edit(id, { start, end })))), 1)
      }
      await assertConsistent(site)
    })

    test('reservations that swap providers concurrently all succeed', async () => {
      for (let round = 0; round < rounds; round++) {
        const writes = await Promise.all(
          site.clients.numbers.map(async (client) => {
            const [from, to] = client % 2 ? freshPair() : freshPair().reverse()
            assert.ok(from && to)
            return edit(await booked(client, from), { providerId: to.providerId })
          }),
        )
        assert.equal(accepted(await inParallel(...writes)), writes.length)
      }
      await assertConsistent(site)
    })

    test('two reservations that want each other’s slot concurrently keep their own', async () => {
      for (let round = 0; round < rounds; round++) {
        const pairs = site.clients.numbers.filter((client) => client % 2 === 0).map(() => freshPair())
        const writes = await Promise.all(
          pairs.flatMap(([one, other], pair) => [
            booked(2 * pair, one).then((id) => edit(id, { providerId: other.providerId })),
            booked(2 * pair + 1, other).then((id) => edit(id, { providerId: one.providerId })),
          ]),
        )
        assert.equal(accepted(await inParallel(...writes)), 0)
      }
      await assertConsistent(site)
    })

    test('concurrent bookings, moves and cancellations of one seat leave it with one reservation', async () => {
      for (let round = 0; round < rounds; round++) {
        const slot = fresh()
        const elsewhere = fresh()
        const holder = await booked(0, slot)
        const mover = await booked(1, elsewhere)
        const wanted = site.clients.numbers.slice(3).map(() => slot)
        const replies = await inParallel(
          { path: '/reservations/remove/', query: { id: holder } },
          edit(mover, { start: slot.start, end: slot.end }),
          edit(mover, { status: 'cancelled' }),
          ...wanted.map((_, n) => site.booking(n + 3, slot)),
        )
        assert.equal(replies[0]?.status, 200)
        assert.equal(replies[2]?.status, 200)
        await assertConsistent(site)
        const again = await bookConcurrently(site, [slot])
        await assertRefusedOnlyWhenFull(site, [slot], again)
      }
    })
  })
}

function edit(id: string, change: object): ClientWrite {
  return { path: '/reservations/edit/', body: { id, ...change } }
}
