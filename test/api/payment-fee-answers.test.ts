import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { now } from '../support/clinic.ts'
import { fee, noShowFeesOf } from '../support/no-show-fees.ts'
import { openPaymentTestSite, type PaymentTestSite, waitUntil } from '../support/payment-test-site.ts'
import { assertRefused, onEachDatabase } from '../support/test-site.ts'

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

  /**
   * Charges the fee of a reservation, such that the bank charges the card and the answer is lost; further requests for
   * the charge are lost until the returned function is called.
   */
  async function chargeUnanswered(id: string): Promise<() => void> {
    const { stripe } = paying
    const requests = () => stripe.requests.filter((request) => request === 'POST /v1/payment_intents').length
    const earlier = requests()
    let isLost = true
    stripe.onRequest = async (moment, request) =>
      isLost && request === 'POST /v1/payment_intents' && (moment === 'after' || requests() > earlier + 1)
        ? 'lost'
        : undefined
    assert.equal((await fees.charge(id)).status, 200)
    await waitUntil(async () => requests() > earlier, 'the charge')
    return () => {
      isLost = false
    }
  }

  /** Resolves to the state of a fee once the processor's answer about its charge is recorded. */
  const decided = (id: string) =>
    waitUntil(async () => {
      await paying.site.sql("update job set run_at = ? where kind = 'payment-sync' and state = 'due'", [now])
      const state = await fees.feeState(id)
      return state !== 'charging' && state
    }, 'the decision')

  test('a reservation whose fee is being charged is not removed', async () => {
    const { id } = await fees.missed()
    const answer = await chargeUnanswered(id)
    assertRefused(await paying.site.remove(id), 409, 'fee_charging')
    answer()
    assert.equal(await decided(id), 'charged')
    assertRefused(await paying.site.remove(id), 403, 'reservation_protected')
  })

  test('a charge whose answer was lost is recorded although its customer was erased meanwhile', async () => {
    const { site, admin, payers } = paying
    const { id, card } = await fees.missed()
    const { id: paymentId } = await payers.paymentOf(id)
    const answer = await chargeUnanswered(id)
    const [row] = await site.sql('select customer_id from reservation where id = ?', [id])
    await site.sql('update reservation set start_at = ?, end_at = ? where id = ?', [now - 7_200, now - 3_600, id])
    const erased = await admin.post('/customers/erase/', { id: String(row?.customer_id) })
    assert.equal(erased.status, 200, erased.text)
    const removal = "kind = 'payment-card' and unique_key = ?"
    const key = `${paymentId} erased`
    await waitUntil(
      async () =>
        card.customer === null ||
        (await site.sql(`select 1 from job where ${removal} and attempts > 0 and state = 'due'`, [key])).length > 0,
      'the check whether the card is needed',
    )
    answer()
    assert.equal(await decided(id), 'charged')
    await waitUntil(async () => {
      await site.sql(`update job set run_at = ? where ${removal}`, [now, key])
      return card.customer === null
    }, 'the removal of the card')
  })

  test('a fee that was recorded as declined although the bank had charged it is recorded as charged', async () => {
    const { site, payers, stripe } = paying
    const { id } = await fees.missed()
    const answer = await chargeUnanswered(id)
    // The state that earlier versions recorded when the reservation or the card was removed before the answer arrived.
    const ofFee = "purpose = 'fee' and id in (select payment_id from payment_share where reservation_id = ?)"
    const [made] = await site.sql(`select id from payment where ${ofFee}`, [id])
    await site.sql("update payment set state = 'closed' where id = ?", [String(made?.id)])
    await site.sql("update payment_share set state = 'closed' where payment_id = ?", [String(made?.id)])
    const { payment } = await payers.reservation(id)
    const declined = { ...payment, noShowFee: { ...payment.noShowFee, state: 'declined' } }
    await site.sql('update reservation set payment = ? where id = ?', [JSON.stringify(declined), id])
    answer()
    await stripe.deliverAll(site.server.url)
    await waitUntil(async () => (await fees.feeState(id)) === 'charged', 'the charge')
    assert.equal((await payers.reservation(id)).payment.paid, fee)
  })
})
