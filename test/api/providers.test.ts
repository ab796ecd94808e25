import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { eventsOf } from '../support/feed.ts'
import { type AnyBody, type ApiResponse, eachDatabase, type ServiceProcess } from '../support/service.ts'
import { assertDone, assertRefused } from '../support/test-site.ts'

const site = {
  services: [
    { key: 'cut', name: 'Cut', durationMinutes: 30 },
    { key: 'dye', name: 'Dye' },
  ],
  providers: [
    { id: 10, name: 'Cleo', email: 'cleo@clinic.example', timezone: 'UTC' },
    { id: 2, name: 'Ben', email: 'ben@clinic.example', timezone: 'UTC' },
  ],
}
const now = Date.UTC(2027, 0, 4, 8) / 1000

eachDatabase((_, open) => {
  describe('providers', { timeout: 600_000 }, () => {
    let service: ServiceProcess
    let cut = ''
    let dye = ''
    before(async () => {
      service = await open({ site, now })
      const { body } = await service.call('GET', '/services/get/')
      cut = body.response[0]?.id ?? ''
      dye = body.response[1]?.id ?? ''
    })
    beforeEach(async () => {
      await edits({ id: 2, restrictServices: false, allowedServices: [] })
      for (const serviceId of [cut, dye]) await sets(unset, { serviceId, providerId: 2 })
    })

    const list = async () => (await service.call('GET', '/providers/get/')).body.response
    const edit = (body: object) => service.call('POST', '/providers/edit/', { body })
    const set = (body: unknown, query: Record<string, string | number>) =>
      service.call('POST', '/providers/edit/service/', { body, query })

    async function edits(body: object): Promise<void> {
      assertDone(await edit(body))
    }

    async function sets(body: object, query: Record<string, string | number>): Promise<void> {
      assertDone(await set(body, query))
    }

    /** Returns the duration in minutes of Ben's slots today, by the name of the service. */
    async function offered(): Promise<Record<string, number>> {
      const query = { providers: 2, min_timestamp: now, max_timestamp: now + 86_400 }
      const { body } = await service.call('GET', '/availability/get/', { query })
      const names = new Map([
        [cut, 'cut'],
        [dye, 'dye'],
      ])
      return Object.fromEntries(
        body.response.map((slot) => [
          names.get(String(slot.serviceId)) ?? '',
          (Number(slot.end) - Number(slot.start)) / 60,
        ]),
      )
    }

    /**
     * Fails unless the call is refused with this status and reason, appends no event and leaves Ben's slots unchanged.
     */
    async function refuses(
      call: () => Promise<ApiResponse<AnyBody>>,
      expected: { status: number; reason: string; details?: string[] },
    ): Promise<void> {
      const before = await offered()
      const events = await eventsOf(service, async () => {
        assertRefused(await call(), expected.status, expected.reason, expected.details)
      })
      assert.deepEqual([events, await offered()], [[], before])
    }

    test('providers are listed by id, with exactly three fields', async () => {
      assert.deepEqual(await list(), [
        { id: 2, name: 'Ben', email: 'ben@clinic.example' },
        { id: 10, name: 'Cleo', email: 'cleo@clinic.example' },
      ])
    })

    test('a page of the list comes with the total', async () => {
      const { body, headers } = await service.call('GET', '/providers/get/', { query: { page: 2, per_page: 1 } })
      assert.deepEqual([body.response.map((provider) => provider.name), headers.get('x-wp-total')], [['Cleo'], '2'])
    })

    test('an unrestricted provider gives every service', async () => {
      await edits({ id: 2, allowedServices: [cut] })
      assert.deepEqual(await offered(), { cut: 30, dye: 60 })
    })

    test('a restricted provider gives only the allowed services; an empty list allows none', async () => {
      await edits({ id: '2', restrictServices: true, allowedServices: [dye] })
      assert.deepEqual(await offered(), { dye: 60 })
      await edits({ id: 2, allowedServices: [] })
      assert.deepEqual(await offered(), {})
    })

    test('an edit appends an event with the previous state, and removes duplicates', async () => {
      const [event, ...others] = await eventsOf(service, () =>
        edits({ id: 2, restrictServices: true, allowedServices: [dye, cut, dye] }),
      )
      assert.deepEqual(others, [])
      assert.deepEqual([event?.type, event?.object?.id], ['provider.updated', 2])
      assert.deepEqual([event?.previous?.restrictServices, event?.previous?.allowedServices], [false, []])
      assert.deepEqual(event?.object, { ...event?.previous, restrictServices: true, allowedServices: [dye, cut] })
    })

    test('a listed provider can be sent back, and nothing changes', async () => {
      await edits({ id: 2, restrictServices: true, allowedServices: [cut] })
      const events = await eventsOf(service, async () => {
        for (const provider of await list()) await edits(provider)
        await edits({ id: 2, restrictServices: true, allowedServices: [cut, cut] })
      })
      assert.deepEqual(events, [])
    })

    for (const id of [99, '99', 'ben', 0, -2, '02']) {
      test(`no provider has the id ${JSON.stringify(id)}`, () =>
        refuses(() => edit({ id, restrictServices: true }), { status: 404, reason: 'provider_not_found' }))
    }

    test('an unknown service cannot be allowed', () =>
      refuses(() => edit({ id: 2, restrictServices: true, allowedServices: [cut, 's_none'] }), {
        status: 404,
        reason: 'service_not_found',
        details: ['allowedServices'],
      }))

    const wrong: [object, string, string[]][] = [
      [{ restrictServices: true }, 'missing_parameter', ['id']],
      [{ id: true }, 'invalid_parameter', ['id']],
      [{ id: 2, restrictServices: 'yes' }, 'invalid_parameter', ['restrictServices']],
      [{ id: 2, allowedServices: 'all' }, 'invalid_parameter', ['allowedServices']],
    ]
    for (const [body, reason, details] of wrong) {
      test(`the restrictions ${JSON.stringify(body)} are refused with ${reason}`, () =>
        refuses(() => edit(body), { status: 400, reason, details }))
    }

    test("a provider's own settings for a service take precedence, and null resets one", async () => {
      await sets({ durationMinutes: 45 }, { serviceId: cut, providerId: 2 })
      assert.deepEqual(await offered(), { cut: 45, dye: 60 })
      await sets({ participate: false }, { serviceId: dye, providerId: '2' })
      assert.deepEqual(await offered(), { cut: 45 })
      await sets({ participate: null }, { serviceId: dye, providerId: 2 })
      await sets({ durationMinutes: null }, { serviceId: cut, providerId: 2 })
      assert.deepEqual(await offered(), { cut: 30, dye: 60 })
    })

    test('settings and keys of integrations are merged, with an event', async () => {
      await sets({ priority: 1, desk: 'A' }, { serviceId: cut, providerId: 2 })
      const [event, ...others] = await eventsOf(service, () =>
        sets({ weight: 2, desk: null, note: { by: 'hand' } }, { serviceId: cut, providerId: 2 }),
      )
      assert.deepEqual(others, [])
      assert.equal(event?.type, 'provider.updated')
      assert.deepEqual(settingsFor(cut, event?.previous), { priority: 1, desk: 'A' })
      assert.deepEqual(settingsFor(cut, event?.object), { priority: 1, weight: 2, note: { by: 'hand' } })
    })

    test('equal settings change nothing', async () => {
      await sets({ capacity: 2, desk: 'A' }, { serviceId: cut, providerId: 2 })
      const events = await eventsOf(service, async () => {
        await sets({ desk: 'A', capacity: 2, price: null }, { serviceId: cut, providerId: 2 })
        await sets({}, { serviceId: cut, providerId: 2 })
        await sets({}, { serviceId: dye, providerId: 10 })
      })
      assert.deepEqual(events, [])
    })

    for (const [key, value] of [
      ['participate', 1],
      ['durationMinutes', 0],
      ['durationMinutes', 10_081],
      ['durationMinutes', '45'],
      ['intervalMinutes', 0],
      ['bufferBeforeMinutes', -1],
      ['bufferAfterMinutes', 1_441],
      ['leadTimeMinutes', 525_601],
      ['horizonDays', 3_661],
      ['capacity', 0],
      ['price', -1],
      ['priority', 1.5],
      ['weight', -1],
    ] as const) {
      test(`${key} may not be ${JSON.stringify(value)}`, () =>
        refuses(() => set({ [key]: value, note: 'kept only with the rest' }, { serviceId: cut, providerId: 2 }), {
          status: 400,
          reason: 'invalid_parameter',
          details: [key],
        }))
    }

    test('too many keys of integrations are refused', async () => {
      const keys = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`k${index}`, index]))
      await refuses(() => set(keys, { serviceId: cut, providerId: 2 }), {
        status: 400,
        reason: 'invalid_parameter',
        details: ['data'],
      })
    })

    test('settings of an unknown provider or service are 404', async () => {
      await refuses(() => set({}, { serviceId: cut, providerId: 'ben' }), { status: 404, reason: 'provider_not_found' })
      await refuses(() => set({}, { serviceId: 's_none', providerId: 2 }), { status: 404, reason: 'service_not_found' })
    })

    test('settings require a provider and a service', () =>
      refuses(() => set({}, {}), {
        status: 400,
        reason: 'missing_parameter',
        details: ['providerId', 'serviceId'],
      }))
  })
})

const unset = {
  participate: null,
  durationMinutes: null,
  capacity: null,
  priority: null,
  weight: null,
  desk: null,
  note: null,
}

function settingsFor(serviceId: string, provider: Readonly<Record<string, unknown>> | null | undefined): unknown {
  return new Map(Object.entries(Object(provider?.services))).get(serviceId)
}
