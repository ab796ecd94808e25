import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ana, ben } from '../support/clinic.ts'
import type { AnyBody, ApiResponse, CallOptions } from '../support/service.ts'
import {
  type AvailableSlot,
  assertRefused,
  type FullReservation,
  onEachDatabase,
  type TestSite,
} from '../support/test-site.ts'

const tables = ['service', 'provider', 'provider_service', 'customer', 'host_user', 'idempotency', 'site']

onEachDatabase((open) => {
  let site: TestSite
  let slot: AvailableSlot
  let made: FullReservation
  before(async () => {
    site = await open()
    slot = await site.slot({ service: 'plain', provider: ana })
    made = await site.booked({ service: 'approved', provider: ben })
  })
  after(() => site.close())

  const dry = (path: string, options: CallOptions = {}, word = '1'): Promise<ApiResponse<AnyBody>> =>
    site.server.call('POST', path, { ...options, headers: { 'X-SVC-Dry-Run': word, ...options.headers } })

  const everything = async (): Promise<unknown> =>
    Object.fromEntries(
      await Promise.all(
        tables.map(async (table) => {
          const rows = await site.sql(`select * from ${table}`)
          return [table, rows.map((row) => JSON.stringify(row)).sort()]
        }),
      ),
    )

  const leavesNothing = async <T>(act: () => Promise<T>): Promise<T> => {
    const before = await everything()
    const response = await site.assertUnchanged(act)
    assert.deepEqual(await everything(), before)
    return response
  }

  const calls: Readonly<Record<string, () => CallOptions>> = {
    '/reservations/add/': () => ({ body: site.booking(slot) }),
    '/reservations/edit/': () => ({ body: { id: made.id, status: 'confirmed', start: made.start + 3600 } }),
    '/reservations/remove/': () => ({ query: { id: made.id } }),
    '/customers/add/': () => ({ query: { createUser: true }, body: { name: 'Dry', email: 'dry@example.com' } }),
    '/customers/edit/': () => ({ body: { id: site.customer('Jo'), phone: '+49 30 1' } }),
    '/customers/remove/': () => ({ query: { id: site.customer('Kim') } }),
    '/services/add/': () => ({ body: { name: 'Dry' } }),
    '/services/edit/': () => ({ body: { id: site.service('plain'), data: { name: 'Dry', own: 1 } } }),
    '/services/remove/': () => ({ query: { id: site.service('long') } }),
    '/providers/edit/': () => ({ body: { id: ana, restrictServices: true, allowedServices: [] } }),
    '/providers/edit/service/': () => ({
      query: { serviceId: site.service('plain'), providerId: ana },
      body: { participate: false },
    }),
  }

  for (const [path, options] of Object.entries(calls))
    test(`a dry run of ${path} returns the full response and stores nothing`, async () => {
      const response = await leavesNothing(() => dry(path, options()))
      assert.equal(response.status, path === '/customers/add/' ? 201 : 200, response.text)
      assert.equal(response.headers.get('x-svc-dry-run'), '1')
      assert.equal(response.body.status, 'OK')
      assert.equal('id' in response.body, path.endsWith('/add/'))
    })

  test('a slot remains available after a dry run of its booking', async () => {
    const free = await site.slot({ service: 'plain', provider: ana })
    const [one, other] = [site.booking(free), site.booking(free, { customerId: site.customer('Mia') })]
    for (const body of [one, other]) assert.equal((await dry('/reservations/add/', { body })).status, 200)
    const response = await site.post('/reservations/add/', one)
    assert.equal(response.status, 200, response.text)
    assert.equal(response.headers.get('x-svc-dry-run'), null)
    assertRefused(await leavesNothing(() => dry('/reservations/add/', { body: other })), 403, 'slot_full')
  })

  test('a dry run is refused like the call itself', async () => {
    for (const [change, status, reason, fields] of [
      [{ customerId: site.customer('Bo') }, 403, 'customer_blocked', []],
      [{ availabilityId: 'x' }, 403, 'slot_invalid', []],
      [{ serviceId: 's_unknown' }, 404, 'service_not_found', ['serviceId']],
      [{ start: 'soon' }, 400, 'invalid_parameter', ['start']],
    ] as const) {
      const body = site.booking(slot, change)
      const response = await leavesNothing(() => dry('/reservations/add/', { body }))
      assertRefused(response, status, reason, fields)
    }
  })

  test('a dry run does not consume its idempotency key', async () => {
    const free = await site.slot({ service: 'plain', provider: ana })
    const headers = { 'Idempotency-Key': 'dry' }
    const body = site.booking(free)
    await leavesNothing(() => dry('/reservations/add/', { body, headers }))
    const response = await site.post('/reservations/add/', body, { headers })
    assert.equal(response.status, 200, response.text)
    assert.equal(response.headers.get('idempotency-replayed'), null)
  })

  test('a dry run needs the scope of the call', async () => {
    const response = await dry('/reservations/add/', { body: site.booking(slot), token: site.server.readToken })
    assert.equal(response.status, 403)
  })

  for (const [word, isDry] of [
    ['1', true],
    ['true', true],
    ['TRUE', true],
    ['0', false],
    ['false', false],
  ] as const)
    test(`the header value “${word}” means ${isDry ? 'a dry run' : 'a write'}`, async () => {
      const body = site.booking(await site.slot({ service: 'plain', provider: ana }))
      const { id } = (await dry('/reservations/add/', { body }, word)).body
      assert.equal(
        (await site.reservations()).some((one) => one.id === id),
        !isDry,
      )
    })

  for (const word of ['yes', '', '2', 'dry'])
    test(`the header value “${word}” is refused, so that a typo does not write`, async () => {
      const body = site.booking(slot)
      const response = await leavesNothing(() => dry('/reservations/add/', { body }, word))
      assertRefused(response, 400, 'invalid_parameter', ['X-SVC-Dry-Run'])
    })
})
