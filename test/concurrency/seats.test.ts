import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import {
  type Arena,
  accepted,
  assertNothingUnsold,
  assertSound,
  contend,
  day,
  now,
  openArena,
  type Slot,
} from '../support/arena.ts'
import { databasesHere } from '../support/databases.ts'
import { chance, patience, scaled, seed } from '../support/scale.ts'

const rounds = scaled(10)
const random = chance(seed)

for (const { kind, skip } of await databasesHere()) {
  describe(`64 clients at once on ${kind}`, { skip, timeout: patience }, () => {
    let arena: Arena
    before(async () => {
      arena = await openArena(kind, { clients: 64, fixedClock: true })
    })
    after(() => arena.close())
    afterEach((t) => {
      if ('diagnostic' in t && arena.clients.turnedAway > 0)
        t.diagnostic(`${arena.clients.turnedAway} times 503 so far`)
    })

    /** As many slots as there are rounds, hours apart, so that no round meets another. */
    async function apart(key: string, provider: number): Promise<Slot[]> {
      const slots = await arena.slots(key, { from: now + day, until: now + 59 * day, provider })
      const step = Math.floor(slots.length / rounds)
      assert.ok(step >= 1, `${slots.length} slots are too few for ${rounds} rounds`)
      return Array.from({ length: rounds }, (_, round) => slots[round * step]).filter((slot) => slot !== undefined)
    }

    function everyone<T>(slot: T): T[] {
      return arena.clients.numbers.map(() => slot)
    }

    test(`one seat is sold once, ${rounds} times over`, async () => {
      for (const slot of await apart('single', 1)) assert.equal(accepted(await contend(arena, everyone(slot))), 1)
      await assertSound(arena)
    })

    test(`three seats are sold three times, ${rounds} times over`, async () => {
      for (const slot of await apart('trio', 2)) assert.equal(accepted(await contend(arena, everyone(slot))), 3)
      await assertSound(arena)
    })

    test('of overlapping times of one provider, whatever can stand beside what was sold is sold', async () => {
      for (const { start } of await apart('long', 3)) {
        // Two services of unequal length, step and buffers, in the same three hours.
        const long = await arena.slots('long', { from: start, until: start + 10_800 })
        const short = await arena.slots('short', { from: start, until: start + 10_800 })
        const wanted = drawn([...long, ...short], 64)
        await assertFair(wanted)
      }
    })

    test('two providers fought over at once are each sold once', async () => {
      const [one, other] = [await apart('single', 1), await apart('single', 2)]
      for (const round of one.keys()) {
        const wanted = arena.clients.numbers.map((client) => (client % 2 ? one : other)[round]).filter(isSlot)
        assert.equal(accepted(await contend(arena, wanted)), 2)
      }
      await assertSound(arena)
    })

    test('a pool sells each provider once, to those to whom it was listed', async () => {
      for (const { start } of await apart('pool', 4)) {
        const sold: number[] = []
        for (;;) {
          const [slot] = await arena.slots('pool', { from: start, until: start + 1 })
          if (!slot) break
          assert.equal(accepted(await contend(arena, everyone(slot))), 1)
          sold.push(slot.providerId)
        }
        assert.deepEqual(sold.sort(), [4, 5, 6])
      }
      await assertSound(arena)
    })

    test('clients of a pool who list and book until nothing is listed find every provider', async () => {
      const start = now + 7_200
      const won = await Promise.all(arena.clients.numbers.map((client) => bookWhatIsListed(client, start)))
      assert.equal(won.filter((one) => one).length, 3)
      await assertSound(arena)
    })

    test('a collective slot and slots of its providers alone are never sold both', async () => {
      for (const { start } of await apart('together', 7)) {
        const window = { from: start, until: start + 5_400 }
        const wanted = drawn([...(await arena.slots('together', window)), ...(await arena.slots('alone', window))], 64)
        await assertFair(wanted)
      }
    })

    async function assertFair(wanted: readonly Slot[]): Promise<void> {
      const replies = await contend(arena, wanted)
      assert.ok(accepted(replies) >= 1)
      await assertNothingUnsold(arena, wanted, replies)
      await assertSound(arena)
    }

    async function bookWhatIsListed(client: number, start: number): Promise<boolean> {
      for (;;) {
        const [slot] = await arena.slots('pool', { from: start, until: start + 1 })
        if (!slot) return false
        const reply = await arena.clients.ask(client, arena.booking(client, slot))
        if (reply.status === 200) return true
        assert.match(reply.body.reason, /^slot_(full|provider_busy)$/)
      }
    }
  })
}

function isSlot(slot: Slot | undefined): slot is Slot {
  return slot !== undefined
}

/** So many of the slots, some of them more than once. */
function drawn(slots: readonly Slot[], count: number): Slot[] {
  assert.ok(slots.length > 0)
  return Array.from({ length: count }, () => slots[Math.floor(random() * slots.length)]).filter(isSlot)
}
