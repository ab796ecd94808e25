import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { textOf } from '../support/booking-visitor.ts'
import { openPaymentTestSite, type PaymentTestSite, waitUntil } from '../support/payment-test-site.ts'
import { onEachDatabase } from '../support/test-site.ts'

onEachDatabase((open) => {
  let paying: PaymentTestSite
  const priced = (payment: object, price = 20_000) =>
    paying.site.setService('paid', { price, currency: 'KWD', payment: { mode: 'online', ...payment } })
  before(async () => {
    paying = await openPaymentTestSite(open)
    await paying.connect()
  })
  after(() => paying.close())

  test('a refund that the processor cannot make is refused beside its amount, the whole rest is refunded', async () => {
    const { admin, payers, stripe } = paying
    await priced({}, 10_000)
    const { id } = await payers.book()
    const { payment_intent: intent } = await payers.pay(id)
    const refund = (amount: number) =>
      admin.post('/payments/refund/', { reservationId: id, amount, from: 'processor', reason: 'Ill' })
    const refused = await refund(1_005)
    assert.deepEqual([refused.status, Object.keys(refused.body.details ?? {})], [400, ['amount']], refused.text)
    assert.equal((await payers.reservation(id)).payment.refunded, 0)
    assert.equal((await refund(1_010)).status, 200)
    assert.equal((await refund(8_990)).status, 200)
    await waitUntil(async () => stripe.refunded(String(intent)) === 10_000, 'the refunds')
  })

  test('a voucher leaves a rest that the processor can charge, as the summary says', async () => {
    const { admin, payers } = paying
    await priced({})
    const voucher = { amount: 12_345, currency: 'KWD', validUntil: null, language: 'en' }
    const issued = Object((await admin.post('/payments/vouchers/issue/', voucher)).body.response)
    const { visitor, person, summary } = await payers.fillInWithVoucher(String(issued.code))
    assert.match(textOf(summary), /-KWD\s12\.340 To pay now KWD\s7\.660/)
    assert.equal((await visitor.confirm(summary)).status, 303)
    const [id = ''] = await payers.reservationsOf(person.email)
    assert.equal((await payers.pay(id)).amount_total, 7_660)
    const { balance } = Object((await admin.get(`/payments/vouchers/one/?id=${issued.id}`)).body.response)
    assert.equal(balance, 5)
  })

  test('a booking with a deposit that the processor cannot charge exactly is paid', async () => {
    const { payers } = paying
    await priced({ deposit: { amount: 5_005 } })
    const { id } = await payers.book()
    assert.equal((await payers.pay(id)).amount_total, 5_000)
  })
})
