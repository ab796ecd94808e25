import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { databasesHere } from '../support/databases.ts'
import {
  assertBalanced,
  noShowFee,
  openPaymentHistorySite,
  type PaymentHistorySite,
  waitUntilSettled,
} from '../support/payment-history-site.ts'
import { waitUntil } from '../support/payment-test-site.ts'
import { suiteTimeout } from '../support/scale.ts'

/** Seconds by which a restart moves the clock: more than the lease of a job, so that the service takes the job over. */
const lease = 60
/**
 * Seconds by which a restart moves the clock: more than the 24 hours for which the processor stores idempotency keys.
 */
const day = 90_000

for (const { kind, skip } of await databasesHere()) {
  describe(`payments of a service that is killed, on ${kind}`, { skip, timeout: suiteTimeout }, () => {
    let site: PaymentHistorySite
    before(async () => {
      site = await openPaymentHistorySite(kind)
    })
    after(() => site.close())

    for (const moment of ['before', 'after'] as const)
      test(`one charge and one refund, killed ${moment} the processor acts on each`, async () => {
        const { stripe, service, sql } = site
        let kill = killOn('POST /v1/checkout/sessions', moment)
        const id = await book()
        await kill()
        await site.restart(lease)
        const payment = await waitUntil(async () => {
          const [row] = await sql(
            `select p.* from payment p join payment_share s on s.payment_id = p.id
              where s.reservation_id = ? and p.state = 'open'`,
            [id],
          )
          return row
        }, 'the page')
        const page = stripe.sessions.get(String(payment.checkout_id))
        assert.ok(page && stripe.pay(page))
        kill = killOn(`GET /v1/checkout/sessions/${page.id}`, moment)
        await stripe.deliverAll(service.url)
        await kill()
        await site.restart(lease)
        await waitUntil(async () => (await statusOf(id)) === 'confirmed', 'the booking')
        kill = killOn('POST /v1/refunds', moment)
        const refund = { reservationId: id, amount: 4_500, from: 'processor', reason: 'Ill' }
        assert.equal((await (await site.signIn()).post('/payments/refund/', refund)).status, 200)
        await kill()
        await site.restart(day)
        await waitUntil(
          async () => (await sql("select 1 from refund where state = 'pending'")).length === 0,
          'the refund',
        )
        assert.equal(stripe.refunded(String(page.payment_intent)), 4_500)
        await assertBalanced(site)
      })

    for (const moment of ['before', 'after'] as const)
      test(`the fee of a missed visit, killed ${moment} the bank charges the card`, async () => {
        const { stripe, service, sql } = site
        const id = await book('carded')
        const page = await waitUntil(async () => {
          const [row] = await sql(
            `select p.* from payment p join payment_share s on s.payment_id = p.id
              where s.reservation_id = ? and p.state = 'open'`,
            [id],
          )
          return row && stripe.sessions.get(String(row.checkout_id))
        }, 'the page')
        assert.ok(stripe.saveCard(page))
        await stripe.deliverAll(service.url)
        await waitUntil(async () => (await statusOf(id)) === 'confirmed', 'the booking')
        const kill = killOn('POST /v1/payment_intents', moment)
        const desk = await site.signIn()
        assert.equal((await desk.post('/reservations/attendance/', { id, state: 'no_show' })).status, 200)
        const claim = { reservationId: id, amount: noShowFee }
        assert.equal((await desk.post('/payments/no-show/charge/', claim)).status, 200)
        await kill()
        // After the restart the processor has deleted the idempotency key of the first attempt.
        await site.restart(day)
        await waitUntilSettled(site)
        const customer = stripe.cards.cards.get(page.card ?? '')?.customer
        const charged = [...stripe.cards.intents.values()].filter((one) => one.customer === customer)
        assert.equal(charged.length, 1)
        await assertBalanced(site)
      })

    /**
     * Kills the service before or after the processor handles the first request `wanted`, as `moment` says. The request
     * waits until the returned function is called, so that the test gets its own responses first; the function resolves
     * after the kill.
     */
    function killOn(wanted: string, moment: 'before' | 'after'): () => Promise<void> {
      const answered = Promise.withResolvers<void>()
      const dead = Promise.withResolvers<void>()
      site.stripe.onRequest = async (now, request) => {
        if (now !== moment || request !== wanted) return undefined
        site.stripe.onRequest = () => undefined
        await answered.promise
        await site.service.kill()
        dead.resolve()
        return 'lost'
      }
      return () => {
        answered.resolve()
        return dead.promise
      }
    }

    async function book(service = 'single'): Promise<string> {
      const slot = (await site.slots()).find(({ serviceId }) => site.nameOf(serviceId) === service)
      assert.ok(slot)
      const { availabilityId, serviceId, providerId, start, end } = slot
      const [customerId] = site.customers
      const body = { availabilityId, serviceId, providerId, start, end, customerId }
      const answer = await site.service.call('POST', '/reservations/add/', { body })
      assert.equal(answer.status, 200, answer.text)
      return answer.body.id
    }

    async function statusOf(id: string): Promise<unknown> {
      const [row] = await site.sql('select status from reservation where id = ?', [id])
      return row?.status
    }
  })
}
