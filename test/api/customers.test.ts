import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { eventsOf } from '../support/feed.ts'
import { type AnyBody, type ApiResponse, eachDatabase, type ServiceProcess } from '../support/service.ts'
import { assertDone, assertRefused } from '../support/test-site.ts'

const site = {
  services: [{ key: 'cut', name: 'Cut' }],
  providers: [{ id: 1, name: 'Ana', email: 'ana@clinic.example', timezone: 'UTC' }],
  customers: ['open', 'waiting', 'past', 'gone'].map((key) => ({ key, name: key, email: `${key}@example.com` })),
  reservations: [
    { service: 'cut', provider: 1, customer: 'open', start: '2027-03-01T09:00' },
    { service: 'cut', provider: 1, customer: 'waiting', start: '2027-03-01T10:00', status: 'pending' },
    { service: 'cut', provider: 1, customer: 'past', start: '2026-03-02T09:00' },
    { service: 'cut', provider: 1, customer: 'gone', start: '2027-03-01T11:00', status: 'cancelled' },
  ],
}
const now = Date.UTC(2027, 0, 4, 8) / 1000

const jo = {
  name: 'Jo Park',
  email: 'Jo@Example.com',
  phone: '+4930123456',
  hostUserId: 77,
  timezone: 'Europe/Kiev',
  language: 'de_AT',
}

eachDatabase((_, open) => {
  describe('customers', { timeout: 600_000 }, () => {
    let service: ServiceProcess
    before(async () => {
      service = await open({ site, now })
    })

    const list = async () => (await service.call('GET', '/customers/get/')).body.response
    const shown = async (id: string) => (await list()).find((customer) => customer.id === id)
    const named = async (name: string) => (await list()).find((customer) => customer.name === name)?.id ?? ''
    const post = (path: string, body: unknown, query = {}) => service.call('POST', path, { body, query })
    const remove = (id: string) => service.call('POST', '/customers/remove/', { query: { id } })

    /** Adds a customer for one test and returns the customer's id. */
    async function added(body: object = jo, query = {}): Promise<string> {
      const response = await post('/customers/add/', body, query)
      assert.equal(response.status, 201, response.text)
      assert.deepEqual(response.body, { status: 'OK', id: response.body.id })
      assert.match(response.body.id, /^c_[0-9A-Za-z]{32}$/)
      return response.body.id
    }

    /**
     * Fails unless the call is refused with this status and reason, appends no event and leaves the list of customers
     * unchanged.
     */
    async function refuses(
      call: () => Promise<ApiResponse<AnyBody>>,
      expected: { status: number; reason: string; details?: string[] },
    ): Promise<void> {
      const before = await list()
      const events = await eventsOf(service, async () => {
        assertRefused(await call(), expected.status, expected.reason, expected.details)
      })
      assert.deepEqual(events, [])
      assert.deepEqual(await list(), before)
    }

    test('an added customer is listed with exactly the seven fields, as typed', async () => {
      const id = await added()
      const { hostUserId, ...profile } = jo
      assert.deepEqual(await shown(id), { id, ...profile, host_user: hostUserId })
    })

    test('a name and an e-mail address suffice', async () => {
      const id = await added({ name: ' Bo ', email: 'bo@example.com' })
      assert.deepEqual(await shown(id), {
        id,
        name: 'Bo',
        email: 'bo@example.com',
        phone: '',
        host_user: 0,
        timezone: null,
        language: '',
      })
    })

    test('adding a customer appends an event with actor, object and time', async () => {
      const events = await eventsOf(service, () => added())
      assert.deepEqual(
        events.map(({ type, createdAt, previous, actor }) => [type, createdAt >= now, previous, actor.kind]),
        [['customer.created', true, null, 'token']],
      )
      const { hostUserId, ...profile } = jo
      const { id, ...object } = events[0]?.object ?? {}
      assert.match(String(id), /^c_/)
      assert.deepEqual(object, { ...profile, host_user: hostUserId, status: 1 })
    })

    test('customers are listed in order of creation, and may share an e-mail address', async () => {
      const ids = [await added(), await added(), await added()]
      assert.deepEqual(
        (await list()).slice(-3).map((customer) => customer.id),
        ids,
      )
    })

    test('a page of the list includes the total', async () => {
      const all = await list()
      const { body, headers } = await service.call('GET', '/customers/get/', { query: { page: 2, per_page: 2 } })
      assert.deepEqual(body.response, all.slice(2, 4))
      assert.equal(headers.get('x-wp-total'), String(all.length))
    })

    test('createUser creates one host user per address, regardless of case', async () => {
      const [first, second] = ['Kim@Example.com', 'kim@example.COM']
      const events = await eventsOf(service, async () => {
        await added({ name: 'Kim', email: first }, { createUser: true })
        await added({ name: 'Kim Junior', email: second }, { createUser: true })
      })
      assert.deepEqual(
        events.map((event) => event.type),
        ['host_user.created', 'customer.created', 'customer.created'],
      )
      const user = events[0]?.object ?? {}
      assert.deepEqual(user, { id: user.id, name: 'Kim', email: first, role: 'customer' })
      assert.deepEqual([events[1]?.object?.host_user, events[2]?.object?.host_user], [user.id, user.id])
    })

    test('concurrent requests for the same host user are linked to one', async () => {
      const body = { name: 'Rush', email: 'rush@example.com' }
      const ids = await Promise.all(Array.from({ length: 8 }, () => added(body, { createUser: true })))
      const links = (await list()).filter((customer) => ids.includes(customer.id)).map((customer) => customer.host_user)
      assert.deepEqual([links.length, new Set(links).size], [8, 1])
    })

    test("a new host user's id is above every linked id", async () => {
      await added({ ...jo, hostUserId: 5_000 })
      const id = await added({ name: 'New', email: 'new@example.com' }, { createUser: true })
      assert.equal((await shown(id))?.host_user, 5_001)
    })

    test('a link to the largest possible id leaves room for new host users', async () => {
      const far = await added({ ...jo, hostUserId: Number.MAX_SAFE_INTEGER })
      const id = await added({ name: 'Late', email: 'late@example.com' }, { createUser: true })
      const link = Number((await shown(id))?.host_user)
      const others = (await list()).filter((customer) => customer.id !== id).map((customer) => customer.host_user)
      assert.ok(link > 0 && !others.includes(link), `linked to ${link}`)
      assert.equal((await remove(far)).status, 200)
    })

    test('createUser is ignored when hostUserId is given', async () => {
      const events = await eventsOf(service, async () => {
        const id = await added({ ...jo, hostUserId: 9, email: 'nine@example.com' }, { createUser: true })
        assert.equal((await shown(id))?.host_user, 9)
      })
      assert.deepEqual(
        events.map((event) => event.type),
        ['customer.created'],
      )
    })

    for (const nobody of [0, '']) {
      test(`hostUserId ${JSON.stringify(nobody)} means no link`, async () => {
        const id = await added({ ...jo, hostUserId: nobody })
        assert.equal((await shown(id))?.host_user, 0)
      })
    }

    test('a dry run returns the response of an addition and stores nothing', async () => {
      const before = await list()
      const events = await eventsOf(service, async () => {
        const response = await service.call('POST', '/customers/add/', {
          body: { name: 'Dry', email: 'dry@example.com' },
          query: { createUser: true },
          headers: { 'X-SVC-Dry-Run': '1' },
        })
        assert.equal(response.status, 201)
      })
      assert.deepEqual([events, await list()], [[], before])
    })

    const wrong: [object, string, string[]][] = [
      [{ email: 'a@example.com' }, 'missing_parameter', ['name']],
      [{}, 'missing_parameter', ['name', 'email']],
      [{ ...jo, name: '  ' }, 'invalid_parameter', ['name']],
      [{ ...jo, email: 'nobody' }, 'invalid_parameter', ['email']],
      [{ ...jo, timezone: '+02:00' }, 'invalid_parameter', ['timezone']],
      [{ ...jo, language: 'not a language' }, 'invalid_parameter', ['language']],
      [{ ...jo, hostUserId: -1 }, 'invalid_parameter', ['hostUserId']],
    ]
    for (const [body, reason, details] of wrong) {
      test(`adding ${JSON.stringify(body)} is refused with ${reason}`, () =>
        refuses(() => post('/customers/add/', body), { status: 400, reason, details }))
    }

    test('an edit changes the fields sent and leaves the others', async () => {
      const id = await added()
      const before = await shown(id)
      const response = await post('/customers/edit/', {
        id,
        name: 'Jo P.',
        timezone: null,
        hostUserId: 0,
        language: '',
      })
      assertDone(response)
      assert.deepEqual(await shown(id), { ...before, name: 'Jo P.', timezone: null, host_user: 0, language: '' })
    })

    test('an edit appends an event with the previous state', async () => {
      const id = await added()
      const [event, ...others] = await eventsOf(service, () => post('/customers/edit/', { id, phone: '', status: 2 }))
      assert.deepEqual(others, [])
      assert.equal(event?.type, 'customer.updated')
      assert.deepEqual([event?.previous?.phone, event?.previous?.status], [jo.phone, 1])
      assert.deepEqual(event?.object, { ...event?.previous, phone: '', status: 2 })
    })

    test('a listed customer can be sent back unchanged, and nothing changes', async () => {
      const id = await added()
      const before = await list()
      const events = await eventsOf(service, async () => {
        for (const customer of before) {
          const response = await post('/customers/edit/', customer)
          assertDone(response)
          assert.equal(response.headers.get('x-svc-ignored-fields'), null)
        }
        assert.equal((await post('/customers/edit/', { id })).status, 200)
      })
      assert.deepEqual([events, await list()], [[], before])
    })

    for (const status of [0, 1, 2]) {
      test(`a customer's status may be ${status}`, async () => {
        assert.equal((await post('/customers/edit/', { id: await added(), status })).status, 200)
      })
    }

    test('an invalid status is refused', async () => {
      const id = await added()
      for (const status of [3, -1, '1', null]) {
        await refuses(() => post('/customers/edit/', { id, status }), {
          status: 400,
          reason: 'invalid_parameter',
          details: ['status'],
        })
      }
    })

    test('an edit of an unknown customer is 404', () =>
      refuses(() => post('/customers/edit/', { id: 'c_nobody', name: 'X' }), {
        status: 404,
        reason: 'customer_not_found',
      }))

    test('an edit without an id is refused', () =>
      refuses(() => post('/customers/edit/', { name: 'X' }), {
        status: 400,
        reason: 'missing_parameter',
        details: ['id'],
      }))

    test('a customer without reservations is removed, with an event', async () => {
      const id = await added()
      const [event, ...others] = await eventsOf(service, async () => {
        assertDone(await remove(id))
      })
      assert.deepEqual(others, [])
      assert.deepEqual([event?.type, event?.object, event?.previous?.id], ['customer.removed', null, id])
      assert.equal(await shown(id), undefined)
      await refuses(() => remove(id), { status: 404, reason: 'customer_not_found' })
    })

    for (const key of ['open', 'waiting', 'past']) {
      test(`a customer with a reservation (${key}) cannot be removed`, async () => {
        const id = await named(key)
        await refuses(() => remove(id), { status: 403, reason: 'customer_has_reservations' })
      })
    }

    test('a customer whose reservations are all cancelled is removed; the reservations keep the id', async () => {
      const id = await named('gone')
      assert.equal((await remove(id)).status, 200)
      const { body } = await service.call('GET', '/reservations/get/', { query: { customers: id } })
      assert.deepEqual(
        body.response.map((reservation) => [reservation.customerId, reservation.status]),
        [[id, 'cancelled']],
      )
    })

    test('a removal of an unknown customer is 404', () =>
      refuses(() => service.call('POST', '/customers/remove/'), { status: 404, reason: 'missing_parameter' }))
  })
})
