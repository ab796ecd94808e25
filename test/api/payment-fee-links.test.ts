import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
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

  const due = async (id: string) =>
    Object((await paying.admin.get(`/payments/reservation/?id=${id}`)).body.response).due
  const takeOnSite = async (reservationId: string, amount: number) =>
    assert.equal((await paying.admin.post('/payments/on-site/', { reservationId, amount })).status, 200)

  test('a fee that is paid by link after the no-show was taken back is returned', async () => {
    const { id } = await fees.missed('declined')
    assert.equal((await fees.charge(id)).status, 200)
    await waitUntil(async () => (await fees.feeState(id)) === 'declined', 'the refusal of the bank')
    await fees.sendLink(id)
    const session = await paying.stripe.sessionOf(String((await fees.linkOf(id)).id))
    paying.stripe.down = true
    assert.equal((await fees.mark(id, 'completed')).status, 200)
    paying.stripe.pay(session)
    paying.stripe.down = false
    await paying.stripe.deliverAll(paying.site.server.url)
    await waitUntil(async () => paying.stripe.refunded(String(session.payment_intent)) === fee, 'the return')
    assert.equal(await fees.feeState(id), 'agreed')
  })

  test('a fee that is paid by link after the reservation was given to another customer is returned', async () => {
    const { id } = await fees.missed('declined')
    await fees.sendLink(id)
    const session = await paying.stripe.sessionOf(String((await fees.linkOf(id)).id))
    paying.stripe.down = true
    assert.equal((await paying.site.edit(id, { customerId: paying.site.customer('Kim') })).status, 200)
    paying.stripe.pay(session)
    paying.stripe.down = false
    await paying.stripe.deliverAll(paying.site.server.url)
    const settled = await waitUntil(async () => {
      const found = (await paying.payers.reservation(id)).payment
      return found.paid > 0 && found
    }, 'the decision')
    assert.deepEqual([settled.paid, settled.refunded, await due(id)], [fee, fee, 4_500])
    await waitUntil(async () => paying.stripe.refunded(String(session.payment_intent)) === fee, 'the return')
  })

  test('a fee that was paid by link while the card was charged is returned once', async () => {
    const { id, card } = await fees.missed()
    await fees.sendLink(id)
    const link = await fees.linkOf(id)
    // The state of the no-show fee is set to `declined`, as after the bank has declined the charge, so that staff can
    // charge the card while the payment link is open.
    const { payment } = await paying.payers.reservation(id)
    const declined = { ...payment, noShowFee: { ...payment.noShowFee, state: 'declined' } }
    await paying.site.sql('update reservation set payment = ? where id = ?', [JSON.stringify(declined), id])
    paying.stripe.pay(await paying.stripe.sessionOf(String(link.id)))
    assert.equal((await fees.charge(id)).status, 200)
    await paying.stripe.deliverAll(paying.site.server.url)
    const settled = await waitUntil(async () => {
      const found = (await paying.payers.reservation(id)).payment
      return found.paid === 3_600 && found.refunded === fee && found
    }, 'the return')
    assert.deepEqual([settled.noShowFee.state, settled.paid, settled.refunded], ['charged', 3_600, fee])
    assert.notEqual(card.customer, null)
  })

  test('a fee that is paid at the desk is charged, and its link is closed', async () => {
    const { id } = await fees.missed()
    await fees.sendLink(id)
    const link = await fees.linkOf(id)
    await takeOnSite(id, fee)
    await fees.linkClosed(id)
    assert.equal((await paying.stripe.sessionOf(String(link.id))).status, 'expired')
    assert.deepEqual([await fees.feeState(id), await due(id)], ['charged', 0])
  })

  test('the link of a fee that is waived is closed', async () => {
    const { id } = await fees.missed()
    await fees.sendLink(id)
    await fees.linkOf(id)
    const waiver = { reservationId: id, amount: fee, reason: 'Kind' }
    assert.equal((await paying.admin.post('/payments/write-off/', waiver)).status, 200)
    await fees.linkClosed(id)
    assert.deepEqual([await fees.feeState(id), await due(id)], ['declined', 0])
  })

  for (const [atDesk, state, left] of [
    [fee, 'charged', 0],
    [500, 'declined', 1_300],
  ] as const)
    test(`a fee of which ${atDesk} cents were paid at the desk is ${state} when a payment by link is returned`, async () => {
      const { id } = await fees.missed()
      await fees.sendLink(id)
      const session = await paying.stripe.sessionOf(String((await fees.linkOf(id)).id))
      // The customer pays by the link, and the desk records the fee before the processor's event arrives.
      paying.stripe.down = true
      paying.stripe.pay(session)
      await takeOnSite(id, atDesk)
      paying.stripe.down = false
      await paying.stripe.deliverAll(paying.site.server.url)
      await waitUntil(async () => paying.stripe.refunded(String(session.payment_intent)) === fee, 'the return')
      assert.deepEqual([await fees.feeState(id), await due(id)], [state, left])
    })
})
