import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPaymentTestSite, type PaymentTestSite, waitUntil } from '../support/payment-test-site.ts'
import { onEachDatabase } from '../support/test-site.ts'

onEachDatabase((open) => {
  let paying: PaymentTestSite
  before(async () => {
    paying = await openPaymentTestSite(open)
    await paying.site.setService('paid', { payment: { mode: 'online', refunds: [{ hours: 0, percent: 100 }] } })
  })
  after(() => paying.close())

  /** Issues a voucher of €45.00; returns its code and a function that reads its balance. */
  const issue = async () => {
    const body = { amount: 4_500, currency: 'EUR', validUntil: null, language: 'de' }
    const { id, code } = Object((await paying.admin.post('/payments/vouchers/issue/', body)).body.response)
    const balance = async () =>
      Object((await paying.admin.get(`/payments/vouchers/one/?id=${id}`)).body.response).balance
    return { code: String(code), balance }
  }
  /** Books on the booking page with a voucher that pays the price; returns the id of the reservation. */
  const bookWith = async (code: string): Promise<string> => {
    const { visitor, person, summary } = await paying.payers.fillInWithVoucher(code)
    assert.equal((await visitor.confirm(summary)).status, 200)
    return String((await paying.payers.reservationsOf(person.email))[0])
  }

  test('a cancellation gives a voucher back without a connected processor, also after one was disconnected', async () => {
    const { site, admin, payers } = paying
    const { code, balance } = await issue()
    const waiting = await payers.book()
    assert.deepEqual((await payers.reservation(waiting.id)).awaits, 'payment')
    for (const reconnects of [false, true]) {
      if (reconnects) {
        await paying.connect()
        assert.equal((await admin.post('/payments/disconnect/', {})).status, 200)
      }
      const id = await bookWith(code)
      assert.equal(await balance(), 0)
      assert.equal((await site.edit(id, { status: 'cancelled' })).status, 200)
      await waitUntil(async () => (await balance()) === 4_500, 'the return to the voucher')
    }
    assert.deepEqual(await site.sql('select 1 from payment'), [])
  })

  test('a restored booking that a voucher pays again is refunded by the rule, whatever was refunded before', async () => {
    const { site, admin } = paying
    const { code, balance } = await issue()
    const id = await bookWith(code)
    assert.equal((await site.edit(id, { status: 'cancelled' })).status, 200)
    await waitUntil(async () => (await balance()) === 4_500, 'the return to the voucher')
    assert.equal((await site.edit(id, { status: 'confirmed' })).status, 200)
    const paid = await admin.post('/payments/vouchers/redeem/', { reservationId: id, code })
    assert.equal(paid.status, 200, paid.text)
    assert.equal(await balance(), 0)
    await site.setService('paid', { payment: { mode: 'online', refunds: [{ hours: 0, percent: 50 }] } })
    const preview = (await admin.get(`/payments/cancellation/?ids=${id}`)).body.response
    assert.deepEqual(preview, [{ currency: 'EUR', rule: 2_250, all: 4_500 }])
    assert.equal((await site.edit(id, { status: 'cancelled' })).status, 200)
    await waitUntil(async () => (await balance()) === 2_250, 'the return of half to the voucher')
  })
})
