import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BookingVisitor, textOf } from '../support/booking-visitor.ts'
import { ana, ben } from '../support/clinic.ts'
import { type Browser, inside } from '../support/panel-door.ts'
import { onEachDatabase, type World } from '../support/world.ts'

const template = 'https://meet.example/clinic-{reservation}?s={service}'

onEachDatabase((open) => {
  let world: World
  let desk: Browser
  before(async () => {
    world = await open()
    desk = (await inside(world, 'manager')).browser
    await desk.post('/providers/edit/', { id: ana, meetingLink: template })
    await desk.post('/providers/edit/', { id: ben, meetingLink: 'https://zoom.example/j/1?pwd=a,b;c' })
    await desk.post('/services/edit/', { id: world.service('plain'), online: true })
  })
  after(() => world.close())

  const storedOf = async (id: string) =>
    (await world.sql('select meeting from reservation where id = ?', [id]))[0]?.meeting
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
    const slots = await world.slots({ service: 'plain', provider: ana, on: world.nextDay() })
    const ids = [await world.book(slots[0] ?? assert.fail()), await world.book(slots[1] ?? assert.fail())]
    const [one, other] = [await storedOf(ids[0] ?? ''), await storedOf(ids[1] ?? '')]
    assert.match(String(one), /^https:\/\/meet\.example\/clinic-[0-9a-f]{32}\?s=/)
    assert.notEqual(one, other)
    assert.ok(!String(one).includes(ids[0] ?? ''))
    assert.equal(await shownOf(ids[0] ?? ''), one)
  })

  test('a service on site has none', async () => {
    const id = await world.book(await world.slot({ service: 'long', provider: ana, on: world.nextDay() }))
    assert.equal(await storedOf(id), null)
  })

  test('a cancelled reservation has none, and another when it is restored', async () => {
    const id = await world.book(await world.slot({ service: 'plain', provider: ana, on: world.nextDay() }))
    const first = await storedOf(id)
    await edit(id, { status: 'cancelled' })
    assert.equal(await shownOf(id), null)
    await edit(id, { status: 'confirmed' })
    const again = await storedOf(id)
    assert.match(String(again), /^https:/)
    assert.notEqual(again, first)
  })

  test('the pages and the calendar file of the customer name it', async () => {
    const visitor = new BookingVisitor(world.server.url, { localAddress: '127.0.4.77' })
    const month = await visitor.open(`/book/plain/?with=2&date=${world.nextDay()}`)
    const done = await visitor.confirm(
      await visitor.fillIn(await visitor.choose(month), { name: 'Zoe', email: 'zoe@example.org' }),
    )
    assert.match(textOf(done), /Join the meeting https:\/\/zoom\.example\/j\/1\?pwd=a,b;c/)
    const link = new URL(/href="([^"]*\/manage\/[^"]*\/)"/.exec(done.html)?.[1] ?? '').pathname
    const page = await visitor.open(link)
    assert.match(textOf(page), /Join the meeting https:\/\/zoom\.example/)
    const file = await (await fetch(`${world.server.url}${link}calendar.ics`)).text()
    const lines = file.replace(/\r\n /g, '').split('\r\n')
    assert.ok(lines.includes('LOCATION:https://zoom.example/j/1?pwd=a\\,b\\;c'), file)
    // As a URI its characters must not be escaped, which the library would do.
    assert.ok(!lines.some((line) => line.startsWith('URL')), file)
  })

  test('webhooks and the feed show it, and a move keeps it', async () => {
    const [slot, later] = await world.slots({ service: 'plain', provider: ana, on: world.nextDay() })
    assert.ok(slot && later)
    const id = await world.book(slot)
    const first = await storedOf(id)
    const moved = await world.edit(id, { start: later.start })
    assert.equal(moved.status, 200, JSON.stringify(moved.body))
    assert.equal(await storedOf(id), first)
    const [created] = await world.eventsOf(id, 2)
    assert.equal(Object(created?.object).meeting, first)
  })

  test('the API shows it with full=true alone', async () => {
    const id = await world.book(await world.slot({ service: 'plain', provider: ana, on: world.nextDay() }))
    const listed = (full: boolean) => world.get('/reservations/get/', { full, per_page: 100 })
    const texts = [JSON.stringify(await listed(false)), JSON.stringify(await listed(true))]
    assert.ok(!texts[0]?.includes('meet.example'))
    assert.ok(texts[1]?.includes(String(await storedOf(id))))
  })

  test('the customer reads that the link follows while a calendar system creates the meeting', async () => {
    await desk.post('/providers/edit/', { id: ben, meetingLink: '' })
    await world.sql(
      `insert into calendar_destination (provider_id, account_id, calendar, name, policy, names, next_at, created_at, meetings)
       values (?, 'cac_1', 'ben@example.com', 'Ben', 'restore', 0, 0, 0, 1)`,
      [ben],
    )
    const visitor = new BookingVisitor(world.server.url, { localAddress: '127.0.4.78' })
    const month = await visitor.open(`/book/plain/?with=${ben}&date=${world.nextDay()}`)
    const done = await visitor.confirm(
      await visitor.fillIn(await visitor.choose(month), { name: 'Yan', email: 'yan@example.org' }),
    )
    const follows = /Online The link to the meeting is being created\./
    assert.match(textOf(done), follows)
    assert.doesNotMatch(done.html, /expected/)
    const link = new URL(/href="([^"]*\/manage\/[^"]*\/)"/.exec(done.html)?.[1] ?? '').pathname
    assert.match(textOf(await visitor.open(link)), follows)
    await world.sql('update reservation set meeting = ? where provider_id = ? and meeting is null', [
      'https://meet.example/abc',
      ben,
    ])
    assert.match(textOf(await visitor.open(link)), /Join the meeting https:\/\/meet\.example\/abc/)
    await world.sql('delete from calendar_destination where provider_id = ?', [ben])
  })
})
