import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BookingVisitor, textOf } from '../support/booking-visitor.ts'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { ana, ben } from '../support/clinic.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

const template = 'https://meet.example/clinic-{reservation}?s={service}'

onEachDatabase((open) => {
  let site: TestSite
  let desk: BrowserClient
  before(async () => {
    site = await open()
    desk = (await insertSignedInUser(site, 'manager')).browser
    await desk.post('/providers/edit/', { id: ana, meetingLink: template })
    await desk.post('/providers/edit/', { id: ben, meetingLink: 'https://zoom.example/j/1?pwd=a,b;c' })
    await desk.post('/services/edit/', { id: site.service('plain'), online: true })
  })
  after(() => site.close())

  const storedOf = async (id: string) =>
    (await site.sql('select meeting from reservation where id = ?', [id]))[0]?.meeting
  const shownOf = async (id: string) => Object((await desk.get(`/reservations/one/?id=${id}`)).body.response).meeting
  const edit = async (id: string, change: object) => {
    const answer = await desk.post('/reservations/status/', { id, ...change })
    assert.equal(answer.status, 200, answer.text)
  }

  test('a link that is no https address, or has other placeholders, is refused beside its field', async () => {
    for (const meetingLink of [
      'http://meet.example/',
      'javascript:alert(1)',
      'https://{reservation}.meet.example/',
      'https://user@meet.example/',
      'https://meet.example/{customer}',
      'https://meet.example/{reservation',
      'https://meet.example/a b',
      'https://meet.example/\r\nX:1',
      'https://',
    ]) {
      const { status, body } = await desk.post('/providers/edit/', { id: ana, meetingLink })
      assert.equal(status, 400, meetingLink)
      assert.ok(Object(body.details).meetingLink, meetingLink)
    }
    const long = await desk.post('/providers/edit/', {
      id: ana,
      meetingLink: `https://meet.example/${'a'.repeat(500)}`,
    })
    assert.equal(long.status, 400)
    const { booking } = Object((await desk.get(`/providers/one/?id=${ana}`)).body.response)
    assert.equal(booking.meetingLink, template)
  })

  test('each confirmed reservation has its own address, which is not built from its id', async () => {
    const slots = await site.slots({ service: 'plain', provider: ana, on: site.nextDay() })
    const ids = [await site.book(slots[0] ?? assert.fail()), await site.book(slots[1] ?? assert.fail())]
    const [one, other] = [await storedOf(ids[0] ?? ''), await storedOf(ids[1] ?? '')]
    assert.match(String(one), /^https:\/\/meet\.example\/clinic-[0-9a-f]{32}\?s=/)
    assert.notEqual(one, other)
    assert.ok(!String(one).includes(ids[0] ?? ''))
    assert.equal(await shownOf(ids[0] ?? ''), one)
  })

  test('a service on site has none', async () => {
    const id = await site.book(await site.slot({ service: 'long', provider: ana, on: site.nextDay() }))
    assert.equal(await storedOf(id), null)
  })

  test('a cancelled reservation has none, and another when it is restored', async () => {
    const id = await site.book(await site.slot({ service: 'plain', provider: ana, on: site.nextDay() }))
    const first = await storedOf(id)
    await edit(id, { status: 'cancelled' })
    assert.equal(await shownOf(id), null)
    await edit(id, { status: 'confirmed' })
    const again = await storedOf(id)
    assert.match(String(again), /^https:/)
    assert.notEqual(again, first)
  })

  test('the pages and the calendar file of the customer name it', async () => {
    const visitor = new BookingVisitor(site.server.url, { localAddress: '127.0.4.77' })
    const month = await visitor.open(`/book/plain/?with=2&date=${site.nextDay()}`)
    const done = await visitor.confirm(
      await visitor.fillIn(await visitor.choose(month), { name: 'Zoe', email: 'zoe@example.org' }),
    )
    assert.match(textOf(done), /Join the meeting https:\/\/zoom\.example\/j\/1\?pwd=a,b;c/)
    const link = new URL(/href="([^"]*\/manage\/[^"]*\/)"/.exec(done.html)?.[1] ?? '').pathname
    const page = await visitor.open(link)
    assert.match(textOf(page), /Join the meeting https:\/\/zoom\.example/)
    const file = await (await fetch(`${site.server.url}${link}calendar.ics`)).text()
    const lines = file.replace(/\r\n /g, '').split('\r\n')
    assert.ok(lines.includes('LOCATION:https://zoom.example/j/1?pwd=a\\,b\\;c'), file)
    // The iCalendar file contains the meeting's address as `LOCATION` only, without a `URL` property: the iCalendar
    // library would escape the comma and the semicolon of the address with backslashes, which are invalid in a URI.
    assert.ok(!lines.some((line) => line.startsWith('URL')), file)
  })

  test('another customer gets another one, because the first one knows it', async () => {
    const id = await site.book(await site.slot({ service: 'plain', provider: ana, on: site.nextDay() }))
    const first = await storedOf(id)
    assert.equal((await site.edit(id, { customerId: site.customer('Mia'), data: { a: 1 } })).status, 200)
    const second = await storedOf(id)
    assert.match(String(second), /^https:\/\/meet\.example\/clinic-[0-9a-f]{32}\?s=/)
    assert.notEqual(second, first)
    assert.equal((await site.edit(id, { customerId: site.customer('Mia'), data: { a: 2 } })).status, 200)
    assert.equal(await storedOf(id), second)
    await site.sql('update reservation set meeting = ? where id = ?', ['https://calendar.example/1', id])
    await desk.post('/providers/edit/', { id: ana, meetingLink: '' })
    assert.equal((await site.edit(id, { customerId: site.customer('Jo') })).status, 200)
    assert.equal(await storedOf(id), 'https://calendar.example/1')
    await desk.post('/providers/edit/', { id: ana, meetingLink: template })
  })

  test('webhooks and the feed show it, and a move keeps it', async () => {
    const [slot, later] = await site.slots({ service: 'plain', provider: ana, on: site.nextDay() })
    assert.ok(slot && later)
    const id = await site.book(slot)
    const first = await storedOf(id)
    const moved = await site.edit(id, { start: later.start })
    assert.equal(moved.status, 200, JSON.stringify(moved.body))
    assert.equal(await storedOf(id), first)
    const [created] = await site.eventsOf(id, 2)
    assert.equal(Object(created?.object).meeting, first)
  })

  test('the API shows it with full=true alone', async () => {
    const id = await site.book(await site.slot({ service: 'plain', provider: ana, on: site.nextDay() }))
    const listed = (full: boolean) => site.get('/reservations/get/', { full, per_page: 100 })
    const texts = [JSON.stringify(await listed(false)), JSON.stringify(await listed(true))]
    assert.ok(!texts[0]?.includes('meet.example'))
    assert.ok(texts[1]?.includes(String(await storedOf(id))))
  })

  test('the customer reads that the link follows while a calendar system creates the meeting', async () => {
    await desk.post('/providers/edit/', { id: ben, meetingLink: '' })
    await site.sql(
      `insert into calendar_destination (provider_id, account_id, calendar, name, policy, names, next_at, created_at, meetings)
       values (?, 'cac_1', 'ben@example.com', 'Ben', 'restore', 0, 0, 0, 1)`,
      [ben],
    )
    const visitor = new BookingVisitor(site.server.url, { localAddress: '127.0.4.78' })
    const month = await visitor.open(`/book/plain/?with=${ben}&date=${site.nextDay()}`)
    const done = await visitor.confirm(
      await visitor.fillIn(await visitor.choose(month), { name: 'Yan', email: 'yan@example.org' }),
    )
    const follows = /Online The link to the meeting is being created\./
    assert.match(textOf(done), follows)
    assert.doesNotMatch(done.html, /expected/)
    const link = new URL(/href="([^"]*\/manage\/[^"]*\/)"/.exec(done.html)?.[1] ?? '').pathname
    assert.match(textOf(await visitor.open(link)), follows)
    await site.sql('update reservation set meeting = ? where provider_id = ? and meeting is null', [
      'https://meet.example/abc',
      ben,
    ])
    assert.match(textOf(await visitor.open(link)), /Join the meeting https:\/\/meet\.example\/abc/)
    await site.sql('delete from calendar_destination where provider_id = ?', [ben])
  })
})
