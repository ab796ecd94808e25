import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { now } from '../support/clinic.ts'
import { fee, noShowFeesOf } from '../support/no-show-fees.ts'
import { openPaymentTestSite, type PaymentTestSite, waitUntil } from '../support/payment-test-site.ts'
import { onEachDatabase } from '../support/test-site.ts'

onEachDatabase((open) => {
  let paying: PaymentTestSite
  let fees: ReturnType<typeof noShowFeesOf>
  before(async () => {
    paying = await openPaymentTestSite(open)
    fees = noShowFeesOf(paying)
    await paying.connect()
    await paying.site.setService('paid', { payment: { mode: 'card', noShowFee: { percent: 40 } } })
  })
  after(() => paying.close())

  /** Resolves when the fee of a reservation has the state; the job that charges the card is repeated until then. */
  const becomes = (id: string, state: string) =>
    waitUntil(async () => {
      await paying.site.sql("update job set run_at = ? where kind = 'payment-sync' and state = 'due'", [now])
      return (await fees.feeState(id)) === state
    }, `the state ${state}`)

  test('a charge that the processor decides later is recorded once it is decided', async () => {
    const { id, card } = await fees.missed('processing')
    const { intents } = paying.stripe.cards
    const findIntent = () => [...intents.values()].find(({ customer }) => customer === card.customer)
    assert.equal((await fees.charge(id)).status, 200)
    const undecided = await waitUntil(async () => findIntent(), 'the charge')
    assert.deepEqual([undecided.status, await fees.feeState(id)], ['processing', 'charging'])
    paying.stripe.cards.approve(undecided)
    await paying.stripe.deliverAll(paying.site.server.url)
    await becomes(id, 'charged')
    assert.equal((await paying.payers.reservation(id)).payment.paid, fee)
  })
})
