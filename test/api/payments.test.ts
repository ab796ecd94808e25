import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { balanceKey, balancesOf } from '../../src/payments/ledger/ledger.ts'
import { textOf } from '../support/booking-visitor.ts'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { ana, ben, now } from '../support/clinic.ts'
import { pause } from '../support/pause.ts'
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
  })
  after(() => paying.close())

  const settings = async () => Object((await admin.get('/payments/settings/')).body.response)
  const connect = (keys: object) => admin.post('/payments/connect/', keys)

  test('keys of another form are refused beside their fields, and only administrators connect', async () => {
    for (const [keys, field] of [
      [{ secretKey: 'pk_test_123456789', webhookSecret: stripe.webhookSecret }, 'secretKey'],
      [{ secretKey: stripe.secretKey, webhookSecret: 'secret' }, 'webhookSecret'],
      [{ webhookSecret: stripe.webhookSecret }, 'secretKey'],
    ] as const) {
      const refused = await connect(keys)
      assert.deepEqual([refused.status, Object.keys(refused.body.details ?? {})], [400, [field]], refused.text)
    }
    const manager = (await insertSignedInUser(site, 'manager')).browser
    assert.equal((await manager.post('/payments/connect/', { secretKey: stripe.secretKey })).status, 403)
    assert.equal((await settings()).connected, false)
  })

  test('keys that the processor does not accept are shown as such, and right ones with the name of the account', async () => {
    const { webhookSecret } = stripe
    assert.equal((await connect({ secretKey: 'sk_test_wrong0123456789', webhookSecret })).status, 200)
    assert.equal(await waitUntil(async () => (await settings()).fault, 'the check'), 'unauthorized')
    assert.equal((await connect({ secretKey: stripe.secretKey })).status, 200)
    const shown = await waitUntil(async () => {
      const found = await settings()
      return found.account !== '' && found
    }, 'the check')
    const { account, live, fault, hasWebhookSecret, webhookUrl } = shown
    assert.deepEqual([account, live, fault, hasWebhookSecret], ['Harbour Clinic', false, '', true])
    assert.match(webhookUrl, /\/payments\/events\/stripe\/$/)
    const [row] = await site.sql('select * from payment_settings')
    const history = (await admin.get('/history/?type=payment_settings.updated')).text
    for (const text of [JSON.stringify(shown), JSON.stringify(row), history])
      assert.doesNotMatch(text, /standin0123456789/)
  })

  test('a customer pays on the page of the processor, and its signed event confirms the booking', async () => {
    const { visitor, page, id } = await payers.book()
    assert.equal(page.status, 303)
    assert.match(String(page.headers.location), /^\/manage\/payment\/(?:\?|$)/)
    const waiting = await payers.reservation(id)
    assert.deepEqual([waiting.status, waiting.awaits], ['pending', 'payment'])
    const due = { method: 'online', state: 'due', amount: 4_500, paid: 0, refunded: 0, currency: 'EUR' }
    assert.deepEqual(waiting.payment, due)
    const session = await payers.sessionOf(id)
    assert.deepEqual([session.amount_total, session.currency, session.name], [4_500, 'eur', 'paid · Harbour Clinic'])
    assert.ok(session.expires_at >= now + 1_800 + 300)
    const leaving = await visitor.open('/manage/payment/')
    const address = `https://checkout.stripe.example/${session.id}`
    assert.equal(leaving.headers.refresh, `0; url=${address}`)
    assert.match(leaving.html, new RegExp(`href="${address}"`))
    assert.match(textOf(leaving), /Your booking counts once it is paid/)
    stripe.pay(session)
    await stripe.deliverAll(site.server.url)
    await payers.waitForConfirmation(id)
    const { payment, awaits, expires } = await payers.reservation(id)
    assert.deepEqual(payment, { ...due, state: 'paid', paid: 4_500 })
    assert.deepEqual([awaits, expires], [undefined, undefined])
    const done = await visitor.open('/manage/payment/')
    assert.match(textOf(done), /Your payment has arrived.*confirmed/)
    const protectedFrom = await site.remove(id)
    assert.deepEqual([protectedFrom.status, protectedFrom.body.reason], [403, 'reservation_protected'])
    const types = (await site.events()).filter(({ object }) => Object(object?.reservationIds).includes?.(id))
    assert.deepEqual(
      types.map(({ type }) => type),
      ['payment.paid'],
    )
  })

  test('a customer who returns before the event is booked after our own query', async () => {
    const { visitor, id } = await payers.book()
    const session = await payers.sessionOf(id)
    stripe.pay(session)
    stripe.events.length = 0
    const back = await visitor.open(new URL(session.success_url).pathname + new URL(session.success_url).search)
    assert.match(textOf(back), /Your payment is being checked/)
    assert.match(String(back.headers.refresh), /^1; url=\/manage\/payment\/\?.*back=1/)
    await payers.waitForConfirmation(id)
  })

  test('who returns from a payment after opening another booking does not see that of the other booking', async () => {
    const [{ id }, { visitor }] = [await payers.book(), await payers.book()]
    const { success_url: paid, cancel_url: left } = await payers.sessionOf(id)
    for (const { pathname, search } of [new URL(paid), new URL(left)]) {
      const page = await visitor.open(pathname + search)
      assert.equal(page.status, 409, pathname)
      assert.match(textOf(page), /opened another appointment in this browser/)
    }
  })

  test('duplicated, late and reordered events book once, and the books hold one charge', async () => {
    const { id } = await payers.book()
    const session = await payers.sessionOf(id)
    stripe.decline(session)
    stripe.pay(session)
    const events = stripe.events.splice(0).toReversed()
    for (const event of [...events, ...events])
      assert.equal(await stripe.deliver(site.server.url, stripe.sign(event)), 200)
    await payers.waitForConfirmation(id)
    const { payment } = await payers.reservation(id)
    assert.equal(payment.paid, 4_500)
    const { id: paymentId } = await payers.paymentOf(id)
    const entries = await waitUntil(async () => {
      const rows = await site.sql(
        'select e.* from ledger_entry e join ledger_posting p on p.id = e.posting_id where p.payment_id = ?',
        [String(paymentId)],
      )
      return rows.length >= 2 && rows
    }, 'the postings')
    assert.equal(entries.length, 2)
    const balances = balancesOf(entries as unknown as Parameters<typeof balancesOf>[0])
    assert.equal(balances.get(balanceKey('processor', 'EUR')), 4_500 - 93)
    assert.equal(balances.get(balanceKey('fees', 'EUR')), 93)
  })

  test('a forged, altered or old event changes nothing', async () => {
    const { id } = await payers.book()
    const session = await payers.sessionOf(id)
    const { id: paymentId } = await payers.paymentOf(id)
    const event = {
      id: 'evt_forged',
      type: 'checkout.session.completed',
      data: { object: { metadata: { payment: paymentId } } },
    }
    const good = stripe.sign(event)
    const requests = stripe.requests.length
    for (const [signed, what] of [
      [stripe.sign(event, { secret: 'whsec_another0123456789' }), 'another secret'],
      [stripe.sign(event, { at: now - 1_000 }), 'an old signature'],
      [{ ...good, body: good.body.replace('completed', 'expired') }, 'an altered body'],
      [{ ...good, signature: '' }, 'no signature'],
      [{ ...good, signature: good.signature.replace('v1=', 'v0=') }, 'another scheme'],
    ] as const)
      assert.equal(await stripe.deliver(site.server.url, signed), 400, what)
    assert.deepEqual(await site.sql("select id from processor_event where id = 'evt_forged'"), [])
    assert.equal(stripe.requests.length, requests)
    const long = stripe.sign({ ...event, text: 'x'.repeat(300_000) })
    assert.equal(await stripe.deliver(site.server.url, long), 413)
    assert.equal((await payers.reservation(id)).status, 'pending')
    assert.equal(session.status, 'open')
  })

  test('an unpaid booking expires: the page of the processor first, then the seat', async () => {
    const on = site.nextDay()
    const { visitor, id } = await payers.book('paid', { on })
    const session = await payers.sessionOf(id)
    await payers.expirePayment(id)
    await waitUntil(async () => (await payers.reservation(id)).status === 'cancelled', 'the expiry')
    assert.equal(session.status, 'expired')
    assert.equal(stripe.pay(session), false)
    const page = await visitor.open('/manage/payment/')
    assert.equal(page.status, 410)
    assert.match(textOf(page), /not paid in time Nothing was charged/)
    assert.equal((await payers.reservation(id)).payment.paid, 0)
    const again = await payers.book('paid', { on })
    assert.equal(again.page.status, 303)
  })

  test('a seat is kept while the processor cannot be asked, and given back at the end of its grace', async () => {
    const on = site.nextDay()
    const { id } = await payers.book('paid', { on })
    const session = await payers.sessionOf(id)
    stripe.down = true
    await payers.expirePayment(id)
    await waitUntil(
      async () =>
        (await site.sql("select 1 as one from job where kind = 'payment-expiry' and attempts > 0")).length > 0,
      'an attempt',
    )
    await site.sql("update job set run_at = ? where kind = 'reservation-expiry'", [now])
    await waitUntil(async () => {
      const [row] = await site.sql("select run_at from job where kind = 'reservation-expiry' and state = 'due'")
      return Number(row?.run_at) > now
    }, 'the end of the expiry')
    assert.equal((await payers.reservation(id)).status, 'pending')
    await payers.expirePayment(id, { seat: true })
    await payers.waitForRelease(id)
    assert.equal(session.status, 'open')
    stripe.down = false
  })

  for (const taken of [false, true])
    test(`a late payment is ${taken ? 'returned at once when its seat is taken' : 'booked when its seat is still free'}`, async () => {
      const on = site.nextDay()
      const { visitor, id } = await payers.book('paid', { on, provider: ben })
      const session = await payers.sessionOf(id)
      stripe.down = true
      await payers.expirePayment(id, { seat: true })
      await payers.waitForRelease(id)
      stripe.pay(session)
      if (taken) assert.equal((await payers.book('plain', { on, provider: ben })).page.status, 200)
      stripe.down = false
      await stripe.deliverAll(site.server.url)
      if (!taken) {
        await payers.waitForConfirmation(id)
        return
      }
      const returned = await waitUntil(async () => {
        const found = await payers.reservation(id)
        return found.payment.refunded > 0 && found
      }, 'the refund')
      assert.deepEqual([returned.status, returned.payment.state], ['cancelled', 'refunded'])
      await waitUntil(async () => stripe.refunded(String(session.payment_intent)) === 4_500, 'the refund')
      assert.match(textOf(await visitor.open('/manage/payment/')), /Your payment came too late/)
    })

  test('an answer that was lost after the processor had acted opens no second page and refunds once', async () => {
    stripe.losses.push('after', 'error')
    const { id } = await payers.book()
    const { id: paymentId } = await payers.paymentOf(id)
    for (;;) {
      const [row] = await site.sql('select state from payment where id = ?', [String(paymentId)])
      if (row?.state !== 'starting') break
      await site.sql("update job set run_at = ? where kind = 'payment-sync' and state = 'due'", [now])
      await pause()
    }
    const sessions = [...stripe.sessions.values()].filter(({ metadata }) => metadata.payment === paymentId)
    assert.equal(sessions.length, 1)
  })

  test('a customer who cancels before paying closes the page of the processor', async () => {
    const { id } = await payers.book()
    const session = await payers.sessionOf(id)
    assert.equal((await site.edit(id, { status: 'cancelled' })).status, 200)
    await waitUntil(async () => session.status === 'expired', 'the closing of the page')
    await waitUntil(async () => (await payers.paymentOf(id)).state === 'closed', 'the end of the payment')
  })

  for (const late of [false, true])
    test(`a payment goes back for a reservation cancelled ${late ? 'after its time to pay' : 'in time'}, also if staff change it later`, async () => {
      const { id } = await payers.book()
      const session = await payers.sessionOf(id)
      stripe.down = true
      if (late) await payers.expirePayment(id)
      assert.equal((await site.edit(id, { status: 'cancelled' })).status, 200)
      const { expires_at: expiresAt } = await payers.paymentOf(id)
      await site.sql('update reservation set updated_at = ? where id = ?', [Number(expiresAt) + 60, id])
      stripe.pay(session)
      stripe.down = false
      await stripe.deliverAll(site.server.url)
      await waitUntil(async () => stripe.refunded(String(session.payment_intent)) === 4_500, 'the refund')
      assert.equal((await payers.reservation(id)).status, 'cancelled')
    })

  test('a payment that came before a cancellation was noticed goes back', async () => {
    const { id } = await payers.book()
    const session = await payers.sessionOf(id)
    stripe.pay(session)
    stripe.events.length = 0
    assert.equal((await site.edit(id, { status: 'cancelled' })).status, 200)
    await waitUntil(async () => stripe.refunded(String(session.payment_intent)) === 4_500, 'the refund')
    assert.equal((await payers.reservation(id)).status, 'cancelled')
  })

  test('an amount that the processor does not take gives the seat back at once', async () => {
    await site.setService('paid', { price: 20 })
    const { visitor, id } = await payers.book()
    await waitUntil(async () => (await payers.reservation(id)).status === 'cancelled', 'the end')
    assert.equal((await visitor.open('/manage/payment/')).status, 410)
    await site.setService('paid', { price: 4_500 })
  })

  test('a price of zero needs no payment', async () => {
    await site.setService('paid', { price: 0 })
    const { page, id } = await payers.book()
    assert.match(textOf(page), /You are booked/)
    assert.equal((await payers.reservation(id)).payment, undefined)
    await site.setService('paid', { price: 4_500 })
  })

  test('a deposit is paid online and the rest on site, and the tax in the price is shown', async () => {
    await site.setService('paid', { payment: { mode: 'online', deposit: { percent: 20 }, taxBasisPoints: 1_900 } })
    const visitor = payers.newVisitor()
    const month = await visitor.open(`/book/paid/?with=${ana}&date=${site.nextDay()}`)
    const summary = await visitor.fillIn(await visitor.choose(month), payers.newCustomer())
    assert.match(textOf(summary), /€45\.00 including 19% tax.*To pay now €9\.00.*To pay at the appointment €36\.00/)
    assert.match(summary.html, />Continue to payment<\/button>/)
    const { id } = await payers.book()
    const session = await payers.sessionOf(id)
    assert.equal(session.amount_total, 900)
    stripe.pay(session)
    await stripe.deliverAll(site.server.url)
    await payers.waitForConfirmation(id)
    const { payment } = await payers.reservation(id)
    assert.deepEqual([payment.state, payment.amount, payment.paid], ['part_paid', 4_500, 900])
    await site.setService('paid', { payment: { mode: 'online' } })
  })

  test('a customer may choose to pay at the appointment', async () => {
    await site.setService('paid', { payment: { mode: 'choice' } })
    const { page, id } = await payers.book('paid', { more: { pays: 'on_site' } })
    assert.match(textOf(page), /You are booked/)
    const { status, payment } = await payers.reservation(id)
    assert.deepEqual([status, payment.method, payment.state], ['confirmed', 'on_site', 'due'])
    const online = await payers.book('paid', { more: { pays: 'online' } })
    assert.equal(online.page.status, 303)
    await site.setService('paid', { payment: { mode: 'online' } })
  })

  test('the seats of one form are paid together', async () => {
    await site.setService('group', { price: 1_000, payment: { mode: 'online' } })
    const on = site.nextDay()
    const visitor = payers.newVisitor()
    const person = payers.newCustomer()
    const month = await visitor.open(`/book/group/?with=${ana}&date=${on}&seats=2`)
    const guest = { guest2name: 'Grace', guest2email: `grace${payers.count}@example.org` }
    const page = await visitor.confirm(await visitor.fillIn(await visitor.choose(month), { ...person, ...guest }))
    assert.equal(page.status, 303)
    const ids = (
      await site.sql('select r.id from reservation r join customer c on c.id = r.customer_id where c.email in (?, ?)', [
        person.email,
        guest.guest2email,
      ])
    ).map(({ id }) => String(id))
    assert.equal(ids.length, 2)
    const session = await payers.sessionOf(ids[0] ?? '')
    assert.equal(session.amount_total, 2_000)
    stripe.pay(session)
    await stripe.deliverAll(site.server.url)
    for (const id of ids) {
      await payers.waitForConfirmation(id)
      assert.equal((await payers.reservation(id)).payment.paid, 1_000)
    }
  })

  test('the processor is not disconnected while a payment is open', async () => {
    const { id } = await payers.book()
    await payers.sessionOf(id)
    const refused = await admin.post('/payments/disconnect/', {})
    assert.deepEqual([refused.status, refused.body.reason], [409, 'payments_open'])
  })

  test('money that reaches a payment after it was closed goes back', async () => {
    const { id } = await payers.book()
    const session = await payers.sessionOf(id)
    const paymentId = String((await payers.paymentOf(id)).id)
    // The payment is closed (no longer payable) in the database, as if that had happened while the service was storing
    // the processor's payment page.
    await site.sql("update payment set state = 'closed' where id = ?", [paymentId])
    await site.sql("update payment_share set state = 'closed' where payment_id = ?", [paymentId])
    await site.sql("update reservation set status = 'cancelled' where id = ?", [id])
    stripe.pay(session)
    await stripe.deliverAll(site.server.url)
    await waitUntil(async () => stripe.refunded(String(session.payment_intent)) === 4_500, 'the refund')
    await waitUntil(async () => (await payers.reservation(id)).payment.state === 'refunded', 'the summary')
    assert.equal((await payers.reservation(id)).status, 'cancelled')
  })

  test('a payment that cannot be booked returns what the desk has not refunded yet', async () => {
    const { id } = await payers.book()
    const session = await payers.pay(id)
    const body = { reservationId: id, amount: 853, from: 'processor', reason: 'Ill' }
    assert.equal((await admin.post('/payments/refund/', body)).status, 200)
    const refunded = (amount: number) =>
      waitUntil(async () => stripe.refunded(String(session.payment_intent)) === amount, 'the refund')
    await refunded(853)
    // The rows are changed to a state in which staff have refunded 8.53 before the service recorded the payment, and
    // the customer has then cancelled.
    const paymentId = String((await payers.paymentOf(id)).id)
    await site.sql("update payment_share set state = 'waiting' where payment_id = ?", [paymentId])
    const due = { method: 'online', state: 'due', amount: 4_500, paid: 0, refunded: 853, currency: 'EUR' }
    await site.sql("update reservation set status = 'cancelled', payment = ? where id = ?", [JSON.stringify(due), id])
    const event = { id: 'evt_again', object: 'event', type: 'payment_intent.succeeded' }
    const object = { object: 'payment_intent', id: session.payment_intent, metadata: session.metadata }
    assert.equal(await stripe.deliver(site.server.url, stripe.sign({ ...event, data: { object } })), 200)
    await refunded(4_500)
    await waitUntil(async () => (await payers.reservation(id)).payment.refunded === 4_500, 'the summary')
  })
})
