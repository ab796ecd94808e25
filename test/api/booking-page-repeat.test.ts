import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { BookingVisitor, type HtmlForm, type HtmlPage, textOf } from '../support/booking-visitor.ts'
import type { BrowserClient } from '../support/browser-client.ts'
import { now } from '../support/clinic.ts'
import { InsertLock } from '../support/insert-lock.ts'
import { pause } from '../support/pause.ts'
import { openPaymentTestSite, type PaymentTestSite } from '../support/payment-test-site.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

// A form of the booking page that is sent again, by a reload or from the history of the browser, some time after it was
// booked.
onEachDatabase((open, kind) => {
  let paying: PaymentTestSite
  let site: TestSite
  let admin: BrowserClient
  let visitor: BookingVisitor
  let visitors = 0
  before(async () => {
    paying = await openPaymentTestSite(open)
    ;({ site, admin } = paying)
    await paying.connect()
  })
  after(() => paying.close())
  beforeEach(() => {
    visitors += 1
    visitor = new BookingVisitor(site.server.url, { localAddress: `127.0.8.${visitors}` })
  })

  const ada = () => ({ name: `Ada ${visitors}`, email: `ada${visitors}@example.org` })

  /**
   * Books a service; returns the summary, which a test sends again, the page that followed, and the reservation ids.
   */
  async function book(service = 'plain', more = '', people: Readonly<Record<string, string>> = {}) {
    const { name, email } = ada()
    const month = await visitor.open(`/book/${service}/?with=1&date=${site.nextDay()}${more}`)
    const summary = await visitor.fillIn(await visitor.choose(month), { name, email, ...people })
    const done = await visitor.confirm(summary)
    const rows = await site.sql(
      'select id, customer_id from reservation where id = ? or group_id = ? order by id',
      await idAndGroupOf(email),
    )
    return { summary, done, ids: rows.map(({ id }) => String(id)), customerId: String(rows[0]?.customer_id) }
  }

  async function idAndGroupOf(email: string): Promise<[string, string]> {
    const [row] = await site.sql(
      'select r.id, r.group_id from reservation r join customer c on c.id = r.customer_id where c.email = ?',
      [email],
    )
    assert.ok(row)
    return [String(row.id), String(row.group_id ?? '')]
  }

  const give = async (id: string) => {
    const edited = await site.edit(id, { customerId: site.customer('Mia') })
    assert.equal(edited.status, 200, edited.text)
  }

  function assertRevealsNothing(page: HtmlPage, status: number, text: RegExp): void {
    assert.equal(page.status, status, textOf(page))
    assert.match(textOf(page), text)
    assert.doesNotMatch(page.html, /\/manage\/|data-booked|calendar/i)
    assert.equal(page.headers['set-cookie'], undefined)
  }

  for (const [name, service, more] of [
    ['a reservation', 'plain', ''],
    ['an unpaid reservation', 'paid', ''],
    ['the first reservation of a group', 'group', '&seats=2'],
  ] as const)
    test(`the form that booked ${name} opens nothing once the reservation has another customer`, async () => {
      const { summary, ids } = await book(service, more, more ? { guest2name: 'Grace', guest2email: '' } : {})
      const [id = ''] = ids
      await give(id)
      assertRevealsNothing(await visitor.confirm(summary), 404, /This link is not valid/)
    })

  // On SQLite, a single thread writes, so the second request finds the outcome of the first.
  if (kind === 'postgres')
    test('a form that is sent again while it is being booked is answered 503, and its booking stands', async () => {
      const month = await visitor.open(`/book/plain/?with=1&date=${site.nextDay()}`)
      const summary = await visitor.fillIn(await visitor.choose(month), ada())
      const impatient = new BookingVisitor(site.server.url, { localAddress: `127.0.9.${visitors}` })
      await using lock = await InsertLock.acquire(site.databaseUrl ?? assert.fail())
      const first = visitor.confirm(summary)
      await lock.waitForBlocked(1)
      // The impatient visitor sends the form again after the seconds in `Retry-After`, until it is answered otherwise.
      let answered = false
      const second = impatient.confirm(summary).finally(() => {
        answered = true
      })
      while (impatient.refusedCount === 0 && !answered) await pause()
      const holds = await site.sql('select id from hold')
      await lock.release()
      assert.deepEqual([impatient.refusedCount > 0, holds.length], [true, 1])
      for (const page of [await first, await second, await visitor.confirm(summary)])
        assert.match(textOf(page), /You are booked/)
      assert.equal((await site.sql('select id from customer where email = ?', [ada().email])).length, 1)
    })

  test('a time chosen on the month page of an earlier booking becomes a booking of its own', async () => {
    const month = await visitor.open(`/book/plain/?with=1&date=${site.nextDay()}`)
    for (const nth of [0, 3]) {
      const summary = await visitor.fillIn(await visitor.choose(month, nth), ada())
      assert.match(textOf(await visitor.confirm(summary)), /You are booked/)
    }
    const booked = await site.sql(
      'select r.start_at from reservation r join customer c on c.id = r.customer_id where c.email = ?',
      [ada().email],
    )
    assert.equal(new Set(booked.map((row) => row.start_at)).size, 2)
  })

  test('a form that was booked shows its booking in every step, and neither reserves a time nor counts as an attempt', async () => {
    const { summary, done } = await book()
    assert.match(textOf(done), /the message goes to ada\d+@example\.org/)
    const form = summaryForm(summary)
    const other = await visitor.send(form, { name: 'step', value: 'details' }, { email: 'mistyped@example.org' })
    assert.match(textOf(other), /This form was sent before\. Anything that you have changed in it since is not stored/)
    assert.doesNotMatch(other.html, /mistyped|data-booked/)
    // More often than one e-mail address may book within a minute.
    for (const value of ['details', 'edit', 'extend', 'book', 'book', 'book', 'book']) {
      const page = await visitor.send(form, { name: 'step', value })
      assert.equal(page.status, 200, `${value}: ${textOf(page)}`)
      assert.match(textOf(page), /You are booked/, value)
      assert.deepEqual(await site.sql('select id from hold'), [])
    }
  })

  test('a form that was booked shows the price that was agreed, also when its coupon is used up', async () => {
    const coupon = { kind: 'percent', value: 10, currency: 'EUR', validFrom: null, validUntil: null, serviceIds: [] }
    const code = `ONCE-${kind}`
    const added = await admin.post('/payments/coupons/add/', { ...coupon, code, maxUses: 1, maxUsesPerCustomer: null })
    assert.equal(added.status, 200, added.text)
    const month = await visitor.open(`/book/paid/?with=1&date=${site.nextDay()}`)
    const summary = await visitor.fillIn(await visitor.choose(month), ada())
    const reduced = inFrame(await visitor.send(summaryForm(summary), { name: 'step', value: 'details' }, { code }))
    for (const page of [await visitor.confirm(reduced), await visitor.confirm(reduced)])
      assert.match(textOf(page), /Price €40\.50 .*To payment/i)
  })

  test('a form shows its booking again after its customer was merged into another', async () => {
    const { summary, customerId } = await book()
    const merged = await admin.post('/customers/merge/', { id: site.customer('Kim'), from: customerId })
    assert.equal(merged.status, 200, merged.text)
    assert.match(textOf(await visitor.confirm(summary)), /You are booked/)
  })

  test('a form whose reservation was removed asks to choose a time again', async () => {
    const { summary, ids } = await book()
    const [id = ''] = ids
    assert.equal((await site.edit(id, { status: 'cancelled' })).status, 200)
    const removed = await site.remove(id)
    assert.equal(removed.status, 200, removed.text)
    const page = await visitor.confirm(summary)
    assert.equal(page.status, 410)
    assert.match(textOf(page), /Please choose a time again.*Morning/)
    assert.match(
      textOf(await visitor.confirm(await visitor.fillIn(await visitor.choose(page), ada()))),
      /You are booked/,
    )
  })

  test('a form whose reservation was cancelled leads to its page, outside of a frame', async () => {
    const { summary, ids } = await book()
    const [id = ''] = ids
    await site.edit(id, { status: 'cancelled' })
    const page = await visitor.confirm(summary)
    assert.deepEqual([page.status, page.headers.location], [303, '/manage/?with=1'])
    assert.match(textOf(await visitor.open('/manage/')), /Your appointment.*cancelled/)
    const framed = await visitor.confirm(inFrame(summary))
    assert.equal(framed.status, 200)
    assert.doesNotMatch(textOf(framed), /You are booked/)
    assert.match(framed.html, new RegExp(`href="[^"]*/manage/${id}\\.[^"]*" target="_top"`))
  })

  test('a form whose payment is overdue leads to its page, not to the payment', async () => {
    const { summary, done, ids } = await book('paid')
    assert.match(String(done.headers.location), /^\/manage\/payment\//)
    await paying.payers.expirePayment(String(ids[0]))
    assert.match(String((await visitor.confirm(summary)).headers.location), /^\/manage\/\?/)
  })

  test('a form whose e-mail address was not confirmed in time says so, without a manage link', async () => {
    const { summary, ids } = await book()
    const change = "update reservation set status = ?, awaits = 'email', expires_at = ? where id = ?"
    for (const [status, expiresAt] of [
      ['pending', now - 1],
      ['cancelled', null],
    ] as const) {
      await site.sql(change, [status, expiresAt, String(ids[0])])
      assertRevealsNothing(await visitor.confirm(summary), 410, /This booking has expired/)
    }
  })
})

function summaryForm({ forms }: HtmlPage): HtmlForm {
  return forms.find(({ buttons }) => buttons.some(({ value }) => value === 'book')) ?? assert.fail('No summary.')
}

/** Returns a page as it is inside of a frame: its forms are sent with the field that says so. */
function inFrame(page: HtmlPage): HtmlPage {
  return { ...page, forms: page.forms.map((form) => ({ ...form, fields: [...form.fields, ['embed', '1'] as const] })) }
}
