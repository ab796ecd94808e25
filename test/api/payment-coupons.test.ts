import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dateAt } from '../../src/scheduling/time/zone.ts'
import { type BookingVisitor, fieldOf, type HtmlPage, textOf } from '../support/booking-visitor.ts'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { ana, ben } from '../support/clinic.ts'
import {
  openPaymentTestSite,
  type PayingCustomers,
  type PaymentTestSite,
  waitUntil,
} from '../support/payment-test-site.ts'
import type { StripeStandIn } from '../support/stripe.ts'
import { onEachDatabase, present, type TestSite } from '../support/test-site.ts'

const unlimited = { validFrom: null, validUntil: null, maxUses: null, maxUsesPerCustomer: null, serviceIds: [] }

interface New {
  readonly code: string
  readonly percent?: number
  readonly amount?: number
  readonly [limit: string]: unknown
}

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

  const listed = async (code: string) =>
    Object(
      (await admin.get(`/payments/coupons/?search=${code}`)).body.response.find((one) => Object(one).code === code),
    )
  const add = ({ percent, amount, ...coupon }: New, by = admin) => {
    const worth = amount === undefined ? { kind: 'percent', value: percent } : { kind: 'amount', value: amount }
    return by.post('/payments/coupons/add/', { ...worth, currency: 'EUR', ...unlimited, ...coupon })
  }

  /** Fills in a booking form as a new visitor up to the summary. */
  async function summary(more: Readonly<Record<string, string>> = {}, provider = ana) {
    const visitor = payers.newVisitor()
    const person = { ...payers.newCustomer(), ...more }
    const month = await visitor.open(`/book/paid/?with=${provider}&date=${site.nextDay()}`)
    return { visitor, person, page: await visitor.fillIn(await visitor.choose(month), person) }
  }
  const enter = (visitor: BookingVisitor, page: HtmlPage, code: string, step = 'details') => {
    const form = page.forms.find(({ buttons }) => buttons.some(({ value }) => value === 'book'))
    assert.ok(form, textOf(page))
    return visitor.send(form, { name: 'step', value: step }, { code })
  }
  const reservationOf = ({ email }: { readonly email: string }) => payers.reservationsOf(email)

  test('all coupons are listed page by page, and found by how their codes start', async () => {
    const codes = Array.from({ length: 205 }, (_, n) => `MANY-${String(n).padStart(3, '0')}`)
    for (const code of codes) assert.equal((await add({ code, percent: 1, active: false })).status, 200)
    const codesOf = async (query: string) => {
      const { body, headers } = await admin.get(`/payments/coupons/?${query}`)
      return { total: headers.get('x-wp-total'), codes: body.response.map((one) => Object(one).code) }
    }
    const pages = await Promise.all([1, 2, 3].map((page) => codesOf(`search=many-&per_page=100&page=${page}`)))
    assert.deepEqual(pages.flatMap((page) => page.codes).toSorted(), codes)
    assert.deepEqual(await codesOf('search=many-20&per_page=2'), { total: '5', codes: ['MANY-204', 'MANY-203'] })
    assert.deepEqual(await codesOf('search=%25'), { total: '0', codes: [] })
  })

  test('only administrators and managers make coupons, and what is wrong is named', async () => {
    const receptionist = (await insertSignedInUser(site, 'receptionist')).browser
    assert.equal((await add({ code: 'NOPE', percent: 10 }, receptionist)).status, 403)
    for (const [coupon, field] of [
      [{ code: 'a!', percent: 10 }, 'code'],
      [{ code: 'NOTHING', percent: 0 }, 'value'],
      [{ code: 'TOO-MUCH', percent: 101 }, 'value'],
      [{ code: 'DATES', percent: 10, validFrom: '2026-02-02', validUntil: '2026-02-01' }, 'validUntil'],
    ] as const) {
      const refused = await add(coupon)
      assert.deepEqual([refused.status, Object.keys(refused.body.details ?? {})], [400, [field]], refused.text)
    }
    assert.equal((await add({ code: 'twice', percent: 10 })).status, 200)
    assert.deepEqual(Object.keys((await add({ code: 'TWICE', percent: 20 })).body.details ?? {}), ['code'])
    const edited = { ...unlimited, id: (await listed('TWICE')).id, maxUses: 3, active: false }
    assert.equal((await admin.post('/payments/coupons/edit/', edited)).status, 200)
    const { active, maxUses, percent, uses } = await listed('TWICE')
    assert.deepEqual([active, maxUses, percent, uses], [false, 3, 10, 0])
    assert.equal((await admin.post('/payments/coupons/edit/', { ...edited, id: 'cpn_0' })).status, 409)
  })

  test('an edit changes only the fields that it contains, and refuses a period that thereby ends before it begins', async () => {
    assert.equal((await add({ code: 'PARTS', percent: 10, validFrom: '2026-05-01', maxUses: 3 })).status, 200)
    const before = await listed('PARTS')
    const edit = (change: object) => admin.post('/payments/coupons/edit/', { id: before.id, ...change })
    assert.equal((await edit({ active: false })).status, 200)
    assert.equal((await edit({ maxUsesPerCustomer: 1 })).status, 200)
    assert.deepEqual(await listed('PARTS'), { ...before, active: false, maxUsesPerCustomer: 1 })
    assert.deepEqual(Object.keys((await edit({ validUntil: '2026-04-30' })).body.details ?? {}), ['validUntil'])
  })

  test('a malformed code is answered with what a code looks like', async () => {
    for (const code of ['', 'a!', 'x'.repeat(41)]) {
      const refused = await add({ code, percent: 10 })
      assert.equal(refused.status, 400, refused.text)
      assert.match(String(refused.body.details?.code), /^A code has 3 to 40 letters/)
    }
  })

  test('unknown services are refused, but not those that were removed since', async () => {
    const removed = String((await site.post('/services/add/', { name: 'Brief' })).body.id)
    assert.equal((await add({ code: 'BRIEF', percent: 10, serviceIds: [removed] })).status, 200)
    assert.equal((await site.post('/services/remove/', undefined, { query: { id: removed } })).status, 200)
    const { id } = await listed('BRIEF')
    const edit = (serviceIds: readonly string[]) =>
      admin.post('/payments/coupons/edit/', { ...unlimited, id, active: true, serviceIds })
    for (const refused of [
      await add({ code: 'SERVICE', percent: 10, serviceIds: [site.service('paid'), 'nope'] }),
      await edit([removed, 'nope']),
    ]) {
      assert.deepEqual([refused.status, refused.body.reason], [404, 'service_not_found'], refused.text)
      assert.match(String(refused.body.details?.serviceIds), /nope/)
    }
    assert.equal((await edit([removed, site.service('paid')])).status, 200)
  })

  test('a code reduces the price on the summary, and the processor charges what is left', async () => {
    assert.equal((await add({ code: 'SUMMER10', percent: 10 })).status, 200)
    const { visitor, person, page } = await summary()
    assert.match(textOf(page), /Discount code/)
    const wrong = await enter(visitor, page, 'WINTER')
    assert.equal(wrong.status, 422)
    assert.match(wrong.html, /aria-invalid="true"/)
    assert.match(textOf(wrong), /This code is not valid for this booking/)
    assert.match(textOf(wrong), /Price €45\.00/)
    const shown = await enter(visitor, wrong, ' summer10 ')
    assert.match(textOf(shown), /Price €45\.00 Code SUMMER10 -€4\.50 Total €40\.50 To pay now €40\.50/)
    const done = await visitor.confirm(shown)
    assert.equal(done.status, 303, textOf(done))
    const [id = ''] = await reservationOf(person)
    const coupon = { code: 'SUMMER10', worth: { percent: 10 }, reduction: 450 }
    const { payment } = await payers.reservation(id)
    assert.deepEqual(payment, {
      ...{ method: 'online', state: 'due', amount: 4_050, paid: 0, refunded: 0, currency: 'EUR', coupon },
    })
    assert.equal((await listed('SUMMER10')).uses, 1)
    const session = await payers.sessionOf(id)
    assert.equal(session.amount_total, 4_050)
    stripe.pay(session)
    await stripe.deliverAll(site.server.url)
    await payers.waitForConfirmation(id)
    const [receipt] = await waitUntil(async () => {
      const rows = await site.sql('select amount from receipt where reservation_id = ?', [id])
      return rows.length > 0 && rows
    }, 'the receipt')
    assert.equal(receipt?.amount, 4_050)
    assert.match(textOf(await visitor.open('/manage/')), /Code SUMMER10 -€4\.50 Price €40\.50/)
    const gross = Object((await admin.get(`/payments/reservation/?id=${id}`)).body.response).entries
    assert.deepEqual(
      gross.map(({ amount }: { amount: number }) => amount),
      [4_050],
    )
  })

  test('a code that was entered and not applied is shown with its price before anything is booked', async () => {
    await add({ code: 'ENTER', amount: 1_000 })
    const { visitor, person, page } = await summary()
    const shown = await enter(visitor, page, 'enter', 'book')
    assert.equal(shown.status, 200)
    assert.match(textOf(shown), /Code ENTER -€10\.00 Total €35\.00/)
    assert.deepEqual(await reservationOf(person), [])
    // The discount code stays entered when the customer changes the details.
    const form = shown.forms.find(({ buttons }) => buttons.some(({ value }) => value === 'edit'))
    assert.ok(form)
    const again = await visitor.fillIn(await visitor.send(form, { name: 'step', value: 'edit' }), person)
    assert.match(textOf(again), /Code ENTER -€10\.00 Total €35\.00/)
    const removed = await enter(visitor, again, '')
    assert.match(textOf(removed), /Price €45\.00/)
    assert.doesNotMatch(textOf(removed), /Code ENTER/)
  })

  test('an applied code still applies at another time, chosen freely or because the first was taken', async () => {
    assert.equal((await add({ code: 'LATER', amount: 1_000 })).status, 200)
    const { visitor, page } = await summary()
    const shown = await enter(visitor, page, 'later')
    const chooseAgain = async (month: HtmlPage) => {
      const next = await visitor.fillIn(await visitor.choose(month), {})
      assert.match(textOf(next), /Code LATER -€10\.00 Total €35\.00/)
      assert.equal(next.html.match(/name="code"/g)?.length, 1)
      return next
    }
    const left = await enter(visitor, shown, 'LATER', 'release')
    const second = await chooseAgain(left)
    await site.sql('delete from hold')
    await site.sql('delete from occupancy where hold_id is not null')
    const [start = 0] = fieldOf(second, 'held').split('.').map(Number)
    const date = dateAt('Europe/Berlin', start)
    const slots = await site.slots({ service: 'paid', provider: ana, on: date })
    await site.book(present(slots.find((one) => one.start === start)))
    const lost = await visitor.confirm(second)
    assert.equal(lost.status, 409)
    await chooseAgain(lost)
  })

  test('a total of zero skips the processor', async () => {
    await add({ code: 'ALL', percent: 100 })
    const { visitor, person, page } = await summary()
    const shown = await enter(visitor, page, 'ALL')
    assert.match(textOf(shown), /Total free of charge/)
    const done = await visitor.confirm(shown)
    assert.match(textOf(done), /You are booked/)
    const [id = ''] = await reservationOf(person)
    const { status, payment } = await payers.reservation(id)
    assert.deepEqual([status, payment.state, payment.amount], ['confirmed', 'paid', 0])
    assert.deepEqual(await site.sql('select * from payment_share where reservation_id = ?', [id]), [])
  })

  test('the seats of a form of which a code leaves only one to pay wait together, and are given back together', async () => {
    await site.setService('group', { price: 1_000, payment: { mode: 'online' } })
    await add({ code: 'ALMOST', amount: 1_999 })
    const visitor = payers.newVisitor()
    const [person, guest] = [payers.newCustomer(), payers.newCustomer()]
    const month = await visitor.open(`/book/group/?with=${ana}&seats=2&date=${site.nextDay()}`)
    const details = { ...person, guest2name: 'Bob', guest2email: guest.email }
    const shown = await enter(visitor, await visitor.fillIn(await visitor.choose(month), details), 'ALMOST')
    assert.match(textOf(shown), /Code ALMOST -€19\.99 Total €0\.01/)
    const done = await visitor.confirm(shown)
    assert.equal(done.status, 303, textOf(done))
    const ids = [await reservationOf(person), await reservationOf(guest)].flat()
    const states = () => Promise.all(ids.map(async (id) => (await payers.reservation(id)).status))
    assert.ok(!(await states()).includes('confirmed'))
    // The processor does not take a cent.
    await waitUntil(async () => (await states()).join() === 'cancelled,cancelled', 'the end of the booking')
  })

  test('of two customers who race for the last use one gets it, and it comes back when the booking expires', async () => {
    await add({ code: 'LAST', percent: 50, maxUses: 1 })
    const both = [await summary({}, ana), await summary({}, ben)]
    const shown = await Promise.all(both.map(({ visitor, page }) => enter(visitor, page, 'LAST')))
    for (const page of shown) assert.match(textOf(page), /Total €22\.50/)
    const done = await Promise.all(both.map(async ({ visitor }, at) => visitor.confirm(shown[at] as HtmlPage)))
    const lost = done.findIndex(({ status }) => status !== 303)
    assert.deepEqual(
      done.map(({ status }) => status === 303).sort(),
      [false, true],
      done.map(({ status }) => status).join(),
    )
    const refused = done[lost] as HtmlPage
    assert.match(textOf(refused), /This code is not valid for this booking/)
    assert.match(textOf(refused), /Price €45\.00/)
    const [winner, loser] = [both[1 - lost], both[lost]]
    assert.ok(winner && loser)
    assert.deepEqual(await reservationOf(loser.person), [])
    assert.equal((await listed('LAST')).uses, 1)
    const [id = ''] = await reservationOf(winner.person)
    await payers.sessionOf(id)
    await payers.expirePayment(id)
    await waitUntil(async () => (await payers.reservation(id)).status === 'cancelled', 'the end of the time to pay')
    assert.equal((await listed('LAST')).uses, 0)
    const now = await enter(loser.visitor, refused, 'LAST')
    assert.match(textOf(now), /Total €22\.50/)
    assert.equal((await loser.visitor.confirm(now)).status, 303)
    assert.equal((await listed('LAST')).uses, 1)
  })

  test('a code that is used once by each customer is refused to the same address, under whichever name', async () => {
    await add({ code: 'ONCE', amount: 500, maxUsesPerCustomer: 1 })
    const first = await summary()
    const booked = await first.visitor.confirm(await enter(first.visitor, first.page, 'ONCE'))
    assert.equal(booked.status, 303)
    const second = await summary({ name: 'Adele', email: first.person.email.toUpperCase() })
    assert.equal((await enter(second.visitor, second.page, 'ONCE')).status, 422)
    const other = await summary()
    assert.match(textOf(await enter(other.visitor, other.page, 'ONCE')), /Total €40\.00/)
  })

  test('a code that is switched off after the summary books nothing at another price', async () => {
    await add({ code: 'OFF', percent: 20 })
    const { visitor, person, page } = await summary()
    const shown = await enter(visitor, page, 'OFF')
    const { id } = await listed('OFF')
    assert.equal((await admin.post('/payments/coupons/edit/', { ...unlimited, id, active: false })).status, 200)
    assert.equal((await visitor.confirm(shown)).status, 422)
    assert.deepEqual(await reservationOf(person), [])
  })

  test('the desk applies a code to a reservation that is not paid yet, once', async () => {
    await add({ code: 'DESK', amount: 2_000, maxUses: 1 })
    const { body } = await site.add(await site.slot({ service: 'paid', provider: ana }))
    const reservationId = String(body.id)
    const receptionist = (await insertSignedInUser(site, 'receptionist')).browser
    const apply = (code: string, id = reservationId) =>
      receptionist.post('/payments/coupons/apply/', { reservationId: id, code })
    assert.deepEqual((await apply('DESK')).body.reason, 'coupon_too_late')
    const due = { method: 'on_site', state: 'due', amount: 4_500, paid: 0, refunded: 0, currency: 'EUR' }
    await payers.sessionOf(reservationId)
    await site.sql("update payment set state = 'closed'")
    await site.sql("update reservation set payment = ?, awaits = null, status = 'confirmed' where id = ?", [
      JSON.stringify(due),
      reservationId,
    ])
    assert.equal((await apply('UNKNOWN')).body.reason, 'coupon_invalid')
    assert.equal((await apply('desk')).status, 200)
    assert.equal((await apply('DESK')).body.reason, 'coupon_too_late')
    const { payment } = await payers.reservation(reservationId)
    assert.deepEqual([payment.amount, payment.coupon.code, payment.coupon.reduction], [2_500, 'DESK', 2_000])
    const [row] = await site.sql('select price from reservation where id = ?', [reservationId])
    assert.equal(row?.price, 2_500)
    assert.equal((await listed('DESK')).uses, 1)
    const none = await site.add(await site.slot({ service: 'plain', provider: ben }))
    assert.equal((await apply('DESK', String(none.body.id))).body.reason, 'nothing_due')
    const take = { reservationId, amount: 2_500 }
    assert.equal((await receptionist.post('/payments/on-site/', take)).status, 200)
    assert.equal((await payers.reservation(reservationId)).payment.state, 'paid')
  })
})
