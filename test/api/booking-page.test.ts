import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import pg from 'pg'
import { BookingVisitor, detailsForm, fieldOf, type HtmlPage, textOf } from '../support/booking-visitor.ts'
import { insertSignedInUser } from '../support/browser-client.ts'
import { pause } from '../support/pause.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

onEachDatabase((open, kind) => {
  let site: TestSite
  let visitor: BookingVisitor
  before(async () => {
    site = await open()
  })
  after(() => site.close())

  let visitors = 0
  let ada = { name: '', email: '' }
  // Each visitor has another loopback address, and each test another e-mail address, because the service limits the
  // number of bookings per address.
  const newVisitor = () => {
    visitors += 1
    return new BookingVisitor(site.server.url, { localAddress: `127.0.1.${visitors}` })
  }
  beforeEach(() => {
    visitor = newVisitor()
    ada = { name: 'Ada Lovelace', email: `ada${visitors}@example.org` }
  })

  const reservations = () => site.sql("select * from reservation where status <> 'cancelled' order by created_at, id")
  const customersNamed = (name: string) => site.sql('select * from customer where name = ? order by ordinal', [name])
  const dayPage = (service: string, choice: string, more = '') =>
    visitor.open(`/book/${service}/?with=${choice}&date=${site.nextDay()}${more}`)
  const bookedIn = async (act: () => Promise<HtmlPage>) => {
    const count = (await reservations()).length
    const page = await act()
    return { page, made: (await reservations()).length - count }
  }

  test('a visitor books without JavaScript: service, provider, time, details, summary, confirmation', async () => {
    const services = await visitor.open('/book/')
    assert.match(services.html, /href="\/book\/plain\/"/)
    assert.doesNotMatch(services.html, /href="\/book\/inactive\/"/)
    const providers = await visitor.open('/book/plain/')
    assert.match(textOf(providers), /Anyone who is free.*Ana.*Ben/)
    const month = await dayPage('plain', '1', '&utm_source=news')
    const form = await visitor.choose(month)
    assert.match(textOf(form), /We hold this time for you until/)
    const summary = await visitor.fillIn(form, ada)
    assert.match(textOf(summary), /Is everything right\?.*plain.*Ana.*Ada Lovelace ada\d+@example.org/)
    const { page, made } = await bookedIn(() => visitor.confirm(summary))
    assert.equal(page.status, 200)
    assert.match(textOf(page), /You are booked.*plain.*Ana/)
    assert.equal(made, 1)
    const listed = await site.get('/reservations/get/', { full: true, per_page: 100 })
    const booked = listed.body.response.find(({ source }) => source !== undefined)
    assert.deepEqual(booked?.source, { page: 'booking', utm_source: 'news' })
    const holds = await site.sql('select id from hold')
    assert.deepEqual(holds, [])
  })

  test('sending a form twice, or again later, books once and shows the same confirmation', async () => {
    const summary = await visitor.fillIn(await visitor.choose(await dayPage('plain', '1')), ada)
    const { page, made } = await bookedIn(async () => {
      const [one, two] = await Promise.all([visitor.confirm(summary), visitor.confirm(summary)])
      assert.match(textOf(one), /You are booked/)
      assert.equal(textOf(one), textOf(two))
      return visitor.confirm(summary)
    })
    assert.match(textOf(page), /You are booked/)
    assert.equal(made, 1)
  })

  test('a collective appointment is booked at the price that its times show', async () => {
    const own = (price: number | null) => ({ providers: [{ id: 1, name: 'Ana', services: { collective: { price } } }] })
    await site.setService('collective', { price: 5_000 })
    await site.server.apply(own(8_000))
    const month = await dayPage('collective', 'any')
    assert.match(textOf(month), /€80/)
    const form = await visitor.choose(month)
    assert.match(textOf(form), /€80/)
    const { page, made } = await bookedIn(async () => visitor.confirm(await visitor.fillIn(form, ada)))
    assert.match(textOf(page), /You are booked/)
    assert.equal(made, 1)
    const [stored] = await site.sql('select price from reservation where service_id = ?', [site.service('collective')])
    assert.equal(stored?.price, 8_000)
    await site.setService('collective', { price: null })
    await site.server.apply(own(null))
  })

  test('a month whose only provider comes late in the list of the site says that everything is booked', async () => {
    const date = site.nextDay()
    const others = [1, 2].map((id) => ({
      id,
      name: id === 1 ? 'Ana' : 'Ben',
      services: { rare: { participate: false } },
    }))
    const overrides = [{ date, hours: ['09:00-09:30'] }]
    await site.server.apply({
      services: [{ key: 'rare', name: 'rare', durationMinutes: 30 }],
      providers: [...others, { id: 4, name: 'Dan', allowedServices: ['rare'], weekly: {}, overrides }],
    })
    const month = await visitor.open(`/book/rare/?with=any&date=${date}`)
    assert.match(
      textOf(await visitor.confirm(await visitor.fillIn(await visitor.choose(month), ada))),
      /You are booked/,
    )
    assert.match(textOf(await visitor.open(`/book/rare/?with=any&month=${date.slice(0, 7)}`)), /Everything is booked/)
  })

  test('a month beyond the booking horizon says how many days ahead it reaches', async () => {
    const [year = 0] = site.nextDay().split('-').map(Number)
    for (const [horizonDays, text] of [
      [1, /up to 1 day ahead/],
      [20, /up to 20 days ahead/],
    ] as const) {
      await site.setService('collective', { horizonDays })
      assert.match(textOf(await visitor.open(`/book/collective/?with=1&month=${year + 1}-12`)), text)
    }
    await site.setService('collective', { horizonDays: 60 })
  })

  test('errors are shown beside their fields, and what was entered is kept', async () => {
    const form = await visitor.choose(await dayPage('plain', '1'))
    const again = await visitor.fillIn(form, { name: '', email: 'nobody', phone: '12', country: 'DE' })
    assert.equal(again.status, 422)
    assert.match(again.html, /<p class="error" id="e-name">Please fill this in/)
    assert.match(again.html, /id="e-email"/)
    assert.match(again.html, /id="e-phone"/)
    assert.equal(fieldOf(again, 'email'), 'nobody')
    const summary = await visitor.fillIn(again, { ...ada, phone: '030 901820', country: 'DE' })
    assert.match(textOf(summary), /\+49 30 901820/)
  })

  test('a name without a visible character is missing', async () => {
    const form = await visitor.choose(await dayPage('plain', '1'))
    const { page, made } = await bookedIn(() => visitor.fillIn(form, { ...ada, name: '\u200b \u2060' }))
    assert.match(page.html, /<p class="error" id="e-name">Please fill this in/)
    assert.equal(made, 0)
  })

  test('who loses a race is offered other times and keeps the details', async () => {
    const month = await dayPage('plain', '1')
    const rival = newVisitor()
    const rivals = await rival.open(month.path)
    const form = await visitor.choose(month)
    const lost = await rival.choose(rivals)
    assert.equal(lost.status, 409)
    assert.match(textOf(lost), /This time was just taken.*Other free times/)
    await visitor.send(detailsForm(form), { name: 'step', value: 'release' }, ada)
    const free = await rival.choose(rivals)
    assert.equal(free.status, 200)
    // The hold that reserves a time for the first visitor ends, and another customer books this time before the first
    // visitor confirms the summary.
    const summary = await visitor.fillIn(await visitor.choose(await dayPage('plain', '2')), ada)
    await site.sql('delete from hold')
    await site.sql('delete from occupancy where hold_id is not null')
    const { start, providerId } = heldSlot(summary)
    const slot = (await site.slots({ service: 'plain', provider: providerId, on: dateOf(start) })).find(
      (one) => one.start === start,
    )
    assert.ok(slot)
    await site.book(slot)
    const { page, made } = await bookedIn(() => visitor.confirm(summary))
    assert.equal(made, 0)
    assert.equal(page.status, 409)
    assert.match(textOf(page), /This time was just taken/)
    assert.equal(fieldOf(page, 'email'), ada.email)
    assert.doesNotMatch(page.html, /href="[^"]*ada/)
    const second = await visitor.confirm(await visitor.fillIn(await visitor.choose(page), ada))
    assert.match(textOf(second), /You are booked/)
  })

  test('a hold that has expired books while the time is free', async () => {
    const summary = await visitor.fillIn(await visitor.choose(await dayPage('plain', '1')), ada)
    await site.sql('update hold set expires_at = 1')
    await site.sql('delete from occupancy where hold_id is not null')
    const { page, made } = await bookedIn(() => visitor.confirm(summary))
    assert.match(textOf(page), /You are booked/)
    assert.equal(made, 1)
  })

  test('the panel’s calendar shows a held time until it is given back', async () => {
    const { browser } = await insertSignedInUser(site, 'manager')
    const form = await visitor.choose(await dayPage('plain', '1'))
    const { start, providerId } = heldSlot(form)
    const held = async () =>
      Object((await browser.get(`/calendar/?from=${start - 60}&until=${start + 60}&providers=1`)).body.response).held
    assert.deepEqual(
      (await held()).map(({ id: _, ...rest }: { id: string }) => rest),
      [{ providerId, start, end: start + 1_800 }],
    )
    await visitor.send(detailsForm(form), { name: 'step', value: 'release' })
    assert.deepEqual(await held(), [])
  })

  test('choosing the same time again keeps the hold, and "more time" extends it once', async () => {
    const month = await dayPage('plain', '1')
    const form = await visitor.choose(month)
    const expiry = async () => (await site.sql('select expires_at, extended from hold'))[0]
    const first = await expiry()
    await visitor.choose(month)
    assert.deepEqual(await expiry(), first)
    const longer = await visitor.send(detailsForm(form), { name: 'step', value: 'extend' }, ada)
    assert.equal(longer.status, 200)
    assert.equal(fieldOf(longer, 'name'), ada.name)
    assert.equal((await expiry())?.extended, 1)
    assert.ok(longer.forms.every(({ buttons }) => buttons.every(({ value }) => value !== 'extend')))
    await visitor.send(detailsForm(longer), { name: 'step', value: 'release' })
    assert.equal(await expiry(), undefined)
  })

  test('several people are one group of reservations, all or none', async () => {
    const month = await dayPage('group', '1', '&seats=3')
    assert.match(month.html, /<option selected>3<\/option>/)
    const form = await visitor.choose(month)
    const people = {
      ...ada,
      guest2name: 'Grace Hopper',
      guest2email: 'grace@example.org',
      guest3name: 'Alan Turing',
      guest3email: '',
    }
    const { page, made } = await bookedIn(async () => visitor.confirm(await visitor.fillIn(form, people)))
    assert.match(textOf(page), /You are booked/)
    assert.equal(made, 3)
    const rows = await site.sql('select group_id, customer_id from reservation where group_id is not null')
    assert.equal(new Set(rows.map(({ group_id }) => group_id)).size, 1)
    assert.equal(new Set(rows.map(({ customer_id }) => customer_id)).size, 3)
    // The page for three people lists a start only if three of its seats (places in one class) are free. Since the
    // booking, fewer seats of this start are free.
    const again = await visitor.open(month.path)
    const start = heldSlot(form).start
    assert.doesNotMatch(again.html, new RegExp(`value="${start}\\.`))
  })

  test('a person who is entered for two seats is one customer', async () => {
    const form = await visitor.choose(await dayPage('group', '1', '&seats=2'))
    const twin = { name: 'Eve Twin', email: 'eve@example.org', guest2name: 'eve  twin', guest2email: 'EVE@example.org' }
    const { page, made } = await bookedIn(async () => visitor.confirm(await visitor.fillIn(form, twin)))
    assert.deepEqual([page.status, made], [200, 2])
    assert.equal((await customersNamed('Eve Twin')).length, 1)
    assert.equal((await customersNamed('eve twin')).length, 0)
  })

  test('a customer is recognised by name and address, and never changed by a visitor', async () => {
    const book = async (details: Readonly<Record<string, string>>) =>
      visitor.confirm(await visitor.fillIn(await visitor.choose(await dayPage('plain', '2')), details))
    await book({ name: 'Mary Somerville', email: 'mary@example.org', phone: '+44 20 7946 0000', country: 'GB' })
    const [before] = await customersNamed('Mary Somerville')
    await book({ name: 'mary  somerville', email: 'MARY@example.org', phone: '030 901820', country: 'DE' })
    assert.deepEqual(await customersNamed('Mary Somerville'), [before])
    await book({ name: 'Martin Somerville', email: 'mary@example.org' })
    assert.deepEqual((await customersNamed('Mary Somerville')).length, 1)
    assert.equal((await customersNamed('Martin Somerville')).length, 1)
  })

  test('a blocked customer is refused without a word about it', async () => {
    const [bo] = await customersNamed('Bo')
    const form = await visitor.choose(await dayPage('plain', '2'))
    const { page, made } = await bookedIn(async () =>
      visitor.confirm(await visitor.fillIn(form, { name: 'Somebody', email: String(bo?.email) })),
    )
    assert.deepEqual([page.status, made], [403, 0])
    assert.doesNotMatch(textOf(page), /block/i)
  })

  test('after a refusal, another choice on the same page becomes a booking of its own', async () => {
    const [bo] = await customersNamed('Bo')
    const month = await dayPage('plain', '2')
    const refused = await visitor.fillIn(await visitor.choose(month), { name: 'Bo', email: String(bo?.email) })
    assert.equal((await visitor.confirm(refused)).status, 403)
    const { page, made } = await bookedIn(async () =>
      visitor.confirm(await visitor.fillIn(await visitor.choose(month), ada)),
    )
    assert.deepEqual([page.status, made], [200, 1])
    // A form that is sent again, such as by a reload, repeats its refusal.
    assert.equal((await visitor.confirm(refused)).status, 403)
  })

  test('a changed price is shown before it is charged, also where there was none', async () => {
    for (const shown of ['1EUR', '']) {
      const form = await visitor.choose(await dayPage('own', '1'))
      const summary = await visitor.fillIn(form, ada)
      const stale = summary.forms.map((one) => ({
        ...one,
        fields: one.fields.map(([name, value]) => [name, name === 'price' ? shown : value] as const),
      }))
      const { page, made } = await bookedIn(() => visitor.confirm({ ...summary, forms: stale }))
      assert.deepEqual([page.status, made], [409, 0])
      assert.match(textOf(page), /The amounts have changed/)
      assert.match(textOf(await visitor.confirm(page)), /You are booked/)
    }
  })

  test('a service paid with a card on file can be booked while no payment processor is connected', async () => {
    await site.setService('paid', { payment: { mode: 'card', noShowFee: { percent: 40 } } })
    const form = await visitor.choose(await dayPage('paid', '1'))
    const { page, made } = await bookedIn(async () => visitor.confirm(await visitor.fillIn(form, ada)))
    assert.deepEqual([page.status, made], [200, 1])
    await site.setService('paid', { payment: { mode: 'online' } })
  })

  test('prefilled details reach the form, and no other part of the calendar', async () => {
    const month = await dayPage('plain', '1', '&name=Ada+Lovelace&email=ada%40example.org')
    assert.doesNotMatch(month.html.replace(/<input[^>]*>/g, ''), /ada|Lovelace/i)
    const form = await visitor.choose(month)
    assert.equal(fieldOf(form, 'name'), 'Ada Lovelace')
    assert.equal(fieldOf(form, 'email'), 'ada@example.org')
  })

  test('an invented or old form, an unknown service and a malformed slot are answered, not booked', async () => {
    const month = await dayPage('plain', '1')
    const slot = month.forms.flatMap(({ buttons }) => buttons).find(({ name }) => name === 'slot')
    const post = (fields: Record<string, string>) => visitor.post('/book/plain/', new URLSearchParams(fields))
    for (const form of ['', 'x', '1.x.y', `${'a'.repeat(2_000)}`])
      assert.equal((await post({ form, slot: slot?.value ?? '' })).status, 422)
    const form = fieldOf(month, 'form')
    for (const wrong of ['', '1', '1.1', 'x.1', `${slot?.value}x`, '99999999999999.1'])
      assert.ok((await post({ form, slot: wrong })).status >= 409, wrong)
    assert.equal((await visitor.open('/book/nothing/')).status, 404)
    assert.equal((await visitor.open('/book/inactive/')).status, 404)
    assert.equal((await visitor.post('/book/nothing/', new URLSearchParams())).status, 404)
  })

  test('a field that only programs fill in refuses the form', async () => {
    const form = await visitor.choose(await dayPage('plain', '1'))
    const { page, made } = await bookedIn(() => visitor.fillIn(form, { ...ada, website: 'https://spam.example' }))
    assert.deepEqual([page.status, made], [422, 0])
  })

  test('a fault shows a page in all languages, not the error of the API', async () => {
    await site.sql('alter table site rename to site_away')
    const pages = await Promise.all(
      ['/book/', '/book/plain/', `/manage/${'s'.repeat(43)}/`, '/book/bookings/'].map((path) =>
        fetch(site.server.url + path),
      ),
    )
    const texts = await Promise.all(pages.map((page) => page.text()))
    await site.sql('alter table site_away rename to site')
    for (const [i, { status, headers }] of pages.entries()) {
      assert.deepEqual([status, headers.get('content-type')], [500, 'text/html; charset=utf-8'])
      assert.match(texts[i] ?? '', /Something went wrong.*Etwas ist schiefgegangen/s)
    }
    assert.equal((await visitor.open('/book/')).status, 200)
  })

  test('a form of more than 64 KB is answered with a page in all languages', async () => {
    const body = new URLSearchParams({ form: 'x'.repeat(65_536) })
    const page = await fetch(`${site.server.url}/book/plain/`, { method: 'POST', body })
    assert.deepEqual([page.status, page.headers.get('content-type')], [413, 'text/html; charset=utf-8'])
    assert.match(await page.text(), /This is too long.*Das ist zu lang/s)
  })

  // The test makes the database refuse connections, which is impossible on SQLite: its database is a file that the
  // service has open.
  if (kind === 'postgres')
    test('while writes cannot get their locks, a booking is answered 503 with Retry-After, and is made when repeated', async (t) => {
      const client = new pg.Client({ connectionString: site.databaseUrl })
      await client.connect()
      t.after(() => client.end())
      const summary = await visitor.fillIn(await visitor.choose(await dayPage('plain', '1')), ada)
      await client.query('begin; lock table event in access exclusive mode')
      // The visitor repeats the request after the seconds in `Retry-After`.
      const booked = visitor.confirm(summary)
      while (visitor.refusedCount === 0) await pause()
      await client.query('commit')
      assert.match(textOf(await booked), /You are booked/)
      assert.equal((await customersNamed(ada.name)).filter(({ email }) => email === ada.email).length, 1)
    })

  if (kind === 'postgres')
    test('without the database a page says so and loads itself again', async () => {
      const database = new URL(site.databaseUrl ?? assert.fail())
      const name = database.pathname.slice(1)
      database.pathname = '/postgres'
      const client = new pg.Client({ connectionString: database.href })
      await client.connect()
      await client.query(`alter database ${name} allow_connections false`)
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
      const page = await fetch(`${site.server.url}/book/`)
      const html = await page.text()
      await client.query(`alter database ${name} allow_connections true`)
      await client.end()
      assert.deepEqual([page.status, page.headers.get('retry-after')], [503, '1'])
      assert.match(html, /http-equiv="refresh".*Please try again in a few seconds/s)
      assert.equal((await visitor.open('/book/')).status, 200)
    })
})

function heldSlot(page: HtmlPage): { readonly start: number; readonly providerId: number } {
  const [start = 0, providerId = 0] = fieldOf(page, 'held').split('.').map(Number)
  return { start, providerId }
}

function dateOf(start: number): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' }).format(start * 1000)
}
