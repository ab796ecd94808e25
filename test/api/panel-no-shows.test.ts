import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BookingVisitor, type HtmlPage, textOf } from '../support/booking-visitor.ts'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { ana, now } from '../support/clinic.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

const hour = 3_600

onEachDatabase((open) => {
  let site: TestSite
  let desk: BrowserClient
  let people = 0
  before(async () => {
    site = await open()
    desk = (await insertSignedInUser(site, 'manager')).browser
  })
  after(() => site.close())

  const policy = async (noShows: object | null) => {
    const { status, text } = await desk.post('/site/edit/', { policies: { noShows } })
    assert.equal(status, 200, text)
  }
  /**
   * Adds a customer who has missed `count` visits, each of them `daysAgo` days ago; returns the customer's id and
   * e-mail address.
   */
  const missed = async (count: number, daysAgo = 1) => {
    people += 1
    const email = `late${people}@example.org`
    const { body, text } = await desk.post('/customers/add/', { name: 'Lou Late', email, phone: '' })
    assert.ok(typeof body.id === 'string', text)
    for (let visit = 0; visit < count; visit += 1) {
      const slot = await site.slot({ service: 'plain', provider: ana })
      const id = await site.book(slot, { customerId: body.id })
      assert.equal((await desk.post('/reservations/attendance/', { id, state: 'no_show' })).status, 200)
      await site.sql('update reservation set start_at = ?, end_at = ? where id = ?', [
        ...[now - daysAgo * 24 * hour, now - daysAgo * 24 * hour + 1_800, id],
      ])
    }
    return { id: body.id, email }
  }
  const warningFor = async (customerId: string) => {
    const { serviceId, providerId, start } = await site.slot({ service: 'plain', provider: ana })
    const query = `serviceId=${serviceId}&providerId=${providerId}&start=${start}&customerId=${customerId}`
    return Object((await desk.get(`/calendar/verdict/?${query}`)).body.response).noShows
  }
  const bookOnline = async (email: string): Promise<HtmlPage> => {
    const visitor = new BookingVisitor(site.server.url, { localAddress: `127.0.2.${people}` })
    const form = await visitor.choose(await visitor.open(`/book/plain/?with=1&date=${site.nextDay()}`))
    return visitor.confirm(await visitor.fillIn(form, { name: 'Lou Late', email }))
  }

  test('staff are warned of a customer who has missed as many visits as the policy says', async () => {
    const twice = await missed(2)
    const once = await missed(1)
    assert.equal(await warningFor(twice.id), null)
    await policy({ count: 2, months: 6, online: 'allow' })
    assert.deepEqual(await warningFor(twice.id), { count: 2, months: 6 })
    assert.equal(await warningFor(once.id), null)
    // The warning does not keep staff from booking.
    const { serviceId, providerId, start } = await site.slot({ service: 'plain', provider: ana })
    const answer = await desk.post('/calendar/book/', { serviceId, providerId, start, customerId: twice.id })
    assert.equal(answer.status, 200, answer.text)
    assert.match(textOf(await bookOnline(twice.email)), /You are booked/)
  })

  test('visits that were missed long ago do not count', async () => {
    await policy({ count: 2, months: 6, online: 'refuse' })
    const before = await missed(2, 181)
    assert.equal(await warningFor(before.id), null)
    assert.match(textOf(await bookOnline(before.email)), /You are booked/)
  })

  test('an online booking waits for approval where the policy says so, and of nobody else', async () => {
    await policy({ count: 2, months: 6, online: 'approve' })
    const { id, email } = await missed(2)
    await bookOnline(email)
    const status = (customerId: string) =>
      site.sql('select status from reservation where customer_id = ? order by created_at desc, id desc', [customerId])
    const statuses = (await status(id)).map((row) => row.status)
    assert.deepEqual(
      statuses.filter((one) => one === 'pending'),
      ['pending'],
    )
    const other = await missed(1)
    await bookOnline(other.email)
    assert.ok((await status(other.id)).every((row) => row.status === 'confirmed'))
  })

  test('an online booking is refused politely where the policy says so, under any name, and nothing is stored', async () => {
    await policy({ count: 2, months: 6, online: 'refuse' })
    const { email } = await missed(2)
    const count = async () => Number((await site.sql('select count(*) as n from reservation'))[0]?.n)
    const before = await count()
    const page = await bookOnline(email)
    assert.equal(page.status, 403)
    assert.match(textOf(page), /This cannot be booked online. Please contact us./)
    assert.equal(await count(), before)
    assert.doesNotMatch(textOf(page), /missed|no-show|blocked/i)
  })

  test('a policy out of bounds is refused beside its field, and undoing the change brings the former back', async () => {
    await policy({ count: 3, months: 12, online: 'approve' })
    const { status, body } = await desk.post('/site/edit/', {
      policies: { noShows: { count: 0, months: 1, online: 'x' } },
    })
    assert.equal(status, 400)
    assert.deepEqual(Object.keys(body.details).sort(), ['policies.noShows.count', 'policies.noShows.online'])
    await policy(null)
    const [newest] = (await desk.get('/history/?objectId=site')).body.response
    assert.equal((await desk.post('/history/undo/', { seq: newest?.seq })).status, 200)
    const shownSite = Object((await desk.get('/site/')).body.response)
    assert.deepEqual(shownSite.policies.noShows, { count: 3, months: 12, online: 'approve' })
  })
})
