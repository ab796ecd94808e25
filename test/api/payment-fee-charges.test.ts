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

  const shown = async (id: string) => Object((await paying.admin.get(`/payments/reservation/?id=${id}`)).body.response)
  const writeOff = async (reservationId: string, amount: number) => {
    const body = { reservationId, amount, reason: 'Kind' }
    assert.equal((await paying.admin.post('/payments/write-off/', body)).status, 200)
  }
  /** Books a reservation that was missed and whose fee the bank has declined. */
  async function declined(): Promise<string> {
    const { id } = await fees.missed('declined')
    assert.equal((await fees.charge(id)).status, 200)
    await becomes(id, 'declined')
    return id
  }

  test('what was waived of a fee does not reduce the price after the no-show is taken back', async () => {
    const id = await declined()
    await writeOff(id, fee)
    assert.equal((await shown(id)).due, 0)
    assert.equal((await fees.mark(id, 'completed')).status, 200)
    const { due, writtenOff, overpaid } = await shown(id)
    assert.deepEqual([due, writtenOff, overpaid], [4_500, 0, 0])
    await writeOff(id, 1_000)
    assert.equal((await shown(id)).due, 3_500)
    assert.equal((await fees.mark(id, 'no_show')).status, 200)
    assert.equal((await shown(id)).due, 3_500)
    assert.equal((await fees.charge(id)).status, 409)
  })

  test('the no-show of a declined fee is taken back after a part of the fee was paid, not after all of it', async () => {
    const id = await declined()
    const take = (amount: number) => paying.admin.post('/payments/on-site/', { reservationId: id, amount })
    assert.equal((await take(500)).status, 200)
    assert.equal((await fees.mark(id, 'completed')).status, 200)
    assert.deepEqual([await fees.feeState(id), (await shown(id)).due], ['agreed', 4_000])
    const other = await declined()
    assert.equal((await paying.admin.post('/payments/on-site/', { reservationId: other, amount: fee })).status, 200)
    assert.equal((await fees.mark(other, 'completed')).status, 400)
  })

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
