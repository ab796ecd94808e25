import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
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
import { proved } from '../support/proof.ts'
import type { Reply } from '../support/race.ts'
import { chance, patience, scaled, seed } from '../support/scale.ts'

const rounds = scaled(5)
const clients = Math.min(256, scaled(64))
const nodes = { sqlite: 1, postgres: 3 }
const random = chance(seed)

/** Services of one provider each, with this number of seats per slot. */
const crowded = [
  { key: 'single', provider: 1, seats: 1 },
  { key: 'pair', provider: 11, seats: 2 },
  { key: 'trio', provider: 2, seats: 3 },
  { key: 'ten', provider: 11, seats: 10 },
] as const

for (const { kind, skip } of await databasesHere()) {
  describe(`${clients} concurrent clients on ${kind}`, { skip, timeout: patience }, () => {
    let arena: Arena
    before(async () => {
      arena = await openArena(kind, { clients, fixedClock: true, nodes: nodes[kind] })
    })
    after(() => arena.close())

    const counted = { rounds: 0, calls: 0, accepted: 0 }

    async function contest(wanted: readonly Slot[]): Promise<Reply[]> {
      const replies = await contend(arena, wanted)
      counted.rounds += 1
      counted.calls += wanted.length
      counted.accepted += accepted(replies)
      return replies
    }

    /** Returns one slot per round, hours apart, so that rounds are independent. */
    async function apart(key: string, provider: number): Promise<Slot[]> {
      const slots = await arena.slots(key, { from: now + day, until: now + 59 * day, provider })
      const step = Math.floor(slots.length / rounds)
      assert.ok(step >= 1, `${slots.length} slots are too few for ${rounds} rounds`)
      return Array.from({ length: rounds }, (_, round) => slots[round * step]).filter((slot) => slot !== undefined)
    }

    function everyone<T>(slot: T): T[] {
      return arena.clients.numbers.map(() => slot)
    }

    for (const { key, provider, seats } of crowded)
      test(`of a slot with ${seats} seats, all seats are booked and no more`, async () => {
        for (const slot of await apart(key, provider)) {
          const few = 1 + Math.floor(random() * (seats + 1))
          const first = accepted(await contest(everyone(slot).slice(0, few)))
          assert.equal(first, Math.min(few, seats))
          assert.equal(accepted(await contest(everyone(slot))), seats - first)
        }
        await assertSound(arena)
      })

    test('of overlapping times of one provider, every compatible one is booked', async () => {
      for (const { start } of await apart('long', 3)) {
        // Two services of different duration, step and buffers, in the same three hours.
        const long = await arena.slots('long', { from: start, until: start + 10_800 })
        const short = await arena.slots('short', { from: start, until: start + 10_800 })
        const wanted = drawn([...long, ...short], clients)
        await assertFair(wanted)
      }
    })

    test('two contended providers are each booked once', async () => {
      const [one, other] = [await apart('single', 1), await apart('single', 2)]
      for (const round of one.keys()) {
        const wanted = arena.clients.numbers.map((client) => (client % 2 ? one : other)[round]).filter(isSlot)
        assert.equal(accepted(await contest(wanted)), 2)
      }
      await assertSound(arena)
    })

    test('a pool books each provider once, for the slots that listed them', async () => {
      for (const { start } of await apart('pool', 4)) {
        const sold: number[] = []
        for (;;) {
          const [slot] = await arena.slots('pool', { from: start, until: start + 1 })
          if (!slot) break
          assert.equal(accepted(await contest(everyone(slot))), 1)
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

    test('a collective slot and slots of its providers are never both booked', async () => {
      for (const { start } of await apart('together', 7)) {
        const window = { from: start, until: start + 5_400 }
        const wanted = drawn(
          [...(await arena.slots('together', window)), ...(await arena.slots('alone', window))],
          clients,
        )
        await assertFair(wanted)
      }
    })

    test('and no two reservations overlap', async (t) => {
      const { overlaps, overfull } = await assertSound(arena)
      const { retries } = arena.clients
      proved(t, `B1 ${kind}`, { ...counted, overlaps, overbooked: overfull, 'told to wait': retries })
    })

    async function assertFair(wanted: readonly Slot[]): Promise<void> {
      const replies = await contest(wanted)
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

/** Returns `count` of the slots, some more than once. */
function drawn(slots: readonly Slot[], count: number): Slot[] {
  assert.ok(slots.length > 0)
  return Array.from({ length: count }, () => slots[Math.floor(random() * slots.length)]).filter(isSlot)
}
