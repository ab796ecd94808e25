import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { ana, now } from '../support/clinic.ts'
import {
  openPaymentTestSite,
  type PayingCustomers,
  type PaymentTestSite,
  waitUntil,
} from '../support/payment-test-site.ts'
import type { StripeStandIn } from '../support/stripe.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

onEachDatabase((open) => {
  let paying: PaymentTestSite
  let site: TestSite
  let admin: BrowserClient
  let stripe: StripeStandIn
  let payers: PayingCustomers
  before(async () => {
    paying = await openPaymentTestSite(open)
    ;({ site, stripe, admin, payers } = paying)
    await paying.connect()
  })
  after(() => paying.close())

  test('staff refund what was paid, in parts and never more, and a refunded reservation may be removed', async () => {
    const { id } = await payers.book()
    const session = await payers.pay(id)
    const charge = String(session.payment_intent)
    const refund = (amount: number, more = {}, by = admin) =>
      by.post('/payments/refund/', { reservationId: id, amount, from: 'processor', reason: 'Ill', ...more })
    const shown = async () => Object((await admin.get(`/payments/reservation/?id=${id}`)).body.response)
    const { due, processor, onSite } = await shown()
    assert.deepEqual({ due, processor, onSite }, { due: 0, processor: 4_500, onSite: 0 })
    const receptionist = (await insertSignedInUser(site, 'receptionist')).browser
    assert.equal((await refund(100, {}, receptionist)).status, 403)
    for (const [amount, more] of [
      [4_501, {}],
      [1, { from: 'on_site' }],
    ] as const) {
      const refused = await refund(amount, more)
      assert.deepEqual([refused.status, Object.keys(refused.body.details ?? {})], [400, ['amount']], refused.text)
    }
    // The first two simultaneous refunds together do not exceed the rest of the payment; of the next two, only one
    // fits.
    assert.deepEqual(
      (await Promise.all([refund(1_000), refund(1_500)])).map(({ status }) => status),
      [200, 200],
    )
    const raced = await Promise.all([refund(1_500), refund(1_500)])
    assert.deepEqual(raced.map(({ status }) => status).sort(), [200, 400])
    await waitUntil(async () => stripe.refunded(charge) === 4_000, 'the refunds')
    const { payment } = await payers.reservation(id)
    assert.deepEqual([payment.state, payment.refunded], ['part_refunded', 4_000])
    assert.equal((await site.remove(id)).status, 403)
    assert.equal((await refund(500)).status, 200)
    await waitUntil(async () => stripe.refunded(charge) === 4_500, 'the refunds')
    await waitUntil(async () => (await shown()).entries.length === 5, 'the entries of the books')
    assert.equal((await payers.reservation(id)).payment.state, 'refunded')
    assert.equal((await site.remove(id)).status, 200)
  })

  test('the payments of a reservation list a refund that was refused, and one that failed later only once', async () => {
    const entriesOf = async (id: string) => {
      const { entries } = Object((await admin.get(`/payments/reservation/?id=${id}`)).body.response)
      return entries.map(({ kind, amount }: { kind: string; amount: number }) => [kind, amount])
    }
    const refund = async (id: string) => {
      const body = { reservationId: id, amount: 1_500, from: 'processor', reason: 'Ill' }
      assert.equal((await admin.post('/payments/refund/', body)).status, 200)
    }
    const failureOf = (id: string) =>
      waitUntil(async () => (await payers.reservation(id)).payment.refunded === 0, 'the failure of the refund')
    const refused = await payers.book()
    const { payment_intent: charge } = await payers.pay(refused.id)
    // The whole charge was already refunded in Stripe's dashboard.
    const elsewhere = { id: 're_elsewhere', payment_intent: String(charge), amount: 4_500, currency: 'eur' }
    stripe.refunds.set('re_elsewhere', { ...elsewhere, status: 'succeeded', metadata: { refund: '' } })
    await refund(refused.id)
    await failureOf(refused.id)
    const charged = ['charge', 4_500]
    const failed = ['refund_failed', 1_500]
    assert.deepEqual(await entriesOf(refused.id), [charged, failed])
    const later = await payers.book()
    await payers.pay(later.id)
    stripe.slowRefunds = true
    await refund(later.id)
    await waitUntil(async () => (await entriesOf(later.id)).length === 2, 'the refund')
    stripe.slowRefunds = false
    const pending = [...stripe.refunds.values()].find(({ status }) => status === 'pending')
    assert.ok(pending)
    stripe.decideRefund(pending, 'failed')
    await stripe.deliverAll(site.server.url)
    await failureOf(later.id)
    const entries = await entriesOf(later.id)
    assert.deepEqual(entries.toSorted(), [charged, ['refund', 1_500], failed])
  })

  test('a refund that has succeeded stays so when an earlier answer of the processor arrives late', async () => {
    const { id } = await payers.book()
    const { payment_intent: charge } = await payers.pay(id)
    stripe.slowRefunds = true
    const body = { reservationId: id, amount: 1_500, from: 'processor', reason: 'Ill' }
    assert.equal((await admin.post('/payments/refund/', body)).status, 200)
    const stored = async () =>
      Object((await site.sql('select * from refund where reservation_id = ? and processor_id is not null', [id]))[0])
    const refundId = await waitUntil(async () => (await stored()).id as string | undefined, 'the refund')
    stripe.slowRefunds = false
    const refund = [...stripe.refunds.values()].find((one) => one.payment_intent === charge)
    assert.ok(refund)
    let isHeld = false
    // The answer to the first question says that the refund is pending. It arrives after the refund has succeeded and
    // the processor's event was handled.
    stripe.onRequest = async (moment, request) => {
      if (isHeld || moment !== 'after' || request !== `GET /v1/refunds/${refund.id}`) return undefined
      isHeld = true
      stripe.decideRefund(refund, 'succeeded')
      await stripe.deliverAll(site.server.url)
      await waitUntil(async () => (await stored()).state === 'succeeded', 'the success of the refund')
      return undefined
    }
    const job = "kind = 'payment-refund' and unique_key = ?"
    await waitUntil(async () => {
      await site.sql(`update job set run_at = ? where state = 'due' and ${job}`, [now, refundId])
      return isHeld
    }, 'the question about the refund')
    await waitUntil(async () => {
      const [row] = await site.sql(`select state, run_at from job where ${job}`, [refundId])
      return row === undefined || (row.state === 'due' && Number(row.run_at) > now)
    }, 'the end of the job')
    stripe.onRequest = () => undefined
    assert.equal((await stored()).state, 'succeeded')
  })

  test('staff record what customers pay on site, never more than is due, and give it back', async () => {
    const slot = await site.slot({ service: 'paid', provider: ana })
    const { body } = await site.add(slot)
    const { id } = body
    await site.sql("update reservation set payment = ?, awaits = null, status = 'confirmed' where id = ?", [
      JSON.stringify({ method: 'on_site', state: 'due', amount: 4_500, paid: 0, refunded: 0, currency: 'EUR' }),
      id,
    ])
    const receptionist = (await insertSignedInUser(site, 'receptionist')).browser
    const take = (amount: number) => receptionist.post('/payments/on-site/', { reservationId: id, amount })
    assert.equal((await take(4_501)).status, 400)
    assert.deepEqual((await Promise.all([take(2_500), take(2_500)])).map(({ status }) => status).sort(), [200, 400])
    assert.equal((await payers.reservation(id)).payment.state, 'part_paid')
    assert.equal((await take(2_000)).status, 200)
    const back = { reservationId: id, amount: 4_500, from: 'on_site', reason: 'Closed' }
    assert.equal((await admin.post('/payments/refund/', back)).status, 200)
    const shown = Object((await admin.get(`/payments/reservation/?id=${id}`)).body.response)
    assert.deepEqual(
      [shown.payment.state, shown.onSite, shown.entries.map(({ kind }: { kind: string }) => kind)],
      ['refunded', 0, ['on_site', 'on_site', 'on_site_refund']],
    )
    const none = await site.add(await site.slot({ service: 'plain', provider: ana }))
    const refused = await receptionist.post('/payments/on-site/', { reservationId: none.body.id, amount: 1 })
    assert.deepEqual([refused.status, refused.body.reason], [409, 'nothing_due'])
  })

  test('the desk takes and waives nothing for a booking that waits, until staff confirm it', async () => {
    const { id } = await payers.book()
    await payers.sessionOf(id)
    const shown = async () => Object((await admin.get(`/payments/reservation/?id=${id}`)).body.response)
    assert.deepEqual([(await shown()).due, (await shown()).waits], [4_500, true])
    const take = (amount: number) => admin.post('/payments/on-site/', { reservationId: id, amount })
    for (const refused of [
      await take(4_500),
      await admin.post('/payments/write-off/', { reservationId: id, amount: 4_500, reason: 'Regular' }),
    ])
      assert.deepEqual([refused.status, refused.body.reason], [409, 'nothing_due'])
    assert.equal((await admin.post('/reservations/status/', { id, status: 'confirmed' })).status, 200)
    assert.equal((await shown()).waits, false)
    assert.equal((await take(4_500)).status, 200)
    await payers.expirePayment(id)
    await waitUntil(async () => (await payers.paymentOf(id)).state === 'closed', 'the end of the payment')
    assert.equal((await payers.reservation(id)).status, 'confirmed')
  })

  test('a booking that staff confirmed and that waits again, or is pending again, is booked once it is paid', async () => {
    const set = async (id: string, status: string) =>
      assert.equal((await admin.post('/reservations/status/', { id, status })).status, 200)
    const undone = await payers.book()
    await payers.sessionOf(undone.id)
    const { expires } = await payers.reservation(undone.id)
    await set(undone.id, 'confirmed')
    const [entry] = Object((await admin.get(`/history/?objectId=${undone.id}`)).body).response
    assert.equal((await admin.post('/history/undo/', { seq: entry.seq })).status, 200)
    const again = await payers.reservation(undone.id)
    assert.deepEqual([again.status, again.awaits, again.expires], ['pending', 'payment', expires])
    const { body } = await admin.post('/reservations/status/', { id: undone.id, status: 'confirmed' })
    const { change } = Object(body.response)
    assert.equal((await admin.post('/reservations/undo/', { id: undone.id, change })).status, 200)
    const byToast = await payers.reservation(undone.id)
    assert.deepEqual([byToast.status, byToast.awaits, byToast.expires], ['pending', 'payment', expires])
    const back = await payers.book()
    await payers.sessionOf(back.id)
    await set(back.id, 'confirmed')
    await set(back.id, 'pending')
    for (const { id } of [undone, back]) {
      await payers.pay(id)
      assert.equal((await payers.reservation(id)).payment.state, 'paid')
    }
  })
})
