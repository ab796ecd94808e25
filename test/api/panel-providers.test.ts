import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BrowserClient, insertSignedInUser, type PanelBody } from '../support/browser-client.ts'
import { ana, ben, dan, eve } from '../support/clinic.ts'
import type { AnyBody, ApiResponse } from '../support/service.ts'
import { assertRefused, assertRestError, at, onEachDatabase, type TestSite } from '../support/test-site.ts'

onEachDatabase((open) => {
  let site: TestSite
  let desk: BrowserClient
  let own: BrowserClient
  before(async () => {
    site = await open()
    desk = (await insertSignedInUser(site, 'manager')).browser
    own = (await insertSignedInUser(site, 'provider', { providerId: ben })).browser
  })
  after(() => site.close())

  const post = async (path: string, body: object, by = desk): Promise<PanelBody['response']> => {
    const response = await by.post(path, body)
    assert.equal(response.status, 200, response.text)
    return response.body.response
  }
  const one = async (id: unknown) => (await desk.get(`/providers/one/?id=${id}`)).body.response
  const names = async (query = ''): Promise<readonly string[]> => {
    const { body } = await desk.get(`/providers/${query}`)
    return body.response.map(({ name }) => String(name))
  }
  const added = async (more: object = {}): Promise<number> =>
    Number((await post('/providers/add/', { name: 'Fay', ...more })).id)

  test('a provider whose time a collective reservation with another provider occupies stays', async () => {
    const id = await site.book(await site.slot({ service: 'collective', on: site.nextDay() }))
    const [{ provider_id: shown } = {}] = await site.sql('select provider_id from reservation where id = ?', [id])
    const other = [ana, ben, eve].find((provider) => provider !== Number(shown)) ?? 0
    await site.sql("update reservation set status = 'cancelled' where provider_id = ? and id <> ?", [other, id])
    assertRefused(asAny(await desk.post('/providers/remove/', { id: other })), 403, 'provider_has_reservations')
    assert.equal((await site.edit(id, { status: 'cancelled' })).status, 200)
  })

  test('a new provider works default hours in the site’s zone and is bookable at once', async () => {
    const id = await added({ email: 'fay@clinic.example' })
    const { name, email, timezone, weekly, overrides } = await one(id)
    assert.deepEqual([name, email, timezone, overrides], ['Fay', 'fay@clinic.example', 'Europe/Berlin', []])
    assert.deepEqual(Object.keys(Object(weekly)), ['mon', 'tue', 'wed', 'thu', 'fri'])
    assert.equal((await site.slots({ service: 'plain', provider: id, on: '2026-10-06' })).length, 16)
    const [created] = await eventsOf(id)
    assert.deepEqual([created?.type, created?.actor.kind], ['provider.created', 'user'])
  })

  test('every part of a provider is stored as sent; sending it again changes nothing', async () => {
    const id = await added()
    const parts = {
      name: 'Fay the Second',
      email: 'second@clinic.example',
      timezone: 'America/New_York',
      weekly: { mon: ['22:00-02:00', '08:00-12:00'], sun: ['00:00-24:00'] },
      overrides: [
        { from: '2026-12-24', to: '2027-01-06', hours: [] },
        { from: '2026-12-31', to: '2026-12-31', hours: ['10:00-12:00'], slot: { price: 9900 } },
      ],
      restrictServices: true,
      allowedServices: [site.service('plain')],
    }
    await post('/providers/edit/', { id, ...parts })
    const { booking, holidays, id: _, ...kept } = await one(id)
    const { restrictServices, allowedServices } = Object(booking)
    assert.deepEqual({ ...kept, restrictServices, allowedServices }, parts)
    assert.equal(Object(holidays).length, 1)
    await post('/providers/edit/', { id, ...parts })
    assert.deepEqual(
      (await eventsOf(id)).map(({ type }) => type),
      ['provider.created', 'provider.updated'],
    )
    await post('/providers/edit/', { id, email: null })
    assert.equal((await one(id)).email, '')
  })

  for (const [field, body] of [
    ['name', { name: ' ' }],
    ['email', { email: 'nowhere' }],
    ['timezone', { timezone: 'Berlin' }],
    ['weekly.tue[0]', { weekly: { tue: ['9-17'] } }],
    ['overrides[0].to', { overrides: [{ from: '2026-12-24', to: '2026-12-23', hours: [] }] }],
    ['overrides[0]', { overrides: [{ from: '2026-12-24', to: '2026-12-24' }] }],
  ] as const)
    test(`an invalid ${field} is reported by its field, on add and edit`, async () => {
      await site.assertUnchanged(async () => {
        const edited = await desk.post('/providers/edit/', { id: ana, ...body })
        assertRefused(asAny(edited), 400, 'invalid_parameter', [field])
        const made = await desk.post('/providers/add/', { name: 'New', ...body })
        assertRefused(asAny(made), 400, 'invalid_parameter', [field])
      })
    })

  test('an unknown service is refused', async () => {
    const response = await desk.post('/providers/edit/', { id: ana, allowedServices: ['s_none'] })
    assertRefused(asAny(response), 404, 'service_not_found', ['allowedServices'])
  })

  test('a check lists exactly the reservations that a change would displace, and stores nothing', async () => {
    const id = await added({ name: 'Checked' })
    const book = async (service: string, on: string, nth: number): Promise<string> =>
      (await site.booked({ service, provider: id, on, nth })).id
    // Appointments of half an hour: Tuesday at 9:00 and at 16:00, and Friday at 9:00; a later one on Friday is
    // cancelled.
    const morning = await book('plain', '2026-10-06', 0)
    const evening = await book('plain', '2026-10-06', 14)
    const other = await book('own', '2026-10-09', 0)
    const gone = await book('plain', '2026-10-09', 4)
    await site.edit(gone, { status: 'cancelled' })
    const left = async (change: object) => {
      const outcome = await site.assertUnchanged(() => post('/providers/check/', { id, ...change }))
      const items: { id: string; because: string }[] = Object(outcome).items
      assert.equal(outcome.total, items.length)
      return items.map((item) => `${item.because} ${item.id}`)
    }
    assert.deepEqual(await left({}), [])
    assert.deepEqual(await left({ weekly: { tue: ['09:30-17:00'] } }), [`hours ${morning}`, `hours ${other}`])
    assert.deepEqual(await left({ weekly: { tue: ['09:00-16:15'], fri: ['08:00-09:30'] } }), [`hours ${evening}`])
    assert.deepEqual(await left({ overrides: [{ from: '2026-10-05', to: '2026-10-06', hours: [] }] }), [
      `hours ${morning}`,
      `hours ${evening}`,
    ])
    // 9:00 in Berlin is 3:00 in New York, so this change of zone would put both reservations at 9:00 outside the
    // opening hours.
    assert.equal((await left({ timezone: 'America/New_York' })).length, 2)
    assert.deepEqual(await left({ restrictServices: true, allowedServices: [site.service('plain')] }), [
      `service ${other}`,
    ])
    assert.deepEqual(await left({ without: site.service('own') }), [`service ${other}`])
    const away = { start: at('2026-10-06T09:15'), end: at('2026-10-06T12:00') }
    assert.deepEqual(await left({ away }), [`away ${morning}`])
    // Since this edit, the reservations on Tuesday are outside the opening hours. A check lists only reservations that
    // the checked change itself would put outside.
    await post('/providers/edit/', { id, weekly: { fri: ['09:00-17:00'] } })
    assert.deepEqual(await left({ weekly: {} }), [`hours ${other}`])
    const [item] = Object(await post('/providers/check/', { id, weekly: {} })).items
    assert.deepEqual(item, {
      id: other,
      status: 'confirmed',
      start: at('2026-10-09T09:00'),
      end: at('2026-10-09T09:30'),
      because: 'hours',
      service: 'own',
      customer: 'Jo',
    })
  })

  test('a check of a provider in a collective service lists reservations stored under another', async () => {
    const name = 'Both'
    const service = String((await post('/services/add/', { name, routingMode: 'collective' })).id)
    const [first, second] = [await added(), await added()]
    for (const id of [first, second])
      await post('/providers/edit/', { id, restrictServices: true, allowedServices: [service] })
    const { body } = await desk.get('/providers/')
    for (const id of body.response.map(({ id }) => Number(id)).filter((id) => id !== first && id !== second))
      await post('/providers/service/', { id, serviceId: service, participate: false })
    const { min, max } = { min: at('2026-10-06T00:00'), max: at('2026-10-07T00:00') }
    const query = { min_timestamp: min, max_timestamp: max, services: service }
    const [slot] = (await site.get('/availability/get/', query)).body.response
    assert.equal(slot?.providerId, first)
    const { availabilityId, start, end } = Object(slot)
    const customerId = site.customer('Jo')
    const booking = { serviceId: service, providerId: first, availabilityId, start, end, customerId }
    assert.equal((await site.post('/reservations/add/', booking)).status, 200)
    assert.equal((await post('/providers/check/', { id: second, weekly: {} })).total, 1)
  })

  test('per-service settings of a provider are set and reset', async () => {
    const id = await added()
    const serviceId = site.service('plain')
    await post('/providers/service/', { id, serviceId, durationMinutes: 45, price: 5000, weight: 3 })
    await post('/providers/service/', { id, serviceId, price: null })
    const { services } = Object((await one(id)).booking)
    const found = services.find((service: { id: string }) => service.id === serviceId)
    assert.deepEqual(found.own, { durationMinutes: 45, weight: 3 })
    assert.equal(found.settings.durationMinutes, 30)
    assertRefused(
      asAny(await desk.post('/providers/service/', { id, serviceId, durationMinutes: 0 })),
      400,
      'invalid_parameter',
      ['durationMinutes'],
    )
  })

  test('a provider with a reservation stays; another is removed with time off and user, and the id is not reused', async () => {
    const id = await added({ name: 'Short-lived' })
    const { id: reservation } = await site.booked({ service: 'plain', provider: id, on: '2026-10-07' })
    assertRefused(asAny(await desk.post('/providers/remove/', { id })), 403, 'provider_has_reservations')
    await site.edit(reservation, { status: 'cancelled' })
    const away = [`b_${id}`, id, at('2026-10-08T00:00'), at('2026-10-09T00:00')]
    await site.sql(
      "insert into busy (id, provider_id, source, start_at, end_at, note) values (?, ?, 'time_off', ?, ?, '')",
      away,
    )
    const clock = at('2030-01-01T00:00')
    await site.sql(
      `insert into connected_calendar (id, provider_id, kind, name, host, secret, blocking, next_at, created_at, updated_at, remote)
       values (?, ?, 'google', 'Work', '', '', '{}', ?, ?, ?, 'work')`,
      [`cal_${id}`, id, clock, clock, clock],
    )
    await site.sql(
      "insert into calendar_watch (calendar_id, secret_hash, channel, remote, expires_at, next_at) values (?, '', '', '', ?, ?)",
      [`cal_${id}`, clock, clock],
    )
    const user = await insertSignedInUser(site, 'provider', { providerId: id })
    await post('/providers/remove/', { id })
    assert.deepEqual(await site.sql('select calendar_id from calendar_watch'), [])
    assertRefused(asAny(await desk.get(`/providers/one/?id=${id}`)), 404, 'provider_not_found')
    assert.deepEqual(await site.sql('select id from busy where provider_id = ?', [id]), [])
    assert.equal((await user.browser.get('/providers/one/?id=0')).status, 401)
    assert.equal((await site.reservation(reservation)).providerId, id)
    assert.equal(await added(), id + 1)
    await post('/providers/remove/', { id: id + 1 })
    await site.server.apply({ providers: [{ key: 'late', name: 'Late' }] })
    assert.deepEqual(
      (await site.sql("select id from provider where key = 'late'")).map((row) => Number(Object(row).id)),
      [id + 2],
    )
    assert.equal((await eventsOf(id)).at(-1)?.type, 'provider.removed')
  })

  test('the list is searched case-insensitively, sorted and paginated', async () => {
    assert.deepEqual(await names('?search=BEN%40clinic'), ['Ben'])
    const [first] = (await desk.get('/providers/?search=ben')).body.response
    const { services, ofServices, ...rest } = Object(first)
    assert.deepEqual(rest, {
      id: ben,
      name: 'Ben',
      email: 'ben@clinic.example',
      timezone: 'Europe/Berlin',
      weekMinutes: 7 * 8 * 60,
    })
    assert.ok(services > 10 && services < ofServices)
    assert.deepEqual((await names('?sort=name')).slice(0, 2), ['Ana', 'Ben'])
    assert.equal((await names('?sort=-name')).at(-1), 'Ana')
    const page = await desk.get('/providers/?page=2&per_page=2')
    assert.deepEqual(
      page.body.response.map(({ name }) => name),
      ['Cleo', 'Dan'],
    )
    assert.ok(Number(page.headers.get('X-WP-Total')) >= 5)
  })

  test('the role provider reads and sets their own hours, and nothing else', async () => {
    const { body } = await own.get(`/providers/one/?id=${ben}`)
    assert.deepEqual([body.response.name, body.response.booking], ['Ben', null])
    await post('/providers/hours/', { id: ben, weekly: { mon: ['09:00-10:00'] } }, own)
    assert.deepEqual((await one(ben)).weekly, { mon: ['09:00-10:00'] })
    assert.equal((await post('/providers/check/', { id: ben, weekly: {} }, own)).total, 0)
    for (const response of [
      await own.get(`/providers/one/?id=${eve}`),
      await own.post('/providers/hours/', { id: eve, weekly: {} }),
      await own.post('/providers/check/', { id: eve, weekly: {} }),
    ])
      assertRefused(asAny(response), 404, 'provider_not_found')
    for (const response of [
      await own.get('/providers/'),
      await own.post('/providers/edit/', { id: ben, name: 'King' }),
      await own.post('/providers/add/', { name: 'Friend' }),
      await own.post('/providers/remove/', { id: dan }),
    ]) {
      assertRestError(asAny(response), 403, 'rest_forbidden', { admits: ['admin', 'manager'] })
      const sentence = 'Only users with one of these roles may do this: Administrator, Manager.'
      assert.equal(asAny(response).body.message, sentence)
    }
  })

  test('overrides that were changed from a list which another user has changed since are refused', async () => {
    const dayOff = (date: string) => ({ from: date, to: date, hours: [] })
    const [first, second] = [dayOff('2026-12-24'), { ...dayOff('2026-12-31'), slot: { price: 900 } }]
    const overrides = async () => Object((await desk.get(`/providers/one/?id=${eve}`)).body.response).overrides
    await post('/providers/hours/', { id: eve, overrides: [first], was: { overrides: [] } })
    const late = await desk.post('/providers/hours/', { id: eve, overrides: [second], was: { overrides: [] } })
    assertRefused(asAny(late), 409, 'changed_since')
    assert.deepEqual(await overrides(), [first])
    await post('/providers/hours/', { id: eve, overrides: [first, second], was: { overrides: [first] } })
    await post('/providers/hours/', { id: eve, overrides: [], was: { overrides: [first, second] } })
    assert.deepEqual(await overrides(), [])
  })

  test('weekly hours and services that were changed from a list which another user has changed since are refused', async () => {
    const [early, late] = [{ mon: ['08:00-12:00'] }, { tue: ['14:00-18:00'] }]
    const allowed = async () => Object((await one(eve)).booking).allowedServices
    const [{ weekly }, allowedServices] = [await one(eve), await allowed()]
    await post('/providers/hours/', { id: eve, weekly: early, was: { weekly } })
    const tooLate = await desk.post('/providers/hours/', { id: eve, weekly: late, was: { weekly } })
    assertRefused(asAny(tooLate), 409, 'changed_since')
    assert.deepEqual((await one(eve)).weekly, early)
    await post('/providers/hours/', { id: eve, weekly, was: { weekly: early } })
    const services = [site.service('long')]
    await post('/providers/edit/', { id: eve, allowedServices: services, was: { allowedServices } })
    const second = { id: eve, allowedServices: [site.service('plain')], was: { allowedServices } }
    assertRefused(asAny(await desk.post('/providers/edit/', second)), 409, 'changed_since')
    assert.deepEqual(await allowed(), services)
    await post('/providers/edit/', { id: eve, allowedServices, was: { allowedServices: services } })
  })

  test('the role provider changes the hours of a date without its slot properties', async () => {
    const kept = { from: '2026-12-30', to: '2026-12-30', slot: { price: 9900 } }
    await post('/providers/hours/', { id: ben, overrides: [kept] })
    const closed = { from: '2026-12-24', to: '2026-12-24', hours: [] }
    await post('/providers/hours/', { id: ben, overrides: [closed, { ...kept, hours: ['10:00-12:00'] }] }, own)
    assert.deepEqual((await one(ben)).overrides, [closed, { ...kept, hours: ['10:00-12:00'] }])
    for (const overrides of [[], [{ ...kept, slot: { price: 1 } }], [kept, { ...closed, slot: { approval: 'none' } }]])
      assertRefused(asAny(await own.post('/providers/hours/', { id: ben, overrides })), 400, 'invalid_parameter', [
        'overrides',
      ])
    await post('/providers/hours/', { id: ben, overrides: [] })
    assert.deepEqual((await one(ben)).overrides, [])
  })

  /**
   * Returns the feed's events about a provider; `site.eventsOf` does not find them, because the id of a provider is a
   * number.
   */
  async function eventsOf(id: number) {
    const found = []
    for (let page = await site.events(); page.length > 0; page = await site.events(page.at(-1)?.seq))
      found.push(
        ...page.filter(({ type, object, previous }) => type.startsWith('provider.') && (object ?? previous)?.id === id),
      )
    return found
  }
})

function asAny(response: ApiResponse<unknown>): ApiResponse<AnyBody> {
  return response as ApiResponse<AnyBody>
}
