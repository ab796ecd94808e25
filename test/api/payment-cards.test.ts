import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { textOf } from '../support/booking-visitor.ts'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { ana, ben, now } from '../support/clinic.ts'
import { MailServer, partOf } from '../support/mail-server.ts'
import { noShowFeesOf } from '../support/no-show-fees.ts'
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
  let receptionist: BrowserClient
  let stripe: StripeStandIn
  let payers: PayingCustomers
  let fees: ReturnType<typeof noShowFeesOf>
  let mailServer: MailServer
  before(async () => {
    mailServer = await MailServer.open()
    paying = await openPaymentTestSite(open)
    ;({ site, stripe, admin, payers } = paying)
    fees = noShowFeesOf(paying)
    receptionist = (await insertSignedInUser(site, 'receptionist')).browser
    await paying.connect()
    const smtp = { host: '127.0.0.1', port: mailServer.port, security: 'none', user: '' }
    const from = { name: 'Harbour Clinic', address: 'desk@clinic.example' }
    const sending = await admin.post('/notifications/settings/edit/', { enabled: true, smtp, from })
    assert.equal(sending.status, 200, sending.text)
    await site.setService('paid', { payment: { mode: 'card', noShowFee: { percent: 40 } } })
  })
  after(async () => {
    await paying.close()
    await mailServer.close()
  })

  const shown = async (id: string) => Object((await admin.get(`/payments/reservation/?id=${id}`)).body.response)
  const preview = async (id: string, by: 'card' | 'link' = 'card') =>
    Object((await admin.get(`/payments/no-show/?id=${id}&by=${by}`)).body.response)
  /** Returns when the job that checks the card of a reservation runs next (Unix seconds). */
  async function nextLook(id: string): Promise<number> {
    const key = String((await payers.paymentOf(id)).id)
    return Number(
      (await site.sql("select run_at from job where kind = 'payment-card' and unique_key = ?", [key]))[0]?.run_at,
    )
  }
  const cardGone = (id: string) => async () => (await shown(id)).card === null
  /** Makes the job that checks the card of a reservation due, as if an hour had passed. */
  async function later(id: string): Promise<void> {
    await site.sql('update reservation set updated_at = updated_at - 4000 where id = ?', [id])
    const { id: paymentId } = await payers.paymentOf(id)
    await site.sql("update job set run_at = ? where kind = 'payment-card' and unique_key = ?", [now, String(paymentId)])
  }
  /**
   * Resolves when the card was removed; repeats `later`, since a running check may set a later time for the next one.
   */
  const removed = (id: string) => waitUntil(() => later(id).then(cardGone(id)), 'the removal of the card')
  /** Resolves to the text of the first received mail that matches the pattern; due notification jobs run at once. */
  async function mailed(pattern: RegExp): Promise<string> {
    return waitUntil(async () => {
      await site.sql("update job set run_at = ? where kind = 'notification' and state = 'due'", [now])
      return mailServer.received.map((mail) => partOf(mail, 'text/plain') ?? '').find((text) => pattern.test(text))
    }, `a message ${pattern}`)
  }
  test('a customer saves a card on the page of the processor, and the booking counts; nothing is charged', async () => {
    const { visitor, page, id } = await payers.book()
    assert.equal(page.status, 303)
    const waiting = await payers.reservation(id)
    assert.deepEqual([waiting.status, waiting.awaits], ['pending', 'payment'])
    const due = { method: 'card', state: 'due', amount: 4_500, paid: 0, refunded: 0, currency: 'EUR' }
    assert.deepEqual(waiting.payment, { ...due, noShowFee: { amount: 1_800, state: 'agreed' } })
    const session = await payers.sessionOf(id)
    assert.deepEqual([session.mode, session.amount_total, session.currency], ['setup', 0, 'eur'])
    assert.match(textOf(await visitor.open('/manage/payment/')), /once your card is saved. Nothing is charged/)
    assert.equal(stripe.pay(session), false)
    await payers.saveCard(id)
    assert.match(textOf(await visitor.open('/manage/payment/')), /Your card is saved, and nothing was charged/)
    assert.match(textOf(await visitor.open('/manage/')), /No-show fee €18\.00/)
    const { card, due: owed, processor } = await shown(id)
    assert.deepEqual([card, owed, processor], [{ brand: 'visa', last4: '4242' }, 4_500, 0])
    const own = (await site.events()).filter(({ object }) => Object(object?.reservationIds).includes?.(id))
    assert.deepEqual(
      own.map(({ type }) => type),
      ['payment.card_saved'],
    )
    assert.doesNotMatch(JSON.stringify(await site.events()), /\b4242\b|pm_|cus_/)
  })

  test('a customer who returns before the event is booked after our own query, and duplicated events change nothing', async () => {
    const { visitor, id } = await payers.book()
    const session = await payers.sessionOf(id)
    stripe.saveCard(session)
    const events = stripe.events.splice(0)
    const { pathname, search } = new URL(session.success_url)
    assert.match(textOf(await visitor.open(pathname + search)), /Your card is being checked/)
    await payers.waitForConfirmation(id)
    for (const event of [...events, ...events.toReversed()])
      assert.equal(await stripe.deliver(site.server.url, stripe.sign(event)), 200)
    assert.equal(
      (await site.sql('select 1 from saved_card where payment_id = ?', [String((await payers.paymentOf(id)).id)]))
        .length,
      1,
    )
  })

  test('the summary says what can be charged, and the method can be one of several', async () => {
    await site.setService('paid', {
      payment: { mode: 'choice', choices: ['card', 'on_site'], noShowFee: { amount: 2_500 } },
    })
    const visitor = payers.newVisitor()
    const month = await visitor.open(`/book/paid/?with=${ana}&date=${site.nextDay()}`)
    const form = await visitor.choose(month)
    assert.match(textOf(form), /At the appointment, with a card on file/)
    const summary = await visitor.fillIn(form, { ...payers.newCustomer(), pays: 'card' })
    assert.match(textOf(summary), /Nothing is charged now. If you do not come, €25\.00 can be charged/)
    assert.match(summary.html, />Continue to your card</)
    await site.setService('paid', {
      payment: { mode: 'choice', choices: ['card', 'on_site'], noShowFee: { amount: 4_000 } },
    })
    const again = await visitor.confirm(summary)
    assert.equal(again.status, 409)
    assert.match(textOf(again), /The amounts have changed.*If you do not come, €40\.00 can be charged/)
    const onSite = await payers.book('paid', { more: { pays: 'on_site' } })
    const { status, payment } = await payers.reservation(onSite.id)
    assert.deepEqual([status, payment.method, payment.noShowFee], ['confirmed', 'on_site', undefined])
    await site.setService('paid', { payment: { mode: 'card', noShowFee: { percent: 40 } } })
  })

  test('a price of zero asks for a card when the fee is an amount, and for nothing when it is a percentage', async () => {
    await site.setService('paid', { price: 0 })
    const free = await payers.book()
    assert.equal((await payers.reservation(free.id)).status, 'confirmed')
    await site.setService('paid', { payment: { mode: 'card', noShowFee: { amount: 1_000 } } })
    const { id } = await payers.book()
    assert.equal((await payers.reservation(id)).payment.noShowFee.amount, 1_000)
    await payers.saveCard(id)
    await site.setService('paid', { price: 4_500, payment: { mode: 'card', noShowFee: { percent: 40 } } })
  })

  test('a card that is not saved in time gives the seat back, and the page is closed first', async () => {
    const { visitor, id } = await payers.book()
    const session = await payers.sessionOf(id)
    await payers.expirePayment(id)
    await waitUntil(async () => (await payers.reservation(id)).status === 'cancelled', 'the expiry')
    assert.equal(session.status, 'expired')
    assert.equal(stripe.saveCard(session), false)
    assert.match(textOf(await visitor.open('/manage/payment/')), /card was not saved in time Nothing was charged/)
    await mailed(/Your booking of paid on .* was not completed, so the time is free for others again/)
  })

  for (const taken of [false, true])
    test(`a card that is saved too late ${taken ? 'is removed when the seat is taken' : 'books when the seat is free'}`, async () => {
      const on = site.nextDay()
      const { visitor, id } = await payers.book('paid', { on, provider: ben })
      const session = await payers.sessionOf(id)
      stripe.down = true
      await payers.expirePayment(id, { seat: true })
      await payers.waitForRelease(id)
      stripe.saveCard(session)
      if (taken) assert.equal((await payers.book('plain', { on, provider: ben })).page.status, 200)
      stripe.down = false
      await stripe.deliverAll(site.server.url)
      if (!taken) return void (await payers.waitForConfirmation(id))
      const card = stripe.cards.cards.get(session.card ?? '')
      await waitUntil(async () => card?.customer === null, 'the removal of the card')
      assert.equal((await payers.reservation(id)).status, 'cancelled')
      assert.equal(await fees.feeState(id), 'too_late')
      assert.match(textOf(await visitor.open('/manage/payment/')), /Your card was removed, and nothing was charged/)
      await mailed(/We have removed the card, and nothing was charged/)
    })

  test('a no-show is charged after a preview alone, once, with receipt, books and mail', async () => {
    const { id, card } = await fees.missed()
    const { amount, currency, card: of, mail } = await preview(id)
    assert.deepEqual([amount, currency, of], [1_800, 'EUR', { brand: 'visa', last4: '4242' }])
    assert.match(mail.subject, /No-show fee .*: €18\.00/)
    assert.match(mail.text, /we have charged €18\.00 to your card/)
    assert.equal((await fees.charge(id, 1_800, receptionist)).status, 403)
    assert.deepEqual([(await fees.charge(id, 1_799)).status, await fees.feeState(id)], [400, 'agreed'])
    const raced = await Promise.all([fees.charge(id), fees.charge(id)])
    assert.deepEqual(raced.map(({ status }) => status).sort(), [200, 409])
    await waitUntil(async () => (await fees.feeState(id)) === 'charged', 'the charge')
    const intents = [...stripe.cards.intents.values()].filter(({ customer }) => customer === card.customer)
    assert.deepEqual(
      intents.map(({ amount: charged, status }) => [charged, status]),
      [[1_800, 'succeeded']],
    )
    const { payment } = await payers.reservation(id)
    assert.deepEqual([payment.state, payment.paid, payment.amount], ['paid', 1_800, 4_500])
    const { due, processor, entries, receipts } = await waitUntil(async () => {
      const found = await shown(id)
      return found.receipts.length > 0 && found
    }, 'the receipt')
    assert.deepEqual([due, processor, entries.length, receipts[0].amount], [0, 1_800, 1, 1_800])
    const kinds = await waitUntil(async () => {
      const rows = await site.sql(
        'select kind, amount from ledger_posting p join ledger_entry e on e.posting_id = p.id where payment_id in (select payment_id from payment_share where reservation_id = ?) order by kind',
        [id],
      )
      return rows.length === 2 && rows
    }, 'the postings')
    assert.deepEqual(
      kinds.map(({ kind, amount: posted }) => [kind, Number(posted)]),
      [
        ['charge', 1_800],
        ['fee', 52],
      ],
    )
    await mailed(/we have charged €18\.00 to your card[\s\S]*Receipt \d+-\d+/)
    // The attendance of a no-show whose fee was charged can be changed only after the fee was refunded.
    const kept = await fees.mark(id, 'arrived')
    assert.deepEqual([kept.status, Object.keys(kept.body.details ?? {})], [400, ['state']])
    const refund = { reservationId: id, amount: 1_800, from: 'processor', reason: 'Was here' }
    assert.equal((await admin.post('/payments/refund/', refund)).status, 200)
    await waitUntil(async () => stripe.refunded(String(intents[0]?.id)) === 1_800, 'the refund')
    assert.equal((await fees.mark(id, 'arrived')).status, 200)
    const back = await payers.reservation(id)
    assert.deepEqual([back.payment.noShowFee.state, (await shown(id)).due], ['agreed', 4_500])
  })

  for (const verdict of ['declined', 'authentication'] as const)
    test(`a charge that ends as ${verdict} is shown, and the fee is paid by a link`, async () => {
      const { visitor, id } = await fees.missed(verdict)
      assert.equal((await fees.charge(id)).status, 200)
      await waitUntil(async () => (await fees.feeState(id)) === verdict, 'the refusal of the bank')
      assert.deepEqual([(await shown(id)).due, (await payers.reservation(id)).payment.state], [1_800, 'due'])
      const types = (await site.events()).map(({ type, object }) => [type, Object(object?.reservationIds)[0]])
      assert.ok(types.some(([type, of]) => type === 'payment.fee_declined' && of === id))
      const { mail } = await preview(id, 'link')
      assert.match(mail.text, /Please pay with the link below, which is open for 23 hours\./)
      const sent = { reservationId: id, amount: 1_800 }
      assert.equal((await admin.post('/payments/no-show/link/', sent)).status, 200)
      for (const by of ['link', 'charge']) {
        const again = await admin.post(`/payments/no-show/${by}/`, sent)
        assert.deepEqual([again.status, again.body.reason], [409, 'fee_requested'], by)
      }
      const link = await fees.linkOf(id)
      await mailed(/a no-show fee is due: €18\.00[\s\S]*Pay now: .*\/payment\//)
      assert.match(
        textOf(await visitor.open('/manage/payment/')),
        /You can pay until \w+day,? \d+ \w+ 20\d\d, \d\d:\d\d/,
      )
      const session = await stripe.sessionOf(String(link.id))
      assert.equal(session.amount_total, 1_800)
      stripe.pay(session)
      await stripe.deliverAll(site.server.url)
      await waitUntil(async () => (await fees.feeState(id)) === 'charged', 'the payment')
      assert.deepEqual([(await shown(id)).due, (await payers.reservation(id)).payment.paid], [0, 1_800])
    })

  test('a fee that the bank declined is written off, or no longer owed when the no-show is taken back', async () => {
    const { id } = await fees.missed('declined')
    assert.equal((await fees.charge(id)).status, 200)
    await waitUntil(async () => (await fees.feeState(id)) === 'declined', 'the refusal of the bank')
    assert.equal(
      (await admin.post('/payments/write-off/', { reservationId: id, amount: 1_800, reason: 'Kind' })).status,
      200,
    )
    assert.equal((await shown(id)).due, 0)
    assert.equal((await fees.charge(id)).status, 409)
    const other = await fees.missed('declined')
    assert.equal((await fees.charge(other.id)).status, 200)
    await waitUntil(async () => (await fees.feeState(other.id)) === 'declined', 'the refusal of the bank')
    await fees.sendLink(other.id)
    assert.equal((await fees.mark(other.id, 'completed')).status, 200)
    assert.equal(await fees.feeState(other.id), 'agreed')
    await fees.linkClosed(other.id)
  })

  test('an answer that was lost after the bank had charged charges once', async () => {
    const { id, card } = await fees.missed()
    stripe.losses.push('after', 'error')
    assert.equal((await fees.charge(id)).status, 200)
    await waitUntil(async () => {
      await site.sql("update job set run_at = ? where kind = 'payment-sync' and state = 'due'", [now])
      return (await fees.feeState(id)) === 'charged'
    }, 'the charge')
    const made = [...stripe.cards.intents.values()].filter(({ customer }) => customer === card.customer)
    assert.equal(made.length, 1)
  })

  test('a charge whose answer was lost is found although the service was renamed before it was repeated', async () => {
    const { id, card } = await fees.missed()
    const rename = (name: string) => admin.post('/services/edit/', { id: site.service('paid'), name })
    stripe.onRequest = async (moment, request) => {
      if (moment === 'after' && request === 'POST /v1/payment_intents') await rename('Renamed')
      return undefined
    }
    stripe.losses.push('after')
    assert.equal((await fees.charge(id)).status, 200)
    await waitUntil(async () => {
      await site.sql("update job set run_at = ? where kind = 'payment-sync' and state = 'due'", [now])
      return (await fees.feeState(id)) !== 'charging'
    }, 'the charge')
    stripe.onRequest = () => undefined
    assert.equal((await rename('paid')).status, 200)
    assert.equal(await fees.feeState(id), 'charged')
    assert.equal([...stripe.cards.intents.values()].filter(({ customer }) => customer === card.customer).length, 1)
  })

  test('nothing is charged of a visit that was not missed, and a removed card is not charged', async () => {
    const { id } = await fees.booked()
    assert.equal((await fees.charge(id)).status, 409)
    assert.equal((await fees.mark(id, 'completed')).status, 200)
    assert.equal((await fees.charge(id)).status, 409)
    await removed(id)
    assert.equal((await fees.mark(id, 'no_show')).status, 200)
    assert.equal((await fees.charge(id)).status, 409)
    assert.equal((await fees.charge('r_unknown')).status, 404)
  })

  test('the card is removed when the visit was cancelled, not at once, and not when it was restored', async () => {
    const { id, card } = await fees.booked()
    assert.equal((await site.edit(id, { status: 'cancelled' })).status, 200)
    await waitUntil(async () => {
      const [at, end] = [await nextLook(id), Number((await payers.reservation(id)).end)]
      return at > now && at < end
    }, 'a look at the card')
    assert.notEqual(card.customer, null)
    assert.equal((await site.edit(id, { status: 'confirmed' })).status, 200)
    const { customer } = card
    await later(id)
    await waitUntil(async () => (await nextLook(id)) > now, 'the end of the look')
    assert.notEqual((await shown(id)).card, null)
    assert.equal((await site.edit(id, { status: 'cancelled' })).status, 200)
    await removed(id)
    assert.equal(card.customer, null)
    const [row] = await site.sql('select * from saved_card where payment_id = ?', [
      String((await payers.paymentOf(id)).id),
    ])
    assert.deepEqual([row?.customer_reference, row?.card_reference, row?.last4, row?.brand], ['', '', '', ''])
    assert.equal(stripe.cards.customers.has(String(customer)), false)
  })

  test('the card of a customer is not charged for the visit of another, and is kept when that is undone', async () => {
    const { id } = await fees.booked()
    const customerId = site.customer('Kim')
    const give = () => site.edit(id, { customerId })
    assert.equal((await give()).status, 200)
    assert.equal((await payers.reservation(id)).payment.noShowFee, undefined)
    const [entry] = Object((await admin.get(`/history/?objectId=${id}`)).body).response
    assert.equal((await admin.post('/history/undo/', { seq: entry.seq })).status, 200)
    assert.equal(await fees.feeState(id), 'agreed')
    assert.equal((await give()).status, 200)
    assert.equal((await fees.mark(id, 'no_show')).status, 200)
    assert.equal((await fees.charge(id)).status, 409)
    await removed(id)
  })

  test('the books agree with the processor about fees and cards', async () => {
    await waitUntil(
      async () => (await site.sql("select 1 from refund where state = 'pending'")).length === 0,
      'the end of the refunds',
    )
    for (const one of stripe.balance.transactions) Object.assign(one, { created: now - 7_200 })
    assert.equal((await admin.post('/payments/reconciliation/', {})).status, 200)
    const { differences, compared } = await waitUntil(async () => {
      const found = Object((await admin.get('/payments/reconciliation/')).body.response)
      return found.ranAt !== null && found
    }, 'the comparison')
    assert.ok(compared > 2)
    assert.deepEqual(differences, [])
  })

  test('erasing a customer removes the card at once', async () => {
    const { id, card } = await fees.booked()
    const [row] = await site.sql('select customer_id from reservation where id = ?', [id])
    await site.sql('update reservation set start_at = ?, end_at = ? where id = ?', [now - 7_200, now - 3_600, id])
    const erased = await admin.post('/customers/erase/', { id: String(row?.customer_id) })
    assert.equal(erased.status, 200, erased.text)
    await waitUntil(async () => card.customer === null, 'the removal of the card')
  })

  test('erasing a customer removes the card even if the reservation changes while the processor is down', async () => {
    const { id, card } = await fees.booked()
    const [row] = await site.sql('select customer_id from reservation where id = ?', [id])
    await site.sql('update reservation set start_at = ?, end_at = ? where id = ?', [now - 7_200, now - 3_600, id])
    stripe.down = true
    const erased = await admin.post('/customers/erase/', { id: String(row?.customer_id) })
    assert.equal(erased.status, 200, erased.text)
    assert.equal((await site.edit(id, { status: 'cancelled' })).status, 200)
    const review = JSON.stringify({ id: String((await payers.paymentOf(id)).id) })
    await waitUntil(
      async () => (await site.sql('select 1 from job where payload = ?', [review])).length > 0,
      'the review of the card',
    )
    stripe.down = false
    await waitUntil(async () => {
      await site.sql("update job set run_at = ? where kind = 'payment-card' and payload like '%erased%'", [now])
      return card.customer === null
    }, 'the removal of the card')
  })
})
