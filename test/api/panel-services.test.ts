import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BrowserClient, insertSignedInUser, type PanelBody } from '../support/browser-client.ts'
import { ana, ben, cleo, eve } from '../support/clinic.ts'
import { withSentences } from '../support/sentences.ts'
import type { AnyBody, ApiResponse } from '../support/service.ts'
import { assertRefused, assertRestError, onEachDatabase, type TestSite } from '../support/test-site.ts'

onEachDatabase((open) => {
  let site: TestSite
  let desk: BrowserClient
  before(async () => {
    site = await open()
    desk = (await insertSignedInUser(site, 'manager')).browser
  })
  after(() => site.close())

  const post = async (path: string, body: object): Promise<Readonly<Record<string, unknown>>> => {
    const response = await desk.post(path, body)
    assert.equal(response.status, 200, response.text)
    return response.body.response
  }
  const names = async (query = ''): Promise<readonly string[]> => {
    const { body } = await desk.get(`/services/${query}`)
    return body.response.map(({ name }) => String(name))
  }
  const one = async (id: string) => (await desk.get(`/services/one/?id=${id}`)).body.response
  const every = {
    durationMinutes: 45,
    intervalMinutes: 15,
    bufferBeforeMinutes: 5,
    bufferAfterMinutes: 10,
    capacity: 3,
    leadTimeMinutes: 120,
    horizonDays: 30,
    limits: { perProviderDay: 4, perServiceDay: 9, minutesPerProviderWeek: 600, perCustomerDay: 1 },
    approval: 'admin',
    pendingBlocks: false,
    routingMode: 'weighted',
    price: 4500,
    currency: 'CHF',
    active: false,
  }

  test('every setting is stored as sent, including those that the API cannot change', async () => {
    const id = String((await post('/services/add/', { name: '  Wide  ', color: '#2f6fd0', ...every })).id)
    const { name, color, settings } = await one(id)
    assert.deepEqual([name, color], ['Wide', '#2f6fd0'])
    assert.deepEqual(settings, { ...every, payment: null, notifications: null, online: false })
    await post('/services/edit/', { id, active: true, intervalMinutes: null, limits: { perServiceDay: 2 } })
    const kept = { ...every, active: true, intervalMinutes: null, limits: { perServiceDay: 2 } }
    assert.deepEqual((await one(id)).settings, { ...kept, payment: null, notifications: null, online: false })
    const [created, updated] = await site.eventsOf(id, 2)
    assert.deepEqual(
      [created?.type, updated?.type, updated?.actor.kind],
      ['service.created', 'service.updated', 'user'],
    )
    // Sending a setting with its current value adds no event.
    await post('/services/edit/', { id, active: true })
    assert.equal((await site.eventsOf(id, 2)).length, 2)
  })

  test('a provider is made to offer a service, and no longer, whether restricted to some services or not', async () => {
    const serviceId = site.service('long')
    const idsOf = (list: unknown) => (list as readonly { readonly id: number }[]).map(({ id }) => id)
    const offering = async () => {
      const { providers, others } = await one(serviceId)
      return [idsOf(providers), idsOf(others).includes(cleo), idsOf(others).includes(ben)]
    }
    const offer = (id: number, offers: boolean) => desk.post('/providers/offer/', { id, serviceId, offers })
    // Cleo is restricted to two other services, Ben offers all.
    assert.deepEqual(await offering(), [[ana, ben], true, false])
    for (const [id, offers, expected] of [
      [cleo, true, [[ana, ben, cleo], false, false]],
      [ben, false, [[ana, cleo], false, true]],
      [ben, true, [[ana, ben, cleo], false, false]],
      [cleo, false, [[ana, ben], true, false]],
    ] as const) {
      assert.equal((await offer(id, offers)).status, 200)
      assert.deepEqual(await offering(), expected)
      await site.assertUnchanged(() => offer(id, offers))
    }
    assertRefused(
      asAny(await desk.post('/providers/offer/', { id: ana, serviceId: 'none', offers: true })),
      404,
      'service_not_found',
    )
  })

  for (const [field, body] of [
    ['durationMinutes', { durationMinutes: 0 }],
    ['limits.perServiceDay', { limits: { perServiceDay: 0 } }],
    ['currency', { currency: 'euro' }],
    ['color', { color: 'sky' }],
    ['routingMode', { routingMode: 'whoever' }],
    ['name', { name: ' ' }],
  ] as const)
    test(`an invalid ${field} is reported by its field, on add, edit and in the preview`, async () => {
      const id = site.service('plain')
      await site.assertUnchanged(async () => {
        assertRefused(asAny(await desk.post('/services/add/', { name: 'New', ...body })), 400, 'invalid_parameter', [
          field,
        ])
        assertRefused(asAny(await desk.post('/services/edit/', { id, ...body })), 400, 'invalid_parameter', [field])
        if (field !== 'name' && field !== 'color')
          assertRefused(asAny(await desk.post('/services/preview/', body)), 400, 'invalid_parameter', [field])
      })
    })

  test('the preview lists what availability lists after saving, and stores nothing', async () => {
    const id = site.service('own')
    const date = site.nextDay()
    await site.booked({ service: 'plain', provider: ana, on: date, nth: 2 })
    for (const settings of [
      { durationMinutes: 20, intervalMinutes: 10, bufferAfterMinutes: 15 },
      { durationMinutes: 60, routingMode: 'least_busy' },
      { active: false },
    ]) {
      const previewed = await site.assertUnchanged(() => post('/services/preview/', { id, date, ...settings }))
      await post('/services/edit/', { id, ...settings })
      const listed = await site.slots({ service: 'own', on: date })
      const slots = listed.map(({ start, end, providerId, bookable, eligibleProviderIds, reservationsCount }) => ({
        start,
        end,
        providerId,
        bookable,
        eligible: eligibleProviderIds.length,
        reservations: reservationsCount,
      }))
      assert.deepEqual([previewed.date, previewed.zone, previewed.slots], [date, 'Europe/Berlin', slots])
      assert.equal(slots.length === 0, settings.active === false)
    }
  })

  test('a service that does not exist yet is previewed with every available provider, tomorrow', async () => {
    const previewed = await post('/services/preview/', {})
    assert.equal(previewed.date, '2026-10-06')
    assert.deepEqual(previewed.providers, [
      { id: ana, name: 'Ana' },
      { id: ben, name: 'Ben' },
    ])
    const collective = await post('/services/preview/', { id: site.service('collective') })
    assert.deepEqual(collective.providers, [{ id: ana, name: 'Ana' }])
  })

  test('services can be reordered; new ones are last, and the API lists them by creation', async () => {
    const before = await names()
    const created = (await site.get('/services/get/')).body.response.map(({ name }) => name)
    const [first = '', second = '', third = ''] = before
    await post('/services/order/', { id: site.service(third), before: site.service(first) })
    assert.deepEqual((await names()).slice(0, 3), [third, first, second])
    await post('/services/order/', { id: site.service(third), before: site.service(before[3] ?? '') })
    assert.deepEqual(await names(), before)
    await post('/services/add/', { name: 'Latest' })
    assert.equal((await names()).at(-1), 'Latest')
    assert.deepEqual(
      (await site.get('/services/get/')).body.response.map(({ name }) => name),
      [...created, 'Latest'],
    )
    const last = (await site.eventsOf(site.service(third), 3)).at(-1)
    assert.deepEqual([last?.previous?.position, last?.object?.position], [1, 3])
    const nowhere = await desk.post('/services/order/', { id: site.service(first), before: 's_none' })
    assertRefused(asAny(nowhere), 404, 'service_not_found', ['before'])
  })

  test('the list is searched case-insensitively, filtered and paginated, with provider counts', async () => {
    assert.deepEqual(await names('?search=ROBIN'), ['round_robin'])
    assert.deepEqual(await names('?search=%25'), [])
    assert.ok((await names('?state=withdrawn')).includes('inactive'))
    assert.ok(!(await names('?state=offered')).includes('inactive'))
    const page = await desk.get('/services/?page=2&per_page=2')
    assert.equal(page.body.response.length, 2)
    assert.ok(Number(page.headers.get('X-WP-Total')) > 20)
    const { body } = await desk.get('/services/?search=round_robin')
    assert.equal(body.response[0]?.providers, 3)
    const shown = await one(site.service('priority'))
    assert.deepEqual(shown.providers, [
      { id: ana, name: 'Ana', differs: [] },
      { id: ben, name: 'Ben', differs: ['priority'] },
      { id: eve, name: 'Eve', differs: [] },
    ])
  })

  test('a service with a reservation stays; another is removed', async () => {
    await site.booked({ service: 'long', provider: ana })
    const kept = await desk.post('/services/remove/', { id: site.service('long') })
    assertRefused(asAny(kept), 403, 'service_has_history')
    const id = String((await post('/services/add/', { name: 'Short-lived' })).id)
    assert.equal((await desk.post('/services/remove/', { id })).status, 200)
    assertRefused(asAny(await desk.get(`/services/one/?id=${id}`)), 404, 'service_not_found', ['serviceId'])
  })

  test('the fairness report has actual shares, expected shares and reasons of a period', async () => {
    const on = site.nextDay()
    const ids: string[] = []
    for (const nth of [0, 1, 2, 3]) ids.push((await site.booked({ service: 'weighted', on, nth })).id)
    assert.equal((await site.edit(ids[3] ?? '', { status: 'cancelled' })).status, 200)
    const id = site.service('weighted')
    const { body } = await desk.get(`/services/fairness/?id=${id}&from=${on}&to=${on}`)
    const { mode, next, others } = body.response
    assert.deepEqual([mode, others], ['weighted', []])
    const rows: Record<string, unknown>[] = Object(body.response.providers)
    const counted = await site.sql('select provider_id, count from assignment where service_id = ?', [id])
    assert.deepEqual(
      rows.map((row) => [row.name, row.weight, row.share, row.assigned]),
      [
        ['Ana', 2, 0.5],
        ['Ben', 1, 0.25],
        ['Eve', 1, 0.25],
      ].map((row, at) => [
        ...row,
        Number(counted.find((one) => Number(one.provider_id) === [ana, ben, eve][at])?.count),
      ]),
    )
    assert.equal(total(rows, 'got'), 3)
    assert.equal(total(rows, 'expected'), 3)
    assert.equal(total(rows, 'due'), 0)
    // `next` of the report is the provider that weighted routing picks for the next slot at which all providers are
    // free.
    const slot = await site.slot({ service: 'weighted' })
    assert.equal(Object(next).id, slot.providerId)
    const last: { id: string; provider: object; choice: { picked: object; because: object } }[] = Object(
      body.response.last,
    )
    assert.deepEqual(
      last.map((one) => one.id),
      ids.toReversed(),
    )
    assert.deepEqual(last[0]?.choice.picked, last[0]?.provider)
    assert.match(String(withSentences(last[0]?.choice.because)), /furthest below its share/)
    const elsewhere = (await desk.get(`/services/fairness/?id=${id}&from=2026-10-04&to=2026-10-04`)).body.response
    assert.deepEqual([total(Object(elsewhere.providers), 'got'), elsewhere.last], [0, []])
  })

  test('former providers are listed with their past share; invalid queries are refused', async () => {
    const on = site.nextDay()
    await site.booked({ service: 'random', on, nth: 1 })
    await site.sql('update reservation set provider_id = 4 where service_id = ?', [site.service('random')])
    const ask = (id: string, to = on) => desk.get(`/services/fairness/?id=${id}&from=${on}&to=${to}`)
    const { body } = await ask(site.service('random'))
    assert.deepEqual(body.response.others, [{ id: 4, name: 'Dan', got: 1 }])
    assert.equal(body.response.next, null)
    assertRefused(asAny(await ask('s_none')), 404, 'service_not_found', ['serviceId'])
    assertRefused(asAny(await ask(site.service('random'), '2026-01-01')), 400, 'invalid_parameter', ['to'])
  })

  test('the role provider cannot edit services', async () => {
    const { browser } = await insertSignedInUser(site, 'provider', { providerId: ana })
    const refused: readonly ApiResponse<PanelBody>[] = [
      await browser.get('/services/'),
      await browser.get(`/services/fairness/?id=${site.service('plain')}&from=2026-10-05&to=2026-10-05`),
      await browser.post('/services/edit/', { id: site.service('plain'), active: false }),
      await browser.post('/services/preview/', {}),
    ]
    for (const response of refused)
      assertRestError(asAny(response), 403, 'rest_forbidden', { admits: ['admin', 'manager'] })
  })
})

function asAny(response: ApiResponse<unknown>): ApiResponse<AnyBody> {
  return response as ApiResponse<AnyBody>
}

function total(rows: readonly Readonly<Record<string, unknown>>[], field: string): number {
  return rows.reduce((sum, row) => sum + Number(row[field]), 0)
}
