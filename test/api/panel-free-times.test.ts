import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { toInstant } from '../../src/scheduling/time/zone.ts'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { ana, ben, now } from '../support/clinic.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

const week = 7 * 86_400
const at = (wall: string): number => toInstant('Europe/Berlin', wall) ?? 0

onEachDatabase((open) => {
  let site: TestSite
  let desk: BrowserClient
  before(async () => {
    site = await open()
    desk = (await insertSignedInUser(site, 'manager')).browser
  })
  after(() => site.close())

  const free = async (service: string, query: object, browser = desk) => {
    const search = new URLSearchParams({ serviceId: site.service(service), ...query })
    const response = await browser.get(`/calendar/free/?${search}`)
    assert.equal(response.status, 200, response.text)
    const { times, until, next } = Object(response.body.response)
    return { times: times as { start: number; end: number; providerIds: number[] }[], until, next }
  }

  test('free times are those of the availability list, one per start with every free provider', async () => {
    const from = at('2026-10-08T00:00')
    const { times, until } = await free('plain', { from })
    const query = { min_timestamp: from, max_timestamp: from + week, services: site.service('plain') }
    const { body } = await site.get('/availability/get/', query)
    assert.equal(until, from + week)
    assert.deepEqual(
      times.map(({ start }) => start),
      [...new Set(body.response.map(({ start }) => start))],
    )
    const [first] = times
    const able = body.response.filter(({ start }) => start === first?.start).map(({ providerId }) => providerId)
    assert.deepEqual(first?.providerIds, able)
  })

  test('with one provider, free times are those of the provider, without booked ones', async () => {
    const from = at('2026-10-09T00:00')
    const before = (await free('plain', { from, providerId: ben })).times
    assert.ok(before.every(({ providerIds }) => providerIds.join() === String(ben)))
    const [first] = before
    const body = {
      serviceId: site.service('plain'),
      providerId: ben,
      customerId: site.customer('Jo'),
      start: first?.start,
    }
    assert.equal((await desk.post('/calendar/book/', body)).status, 200)
    const after = (await free('plain', { from, providerId: ben })).times
    assert.deepEqual(after, before.slice(1))
  })

  test('for the move of a reservation, its own time counts as free', async () => {
    const slot = await site.slot({ service: 'buffered', provider: ana })
    const query = { from: slot.start, providerId: ana }
    const startsOf = async (more: object = {}) =>
      (await free('buffered', { ...query, ...more })).times.map(({ start }) => start)
    const before = await startsOf()
    const id = await site.book(slot)
    assert.notDeepEqual(await startsOf(), before)
    assert.deepEqual(await startsOf({ except: id }), before)
    assert.notDeepEqual(await startsOf(), before)
  })

  test('the next free time after the list is reported, up to the horizon', async () => {
    const { next, until } = await free('plain', { from: now, providerId: ana })
    assert.ok(next >= until && next < until + 86_400)
    const none = await free('horizon', { from: now + week, providerId: ana })
    assert.deepEqual([none.times, none.next], [[], null])
    const unable = await free('own', { from: now, providerId: ben })
    assert.deepEqual([unable.times, unable.next], [[], null])
  })

  test('the role provider sees their own free times only', async () => {
    const { browser } = await insertSignedInUser(site, 'provider', { providerId: ana })
    const { times } = await free('plain', { from: now }, browser)
    assert.ok(times.length > 0 && times.every(({ providerIds }) => providerIds.join() === String(ana)))
    assert.deepEqual((await free('plain', { from: now, providerId: ben }, browser)).times, [])
  })
})
