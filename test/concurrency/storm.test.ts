import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Arena, assertAcceptedOrNoRoom, assertSound, day, now, openArena, type Slot } from '../support/arena.ts'
import { databasesHere } from '../support/databases.ts'
import { replayed, storedReservations } from '../support/history.ts'
import { offerings } from '../support/offers.ts'
import { proved } from '../support/proof.ts'
import { chance, patience, scaled, seed } from '../support/scale.ts'
import { Witness } from '../support/witness.ts'

const clients = 16
const batches = scaled(4)
const operationsOfClient = 40

for (const { kind, skip } of await databasesHere()) {
  describe(`a storm of changes on ${kind}`, { skip, timeout: patience }, () => {
    let arena: Arena
    let slots: Slot[] = []
    /** Reservations that everybody changes. */
    const common = new Set<string>()
    before(async () => {
      arena = await openArena(kind, { clients, fixedClock: true })
      // Few enough that clients keep meeting in the same places.
      const window = { from: now + day, until: now + day + 4 * 3_600 }
      const each = offerings.flatMap(({ key, providers }) => providers.map((provider) => ({ key, provider })))
      slots = (await Promise.all(each.map(({ key, provider }) => arena.slots(key, { ...window, provider })))).flat()
    })
    after(() => arena.close())

    test('sells nothing twice at any moment, and does exactly what it answers', async (t) => {
      const random = chance(seed)
      const witnesses = arena.clients.numbers.map((number) => new Witness({ arena, number, random }))
      for (let batch = 0; batch < batches; batch++) {
        await Promise.all(witnesses.map((witness, number) => work(witness, number, random)))
        await assertSound(arena)
        const stored = await storedReservations(arena.sql)
        for (const witness of witnesses) {
          assert.equal(witness.lost, undefined)
          witness.assertKept(stored)
        }
      }
      const { faults, last, changes } = await replayed(arena.sql, arena.rooms)
      assert.deepEqual(faults, [])
      assert.deepEqual(last, await storedReservations(arena.sql))
      proved(t, `B2 ${kind}`, { operations: batches * clients * operationsOfClient, changes, overlaps: faults.length })
    })

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
