import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { eventsOf } from '../support/feed.ts'
import { type AnyBody, type ApiResponse, eachDatabase, type ServiceProcess } from '../support/service.ts'
import { assertDone, assertRefused, present } from '../support/test-site.ts'

const site = {
  services: [
    { key: 'open', name: 'Open' },
    { key: 'waiting', name: 'Waiting' },
    { key: 'past', name: 'Past' },
    { key: 'gone', name: 'Gone', durationMinutes: 30, limits: { perProviderDay: 4 }, price: 4500 },
  ],
  providers: [
    { id: 1, name: 'Ana', email: 'ana@clinic.example', timezone: 'UTC' },
    {
      id: 2,
      name: 'Ben',
      email: 'ben@clinic.example',
      timezone: 'UTC',
      restrictServices: true,
      allowedServices: ['gone', 'open'],
      services: { gone: { priority: 3 } },
    },
  ],
  customers: [{ key: 'jo', name: 'Jo', email: 'jo@example.com' }],
  reservations: [
    { service: 'open', provider: 1, customer: 'jo', start: '2027-03-01T09:00' },
    { service: 'waiting', provider: 1, customer: 'jo', start: '2027-03-01T10:00', status: 'pending' },
    { service: 'past', provider: 1, customer: 'jo', start: '2026-03-02T09:00' },
    { service: 'gone', provider: 1, customer: 'jo', start: '2027-03-01T11:00', status: 'cancelled' },
  ],
}
const now = Date.UTC(2027, 0, 4, 8) / 1000

/** The settings of a new service, as a list with `full=true` contains them. */
const newSettings = {
  durationMinutes: 60,
  intervalMinutes: null,
  bufferBeforeMinutes: 0,
  bufferAfterMinutes: 0,
  capacity: 1,
  leadTimeMinutes: 0,
  horizonDays: 60,
  limits: {},
  approval: 'none',
  pendingBlocks: true,
  routingMode: 'direct',
  price: null,
  currency: null,
  payment: null,
  notifications: null,
  online: false,
  active: true,
}

eachDatabase((_, open) => {
  describe('services', { timeout: 600_000 }, () => {
    let service: ServiceProcess
    before(async () => {
      service = await open({ site, now })
    })

    const list = async () => (await service.call('GET', '/services/get/')).body.response
    const fullList = async () => (await service.call('GET', '/services/get/', { query: { full: true } })).body.response
    const shown = async (id: string) => (await fullList()).find((one) => one.id === id)
    const named = async (name: string) => (await list()).find((one) => one.name === name)?.id ?? ''
    const post = (path: string, body: unknown) => service.call('POST', path, { body })
    const edit = (body: object) => post('/services/edit/', body)
    const remove = (id: string) => service.call('POST', '/services/remove/', { query: { id } })

    /** Adds a service for one test and returns the service's id. */
    async function added(body: object = { name: 'Massage', description: 'One hour', color: 'rgb(1, 2, 3)' }) {
      const response = await post('/services/add/', body)
      assert.equal(response.status, 200, response.text)
      assert.deepEqual(response.body, { status: 'OK', id: response.body.id })
      assert.match(response.body.id, /^s_[0-9A-Za-z]{32}$/)
      return response.body.id
    }

    /** Edits a service; fails unless the response is exactly `{"status":"OK"}`. */
    async function edits(body: object): Promise<void> {
      assertDone(await edit(body))
    }

    /**
     * Fails unless the call is refused with this status and reason, appends no event and leaves the list of services
     * unchanged.
     */
    async function refuses(
      call: () => Promise<ApiResponse<AnyBody>>,
      expected: { status: number; reason: string; details?: string[] },
    ): Promise<void> {
      const before = await fullList()
      const events = await eventsOf(service, async () => {
        assertRefused(await call(), expected.status, expected.reason, expected.details)
      })
      assert.deepEqual(events, [])
      assert.deepEqual(await fullList(), before)
    }

    test('an added service is listed with exactly its five fields, and with data on request', async () => {
      const id = await added()
      const plain = { id, name: 'Massage', description: 'One hour', class: 'appointment', color: 'rgb(1, 2, 3)' }
      assert.deepEqual((await list()).at(-1), plain)
      assert.deepEqual(await shown(id), { ...plain, data: newSettings })
    })

    test('a name suffices', async () => {
      const id = await added({ name: ' Walk ', class: 'appointment' })
      assert.deepEqual((await list()).at(-1), { id, name: 'Walk', description: '', class: 'appointment', color: null })
    })

    test('services are listed in order of creation', async () => {
      const ids = [await added({ name: 'Z' }), await added({ name: 'A' })]
      assert.deepEqual(
        (await list()).slice(-2).map((one) => one.id),
        ids,
      )
    })

    test('a new service can be booked at once', async () => {
      const id = await added()
      const query = { services: id, min_timestamp: now, max_timestamp: now + 86_400 }
      const { body } = await service.call('GET', '/availability/get/', { query })
      assert.deepEqual([body.response[0]?.providerId, body.response[0]?.bookable], [1, true])
    })

    test('adding a service appends an event with all of its fields', async () => {
      const [event, ...others] = await eventsOf(service, () => added({ name: 'Told' }))
      assert.deepEqual(others, [])
      assert.deepEqual([event?.type, event?.previous, event?.object?.name], ['service.created', null, 'Told'])
      assert.deepEqual(event?.object, await shown(String(event?.object?.id)))
    })

    const wrong: [object, string, string[]][] = [
      [{}, 'missing_parameter', ['name']],
      [{ name: ' ' }, 'invalid_parameter', ['name']],
      [{ name: 'X', class: 'event' }, 'invalid_parameter', ['class']],
      [{ name: 'X', color: 'reddish' }, 'invalid_parameter', ['color']],
      [{ name: 'X', description: 5 }, 'invalid_parameter', ['description']],
    ]
    for (const [body, reason, details] of wrong) {
      test(`adding ${JSON.stringify(body)} is refused with ${reason}`, () =>
        refuses(() => post('/services/add/', body), { status: 400, reason, details }))
    }

    test('a service of the full list can be sent back unchanged, and nothing changes', async () => {
      await edits({ id: await added(), data: { room: 'A', tags: [1, { deep: null }] } })
      const before = await fullList()
      const events = await eventsOf(service, async () => {
        for (const one of before) {
          const response = await edit(one)
          assertDone(response)
          assert.equal(response.headers.get('x-svc-ignored-fields'), null)
        }
        for (const one of await list()) await edits(one)
      })
      assert.deepEqual([events, await fullList()], [[], before])
    })

    test('name, description and color next to data are changed', async () => {
      const id = await added()
      await edits({ id, name: 'Long massage', description: '', color: null })
      const { name, description, color } = present(await shown(id))
      assert.deepEqual({ name, description, color }, { name: 'Long massage', description: '', color: null })
    })

    test("name, description, color and durationMinutes in data set the service's fields", async () => {
      const id = await added()
      await edits({ id, data: { name: 'Short', description: 'Ten', color: '#0a0', durationMinutes: 10 } })
      assert.deepEqual(await shown(id), {
        id,
        name: 'Short',
        description: 'Ten',
        class: 'appointment',
        color: '#0a0',
        data: { ...newSettings, durationMinutes: 10 },
      })
    })

    test('name, description and color in data are read as they are beside it', async () => {
      const sent = { name: ` ${'😀'.repeat(200)} `, description: '😀'.repeat(10_000), color: ' red ' }
      const [beside, inside] = [await added(), await added()]
      await edits({ id: beside, ...sent })
      await edits({ id: inside, data: sent })
      assert.deepEqual({ ...(await shown(inside)), id: beside }, await shown(beside))
      const tooLong = {
        name: '😀'.repeat(201),
        description: '😀'.repeat(10_001),
        color: `rgb(${' '.repeat(100)}1 2 3)`,
      }
      const refused = { status: 400, reason: 'invalid_parameter' }
      const fields = Object.keys(tooLong).sort()
      await refuses(() => edit({ id: beside, ...tooLong }), { ...refused, details: fields })
      const details = fields.map((field) => `data.${field}`)
      await refuses(() => edit({ id: inside, data: tooLong }), { ...refused, details })
    })

    test('a changed duration changes the slots', async () => {
      const id = await added()
      await edits({ id, data: { durationMinutes: 25 } })
      const query = { services: id, min_timestamp: now, max_timestamp: now + 86_400 }
      const { body } = await service.call('GET', '/availability/get/', { query })
      assert.equal(Number(body.response[0]?.end) - Number(body.response[0]?.start), 25 * 60)
    })

    test('keys of integrations are merged, null deletes one, and __proto__ is an ordinary key', async () => {
      const id = await added()
      await edits({ id, data: { room: 'A', floor: 1 } })
      const events = await eventsOf(service, () =>
        edit(JSON.parse(`{"id":"${id}","data":{"room":null,"__proto__":{"x":1}}}`)),
      )
      const data = (await shown(id))?.data
      assert.equal(
        JSON.stringify(data),
        JSON.stringify({ floor: 1, ...JSON.parse('{"__proto__":{"x":1}}'), ...newSettings }),
      )
      assert.deepEqual(
        events.map((event) => event.type),
        ['service.updated'],
      )
      assert.deepEqual(events[0]?.previous?.data, { room: 'A', floor: 1, ...newSettings })
    })

    test('settings of the panel cannot be changed here, and each is reported', async () => {
      const id = await added()
      const { durationMinutes, ...settings } = newSettings
      const changed = Object.keys(settings).map((key) => [key, key === 'limits' ? { perServiceDay: 1 } : 'other'])
      const details = Object.keys(settings).map((key) => `data.${key}`)
      await refuses(() => edit({ id, name: 'X', data: { durationMinutes, ...Object.fromEntries(changed) } }), {
        status: 400,
        reason: 'set_in_panel',
        details: details.sort(),
      })
    })

    test('invalid values in data are reported together', async () => {
      const id = await added()
      const data = { name: '', description: 5, color: 'reddish', durationMinutes: 0, room: 'A' }
      await refuses(() => edit({ id, data }), {
        status: 400,
        reason: 'invalid_parameter',
        details: ['data.color', 'data.description', 'data.durationMinutes', 'data.name'],
      })
    })

    test('64 keys of integrations are stored, one more is refused', async () => {
      const id = await added()
      await edits({ id, data: Object.fromEntries(Array.from({ length: 64 }, (_, index) => [`k${index}`, index])) })
      const refused = { status: 400, reason: 'invalid_parameter', details: ['data'] }
      await refuses(() => edit({ id, data: { more: 1 } }), refused)
      await refuses(() => edit({ id, data: { k0: 'x'.repeat(16_384) } }), refused)
      await edits({ id, data: { k0: null, more: 1 } })
    })

    test('an edit of an unknown service is 404', () =>
      refuses(() => edit({ id: 's_none', name: 'X' }), { status: 404, reason: 'service_not_found' }))

    test('an edit without an id is refused', () =>
      refuses(() => edit({ name: 'X' }), { status: 400, reason: 'missing_parameter', details: ['id'] }))

    for (const name of ['Open', 'Waiting', 'Past']) {
      test(`a service with a reservation (${name}) cannot be removed`, async () => {
        const id = await named(name)
        await refuses(() => remove(id), { status: 403, reason: 'service_has_history' })
      })
    }

    test('a service whose reservations are all cancelled is removed; providers drop it, reservations keep it', async () => {
      const id = await named('Gone')
      const [event, removed, ...others] = await eventsOf(service, async () => {
        assertDone(await remove(id))
      })
      assert.deepEqual(others, [])
      assert.deepEqual([event?.type, event?.object?.id], ['provider.updated', 2])
      assert.deepEqual(event?.previous?.allowedServices, [id, await named('Open')])
      assert.deepEqual(event?.object?.allowedServices, [await named('Open')])
      assert.deepEqual([event?.previous?.services, event?.object?.services], [{ [id]: { priority: 3 } }, {}])
      assert.deepEqual([removed?.type, removed?.object, removed?.previous?.id], ['service.removed', null, id])
      assert.equal(await shown(id), undefined)
      const { body } = await service.call('GET', '/reservations/get/', { query: { services: id } })
      assert.deepEqual(
        body.response.map((one) => one.status),
        ['cancelled'],
      )
      await refuses(() => remove(id), { status: 404, reason: 'service_not_found' })
    })

    test('a removal of an unknown service is 404', () =>
      refuses(() => service.call('POST', '/services/remove/'), { status: 404, reason: 'missing_parameter' }))
  })
})
