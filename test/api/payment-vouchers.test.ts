import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dateAt } from '../../src/scheduling/time/zone.ts'
import { textOf } from '../support/booking-visitor.ts'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { ana, now } from '../support/clinic.ts'
import { MailServer } from '../support/mail-server.ts'
import {
  openPaymentTestSite,
  type PayingCustomers,
  type PaymentTestSite,
  waitUntil,
} from '../support/payment-test-site.ts'
import type { StripeStandIn } from '../support/stripe.ts'
import { onEachDatabase, present, type TestSite } from '../support/test-site.ts'

onEachDatabase((open) => {
  let paying: PaymentTestSite
  let site: TestSite
  let admin: BrowserClient
  let receptionist: BrowserClient
  let stripe: StripeStandIn
  let payers: PayingCustomers
  let mailServer: MailServer
  before(async () => {
    mailServer = await MailServer.open()
    paying = await openPaymentTestSite(open)
    ;({ site, stripe, admin, payers } = paying)
    receptionist = (await insertSignedInUser(site, 'receptionist')).browser
    await paying.connect()
    await site.setService('paid', { payment: { mode: 'online', refunds: [{ hours: 0, percent: 50 }] } })
    await site.setService('own', { payment: { mode: 'on_site' } })
  })
  after(async () => {
    // The service is closed before the SMTP server, because the service has open connections to that server.
    await paying.close()
    await mailServer.close()
  })

  const issue = async (amount: number, more: object = {}, by = receptionist) => {
    const body = { amount, currency: 'EUR', validUntil: null, language: 'de', ...more }
    const answer = await by.post('/payments/vouchers/issue/', body)
    assert.equal(answer.status, 200, answer.text)
    return Object(answer.body.response) as { id: string; code: string; page: string }
  }
  /** Adds a coupon that takes a percentage off the price, or an amount. */
  const addCoupon = async (coupon: {
    readonly code: string
    readonly value: number
    readonly kind?: 'amount'
    readonly maxUses?: number
  }) => {
    const limits = { validFrom: null, validUntil: null, maxUses: null, maxUsesPerCustomer: null, serviceIds: [] }
    const body = { kind: 'percent', currency: 'EUR', ...limits, ...coupon }
    const added = await admin.post('/payments/coupons/add/', body)
    assert.equal(added.status, 200, added.text)
  }
  /** Issues a voucher whose last day has passed. */
  const issueExpired = async (amount: number) => {
    const voucher = await issue(amount)
    await site.sql("update voucher set valid_until = '2020-01-01' where id = ?", [voucher.id])
    return voucher
  }
  const balance = async (id: string) => {
    const { balance: left, entries } = Object((await admin.get(`/payments/vouchers/one/?id=${id}`)).body.response)
    return { left, kinds: entries.map(({ kind }: { kind: string }) => kind) }
  }
  const redeem = (reservationId: string, code: string, more: object = {}, by = receptionist) =>
    by.post('/payments/vouchers/redeem/', { reservationId, code, ...more })
  const shown = async (id: string) => Object((await admin.get(`/payments/reservation/?id=${id}`)).body.response)

  const withVoucher = (code: string, service = 'paid', more: Readonly<Record<string, string>> = {}) =>
    payers.fillInWithVoucher(code, { service, more })
  const idOf = async (email: string) => String((await payers.reservationsOf(email))[0])
  /** Books the service `group` for several persons with a voucher; returns the summary and what followed it. */
  async function bookGroup(code: string, seats: number, more: Readonly<Record<string, string>> = {}) {
    const visitor = payers.newVisitor()
    const people = Array.from({ length: seats }, () => payers.newCustomer())
    const guests = people.slice(1).map(({ email }, at) => {
      return { [`guest${at + 2}name`]: 'Bob', [`guest${at + 2}email`]: email }
    })
    const month = await visitor.open(`/book/group/?with=${ana}&seats=${seats}&date=${site.nextDay()}`)
    const details = Object.assign({}, people[0], ...guests, more)
    const page = await visitor.fillIn(await visitor.choose(month), details)
    const summary = await payers.enterVoucher(visitor, page, code)
    const { status } = await visitor.confirm(summary)
    const ids = await Promise.all(people.map(({ email }) => idOf(email)))
    const states = () => Promise.all(ids.map(async (id) => (await payers.reservation(id)).status))
    return { summary: textOf(summary), status, ids, states }
  }
  async function onSite(): Promise<string> {
    const { body } = await site.add(await site.slot({ service: 'own', provider: ana }))
    return body.id
  }

  test('a voucher is issued at the desk: the code is shown once and stored nowhere, and its page is printed', async () => {
    const { id, code, page } = await issue(5_000, { validUntil: '2030-12-31' })
    assert.match(code, /^[0-9A-HJKMNP-TV-Z]{16}$/)
    assert.match(page, new RegExp((code.match(/.{4}/g) ?? []).join('-')))
    assert.match(page, /<html lang="de">[\s\S]*Gutschein[\s\S]*50,00\s€[\s\S]*31\. Dezember 2030/)
    assert.deepEqual(await balance(id), { left: 5_000, kinds: ['voucher_sale'] })
    const stored = [
      ...(await site.sql('select * from voucher')),
      ...(await site.sql("select * from event where type = 'payment_settings.updated'")),
    ]
    assert.doesNotMatch(JSON.stringify(stored), new RegExp(code))
    for (const search of [code, code.toLowerCase(), code.slice(-4)]) {
      const { response } = (await receptionist.get(`/payments/vouchers/?search=${search}`)).body
      assert.deepEqual(
        (response as unknown as { id: string }[]).map((one) => one.id),
        [id],
      )
    }
    const file = await admin.get('/payments/vouchers/csv/')
    assert.match(file.text, new RegExp(`${code.slice(-4)},50,50,EUR,2030-12-31,${id}`))
    assert.equal((await receptionist.get('/payments/vouchers/csv/')).status, 403)
  })

  test('a voucher that covers everything skips the processor', async () => {
    const { id: voucherId, code } = await issue(6_000)
    const { visitor, person, summary } = await withVoucher(code.toLowerCase().replace(/(.{4})/g, '$1-'))
    assert.match(textOf(summary), /Gift voucher -€45\.00/)
    assert.match(summary.html, />Book now</)
    const done = await visitor.confirm(summary)
    assert.equal(done.status, 200, textOf(done))
    const id = await idOf(person.email)
    const { status, payment } = await payers.reservation(id)
    assert.deepEqual([status, payment.state, payment.paid], ['confirmed', 'paid', 4_500])
    assert.deepEqual(await balance(voucherId), { left: 1_500, kinds: ['voucher_sale', 'voucher_use'] })
    assert.deepEqual(await site.sql('select 1 from payment_share where reservation_id = ?', [id]), [])
    const { entries, receipts, voucher, due } = await shown(id)
    assert.deepEqual([entries.length, receipts.length, voucher, due], [1, 1, 4_500, 0])
    assert.equal((await site.remove(id)).status, 403)
    // The refund rule of the service returns half of the price, to the voucher with which it was paid.
    assert.equal((await site.edit(id, { status: 'cancelled' })).status, 200)
    await waitUntil(async () => (await balance(voucherId)).left === 3_750, 'the return to the voucher')
    assert.equal((await payers.reservation(id)).payment.state, 'part_refunded')
  })

  test('an applied voucher still pays for another time that the customer chooses', async () => {
    const { code } = await issue(2_000)
    const { visitor, summary } = await withVoucher(code)
    const form = present(summary.forms.find(({ buttons }) => buttons.some(({ value }) => value === 'release')))
    const month = await visitor.send(form, { name: 'step', value: 'release' })
    const again = await visitor.fillIn(await visitor.choose(month, 1), {})
    assert.match(textOf(again), /Gift voucher -€20\.00 To pay now €25\.00/)
  })

  test('a form that used up its voucher shows the confirmation again when it is sent again', async () => {
    const { code } = await issue(4_500)
    const { visitor, person, summary } = await withVoucher(code)
    for (let time = 0; time < 3; time += 1) {
      const done = await visitor.confirm(summary)
      assert.equal(done.status, 200, textOf(done))
      assert.match(textOf(done), /You are booked/)
    }
    assert.equal((await payers.reservationsOf(person.email)).length, 1)
  })

  test('the processor is asked for the rest, and a refund goes to the voucher first', async () => {
    const { id: voucherId, code } = await issue(2_000)
    const { visitor, person, summary } = await withVoucher(code)
    assert.match(textOf(summary), /To pay now €25\.00/)
    assert.equal((await visitor.confirm(summary)).status, 303)
    const id = await idOf(person.email)
    const session = await payers.pay(id)
    assert.equal(session.amount_total, 2_500)
    assert.deepEqual(
      [(await payers.reservation(id)).payment.paid, (await shown(id)).due, await balance(voucherId)],
      [4_500, 0, { left: 0, kinds: ['voucher_sale', 'voucher_use'] }],
    )
    const refund = (amount: number, from: string) =>
      admin.post('/payments/refund/', { reservationId: id, amount, from, reason: 'Ill' })
    assert.equal((await refund(100, 'processor')).status, 400)
    assert.equal((await refund(2_001, 'voucher')).status, 400)
    assert.equal((await refund(2_000, 'voucher')).status, 200)
    assert.equal((await balance(voucherId)).left, 2_000)
    assert.equal((await refund(500, 'processor')).status, 200)
    await waitUntil(async () => stripe.refunded(String(session.payment_intent)) === 500, 'the refund')
  })

  test('a booking that is not paid in time gives the voucher back', async () => {
    const { id: voucherId, code } = await issue(2_000)
    const { visitor, person, summary } = await withVoucher(code)
    await visitor.confirm(summary)
    const id = await idOf(person.email)
    await payers.sessionOf(id)
    assert.equal((await balance(voucherId)).left, 0)
    await payers.expirePayment(id)
    await waitUntil(async () => (await balance(voucherId)).left === 2_000, 'the return to the voucher')
    const { status, payment } = await payers.reservation(id)
    assert.deepEqual([status, payment.paid, payment.refunded], ['cancelled', 2_000, 2_000])
  })

  test('a booking whose e-mail address is not confirmed in time gives the voucher and the coupon back', async () => {
    const smtp = { host: '127.0.0.1', port: mailServer.port, security: 'none', user: '' }
    const from = { name: 'Harbour Clinic', address: 'desk@clinic.example' }
    const set = async (path: string, body: object) => assert.equal((await admin.post(path, body)).status, 200, path)
    await set('/notifications/settings/edit/', { enabled: true, smtp, from })
    await set('/booking-page/edit/', { verifyEmail: true })
    await addCoupon({ code: 'ONCE', value: 20, maxUses: 1 })
    const { id: voucherId, code } = await issue(6_000)
    const { visitor, person, summary } = await withVoucher(code, 'paid', { code: 'ONCE' })
    assert.equal((await visitor.confirm(summary)).status, 200)
    const id = await idOf(person.email)
    assert.deepEqual([(await payers.reservation(id)).awaits, (await balance(voucherId)).left], ['email', 2_400])
    const preview = (await admin.get(`/payments/cancellation/?ids=${id}`)).body.response
    assert.deepEqual(preview, [{ currency: 'EUR', rule: 3_600, all: 3_600 }])
    await payers.expire(id)
    await payers.waitForRelease(id)
    await waitUntil(async () => (await balance(voucherId)).left === 6_000, 'the return to the voucher')
    const coupons = Object((await admin.get('/payments/coupons/?search=ONCE')).body.response)
    assert.equal(coupons[0]?.uses, 0)
    await set('/booking-page/edit/', { verifyEmail: false })
    await set('/notifications/settings/edit/', { enabled: false })
  })

  test('of two bookings at once, a voucher pays one; the other is shown what is left', async () => {
    const { id: voucherId, code } = await issue(4_500)
    const all = await Promise.all([withVoucher(code), withVoucher(code)])
    const answers = await Promise.all(all.map(({ visitor, summary }) => visitor.confirm(summary)))
    const [booked, again] = answers.toSorted((one, other) => one.status - other.status)
    assert.equal(booked?.status, 200)
    // The refused booking is answered 409 if it read the voucher before the other booking was committed, and 422 if it
    // read the voucher afterwards. The next two tests produce each status without a race.
    assert.ok(again?.status === 409 || again?.status === 422, `${again?.status}`)
    assert.deepEqual(await balance(voucherId), { left: 0, kinds: ['voucher_sale', 'voucher_use'] })
    assert.match(textOf(again), /This voucher cannot be used here/)
  })

  test('a voucher that was used up after the summary is refused before anything is booked', async () => {
    const { code } = await issue(4_500)
    const [one, other] = [await withVoucher(code), await withVoucher(code)]
    assert.equal((await one.visitor.confirm(one.summary)).status, 200)
    const again = await other.visitor.confirm(other.summary)
    assert.equal(again.status, 422)
    assert.match(textOf(again), /This voucher cannot be used here/)
    assert.equal(await idOf(other.person.email), 'undefined')
  })

  test('a voucher of which less is left than the summary showed leads to the summary again', async () => {
    const { id: voucherId, code } = await issue(4_500)
    const { visitor, summary, person } = await withVoucher(code)
    assert.equal((await redeem(await onSite(), code, { amount: 1_000 })).status, 200)
    const again = await visitor.confirm(summary)
    assert.equal(again.status, 409)
    assert.match(textOf(again), /€35\.00/)
    assert.equal(await idOf(person.email), 'undefined')
    assert.equal((await balance(voucherId)).left, 3_500)
  })

  test('a voucher pays a part of each seat of a form, and the processor is asked for the rest of all', async () => {
    await site.setService('group', { price: 1_000, payment: { mode: 'online' } })
    const { id: voucherId, code } = await issue(1_500)
    const { summary, status, ids, states } = await bookGroup(code, 2)
    assert.match(summary, /Total €20\.00 Gift voucher -€15\.00 To pay now €5\.00/)
    assert.equal(status, 303)
    const [id = '', other = ''] = ids
    assert.deepEqual(await states(), ['pending', 'pending'])
    const session = await payers.pay(id)
    await payers.waitForConfirmation(other)
    assert.equal(session.amount_total, 500)
    assert.deepEqual([await states(), (await balance(voucherId)).left], [['confirmed', 'confirmed'], 0])
  })

  test('a voucher over the deposits of seats with unequal prices leaves nothing to pay online', async () => {
    await site.setService('group', { price: 4_500, payment: { mode: 'online', deposit: { percent: 30 } } })
    await addCoupon({ code: 'FIVE', kind: 'amount', value: 500 })
    const { id: voucherId, code } = await issue(3_900)
    const { summary, status, states } = await bookGroup(code, 3, { code: 'FIVE' })
    assert.match(summary, /Total €130\.00 Gift voucher -€39\.00/)
    assert.doesNotMatch(summary, /To pay now/)
    assert.equal(status, 200)
    assert.deepEqual([await states(), (await balance(voucherId)).left], [['confirmed', 'confirmed', 'confirmed'], 0])
  })

  test('the seats of a form whose rest the processor refuses are given back together, with the voucher', async () => {
    await site.setService('group', { price: 1_000, payment: { mode: 'online' } })
    const { id: voucherId, code } = await issue(1_999)
    const { summary, states } = await bookGroup(code, 2)
    assert.match(summary, /Gift voucher -€19\.99 To pay now €0\.01/)
    await waitUntil(async () => (await balance(voucherId)).left === 1_999, 'the return to the voucher')
    assert.deepEqual(await states(), ['cancelled', 'cancelled'])
  })

  test('a coupon and a voucher together reduce the price first', async () => {
    await addCoupon({ code: 'HALF', value: 50 })
    const { id: voucherId, code } = await issue(2_000)
    const { visitor, person, summary } = await withVoucher(code, 'paid', { code: 'HALF' })
    assert.match(textOf(summary), /Code HALF -€22\.50 Total €22\.50.*Gift voucher -€20\.00 To pay now €2\.50/)
    assert.equal((await visitor.confirm(summary)).status, 303)
    assert.equal((await payers.sessionOf(await idOf(person.email))).amount_total, 250)
    assert.equal((await balance(voucherId)).left, 0)
  })

  test('codes that pay nothing get one sentence, and attempts are limited', async () => {
    const late = await issueExpired(1_000)
    const franc = await issue(1_000, { currency: 'CHF' })
    for (const code of ['0000000000000000', late.code, franc.code]) {
      const { summary } = await withVoucher(code)
      assert.equal(summary.status, 422)
      assert.match(textOf(summary), /This voucher cannot be used here/)
    }
    const minute = async () => Math.floor((await admin.serverNow()) / 60)
    const began = await minute()
    const { visitor, summary } = await withVoucher('WRONG')
    let last = summary
    // The limit is 30 attempts in each minute of the clock.
    const most = async () => 30 * (1 + (await minute()) - began)
    for (let tries = 0; tries <= (await most()) && !/Too many attempts/.test(textOf(last)); tries++)
      last = await payers.enterVoucher(visitor, last, `WRONG${tries}`)
    assert.match(textOf(last), /Too many attempts/)
  })

  test('the desk redeems a voucher in parts, never more than is due or left, and two at once spend it once', async () => {
    const { id: voucherId, code } = await issue(7_000)
    const id = await onSite()
    const { due } = await shown(id)
    assert.equal(due, 5_000)
    assert.equal((await redeem(id, code, { amount: 5_001 })).status, 400)
    assert.equal((await redeem(id, 'WRONG')).status, 409)
    const part = await redeem(id, code, { amount: 1_000 })
    assert.deepEqual([part.status, Object(part.body.response).amount], [200, 1_000])
    const other = await onSite()
    const raced = await Promise.all([redeem(id, code), redeem(other, code)])
    assert.deepEqual(
      raced.map(({ status }) => status),
      [200, 200],
    )
    assert.deepEqual(await balance(voucherId), {
      left: 0,
      kinds: ['voucher_sale', 'voucher_use', 'voucher_use', 'voucher_use'],
    })
    const paid = (await shown(id)).voucher + (await shown(other)).voucher
    assert.equal(paid, 7_000)
    assert.equal((await redeem(other, code)).status, 409)
  })

  test('a voucher is extended, and what is left of it given up, by leaders who prove who they are', async () => {
    const { id, code } = await issueExpired(1_000)
    const reservation = await onSite()
    assert.equal((await redeem(reservation, code)).status, 409)
    const extend = { id, validUntil: '2099-01-01' }
    assert.equal((await receptionist.post('/payments/vouchers/extend/', extend)).status, 403)
    assert.equal((await admin.post('/payments/vouchers/extend/', extend)).status, 200)
    assert.equal((await redeem(reservation, code, { amount: 400 })).status, 200)
    assert.equal((await admin.post('/payments/vouchers/close/', { id, balance: 1_000 })).status, 400)
    assert.equal((await admin.post('/payments/vouchers/close/', { id, balance: 600 })).status, 200)
    assert.deepEqual(await balance(id), { left: 0, kinds: ['voucher_sale', 'voucher_use', 'voucher_expired'] })
    assert.equal((await redeem(reservation, code)).status, 409)
  })

  test('a voucher is neither issued nor extended until a day before today, by the clock of the site', async () => {
    const [yesterday, today] = [now - 86_400, now].map((at) => dateAt('Europe/Berlin', at))
    assert.ok(yesterday && today)
    const { id } = await issue(1_000, { validUntil: today })
    const body = { amount: 1_000, currency: 'EUR', validUntil: yesterday, language: 'de' }
    for (const refused of [
      await receptionist.post('/payments/vouchers/issue/', body),
      await admin.post('/payments/vouchers/extend/', { id, validUntil: yesterday }),
    ]) {
      assert.equal(refused.status, 400, refused.text)
      assert.deepEqual(Object.keys(refused.body.details ?? {}), ['validUntil'])
    }
    for (const validUntil of [today, null])
      assert.equal((await admin.post('/payments/vouchers/extend/', { id, validUntil })).status, 200)
  })

  test('the books owe what is left of all vouchers', async () => {
    const rows = await site.sql("select debit, credit, amount from ledger_entry where 'vouchers' in (debit, credit)")
    const owed = rows.reduce((sum, { credit, amount }) => sum + (credit === 'vouchers' ? 1 : -1) * Number(amount), 0)
    const { response } = (await admin.get('/payments/vouchers/?per_page=500')).body
    const left = (response as unknown as { balance: number }[]).reduce((sum, one) => sum + one.balance, 0)
    assert.equal(owed, left)
    assert.ok(now > 0)
  })
})
