import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { WriteResponse } from '../support/concurrent-clients.ts'
import {
  accepted,
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
import { proved } from '../support/proof.ts'
import { scaled, seed, seededRandom, suiteTimeout } from '../support/scale.ts'

const rounds = scaled(5)
const clients = Math.min(256, scaled(64))
const nodes = { sqlite: 1, postgres: 3 }
const random = seededRandom(seed)

/** The services that clients compete for, each with one of its providers and the number of seats of a slot. */
const crowded = [
  { key: 'single', provider: 1, seats: 1 },
  { key: 'pair', provider: 11, seats: 2 },
  { key: 'trio', provider: 2, seats: 3 },
  { key: 'ten', provider: 11, seats: 10 },
] as const

for (const { kind, skip } of await databasesHere()) {
  describe(`${clients} concurrent clients on ${kind}`, { skip, timeout: suiteTimeout }, () => {
    let site: ContendedSite
    before(async () => {
      site = await openContendedSite(kind, { clients, fixedClock: true, nodes: nodes[kind] })
    })
    after(() => site.close())

    const counted = { rounds: 0, calls: 0, accepted: 0 }

    async function bookAndCount(wanted: readonly ContendedSlot[]): Promise<WriteResponse[]> {
      const replies = await bookConcurrently(site, wanted)
      counted.rounds += 1
      counted.calls += wanted.length
      counted.accepted += accepted(replies)
      return replies
    }

    /** Returns one slot per round, spread over 58 days, so that the rounds do not affect each other. */
    async function apart(key: string, provider: number): Promise<ContendedSlot[]> {
      const slots = await site.slots(key, { from: now + day, until: now + 59 * day, provider })
      const step = Math.floor(slots.length / rounds)
      assert.ok(step >= 1, `${slots.length} slots are too few for ${rounds} rounds`)
      return Array.from({ length: rounds }, (_, round) => slots[round * step]).filter((slot) => slot !== undefined)
    }

    function everyone<T>(slot: T): T[] {
      return site.clients.numbers.map(() => slot)
    }

    for (const { key, provider, seats } of crowded)
      test(`of a slot with ${seats} seats, all seats are booked and no more`, async () => {
        for (const slot of await apart(key, provider)) {
          const few = 1 + Math.floor(random() * (seats + 1))
          const first = accepted(await bookAndCount(everyone(slot).slice(0, few)))
          assert.equal(first, Math.min(few, seats))
          assert.equal(accepted(await bookAndCount(everyone(slot))), seats - first)
        }
        await assertConsistent(site)
      })

    test('of overlapping times of one provider, every compatible one is booked', async () => {
      for (const { start } of await apart('long', 3)) {
        // The slots are of two services with different durations, intervals and buffers, and start within the same
        // three hours.
        const long = await site.slots('long', { from: start, until: start + 10_800 })
        const short = await site.slots('short', { from: start, until: start + 10_800 })
        const wanted = drawn([...long, ...short], clients)
        await assertFair(wanted)
      }
    })

    test('two contended providers are each booked once', async () => {
      const [one, other] = [await apart('single', 1), await apart('single', 2)]
      for (const round of one.keys()) {
        const wanted = site.clients.numbers.map((client) => (client % 2 ? one : other)[round]).filter(isSlot)
        assert.equal(accepted(await bookAndCount(wanted)), 2)
      }
      await assertConsistent(site)
    })

    test('a pool books each provider once, for the slots that listed them', async () => {
      for (const { start } of await apart('pool', 4)) {
        const sold: number[] = []
        for (;;) {
          const [slot] = await site.slots('pool', { from: start, until: start + 1 })
          if (!slot) break
          assert.equal(accepted(await bookAndCount(everyone(slot))), 1)
          sold.push(slot.providerId)
        }
        assert.deepEqual(sold.sort(), [4, 5, 6])
      }
      await assertConsistent(site)
    })

    test('clients of a pool who list and book until nothing is listed find every provider', async () => {
      const start = now + 7_200
      const won = await Promise.all(site.clients.numbers.map((client) => bookWhatIsListed(client, start)))
      assert.equal(won.filter((one) => one).length, 3)
      await assertConsistent(site)
    })

    test('a collective slot and slots of its providers are never both booked', async () => {
      for (const { start } of await apart('together', 7)) {
        const window = { from: start, until: start + 5_400 }
        const wanted = drawn(
          [...(await site.slots('together', window)), ...(await site.slots('alone', window))],
          clients,
        )
        await assertFair(wanted)
      }
    })

    test('and no two reservations overlap', async (t) => {
      const { overlaps, overbooked } = await assertConsistent(site)
      const { retries } = site.clients
      proved(t, `B1 ${kind}`, { ...counted, overlaps, overbooked, 'told to wait': retries })
    })

    async function assertFair(wanted: readonly ContendedSlot[]): Promise<void> {
      const replies = await bookAndCount(wanted)
      assert.ok(accepted(replies) >= 1)
      await assertRefusedOnlyWhenFull(site, wanted, replies)
      await assertConsistent(site)
    }

    async function bookWhatIsListed(client: number, start: number): Promise<boolean> {
      for (;;) {
        const [slot] = await site.slots('pool', { from: start, until: start + 1 })
        if (!slot) return false
        const reply = await site.clients.send(client, site.booking(client, slot))
        if (reply.status === 200) return true
        assert.match(reply.body.reason, /^slot_(full|provider_busy)$/)
      }
    }
  })
}

function isSlot(slot: ContendedSlot | undefined): slot is ContendedSlot {
  return slot !== undefined
}

/** Draws `count` slots at random; a slot may be drawn more than once. */
function drawn(slots: readonly ContendedSlot[], count: number): ContendedSlot[] {
  assert.ok(slots.length > 0)
  return Array.from({ length: count }, () => slots[Math.floor(random() * slots.length)]).filter(isSlot)
}
