import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ana } from '../support/clinic.ts'
import { openPaymentTestSite, type PaymentTestSite, waitUntil } from '../support/payment-test-site.ts'
import { onEachDatabase } from '../support/test-site.ts'

onEachDatabase((open) => {
  let paying: PaymentTestSite
  before(async () => {
    paying = await openPaymentTestSite(open)
    await paying.site.setService('paid', { payment: { mode: 'online', refunds: [{ hours: 0, percent: 100 }] } })
  })
  after(() => paying.close())

  test('a cancellation gives a voucher back without a connected processor, also after one was disconnected', async () => {
    const { site, admin, payers } = paying
    const body = { amount: 4_500, currency: 'EUR', validUntil: null, language: 'de' }
    const { id: voucherId, code } = Object((await admin.post('/payments/vouchers/issue/', body)).body.response)
    const balance = async () =>
      Object((await admin.get(`/payments/vouchers/one/?id=${voucherId}`)).body.response).balance
    const waiting = await payers.book()
    assert.deepEqual((await payers.reservation(waiting.id)).awaits, 'payment')
    for (const reconnects of [false, true]) {
      if (reconnects) {
        await paying.connect()
        assert.equal((await admin.post('/payments/disconnect/', {})).status, 200)
      }
      const visitor = payers.newVisitor()
      const person = payers.newCustomer()
      const month = await visitor.open(`/book/paid/?with=${ana}&date=${site.nextDay()}`)
      const summary = await visitor.fillIn(await visitor.choose(month), person)
      const form = summary.forms.find(({ buttons }) => buttons.some(({ value }) => value === 'book'))
      assert.ok(form)
      const reduced = await visitor.send(form, { name: 'step', value: 'details' }, { voucher: code })
      assert.equal((await visitor.confirm(reduced)).status, 200)
      assert.equal(await balance(), 0)
      const [row] = await site.sql(
        'select r.id from reservation r join customer c on c.id = r.customer_id where c.email = ?',
        [person.email],
      )
      assert.equal((await site.edit(String(row?.id), { status: 'cancelled' })).status, 200)
      await waitUntil(async () => (await balance()) === 4_500, 'the return to the voucher')
    }
    assert.deepEqual(await site.sql('select 1 from payment'), [])
  })
})
