import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ClientWrite, WriteResponse } from '../support/concurrent-clients.ts'
import {
  assertConsistent,
  type ContendedSite,
  type ContendedSlot,
  day,
  nodesOf,
  now,
  openContendedSite,
} from '../support/contended-site.ts'
import { databasesHere } from '../support/databases.ts'
import { proved } from '../support/proof.ts'
import { scaled, suiteTimeout } from '../support/scale.ts'

const rounds = scaled(4)

for (const { kind, skip } of await databasesHere()) {
  describe(`one key sent 50 times concurrently on ${kind}`, { skip, timeout: suiteTimeout }, () => {
    let site: ContendedSite
    let slots: ContendedSlot[] = []
    before(async () => {
      site = await openContendedSite(kind, { clients: 50, fixedClock: true, nodes: nodesOf(kind) })
      slots = await site.slots('trio', { from: now + day, until: now + 59 * day })
    })
    after(() => site.close())

    function fresh(): ContendedSlot {
      const slot = slots.shift()
      assert.ok(slot)
      return slot
    }

    /**
     * Sends a write 50 times concurrently and returns the responses. A write is repeated when it is refused with 409
     * because another one with its key is in progress.
     */
    async function fifty(write: ClientWrite): Promise<WriteResponse[]> {
      const replies = await site.clients.sendConcurrently(site.clients.numbers.map(() => write))
      return Promise.all(
        replies.map((reply, client) => {
          if (reply.status !== 409) return reply
          assert.equal(reply.body.reason, 'idempotency_in_progress')
          return site.clients.send(client, write)
        }),
      )
    }

    async function rowsOf(slot: ContendedSlot): Promise<number> {
      const [row] = await site.sql('select count(*) as n from reservation where provider_id = ? and start_at = ?', [
        slot.providerId,
        slot.start,
      ])
      return Number(row?.n)
    }

    test('makes one reservation of a slot with three seats, with the same response for all', async (t) => {
      for (let round = 0; round < rounds; round++) {
        const slot = fresh()
        const replies = await fifty({ ...site.booking(0, slot), key: `same-${round}` })
        const [first] = replies
        assert.equal(first?.status, 200)
        for (const reply of replies) assert.deepEqual(reply.body, first.body)
        assert.equal(replies.filter((reply) => !reply.replayed).length, 1)
        assert.equal(await rowsOf(slot), 1)
      }
      await assertConsistent(site)
      proved(t, `B5 ${kind} at once`, { rounds, calls: rounds * 50, duplicates: 0, lost: 0 })
    })

    test('returns the same refusal to all, even when a seat is freed meanwhile', async () => {
      const slot = fresh()
      const holders = await Promise.all(
        [0, 1, 2].map((client) => site.clients.send(client, site.booking(client, slot))),
      )
      const write = { ...site.booking(3, slot), key: 'refused' }
      const refused = await site.clients.send(3, write)
      assert.equal(refused.body.reason, 'slot_full')
      await site.clients.send(0, { path: '/reservations/remove/', query: { id: holders[0]?.body.id ?? '' } })
      for (const reply of await fifty(write)) assert.deepEqual(reply, { ...refused, replayed: true })
      assert.equal(await rowsOf(slot), 2)
    })

    test('with different bodies performs one of them and refuses the rest', async () => {
      const slot = fresh()
      const replies = await site.clients.sendConcurrently(
        site.clients.numbers.map((client) => ({ ...site.booking(client, slot), key: 'shared' })),
      )
      const statuses = replies.map((reply) => reply.status)
      assert.equal(statuses.filter((status) => status === 200).length, 1)
      assert.equal(statuses.filter((status) => status === 422 || status === 409).length, 49)
      assert.equal(await rowsOf(slot), 1)
    })

    test('cancels once, with one event', async () => {
      const slot = fresh()
      const { body } = await site.clients.send(0, site.booking(0, slot))
      const cancel = { path: '/reservations/edit/', body: { id: body.id, status: 'cancelled' }, key: 'cancel' }
      for (const reply of await fifty(cancel)) assert.equal(reply.status, 200)
      const [row] = await site.sql('select count(*) as n from event where object_id = ?', [body.id])
      assert.equal(row?.n, 2)
      await assertConsistent(site)
    })
  })
}
