import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { textOf } from '../support/booking-visitor.ts'
import { ana } from '../support/clinic.ts'
import { openPaymentTestSite, type PaymentTestSite, waitUntil } from '../support/payment-test-site.ts'
import { onEachDatabase } from '../support/test-site.ts'

onEachDatabase((open) => {
  let paying: PaymentTestSite
  before(async () => {
    paying = await openPaymentTestSite(open)
    await paying.connect()
    const payment = { mode: 'online', refunds: [{ hours: 0, percent: 50 }] }
    await paying.site.setService('group', { price: 5_000, payment })
  })
  after(() => paying.close())

  test('who cancels a whole form sees what goes back for the others, with nothing left for the own seat', async () => {
    const { site, admin, payers, stripe } = paying
    const visitor = payers.newVisitor()
    const [first, second] = [payers.newCustomer(), payers.newCustomer()]
    const month = await visitor.open(`/book/group/?with=${ana}&seats=2&date=${site.nextDay()}`)
    const details = { ...first, guest2name: 'Bob', guest2email: second.email }
    await visitor.confirm(await visitor.fillIn(await visitor.choose(month), details))
    const [id = ''] = await payers.reservationsOf(first.email)
    const [other = ''] = await payers.reservationsOf(second.email)
    const { payment_intent: intent } = await payers.pay(id)
    await payers.waitForConfirmation(other)
    const refund = { reservationId: id, amount: 5_000, from: 'processor', reason: 'Kind' }
    assert.equal((await admin.post('/payments/refund/', refund)).status, 200)
    const page = await visitor.open('/manage/cancel/')
    assert.match(textOf(page), /For all appointments together, €25\.00 goes back\./)
    assert.doesNotMatch(textOf(page), /that you paid goes back/)
    const [form] = page.forms
    assert.ok(form)
    assert.equal((await visitor.send(form, undefined, { all: 'on', of: '5000' })).status, 409)
    assert.equal((await payers.reservation(other)).status, 'confirmed')
    assert.equal((await visitor.send(form, undefined, { all: 'on' })).status, 303)
    await waitUntil(async () => stripe.refunded(String(intent)) === 7_500, 'the refund of the other seat')
  })
})
