import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { managePath } from '../../src/reservations/manage-secret.operations.ts'
import { dateAt } from '../../src/scheduling/time/zone.ts'
import { BookingVisitor, formAt, guestsOf, textOf } from '../support/booking-visitor.ts'
import { ana, now } from '../support/clinic.ts'
import { startService } from '../support/service.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

onEachDatabase((open) => {
  let site: TestSite
  before(async () => {
    site = await open()
  })
  after(() => site.close())

  const book = guestsOf(() => site, '127.0.4')
  const statusOf = async (id: string) =>
    (await site.sql('select status, data, cancel_reason, start_at from reservation where id = ?', [id]))[0]

  test('the link sets a cookie, and its secret is not part of later addresses', async () => {
    const { visitor, link } = await book('plain')
    const page = await visitor.open(link)
    assert.equal(page.path, '/manage/')
    assert.match(textOf(page), /Your appointment.*plain.*Ana.*confirmed/)
    assert.equal(page.headers['referrer-policy'], 'no-referrer')
    assert.match(String(page.headers['content-security-policy']), /frame-ancestors 'none'/)
    assert.match(String(page.headers['x-robots-tag']), /noindex/)
    const redirect = await fetch(site.server.url + link, { redirect: 'manual' })
    assert.match(redirect.headers.get('set-cookie') ?? '', /Path=\/manage\/; HttpOnly; SameSite=Lax$/)
  })

  test('a page changes no other reservation, although the browser opened the link of that one later', async () => {
    const [first, second] = [await book('plain'), await book('plain')]
    const { visitor } = first
    const page = await visitor.open(first.link)
    const hrefs = [...page.html.matchAll(/href="(\/manage\/(?:move|cancel)\/[^"]*)"/g)].map(([, href = '']) => href)
    assert.equal(hrefs.length, 2)
    const moving = await visitor.open(hrefs.find((href) => href.includes('move')) ?? '')
    const later = /href="(\/manage\/move\/\?[^"]*month=[^"]*)"/.exec(moving.html)?.[1]?.replaceAll('&amp;', '&')
    await visitor.open(second.link)
    for (const href of [...hrefs, later ?? assert.fail('No link to the next month.')]) {
      const refused = await visitor.open(href)
      assert.equal(refused.status, 409, href)
      assert.match(textOf(refused), /opened another appointment in this browser/)
      const [, german = ''] = /href="([^"]*lang=de[^"]*)"/.exec(refused.html) ?? []
      assert.equal((await visitor.open(german.replaceAll('&amp;', '&'))).status, 409, german)
    }
    const chosen = await visitor.choose(moving)
    assert.deepEqual([chosen.status, (await visitor.open('/manage/')).status], [409, 200])
    for (const { id } of [first, second])
      assert.equal((await site.sql('select version from reservation where id = ?', [id]))[0]?.version, 1)
  })

  test('the link of the previous customer opens nothing once the reservation has another customer', async () => {
    const { visitor, link, id } = await book('plain')
    assert.equal((await visitor.open(link)).path, '/manage/')
    const edited = await site.post('/reservations/edit/', { id, customerId: site.customer('Mia') })
    assert.equal(edited.status, 200, edited.text)
    for (const path of [link, '/manage/', '/manage/cancel/', `${link}calendar.ics`]) {
      const page = await visitor.open(path)
      assert.equal(page.status, 404, path)
      assert.match(textOf(page), /This link is not valid/)
    }
  })

  test('a customer without a price is asked before moving to a time that has one, and before the price ends', async () => {
    const { visitor, link, id } = await book('plain')
    await visitor.open(link)
    for (const [price, says] of [
      [1_000, /The new time costs €10\.00: €10\.00 more than before/],
      [null, /The new time costs €0\.00: €10\.00 less than before/],
    ] as const) {
      await site.setService('plain', { price, payment: { mode: 'on_site' } })
      const before = await statusOf(id)
      const form = formAt(await visitor.open('/manage/move/'), '/manage/move/')
      const asked = await visitor.send(
        form,
        form.buttons.findLast(({ name }) => name === 'slot'),
      )
      assert.equal(asked.status, 409)
      assert.match(textOf(asked), says)
      assert.deepEqual(await statusOf(id), before)
      assert.equal((await visitor.send(formAt(asked, '/manage/move/'), undefined)).status, 303)
      assert.notEqual((await statusOf(id))?.start_at, before?.start_at)
    }
    await site.setService('plain', { price: null, payment: { mode: 'none' } })
  })

  test('the cookie is secure if the public address is, whatever a request claims', async () => {
    const { link } = await book('plain')
    const cookieOf = async (origin: string) => {
      const response = await fetch(origin + link, { redirect: 'manual', headers: { 'X-Forwarded-Proto': 'https' } })
      return response.headers.get('set-cookie') ?? ''
    }
    assert.doesNotMatch(await cookieOf(site.server.url), /Secure/)
    await site.server.stop()
    for (const [serve, expected] of [
      [['--public-url', 'https://book.clinic.example'], true],
      [['--trust-proxy', '127.0.0.1/32'], false],
    ] as const) {
      const { dataDir, databaseUrl } = site.server
      const node = await startService({ dataDir, now, serve, beside: site.server, ...(databaseUrl && { databaseUrl }) })
      assert.equal(/; Secure/.test(await cookieOf(node.url)), expected, serve.join(' '))
      await node.stop()
    }
    await site.server.restart()
  })

  test('an unknown link and a page without the cookie say so and reveal nothing', async () => {
    const { link, id } = await book('plain')
    const stranger = new BookingVisitor(site.server.url)
    for (const path of ['/manage/', '/manage/cancel/', `/manage/${id}/`, `/manage/${id}.x/`, `${link.slice(0, -3)}/`]) {
      const page = await stranger.open(path)
      assert.equal(page.status, 404, path)
      assert.match(textOf(page), /This link is not valid/)
    }
  })

  test('a customer whose new time was taken continues in its month', async () => {
    const { visitor, link } = await book('plain')
    await visitor.open(link)
    const month = await visitor.open('/manage/move/?date=2026-11-24')
    const form = formAt(month, '/manage/move/')
    const wanted = form.buttons.find(({ name }) => name === 'slot')
    const start = Number(wanted?.value.split('.')[0])
    const slot = (await site.slots({ service: 'plain', provider: 1, on: '2026-11-24' })).find(
      (one) => one.start === start,
    )
    assert.ok(slot)
    await site.book(slot)
    const shown = await visitor.open(String((await visitor.send(form, wanted)).headers.location))
    assert.match(textOf(shown), /This time was just taken.*Times on Tuesday,? 24 November/)
  })

  test('the calendar file has the appointment, and the same id as those of mails', async () => {
    const { link, id } = await book('plain')
    const response = await fetch(`${site.server.url}${link}calendar.ics`)
    const text = await response.text()
    assert.match(response.headers.get('content-type') ?? '', /text\/calendar/)
    assert.match(text, /METHOD:PUBLISH/)
    assert.match(text, new RegExp(`UID:${id}@127\\.0\\.0\\.1`))
  })

  test('a request gets no links to calendars before it is confirmed, and its calendar file is tentative', async () => {
    const { visitor, link, id } = await book('approved')
    const shown = async () => {
      const page = await visitor.open(link)
      const file = await (await fetch(`${site.server.url}${link}calendar.ics`)).text()
      return [page.html.includes('calendar.ics'), /^STATUS:(.*?)\r?$/m.exec(file)?.[1]]
    }
    assert.deepEqual(await shown(), [false, 'TENTATIVE'])
    assert.equal((await site.post('/reservations/edit/', { id, status: 'confirmed' })).status, 200)
    assert.deepEqual(await shown(), [true, 'CONFIRMED'])
  })

  test('a customer moves the appointment, and a taken time is refused with others offered', async () => {
    const { visitor, link, id } = await book('plain')
    const page = await visitor.open(link)
    const before = await statusOf(id)
    const month = await visitor.open('/manage/move/')
    const form = formAt(month, '/manage/move/')
    const [first, second] = form.buttons.filter(({ name }) => name === 'slot')
    assert.ok(first && second)
    const [start, provider] = second.value.split('.').map(Number)
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' }).format((start ?? 0) * 1000)
    const slot = (await site.slots({ service: 'plain', provider: provider ?? 0, on: day })).find(
      (one) => one.start === start,
    )
    assert.ok(slot)
    await site.book(slot)
    const refused = await visitor.send(form, second)
    assert.equal(refused.status, 303)
    assert.match(textOf(await visitor.open(String(refused.headers.location))), /This time was just taken/)
    const moved = await visitor.send(form, first)
    assert.match(textOf(await visitor.open(String(moved.headers.location))), /Your appointment has been moved/)
    assert.notEqual((await statusOf(id))?.start_at, before?.start_at)
    assert.match(textOf(page), /You can change or cancel until/)
  })

  test('a time that only the own appointment blocks is offered for its move, and to nobody else', async () => {
    const { visitor, link, id } = await book('buffered')
    const start = Number((await statusOf(id))?.start_at)
    const wanted = start + 1_800
    const listed = async () =>
      (await site.slots({ service: 'buffered', provider: ana, on: dateAt('Europe/Berlin', start) })).map(
        (slot) => slot.start,
      )
    const before = await listed()
    assert.ok(!before.includes(wanted), 'the buffers of the appointment reach into the time')
    await visitor.open(link)
    const form = formAt(await visitor.open('/manage/move/'), '/manage/move/')
    const offered = form.buttons.filter(({ name }) => name === 'slot')
    const starts = offered.map(({ value }) => Number(value.split('.')[0]))
    assert.ok(starts.includes(wanted) && !starts.includes(start), starts.join())
    assert.deepEqual(await listed(), before)
    await visitor.send(form, offered[starts.indexOf(wanted)])
    assert.equal((await statusOf(id))?.start_at, wanted)
  })

  test('a customer cancels with a reason, and the time is free again', async () => {
    const { visitor, link, id } = await book('plain')
    await visitor.open(link)
    const ask = await visitor.open('/manage/cancel/')
    const done = await visitor.send(formAt(ask, '/manage/cancel/'), undefined, { reason: 'I am <b>ill</b>' })
    const page = await visitor.open(String(done.headers.location))
    assert.match(textOf(page), /has been cancelled.*cancelled/)
    const stored = await statusOf(id)
    assert.deepEqual([stored?.status, stored?.cancel_reason, stored?.data], ['cancelled', 'I am <b>ill</b>', '{}'])
    const [event] = await site.sql(
      "select actor_kind from event where object_id = ? and type = 'reservation.cancelled'",
      [id],
    )
    assert.equal(event?.actor_kind, 'customer')
  })

  test('the first person of a form may cancel all of its reservations, another one only the own', async () => {
    const people = { guest2name: 'Second', guest2email: 'second@example.org' }
    const { visitor, link, id } = await book('group', '&seats=2', people)
    const [row] = await site.sql('select group_id from reservation where id = ?', [id])
    const group = () =>
      site.sql('select id, status from reservation where group_id = ? order by id', [String(row?.group_id)])
    await visitor.open(link)
    const ask = await visitor.open('/manage/cancel/')
    assert.match(textOf(ask), /Cancel all 2 appointments.*these are the appointments of: Second/)
    await visitor.send(formAt(ask, '/manage/cancel/'), undefined, { all: 'on' })
    assert.deepEqual(
      (await group()).map(({ status }) => status),
      ['cancelled', 'cancelled'],
    )
  })

  test('who forgets the required reason need not choose again to cancel all appointments of the form', async (t) => {
    const policy = 'insert into service_page (service_id, body) values (?, \'{"reason":"required"}\')'
    const people = { guest2name: 'Second', guest2email: 'second.forgetful@example.org' }
    const { visitor, link, id } = await book('group', '&seats=2', people)
    await site.sql(policy, [site.service('group')])
    await site.sql("update site set catalogue = 'with a reason'")
    t.after(async () => {
      await site.sql('delete from service_page')
      await site.sql("update site set catalogue = 'without a reason'")
    })
    await visitor.open(link)
    const form = formAt(await visitor.open('/manage/cancel/'), '/manage/cancel/')
    const asked = await visitor.send(form, undefined, { all: 'on', reason: ' ' })
    assert.equal(asked.status, 422)
    await visitor.send(formAt(asked, '/manage/cancel/'), undefined, { reason: 'We are ill' })
    const rows = await site.sql(
      'select status from reservation where group_id = (select group_id from reservation where id = ?)',
      [id],
    )
    assert.deepEqual(rows, [{ status: 'cancelled' }, { status: 'cancelled' }])
  })

  test('another person of a form cancels only the own appointment, also after the first person has cancelled', async () => {
    const people = {
      ...{ guest2name: 'Second', guest2email: 'second.other@example.org' },
      ...{ guest3name: 'Third', guest3email: 'third.other@example.org' },
    }
    const { visitor, link, id } = await book('group', '&seats=3', people)
    const [row] = await site.sql('select group_id from reservation where id = ?', [id])
    const others = await site.sql(
      `select reservation.id, customer.name from reservation join customer on customer.id = customer_id
        where group_id = ? and reservation.id <> ? order by name`,
      [String(row?.group_id), id],
    )
    const [second, third] = others.map((one) => String(one.id))
    await visitor.open(link)
    await visitor.send(formAt(await visitor.open('/manage/cancel/'), '/manage/cancel/'), undefined)
    const [stored] = await site.sql('select link_secret from site')
    const guest = new BookingVisitor(site.server.url, { localAddress: '127.0.4.200' })
    await guest.open(managePath({ linkSecret: String(stored?.link_secret) }, { id: second ?? '', linkVersion: 0 }))
    const ask = await guest.open('/manage/cancel/')
    assert.doesNotMatch(textOf(ask), /Cancel all|Third/)
    await guest.send(formAt(ask, '/manage/cancel/'), undefined, { all: 'on' })
    const statuses = [await statusOf(id), await statusOf(second ?? ''), await statusOf(third ?? '')]
    assert.deepEqual(
      statuses.map((one) => one?.status),
      ['cancelled', 'cancelled', 'confirmed'],
    )
  })

  test('an appointment that has taken place is not cancelled with the others of its form', async () => {
    const people = { guest2name: 'Second', guest2email: 'moved@example.org' }
    const { visitor, link, id } = await book('group', '&seats=2', people)
    const [row] = await site.sql('select group_id from reservation where id = ?', [id])
    const values = [now - 7_200, now - 3_600, String(row?.group_id), id]
    await visitor.open(link)
    const ask = await visitor.open('/manage/cancel/')
    assert.match(textOf(ask), /Cancel all 2 appointments/)
    await site.sql('update reservation set start_at = ?, end_at = ? where group_id = ? and id <> ?', values)
    assert.doesNotMatch(textOf(await visitor.open('/manage/cancel/')), /Cancel all/)
    await visitor.send(formAt(ask, '/manage/cancel/'), undefined, { all: 'on' })
    const rows = await site.sql('select id, status from reservation where group_id = ?', [String(row?.group_id)])
    assert.deepEqual(Object.fromEntries(rows.map((one) => [one.id === id, one.status])), {
      true: 'cancelled',
      false: 'confirmed',
    })
  })

  test('an appointment that was given to another customer is not cancelled with the others of its form', async () => {
    const people = { guest2name: 'Second', guest2email: 'given@example.org' }
    const { visitor, link, id } = await book('group', '&seats=2', people)
    const [row] = await site.sql(
      'select id from reservation where id <> ? and group_id = (select group_id from reservation where id = ?)',
      [id, id],
    )
    const second = String(row?.id)
    await visitor.open(link)
    const ask = await visitor.open('/manage/cancel/')
    assert.match(textOf(ask), /Cancel all 2 appointments/)
    assert.equal((await site.edit(second, { customerId: site.customer('Mia') })).status, 200)
    assert.doesNotMatch(textOf(await visitor.open('/manage/cancel/')), /Cancel all|Mia/)
    await visitor.send(formAt(ask, '/manage/cancel/'), undefined, { all: 'on' })
    assert.deepEqual([(await statusOf(id))?.status, (await statusOf(second))?.status], ['cancelled', 'confirmed'])
  })

  test('the first appointment of a form does not open the others to the customer to whom it was given', async () => {
    const people = { guest2name: 'Second', guest2email: 'stays@example.org' }
    const { id } = await book('group', '&seats=2', people)
    assert.equal((await site.edit(id, { customerId: site.customer('Mia') })).status, 200)
    const [stored] = await site.sql('select link_secret from site')
    const mia = new BookingVisitor(site.server.url, { localAddress: '127.0.4.201' })
    await mia.open(managePath({ linkSecret: String(stored?.link_secret) }, { id, linkVersion: 1 }))
    const ask = await mia.open('/manage/cancel/')
    assert.equal(ask.status, 200)
    assert.doesNotMatch(textOf(ask), /Cancel all|Second/)
  })

  test('the policy of the service decides until when, in the transaction', async () => {
    const { visitor, link, id } = await book('plain')
    await visitor.open(link)
    const ask = await visitor.open('/manage/cancel/')
    const service = site.service('plain')
    await site.sql('insert into service_page (service_id, body) values (?, \'{"changeHours":null}\')', [service])
    await site.sql("update site set catalogue = 'changed'")
    const late = await visitor.send(formAt(ask, '/manage/cancel/'), undefined)
    assert.match(textOf(await visitor.open(String(late.headers.location))), /can no longer be changed online/)
    assert.equal((await statusOf(id))?.status, 'confirmed')
    assert.match(textOf(await visitor.open('/manage/')), /Please contact us to change or cancel/)
    await site.sql('update service_page set body = \'{"reason":"required","feeText":{"en":"It costs 10 euros."}}\'')
    await site.sql("update site set catalogue = 'changed again'")
    const again = await visitor.open('/manage/cancel/')
    assert.match(textOf(again), /It costs 10 euros/)
    assert.equal((await visitor.send(formAt(again, '/manage/cancel/'), undefined, { reason: ' ' })).status, 422)
    await site.sql('delete from service_page')
    await site.sql("update site set catalogue = 'and again'")
  })

  test('a form from another site is refused', async () => {
    const { visitor, link, id } = await book('plain')
    await visitor.open(link)
    const forged = await visitor.post('/manage/cancel/', new URLSearchParams({ form: 'x' }))
    assert.equal(forged.status, 403)
    assert.equal((await statusOf(id))?.status, 'confirmed')
  })

  test('a visit that is over can be rated, once, and no longer changed', async () => {
    const { visitor, link, id } = await book('plain')
    await site.sql('delete from occupancy where reservation_id = ?', [id])
    await site.sql('update reservation set start_at = ?, end_at = ? where id = ?', [now - 7_200, now - 3_600, id])
    const page = await visitor.open(link)
    assert.match(textOf(page), /This appointment is over.*How was it/)
    assert.doesNotMatch(page.html, /\/manage\/cancel\//)
    for (const [score, comment] of [
      ['4', 'Good'],
      ['5', 'Better <script>'],
    ] as const) {
      const done = await visitor.send(formAt(page, '/manage/rating/'), undefined, { score, comment })
      assert.match(textOf(await visitor.open(String(done.headers.location))), /Thank you for your rating/)
    }
    const ratings = await site.sql('select score, comment from rating where reservation_id = ?', [id])
    assert.deepEqual(ratings, [{ score: 5, comment: 'Better <script>' }])
    for (const score of ['0', '6', 'x', ''])
      await visitor.send(formAt(page, '/manage/rating/'), undefined, { score, comment: '' })
    assert.equal((await site.sql('select score from rating where reservation_id = ?', [id]))[0]?.score, 5)
  })
})
