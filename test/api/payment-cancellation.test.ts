import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fieldOf, textOf } from '../support/booking-visitor.ts'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { now } from '../support/clinic.ts'
import {
  openPaymentTestSite,
  type PayingCustomers,
  type PaymentTestSite,
  waitUntil,
} from '../support/payment-test-site.ts'
import type { StripeStandIn } from '../support/stripe.ts'
import { assertDone, assertRefused, onEachDatabase, type TestSite } from '../support/test-site.ts'

const refunds = [
  { hours: 2, percent: 50 },
  { hours: 48, percent: 100 },
]

onEachDatabase((open) => {
  let paying: PaymentTestSite
  let site: TestSite
  let admin: BrowserClient
  let receptionist: BrowserClient
  let stripe: StripeStandIn
  let payers: PayingCustomers
  let soon: string
  before(async () => {
    paying = await openPaymentTestSite(open)
    ;({ site, stripe, admin, payers } = paying)
    receptionist = (await insertSignedInUser(site, 'receptionist')).browser
    await paying.connect()
    await site.setService('paid', { payment: { mode: 'online', refunds } })
    // The first slot of this date starts 25 hours after the initial time of the service's clock; the first slot of
    // every later date starts more than 48 hours after it.
    soon = site.nextDay()
  })
  after(() => paying.close())

  /**
   * Books the service `paid` on the booking page and pays online; `refunded` of the result returns the cents refunded
   * so far.
   */
  async function paid(on = site.nextDay()) {
    const { visitor, id } = await payers.book('paid', { on })
    const session = await payers.pay(id)
    return { visitor, id, refunded: () => stripe.refunded(String(session.payment_intent)) }
  }

  const cancel = (id: string, more = {}, by = admin) =>
    by.post('/reservations/status/', { id, status: 'cancelled', ...more })

  /**
   * Runs the delayed refund of a cancelled reservation now; resolves when its job and all refunds have ended. Is called
   * within 15 seconds of the cancellation, because the job runs then.
   */
  async function refundsMade(id: string): Promise<void> {
    const waiting = () => site.sql("select state from job where kind = 'payment-cancellation' and unique_key = ?", [id])
    await waitUntil(async () => (await waiting()).length > 0, 'the job')
    await site.sql("update job set run_at = ? where kind = 'payment-cancellation' and unique_key = ?", [now, id])
    await waitUntil(async () => (await waiting()).length === 0, 'the end of the job')
    await noPendingRefunds()
  }

  async function noPendingRefunds(): Promise<void> {
    const pending = () => site.sql("select 1 from refund where state = 'pending'")
    await waitUntil(async () => (await pending()).length === 0, 'refunds')
  }

  test('a customer who cancels sees what goes back, and gets it back', async () => {
    const late = await paid(soon)
    const page = await late.visitor.open('/manage/cancel/')
    assert.match(textOf(page), /€22\.50 of the €45\.00 that you paid goes back/)
    const [form] = page.forms
    assert.ok(form)
    const stale = await late.visitor.send(form, undefined, { refund: '4500', reason: 'I am <b>ill</b>' })
    assert.equal(stale.status, 409)
    assert.equal(fieldOf(stale, 'reason'), 'I am <b>ill</b>')
    assert.match(textOf(stale), /The amount that goes back to you has changed/)
    // To cancel all appointments that were booked together, the customer confirms the sum of their refunds, in cents,
    // in the field `of`; here the sum is wrong.
    const ofAll = await late.visitor.send(form, undefined, { all: 'on', of: '1' })
    assert.equal(ofAll.status, 409)
    assert.equal((await payers.reservation(late.id)).status, 'confirmed')
    assert.equal((await late.visitor.send(form, undefined)).status, 303)
    await waitUntil(async () => late.refunded() === 2_250, 'the refund')
    const { status, payment } = await payers.reservation(late.id)
    assert.deepEqual([status, payment.state, payment.refunded], ['cancelled', 'part_refunded', 2_250])
    assert.match(textOf(await late.visitor.open('/manage/')), /Paid €45\.00 Refunded €22\.50/)

    const early = await paid()
    const [whole] = (await early.visitor.open('/manage/cancel/')).forms
    assert.ok(whole)
    assert.equal((await early.visitor.send(whole, undefined)).status, 303)
    await waitUntil(async () => early.refunded() === 4_500, 'the refund')
  })

  test('a customer who moves to a time of another price is asked first', async () => {
    const { visitor, id } = await paid()
    for (const [price, says] of [
      [5_000, /The new time costs €50\.00: €5\.00 more than before\. The rest is due on site\./],
      [4_000, /The new time costs €40\.00: €11\.00 less than before\./],
    ] as const) {
      const before = await payers.reservation(id)
      await site.setService('paid', { price })
      const form = (await visitor.open('/manage/move/')).forms.find(({ action }) => action.startsWith('/manage/move/'))
      assert.ok(form)
      const slot = form.buttons.findLast(({ name }) => name === 'slot')
      const asked = await visitor.send(form, slot)
      assert.equal(asked.status, 409)
      assert.match(textOf(asked), says)
      assert.deepEqual(await payers.reservation(id), before)
      const [answer] = asked.forms
      assert.ok(answer)
      // The price changes again after the customer was asked to agree to the new price.
      await site.setService('paid', { price: price + 100 })
      const [again] = (await visitor.send(answer, undefined)).forms
      assert.ok(again)
      assert.equal((await payers.reservation(id)).start, before.start)
      assert.equal((await visitor.send(again, undefined)).status, 303)
      const { start, payment } = await payers.reservation(id)
      assert.deepEqual([start, payment.amount], [Number(slot?.value.split('.')[0]), price + 100])
    }
    await site.setService('paid', { price: 4_500 })
  })

  test('the desk sees what a cancellation refunds, and may decide otherwise where it may refund', async () => {
    const [first, second, third] = [await paid(), await paid(), await paid(soon)]
    const ids = [first.id, second.id, third.id].join(',')
    const preview = (await admin.get(`/payments/cancellation/?ids=${ids}`)).body.response
    assert.deepEqual(preview, [{ currency: 'EUR', rule: 11_250, all: 13_500 }])
    const refused = await cancel(first.id, { refund: 'all' }, receptionist)
    assert.deepEqual([refused.status, refused.body.reason], [403, 'refund_forbidden'])
    assert.equal((await cancel(first.id, { refund: 'none' })).status, 200)
    assert.equal((await cancel(second.id, {}, receptionist)).status, 200)
    assert.equal((await cancel(third.id, { refund: 'all' })).status, 200)
    await Promise.all([first, second, third].map(({ id }) => refundsMade(id)))
    assert.deepEqual([first.refunded(), second.refunded(), third.refunded()], [0, 4_500, 4_500])
    const events = (await site.events()).filter(({ type }) => type === 'reservation.cancelled')
    assert.ok(events.every(({ object }) => object?.refund === undefined))
  })

  test('a paid request that staff or the API decline is refunded in full, unless a manager decides otherwise', async () => {
    const [first, second, third] = [await paid(soon), await paid(soon), await paid(soon)]
    const requests = [first, second, third]
    for (const { id } of requests) assert.equal((await site.edit(id, { status: 'pending' })).status, 200)
    const ids = requests.map(({ id }) => id).join(',')
    const preview = (await admin.get(`/payments/cancellation/?ids=${ids}`)).body.response
    assert.deepEqual(preview, [{ currency: 'EUR', rule: 13_500, all: 13_500 }])
    assert.match(textOf(await first.visitor.open('/manage/cancel/')), /€22\.50 of the €45\.00 that you paid goes back/)
    assert.equal((await cancel(first.id, {}, receptionist)).status, 200)
    assert.equal((await site.edit(second.id, { status: 'cancelled' })).status, 200)
    assert.equal((await cancel(third.id, { refund: 'none' })).status, 200)
    await Promise.all([first, third].map(({ id }) => refundsMade(id)))
    await waitUntil(async () => second.refunded() === 4_500, 'the refund')
    assert.deepEqual([first.refunded(), third.refunded()], [4_500, 0])
  })

  test('a cancellation that was undone in time refunds nothing, and what staff refunded before counts', async () => {
    const { id, refunded } = await paid()
    assert.equal((await cancel(id, { refund: 'all' })).status, 200)
    const restored = { id, status: 'confirmed', override: { reason: 'Undone' } }
    assert.equal((await admin.post('/reservations/status/', restored)).status, 200)
    await refundsMade(id)
    assert.deepEqual([refunded(), (await payers.reservation(id)).payment.state], [0, 'paid'])
    const part = { reservationId: id, amount: 1_000, from: 'processor', reason: 'Late' }
    assert.equal((await admin.post('/payments/refund/', part)).status, 200)
    assert.equal((await cancel(id)).status, 200)
    await refundsMade(id)
    assert.deepEqual([refunded(), (await payers.reservation(id)).payment.state], [4_500, 'refunded'])
  })

  test('a booking whose cancellation is undone waits for the same payment again', async () => {
    const { id } = await payers.book('paid')
    await payers.sessionOf(id)
    const key = String((await payers.paymentOf(id)).id)
    const closing = JSON.stringify({ id: key, close: true })
    const queued = async () =>
      (await site.sql("select payload from job where kind = 'payment-expiry' and unique_key = ?", [key]))[0]?.payload
    const { change } = Object((await cancel(id)).body.response)
    await waitUntil(async () => (await queued()) === closing, 'the cancellation')
    assert.equal((await admin.post('/reservations/undo/', { id, change })).status, 200)
    await waitUntil(async () => (await queued()) === JSON.stringify({ id: key }), 'the undo')
    // The job that closes the page runs although the cancellation is undone, as when it was due just then.
    const due = "update job set run_at = ?, payload = ? where kind = 'payment-expiry' and unique_key = ?"
    await site.sql(due, [now, closing, key])
    await waitUntil(async () => (await queued()) === undefined, 'the end of the job')
    const { status, awaits } = await payers.reservation(id)
    assert.deepEqual([status, awaits], ['pending', 'payment'])
    await payers.pay(id)
  })

  test('a booking whose cancellation is undone after its page was closed gets another page', async () => {
    const { id, visitor } = await payers.book('paid')
    await payers.sessionOf(id)
    const { id: closing } = await payers.paymentOf(id)
    const { change } = Object((await cancel(id)).body.response)
    await waitUntil(async () => {
      await site.sql("update job set run_at = ? where kind = 'payment-expiry' and payload like '%close%'", [now])
      return (await payers.paymentOf(id)).state === 'closed'
    }, 'the end of the payment')
    assert.equal((await admin.post('/reservations/undo/', { id, change })).status, 200)
    const [opened] = await waitUntil(async () => {
      const open = "select p.id from payment p join payment_share s on s.payment_id = p.id where p.state = 'open'"
      const rows = await site.sql(`${open} and s.reservation_id = ? and p.id <> ?`, [id, String(closing)])
      return rows.length > 0 && rows
    }, 'another page')
    assert.equal((await visitor.open('/manage/payment/')).status, 200)
    stripe.pay(await stripe.sessionOf(String(opened?.id)))
    await stripe.deliverAll(site.server.url)
    await payers.waitForConfirmation(id)
  })

  test('a booking whose cancellation is undone while its page is being closed gets another page', async () => {
    const { id } = await payers.book('paid')
    await payers.sessionOf(id)
    const { id: closing } = await payers.paymentOf(id)
    const { change } = Object((await cancel(id)).body.response)
    stripe.onRequest = async (moment, request) => {
      if (moment === 'after' && request.endsWith('/expire')) {
        stripe.onRequest = () => undefined
        assert.equal((await admin.post('/reservations/undo/', { id, change })).status, 200)
      }
      return undefined
    }
    await waitUntil(async () => {
      await site.sql("update job set run_at = ? where kind = 'payment-expiry' and payload like '%close%'", [now])
      const [row] = await site.sql('select state from payment where id = ?', [String(closing)])
      return row?.state === 'closed'
    }, 'the end of the payment')
    const { status, awaits } = await payers.reservation(id)
    assert.deepEqual([status, awaits], ['pending', 'payment'])
    const [opened] = await waitUntil(async () => {
      const open = "select p.id from payment p join payment_share s on s.payment_id = p.id where p.state = 'open'"
      const rows = await site.sql(`${open} and s.reservation_id = ?`, [id])
      return rows.length > 0 && rows
    }, 'another page')
    stripe.pay(await stripe.sessionOf(String(opened?.id)))
    await stripe.deliverAll(site.server.url)
    await payers.waitForConfirmation(id)
  })

  /** Restores a cancelled reservation, and undoes that in the history. */
  async function restoredAndUndone(id: string, status: 'confirmed' | 'pending'): Promise<void> {
    const restored = await admin.post('/reservations/status/', { id, status })
    assert.equal(restored.status, 200, restored.text)
    const { change } = Object(restored.body.response)
    assert.equal((await admin.post('/reservations/undo/', { id, change })).status, 200)
    assert.equal((await payers.reservation(id)).status, 'cancelled')
  }

  test('the undo of a restoration refunds no more than the cancellation before the restoration', async () => {
    const none = await paid()
    assert.equal((await cancel(none.id, { refund: 'none' })).status, 200)
    await refundsMade(none.id)
    await restoredAndUndone(none.id, 'confirmed')
    await refundsMade(none.id)
    assert.equal(none.refunded(), 0)

    const withdrawn = await paid(soon)
    assert.equal((await site.edit(withdrawn.id, { status: 'pending' })).status, 200)
    const [form] = (await withdrawn.visitor.open('/manage/cancel/')).forms
    assert.ok(form)
    assert.equal((await withdrawn.visitor.send(form, undefined)).status, 303)
    await waitUntil(async () => withdrawn.refunded() === 2_250, 'the refund')
    await noPendingRefunds()
    await restoredAndUndone(withdrawn.id, 'pending')
    await refundsMade(withdrawn.id)
    assert.equal(withdrawn.refunded(), 2_250)
  })

  test('the undo of a restoration makes the refund that the restoration prevented', async () => {
    const { id, refunded } = await paid(soon)
    assert.equal((await cancel(id, { refund: 'all' })).status, 200)
    // The second pair undoes the restoration of a cancellation that is the undo of a restoration itself.
    await restoredAndUndone(id, 'confirmed')
    await restoredAndUndone(id, 'confirmed')
    await refundsMade(id)
    await waitUntil(async () => refunded() === 4_500, 'the refund')
  })

  test('a reservation is not removed while its refund is pending, nor after it has failed, which Today shows', async () => {
    const { id } = await paid()
    stripe.slowRefunds = true
    assert.equal((await site.edit(id, { status: 'cancelled' })).status, 200)
    const refund = await waitUntil(
      async () => [...stripe.refunds.values()].find(({ status }) => status === 'pending'),
      'the refund',
    )
    stripe.slowRefunds = false
    assert.equal((await payers.reservation(id)).payment.state, 'refunded')
    assertRefused(await site.remove(id), 403, 'refund_pending')
    const warnings = async () => {
      const { checks } = Object((await admin.get('/system/')).body.response)
      const found = checks.filter(({ check }: { check: { code: string } }) => check.code === 'check_refunds')
      return found.map(({ message }: { message: { parameters: unknown } }) => message.parameters)
    }
    assert.deepEqual(await warnings(), [])
    stripe.decideRefund(refund, 'failed')
    await stripe.deliverAll(site.server.url)
    await waitUntil(async () => (await payers.reservation(id)).payment.state === 'paid', 'the failure')
    assertRefused(await site.remove(id), 403, 'reservation_protected')
    assert.deepEqual(await warnings(), [{ count: 1, ids: [id] }])
    const again = { reservationId: id, amount: 4_500, from: 'processor', reason: 'Cancelled' }
    assert.equal((await admin.post('/payments/refund/', again)).status, 200)
    await noPendingRefunds()
    assert.deepEqual(await warnings(), [])
    assertDone(await site.remove(id))
  })

  test('a move keeps the payment; a difference in price is refunded, paid on site or written off', async () => {
    const { id } = await paid()
    const money = async () => Object((await admin.get(`/payments/reservation/?id=${id}`)).body.response)
    const move = async (price: number) => {
      await site.setService('paid', { price })
      const { start } = await site.slot({ service: 'paid', provider: 1 })
      assert.equal((await site.edit(id, { start })).status, 200)
      const { due, overpaid, payment } = await money()
      return [payment.amount, payment.paid, due, overpaid]
    }
    assert.deepEqual(await move(4_000), [4_000, 4_500, 0, 500])
    assert.deepEqual(await move(5_200), [5_200, 4_500, 700, 0])
    const give = (amount: number, by = admin) =>
      by.post('/payments/write-off/', { reservationId: id, amount, reason: 'Regular' })
    assert.equal((await give(500, receptionist)).status, 403)
    assert.equal((await give(701)).status, 400)
    assert.deepEqual((await Promise.all([give(400), give(400)])).map(({ status }) => status).sort(), [200, 400])
    const left = await receptionist.post('/payments/on-site/', { reservationId: id, amount: 300 })
    assert.equal(left.status, 200)
    const given = (await site.events()).filter(({ type }) => type === 'payment.written_off')
    assert.deepEqual(
      given.map(({ object }) => Object.keys(object ?? {}).sort()),
      [['amount', 'currency', 'id', 'reservationIds']],
    )
    const { due, writtenOff, entries } = await money()
    assert.deepEqual([due, writtenOff], [0, 400])
    assert.deepEqual(
      entries.map(({ kind }: { kind: string }) => kind),
      ['charge', 'write_off', 'on_site'],
    )
    await site.setService('paid', { price: 4_500 })
  })

  test('erasing a customer erases the reasons for refunds and write-offs, and no amount', async () => {
    const { id } = await paid()
    const body = { reservationId: id, amount: 500, from: 'processor', reason: 'Ms Roe was ill' }
    assert.equal((await admin.post('/payments/refund/', body)).status, 200)
    await noPendingRefunds()
    await site.setService('paid', { price: 5_500 })
    const { start } = await site.slot({ service: 'paid', provider: 1 })
    assert.equal((await site.edit(id, { start })).status, 200)
    await site.setService('paid', { price: 4_500 })
    const waiver = { reservationId: id, amount: 200, reason: 'Ms Roe waited' }
    assert.equal((await admin.post('/payments/write-off/', waiver)).status, 200)
    const stored = async () =>
      JSON.stringify([await site.sql('select reason from refund'), await site.sql('select body from event')])
    assert.match(await stored(), /Ms Roe was ill.*Ms Roe waited/)
    const money = async () => (await admin.get(`/payments/reservation/?id=${id}`)).body.response.entries
    const entries = await money()
    const { customerId } = await payers.reservation(id)
    await site.sql("update reservation set status = 'cancelled' where customer_id = ?", [customerId])
    const erased = await admin.post('/customers/erase/', { id: customerId })
    assert.equal(erased.status, 200, erased.text)
    assert.doesNotMatch(await stored(), /Ms Roe/)
    assert.deepEqual(await money(), entries)
  })

  test('a customer who is erased right after the cancellation is refunded by the rule', async () => {
    const { id, refunded } = await paid(soon)
    const { customerId } = await payers.reservation(id)
    // The consumer of payments reaches the cancellation only after the erasure.
    const [position] = await site.sql("select tx, n from event_consumer where name = 'payments'")
    assert.ok(position)
    await site.sql("delete from event_consumer where name = 'payments'")
    assert.equal((await site.edit(id, { status: 'cancelled' })).status, 200)
    const erased = await admin.post('/customers/erase/', { id: customerId })
    assert.equal(erased.status, 200, erased.text)
    await site.sql("insert into event_consumer (name, tx, n) values ('payments', ?, ?)", Object.values(position))
    await waitUntil(async () => refunded() === 2_250, 'the refund')
  })
})
