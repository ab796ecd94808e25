import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { databasesHere } from '../support/databases.ts'
import { type ContendedSlots, PaymentHistory } from '../support/payment-history.ts'
import {
  assertBalanced,
  openPaymentHistorySite,
  type PaymentHistorySite,
  waitUntilSettled,
} from '../support/payment-history-site.ts'
import { waitUntil } from '../support/payment-test-site.ts'
import { proved } from '../support/proof.ts'
import { scaled, seed, seededRandom, suiteTimeout } from '../support/scale.ts'
import type { AvailableSlot } from '../support/test-site.ts'
import { whenServed } from '../support/when-served.ts'

/**
 * The number of contended slots in a round, each with an independent history; restarts of the service affect all of
 * them.
 */
const histories = 40
const rounds = scaled(1)
const moreRounds = 6
/** The number of concurrent bookings of one slot in each wave. */
const askers = 25
const waves = scaled(1) > 1 ? 4 : 2
const seats = 3
/** Seconds after which a seat is free again for other customers if its payment was not reported to the service. */
const seatsFree = 2_500
/**
 * Seconds by which a restart moves the clock: after the first history of a round, when the customers of its bookings
 * can still pay, and after the second, when their time to pay (30 minutes) has ended. A random one of the values is
 * used.
 */
const starts = [[900], [1_100, 1_700]] as const
/**
 * Seconds by which a restart moves the clock: enough that the service asks the processor again about every undecided
 * refund, which it does every 6 hours.
 */
const longAfter = 30_000

for (const { kind, skip } of await databasesHere()) {
  describe(`payments on ${kind}`, { skip, timeout: suiteTimeout }, () => {
    let site: PaymentHistorySite
    before(async () => {
      site = await openPaymentHistorySite(kind)
    })
    after(() => site.close())

    test('every payer has the seat or the money back, whatever is lost, repeated, late or killed', async (t) => {
      const random = seededRandom(seed)
      let kills = 0
      let round = 0
      let outcome: Awaited<ReturnType<typeof assertBalanced>> | undefined
      // A few histories with an early kill and a processor that is down may book or refund nothing. Further rounds
      // follow until both have happened.
      const isCovered = () => outcome !== undefined && outcome.booked > 0 && outcome.returned > 0
      for (; round < rounds || (!isCovered() && round < rounds + moreRounds); round++) {
        const groups = contestsOf(await site.slots(), random)
        const late: object[] = []
        for (const [index, seconds] of starts.entries()) {
          const killAfter = 80 + Math.floor(random() * 600)
          site.stripe.down = index === 1 && random() < 0.5
          const losses = index === 0 ? 0.1 : 0.2
          const history = new PaymentHistory({ site, groups, random, steps: 9, killAfter, losses }, late)
          await history.run()
          if (history.killed) kills += 1
          await site.restart(seconds[Math.floor(random() * seconds.length)] ?? 0)
        }
        await finish(late, random)
        if (round + 1 >= rounds) outcome = await assertBalanced(site)
      }
      assert.ok(isCovered(), JSON.stringify(outcome))
      proved(t, `W8 ${kind}`, { histories: round * histories, kills, ...outcome, faults: 0 })
    })

    test(`of ${waves * askers} who ask for ${seats} seats, ${seats} are booked; the others are refunded or never charged`, async () => {
      const { service, sql, stripe } = site
      // The slot is 30 days ahead, because the previous test has left reservations on the next days.
      const slot = (await site.slots(30)).find(({ serviceId }) => site.nameOf(serviceId) === 'trio')
      assert.ok(slot)
      const ids: string[] = []
      const late: object[] = []
      for (let wave = 0; wave < waves; wave++) {
        stripe.down = false
        for (const id of await askAll(slot)) {
          ids.push(id)
          const page = await pageOf(id)
          assert.ok(page && stripe.pay(page))
        }
        late.push(...stripe.events.splice(0))
        // The processor is down, so the service learns of no payment before the seats are free for other customers.
        stripe.down = true
        if (wave < waves - 1) await site.restart(seatsFree)
      }
      assert.ok(ids.length >= seats * 2)
      stripe.down = false
      const answers = await Promise.all(late.map((event) => stripe.deliverUntilServed(service.url, event)))
      assert.ok(answers.every((status) => status === 200))
      await site.restart(longAfter)
      await waitUntilSettled(site)
      await assertBalanced(site)
      const shares = await sql(`select state from payment_share where reservation_id in (${marks(ids)})`, ids)
      assert.equal(shares.filter(({ state }) => state === 'booked').length, seats)
      assert.equal(shares.filter(({ state }) => state === 'returned').length, ids.length - seats)
    })

    /**
     * Sends 25 concurrent bookings of a slot; returns the ids of the reservations that were made, none if the slot is
     * not listed as free.
     */
    async function askAll({ serviceId, providerId, start, end }: AvailableSlot): Promise<string[]> {
      const query = { min_timestamp: start, max_timestamp: start + 1, services: serviceId, providers: providerId }
      const { service } = site
      const listed = await whenServed(() =>
        service.call<{ response: AvailableSlot[] }>('GET', '/availability/get/', { query }),
      )
      const availabilityId = listed.body.response[0]?.availabilityId
      if (availabilityId === undefined) return []
      const [customerId] = site.customers
      const body = { availabilityId, serviceId, providerId, start, end, customerId }
      // A booking that the overloaded service answers with 503 may have been made; with its key, the repetition tells.
      const answers = await Promise.all(
        Array.from({ length: askers }, () => {
          const headers = { 'Idempotency-Key': randomUUID() }
          return whenServed(() => service.call('POST', '/reservations/add/', { body, headers }))
        }),
      )
      for (const { status, body: said } of answers)
        assert.ok(status === 200 || said.reason === 'slot_full', said.reason)
      return answers.flatMap(({ status, body: { id } }) => (status === 200 ? [id] : []))
    }

    async function pageOf(reservationId: string) {
      const row = await waitUntil(async () => {
        const [found] = await site.sql(
          `select checkout_id from payment p join payment_share s on s.payment_id = p.id
            where s.reservation_id = ? and p.state = 'open'`,
          [reservationId],
        )
        return found
      }, 'the page of the processor')
      return site.stripe.sessions.get(String(row.checkout_id))
    }

    /**
     * Decides all pending refunds, delivers all delayed events, moves the clock and checks that all payments are
     * settled.
     */
    async function finish(late: object[], random: () => number): Promise<void> {
      const { stripe, service } = site
      stripe.down = false
      stripe.slowRefunds = false
      for (const refund of stripe.refunds.values())
        if (refund.status === 'pending') stripe.decideRefund(refund, random() < 0.3 ? 'failed' : 'succeeded')
      // Events that were neither delivered nor delayed are dropped, as if they were lost for good; `late` contains the
      // delayed ones.
      stripe.events.length = 0
      for (const event of late.splice(0)) assert.equal(await stripe.deliverUntilServed(service.url, event), 200)
      await site.restart(longAfter)
      await waitUntilSettled(site)
      await assertBalanced(site)
    }
  })
}

function marks(of: readonly unknown[]): string {
  return of.map(() => '?').join(', ')
}

/** Chooses 40 pairs of a provider and a start at random, and for each the slot of a random service. */
function contestsOf(slots: readonly AvailableSlot[], random: () => number): ContendedSlots[] {
  const times = [...Map.groupBy(slots, ({ providerId, start }) => `${providerId} ${start}`).values()]
  const chosen = times.toSorted(() => random() - 0.5).slice(0, histories)
  assert.equal(chosen.length, histories)
  return chosen.map((of) => ({ slots: [of[Math.floor(random() * of.length)] as AvailableSlot], reservations: [] }))
}
