import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import ICAL from 'ical.js'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { ana, ben } from '../support/clinic.ts'
import type { AnyBody, ApiResponse } from '../support/service.ts'
import { assertDone, assertRefused, onEachDatabase, type TestSite } from '../support/test-site.ts'

onEachDatabase((open) => {
  let site: TestSite
  let desk: BrowserClient
  let asAna: BrowserClient
  before(async () => {
    site = await open()
    desk = (await insertSignedInUser(site, 'manager')).browser
    asAna = (await insertSignedInUser(site, 'provider', { providerId: ana })).browser
  })
  after(() => site.close())

  const add = async (body: object, browser = desk) => {
    const { status, text, body: answer } = await browser.post('/calendar-feeds/add/', { names: false, ...body })
    assert.equal(status, 200, text)
    const { id, url } = answer.response
    return { id: String(id), url: new URL(new URL(String(url)).pathname, site.server.url).href }
  }
  const events = async (url: string) => {
    const response = await fetch(url)
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'text/calendar; charset=utf-8')
    return new ICAL.Component(ICAL.parse(await response.text())).getAllSubcomponents('vevent')
  }
  const texts = async (url: string, name: string) =>
    (await events(url)).map((event) => String(event.getFirstPropertyValue(name))).toSorted()

  test('a feed lists the reservations of its provider, and follows each change', async () => {
    const { url } = await add({ providerId: ana })
    const on = site.nextDay()
    const first = await site.booked({ service: 'plain', provider: ana, on, nth: 1 })
    await site.booked({ service: 'plain', provider: ben, on, nth: 1 })
    const [event, ...more] = await events(url)
    assert.ok(event && more.length === 0)
    assert.equal(String(event.getFirstPropertyValue('uid')).split('@')[0], first.id)
    assert.equal(startOf(event), first.start)
    assert.equal((event.getFirstPropertyValue('dtend') as ICAL.Time).toUnixTime(), first.end)
    assert.equal(event.getFirstPropertyValue('summary'), 'plain')
    const sequence = Number(event.getFirstPropertyValue('sequence'))
    assertDone(await site.post('/reservations/edit/', { id: first.id, start: first.start + 3_600 }))
    const [moved] = await events(url)
    assert.equal(startOf(moved), first.start + 3_600)
    assert.ok(Number(moved?.getFirstPropertyValue('sequence')) > sequence)
    assertDone(await site.post('/reservations/edit/', { id: first.id, status: 'cancelled' }))
    assert.deepEqual(await events(url), [])
  })

  test('an appointment of several providers stays in the feed of each when its occupancy is deleted', async () => {
    const shared = await site.booked({ service: 'collective' })
    const pooled = await site.booked({ service: 'least_busy' })
    const other = [ana, ben].find((id) => id !== pooled.providerId)
    const [ofOther, ofBen] = [await add({ providerId: other }), await add({ providerId: ben })]
    const idsIn = async (url: string) => (await texts(url, 'uid')).map((uid) => uid.split('@')[0])
    assert.ok(shared.providerId !== ben && (await idsIn(ofBen.url)).includes(shared.id))
    // The sweep deletes the occupancy of appointments that ended more than a day ago.
    for (const { id } of [shared, pooled]) await site.sql('delete from occupancy where reservation_id = ?', [id])
    assert.ok((await idsIn(ofBen.url)).includes(shared.id))
    assert.ok(!(await idsIn(ofOther.url)).includes(pooled.id), 'a provider to whom it was not given has no part in it')
  })

  test('names of customers are shown only in feeds that were made with them', async () => {
    const on = site.nextDay()
    await site.booked({ service: 'long', provider: ben, on, nth: 0 })
    const [plain, named] = [await add({}), await add({ names: true })]
    assert.ok((await texts(plain.url, 'summary')).includes('long · Ben'))
    assert.ok((await texts(named.url, 'summary')).includes('long · Ben · Jo'))
    assert.doesNotMatch(await (await fetch(plain.url)).text(), /\bJo\b/)
    assert.deepEqual(await texts((await add({ serviceId: site.service('long'), names: true })).url, 'summary'), [
      'Ben · Jo',
    ])
  })

  test('an unchanged feed is answered 304, another one is not', async () => {
    const { url } = await add({ providerId: ben })
    const tag = (await fetch(url)).headers.get('etag') ?? ''
    const again = (known = tag) => fetch(url, { headers: { 'If-None-Match': known } })
    assert.equal((await again()).status, 304)
    // A proxy that compresses responses makes their tags weak.
    assert.equal((await again(`W/${tag}`)).status, 304)
    assert.equal((await again(`"other", ${tag}`)).status, 304)
    assert.equal((await again('"other"')).status, 200)
    await site.booked({ service: 'plain', provider: ben, on: site.nextDay(), nth: 3 })
    const changed = await again()
    assert.deepEqual([changed.status, changed.headers.get('etag') === tag], [200, false])
  })

  test('a revoked address and an unknown one are answered alike, and no secret is stored or logged', async () => {
    const { id, url } = await add({ providerId: ana })
    assert.equal((await fetch(url)).status, 200)
    assertDone(asAny(await desk.post('/calendar-feeds/revoke/', { id })))
    const answers = [url, url.replace(/[^/]+$/, `${'a'.repeat(43)}.ics`), url.replace(/[^/]+$/, 'x')]
    for (const address of answers) {
      const response = await fetch(address)
      assert.deepEqual([response.status, await response.text()], [404, ''])
    }
    assertRefused(asAny(await desk.post('/calendar-feeds/revoke/', { id })), 404, 'feed_not_found')
    const secret = /([\w-]{43})\.ics$/.exec(url)?.[1] ?? assert.fail(url)
    assert.ok(!site.server.stderr.includes(secret))
    const stored =
      JSON.stringify(await site.sql('select * from event')) +
      JSON.stringify(await site.sql('select * from calendar_feed'))
    assert.ok(!stored.includes(secret))
  })

  test('the role provider makes and sees feeds of their own alone, and a feed needs a proof of identity', async () => {
    const { id } = await add({ providerId: ana }, asAna)
    const list = async (browser: BrowserClient, query: string) =>
      Object((await browser.get(`/calendar-feeds/${query}`)).body.response).items
    assert.ok((await list(asAna, `?providerId=${ana}`)).some((feed: { id: string }) => feed.id === id))
    await add({ providerId: ben })
    assert.deepEqual(await list(asAna, `?providerId=${ben}`), [])
    assert.deepEqual(await list(asAna, ''), [])
    for (const body of [{ providerId: ben }, {}, { serviceId: site.service('plain') }])
      assertRefused(
        asAny(await asAna.post('/calendar-feeds/add/', { ...body, names: true })),
        404,
        'provider_not_found',
      )
    const { id: other } = await add({ providerId: ben })
    assertRefused(asAny(await asAna.post('/calendar-feeds/revoke/', { id: other })), 404, 'feed_not_found')
    for (const role of ['receptionist', 'read_only'] as const) {
      const { browser } = await insertSignedInUser(site, role)
      for (const path of ['/calendar-feeds/add/', '/calendars/connect/', '/calendars/remove/'])
        assert.equal((await browser.post(path, { names: true })).status, 403, `${role} ${path}`)
      assert.equal((await browser.get(`/calendars/?providerId=${ana}`)).status, 403)
    }
    const stale = (await insertSignedInUser(site, 'manager', { authenticatedAt: 0 })).browser
    assert.equal((await stale.post('/calendar-feeds/add/', { names: true })).status, 403)
  })
})

function startOf(event: ICAL.Component | undefined): number {
  const start = event?.getFirstPropertyValue('dtstart')
  return start instanceof ICAL.Time ? start.toUnixTime() : 0
}

function asAny(answer: unknown): ApiResponse<AnyBody> {
  return answer as ApiResponse<AnyBody>
}
