import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { now } from '../support/clinic.ts'
import { openPaymentTestSite, type PaymentTestSite, waitUntil } from '../support/payment-test-site.ts'
import { onEachDatabase } from '../support/test-site.ts'

onEachDatabase((open) => {
  let paying: PaymentTestSite
  before(async () => {
    paying = await openPaymentTestSite(open)
    await paying.connect()
    await paying.site.setService('paid', { payment: { mode: 'online', refunds: [{ hours: 0, percent: 100 }] } })
  })
  after(() => paying.close())

  test('a cancellation while no processor is connected is refunded once one is connected again', async () => {
    const { site, admin, payers, stripe } = paying
    const { id } = await payers.book()
    const { payment_intent: intent } = await payers.pay(id)
    const disconnected = await admin.post('/payments/disconnect/', {})
    assert.equal(disconnected.status, 200, disconnected.text)
    assert.equal((await site.edit(id, { status: 'cancelled' })).status, 200)
    await waitUntil(async () => (await payers.reservation(id)).payment.refunded === 4_500, 'the refund in the books')
    assert.equal(stripe.refunded(String(intent)), 0)
    await paying.connect()
    await waitUntil(async () => {
      await site.sql("update job set run_at = ? where kind = 'payment-refund' and state = 'due'", [now])
      return stripe.refunded(String(intent)) === 4_500
    }, 'the refund')
  })

  test('keys are replaced by keys of the other mode only while no payment is open', async () => {
    const { site, admin, payers } = paying
    const isLive = async () => Object((await admin.get('/payments/settings/')).body.response).live
    const live = { secretKey: 'sk_live_other0123456789' }
    await waitUntil(
      async () => (await site.sql("select 1 from refund where state = 'pending'")).length === 0,
      'the end of the refund',
    )
    const { id } = await payers.book()
    await payers.sessionOf(id)
    const refused = await admin.post('/payments/connect/', live)
    assert.deepEqual([refused.status, refused.body.reason], [409, 'payments_open'])
    const secret = await admin.post('/payments/connect/', { webhookSecret: paying.stripe.webhookSecret })
    assert.equal(secret.status, 200, secret.text)
    assert.equal(await isLive(), false)
    await payers.pay(id)
    const replaced = await admin.post('/payments/connect/', live)
    assert.equal(replaced.status, 200, replaced.text)
    assert.equal(await isLive(), true)
  })
})
