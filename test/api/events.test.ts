import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ana, ben, cleo, now } from '../support/clinic.ts'
import {
  type AvailableSlot,
  assertDone,
  assertRestError,
  type ListedEvent,
  onEachDatabase,
  present,
  type TestSite,
} from '../support/test-site.ts'
import { makeToken } from '../support/tokens.ts'
import { whenServed } from '../support/when-served.ts'

onEachDatabase((open) => {
  let site: TestSite
  before(async () => {
    site = await open()
  })
  after(() => site.close())

  /** Returns all events of the feed after the position `after`, requested `limit` at a time. */
  const read = async (limit: number, after = ''): Promise<ListedEvent[]> => {
    const events: ListedEvent[] = []
    for (;;) {
      const seq = events.at(-1)?.seq ?? after
      const answer = await site.server.call<{ response: ListedEvent[] }>('GET', '/events/get/', {
        query: seq === '' ? { limit } : { limit, after: seq },
      })
      assert.equal(answer.status, 200, answer.text)
      assert.ok(answer.body.response.length <= limit)
      if (answer.body.response.length === 0) return events
      events.push(...answer.body.response)
    }
  }

  /**
   * Books a slot and waits until the feed contains the reservation, and with it all earlier events; the feed may lag
   * behind responses.
   */
  const settled = async (): Promise<void> => {
    const { id } = await site.booked({ service: 'long', provider: ana })
    await site.eventsOf(id, 1)
  }

  test('an event has exactly the documented fields', async () => {
    const { id } = await site.booked({ service: 'plain', provider: ana })
    const [event] = await site.eventsOf(id, 1)
    assert.ok(event)
    assert.deepEqual(Object.keys(event), ['id', 'seq', 'type', 'objectId', 'createdAt', 'actor', 'object', 'previous'])
    assert.equal(event.objectId, id)
    assert.match(event.id, /^evt_[0-9A-Za-z]{32}$/)
    assert.equal(typeof event.seq, 'string')
    assert.ok(event.createdAt >= now && event.createdAt < now + 600)
  })

  test('the events of a reservation are in order, each with the previous state', async () => {
    const slot = await site.slot({ service: 'approved', provider: ana })
    const id = await site.book(slot)
    const seen = [await site.reservation(id)]
    for (const change of [
      { status: 'confirmed' },
      { data: { room: 2 } },
      { start: slot.start + 3600 },
      { status: 'cancelled' },
      { status: 'pending' },
      { status: 'confirmed', customerId: site.customer('Mia') },
    ]) {
      assertDone(await site.edit(id, change))
      seen.push(await site.reservation(id))
    }
    assertDone(await site.remove(id))
    const events = await site.eventsOf(id, 8)
    assert.deepEqual(
      events.map((event) => event.type),
      [
        'reservation.created',
        'reservation.confirmed',
        'reservation.updated',
        'reservation.rescheduled',
        'reservation.cancelled',
        'reservation.restored',
        'reservation.confirmed',
        'reservation.removed',
      ],
    )
    events.forEach((event, step) => {
      assert.deepEqual(event.object, seen[step] ?? null)
      assert.deepEqual(event.previous, seen[step - 1] ?? null)
    })
  })

  test('every event names the token that made the change', async () => {
    const other = await makeToken(site, 'another integration', 'write')
    const { id } = await site.booked({ service: 'plain', provider: ana })
    const edited = await site.post('/reservations/edit/', { id, status: 'cancelled' }, { token: other.secret })
    assertDone(edited)
    const [created, cancelled] = await site.eventsOf(id, 2)
    assert.equal(created?.actor.kind, 'token')
    assert.deepEqual(cancelled?.actor, { kind: 'token', id: other.id })
    assert.notEqual(created?.actor.id, other.id)
  })

  test('customers, services and providers are in the same feed', async () => {
    const customer = (await site.post('/customers/add/', { name: 'Ada', email: 'ada@example.com' })).body.id
    const service = (await site.post('/services/add/', { name: 'New' })).body.id
    assertDone(await site.post('/providers/edit/', { id: ben, restrictServices: true, allowedServices: [service] }))
    assertDone(await site.post('/providers/edit/', { id: ben, restrictServices: false }))
    const [ofCustomer] = await site.eventsOf(customer, 1)
    const [ofService] = await site.eventsOf(service, 1)
    assert.deepEqual([ofCustomer?.type, ofService?.type], ['customer.created', 'service.created'])
    await settled()
    const edits = (await read(500)).filter((event) => event.type === 'provider.updated')
    assert.equal(edits.length, 2)
    assert.deepEqual(edits[1]?.previous, edits[0]?.object)
  })

  test('a feed read in steps of any size misses and repeats nothing', async () => {
    await settled()
    const whole = await read(500)
    assert.ok(whole.length > 40)
    const ids = whole.map((event) => event.id)
    assert.equal(new Set(ids).size, ids.length)
    for (const limit of [1, 3, 7])
      assert.deepEqual(
        (await read(limit)).map((event) => event.id),
        ids,
      )
    for (const from of [0, 10, ids.length - 1])
      assert.deepEqual(
        (await read(500, whole[from]?.seq)).map((event) => event.id),
        ids.slice(from + 1),
      )
  })

  test('seq sorts as text in the order of the feed', async () => {
    const seqs = (await read(500)).map((event) => event.seq)
    assert.deepEqual(seqs, seqs.toSorted())
    assert.equal(new Set(seqs).size, seqs.length)
  })

  test('after the last event the feed is empty until something happens', async () => {
    await settled()
    const last = present((await read(500)).at(-1)).seq
    assert.deepEqual(await site.events(last), [])
    const { id } = await site.booked({ service: 'plain', provider: ana })
    await site.eventsOf(id, 1)
    const news = await site.events(last)
    assert.deepEqual(
      news.map((event) => event.object?.id),
      [id],
    )
  })

  test('a refused or ineffective change has no event', async () => {
    const made = await site.booked({ service: 'plain', provider: ana })
    await site.assertUnchanged(async () => {
      await site.edit(made.id, { status: made.status })
      await site.edit(made.id, { start: made.start + 7 })
      await site.edit('r_unknown', { status: 'cancelled' })
      await site.post('/customers/edit/', { id: site.customer('Jo'), email: 'no address' })
    })
  })

  test('concurrent writes each have exactly one event', async () => {
    await settled()
    const last = present((await read(500)).at(-1)).seq
    const slots = [
      ...(await site.slots({ service: 'plain', provider: ana })),
      ...(await site.slots({ service: 'plain', provider: ben })),
      ...(await site.slots({ service: 'plain', provider: cleo })),
    ]
    // On a busy machine, some of the bookings wait longer for their provider's lock than the service lets them.
    const book = async (slot: AvailableSlot) => {
      const answer = await whenServed(() => site.add(slot))
      assert.equal(answer.status, 200, answer.text)
      return answer.body.id
    }
    const ids = await Promise.all(slots.map(book))
    for (const id of ids) await site.eventsOf(id, 1)
    const edits = (await read(5, last)).map((event) => String(event.object?.id))
    assert.deepEqual(edits.toSorted(), ids.toSorted())
  })

  test('an empty cursor starts at the beginning, and the default limit is a hundred', async () => {
    await settled()
    const answer = await site.get('/events/get/', { after: '' })
    const unasked = await site.get('/events/get/')
    assert.deepEqual(answer.body, unasked.body)
    assert.deepEqual(Object.keys(unasked.body), ['status', 'response'])
    assert.equal(unasked.body.response.length, 100)
  })

  for (const [query, name] of [
    [{ limit: 0 }, 'limit'],
    [{ limit: 501 }, 'limit'],
    [{ limit: 'all' }, 'limit'],
    [{ after: 'evt_1' }, 'after'],
    [{ after: '5' }, 'after'],
    [{ after: 'x'.repeat(200) }, 'after'],
  ] as const)
    test(`the feed refuses ${JSON.stringify(query).slice(0, 40)}`, async () => {
      const answer = await site.get('/events/get/', query)
      const params = Object(answer.body.data.params)
      assert.deepEqual(Object.keys(params), [name])
      assertRestError(answer, 400, 'rest_invalid_param', { params })
    })
})
