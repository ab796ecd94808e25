import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import Stripe from 'stripe'
import { OutboundClient } from '../src/http/outbound/outbound-client.ts'
import { type CheckoutRequest, type Movement, type Processor, ProcessorError } from '../src/payments/processor.ts'
import { stripeProcessor } from '../src/payments/stripe/stripe.job.ts'

const secretKey = process.env.DAYBOOK_STRIPE_TEST_KEY ?? ''
// Only test keys are accepted, because a live key would move real money.
const usable = /^(?:sk|rk)_test_/.test(secretKey)
const skip = usable ? false : 'Stripe itself was NOT reached: set DAYBOOK_STRIPE_TEST_KEY to a test key (sk_test_…)'

describe('Stripe in test mode', { skip, timeout: 300_000 }, () => {
  let client: OutboundClient
  let processor: Processor
  const apiUrl = 'https://api.stripe.com'
  before(async () => {
    client = new OutboundClient({ allowed: [] })
    processor = await stripeProcessor({ secretKey, client, apiUrl })
  })
  after(() => client?.close())

  const request = (change: Partial<CheckoutRequest> = {}): CheckoutRequest => ({
    ...{ paymentId: `pay_test_${randomUUID()}`, amount: 4_500, currency: 'EUR', description: 'Test', locale: 'de' },
    savesCard: false,
    ...{ returnUrl: 'https://example.com/back', cancelUrl: 'https://example.com/' },
    expiresAt: Math.floor(Date.now() / 1000) + 3_600,
    ...change,
  })

  test('the account has a name, and a wrong key is refused as such', async () => {
    assert.notEqual(await processor.account(), '')
    const stranger = await stripeProcessor({ secretKey: 'sk_test_wrong0123456789', client, apiUrl })
    await assert.rejects(
      stranger.account(),
      (error) => error instanceof ProcessorError && error.fault === 'unauthorized',
    )
  })

  test('a page is opened once however often it is asked for, and closed for good', async () => {
    const wanted = request()
    const opened = await processor.openCheckout(wanted)
    assert.deepEqual(await processor.openCheckout(wanted), opened)
    assert.equal(opened.state, 'open')
    assert.equal((await processor.findCheckout(opened.id)).state, 'open')
    for (let times = 0; times < 2; times++) assert.equal((await processor.closeCheckout(opened.id)).state, 'closed')
  })

  test('a page saves a card without an amount, and is closed for good', async () => {
    const opened = await processor.openCheckout(request({ savesCard: true }))
    assert.equal(opened.state, 'open')
    assert.equal((await processor.closeCheckout(opened.id)).state, 'closed')
  })

  for (const [method, outcome] of [
    ['pm_card_visa', 'paid'],
    ['pm_card_chargeCustomerFail', 'declined'],
    ['pm_card_authenticationRequired', 'authentication'],
  ] as const)
    test(`a charge of the saved card ${method} ends as ${outcome}, once, and the card is removed`, async () => {
      const stripe = new Stripe(secretKey)
      const customer = await stripe.customers.create({})
      const { id } = await stripe.paymentMethods.attach(method, { customer: customer.id })
      const card = { customer: customer.id, card: id }
      const paymentId = `pay_test_${randomUUID()}`
      const wanted = { paymentId, amount: 2_000, currency: 'EUR', card, description: 'Test' }
      const charge = await processor.chargeCard({ ...wanted, old: false })
      assert.equal(charge.state === 'declined' ? charge.reason : charge.state, outcome)
      assert.deepEqual(await processor.chargeCard({ ...wanted, old: true }), charge)
      if (charge.state === 'paid') assert.equal((await processor.findCharge(charge.chargeId)).amount, 2_000)
      await processor.removeCard(card)
      await processor.removeCard(card)
    })

  test('an amount below the least is refused', () =>
    assert.rejects(
      processor.openCheckout(request({ amount: 1 })),
      (error) => error instanceof ProcessorError && error.fault === 'refused',
    ))

  test('a charge is refunded once however often it is asked for, and both are listed with their ids', async () => {
    const began = Math.floor(Date.now() / 1000) - 60
    const payment = `pay_test_${randomUUID()}`
    const intent = await new Stripe(secretKey).paymentIntents.create({
      ...{ amount: 4_500, currency: 'eur', payment_method: 'pm_card_visa', confirm: true, metadata: { payment } },
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    })
    const wanted = { refundId: `ref_test_${randomUUID()}`, chargeId: intent.id, amount: 1_000, currency: 'EUR' }
    const refund = await processor.refund({ ...wanted, old: false })
    assert.equal((await processor.refund({ ...wanted, old: false })).id, refund.id)
    assert.equal((await processor.refund({ ...wanted, old: true })).id, refund.id)
    assert.notEqual((await processor.findRefund(refund.id)).state, 'failed')
    const listed: Movement[] = []
    for (let next: string | null = ''; next !== null; ) {
      const page: Awaited<ReturnType<Processor['listMovements']>> = await processor.listMovements(
        { from: began, until: began + 3_600 },
        next,
      )
      listed.push(...page.movements)
      next = page.next
    }
    const charge = listed.find(({ reference }) => reference === intent.id)
    assert.deepEqual([charge?.kind, charge?.amount, charge?.paymentId], ['charge', 4_500, payment])
    const back = listed.find(({ reference }) => reference === refund.id)
    assert.deepEqual([back?.kind, back?.amount, back?.chargeId], ['refund', 1_000, intent.id])
    await processor.listPayouts({ from: began - 30 * 86_400, until: began }, '')
  })
})
