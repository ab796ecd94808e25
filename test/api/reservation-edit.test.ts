import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ana, ben, cleo, dan } from '../support/clinic.ts'
import {
  type AvailableSlot,
  assertDone,
  assertRefused,
  type BookingChange,
  type FullReservation,
  onEachDatabase,
  present,
  type TestSite,
} from '../support/test-site.ts'

onEachDatabase((open) => {
  let site: TestSite
  before(async () => {
    site = await open({
      reservations: [
        { service: 'plain', provider: ana, customer: 'Mia', start: '2026-10-01T09:00', status: 'cancelled' },
        { service: 'plain', provider: ben, customer: 'Mia', start: '2026-10-01T09:00' },
      ],
    })
  })
  after(() => site.close())

  const plain = async (on = site.nextDay(), provider = ana): Promise<readonly AvailableSlot[]> =>
    site.slots({ service: 'plain', provider, on })
  /** Returns the fields of an edit that moves a reservation to this slot. */
  const into = ({ serviceId, providerId, start, end, availabilityId }: AvailableSlot): BookingChange => ({
    serviceId,
    providerId,
    start,
    end,
    availabilityId,
  })
  const refuses = async (id: string, change: BookingChange, status: number, reason: string): Promise<void> =>
    assertRefused(await site.assertUnchanged(() => site.edit(id, change)), status, reason)

  test('a reservation moves to another slot and frees its old one', async () => {
    const [first, second] = await plain()
    assert.ok(first && second)
    const id = await site.book(first)
    const made = await site.reservation(id)
    assertDone(await site.edit(id, into(second)))
    const moved = await site.reservation(id)
    assert.deepEqual(moved, {
      ...made,
      start: second.start,
      end: second.end,
      availabilityId: second.availabilityId,
      updated: moved.updated,
    })
    await site.book(first)
    const [, event] = await site.eventsOf(id, 2)
    assert.equal(event?.type, 'reservation.rescheduled')
    assert.deepEqual([event?.previous, event?.object], [made, moved])
  })

  test('every field that identifies the slot is checked against occupancy', async () => {
    const on = site.nextDay()
    const [mine, taken] = await plain(on)
    assert.ok(mine && taken)
    const others = await plain(on, ben)
    const id = await site.book(mine)
    const long = await site.slot({ service: 'long', provider: ana, on: site.nextDay() })
    await site.book(taken)
    await site.book(present(others[0]))
    await refuses(id, { start: taken.start }, 403, 'slot_full')
    await refuses(id, { start: taken.start, end: taken.end }, 403, 'slot_full')
    await refuses(id, { providerId: ben }, 403, 'slot_full')
    // The service `long` lasts an hour, so the reservation would overlap the next one.
    await refuses(id, { serviceId: long.serviceId }, 403, 'slot_provider_busy')
    await refuses(id, { end: mine.end + 1800 }, 403, 'slot_closed')
    await refuses(id, { start: mine.start - 1800 }, 403, 'slot_closed')
    await refuses(id, { start: mine.start + 900 }, 403, 'slot_closed')
    await refuses(id, { providerId: dan }, 403, 'provider_not_eligible')
    await refuses(id, { serviceId: site.service('inactive') }, 403, 'service_inactive')
    await refuses(id, { serviceId: site.service('own'), providerId: ben }, 403, 'provider_not_eligible')
  })

  test('a reservation does not conflict with itself', async () => {
    const on = site.nextDay()
    const slots = await site.slots({ service: 'buffered', provider: ana, on })
    const [first, second] = slots
    assert.ok(first && second)
    const id = await site.book(first)
    // The new time overlaps the buffers of the reservation's own previous time.
    assertDone(await site.edit(id, { start: second.start }))
    assertDone(await site.edit(id, { serviceId: site.service('long'), start: first.start }))
    const rows = await site.sql('select start_at, end_at from occupancy where reservation_id = ?', [id])
    assert.deepEqual(rows, [{ start_at: first.start, end_at: first.start + 3600 }])
  })

  test('a new start or service without an end takes the effective duration', async () => {
    const [first, second, , fourth] = await plain()
    assert.ok(first && second && fourth)
    const id = await site.book(first)
    const long = { serviceId: site.service('long') }
    assertDone(await site.edit(id, { start: second.start }))
    assert.equal((await site.reservation(id)).end, second.end)
    assertDone(await site.edit(id, { ...long, start: first.start }))
    assert.equal((await site.reservation(id)).end, first.start + 3600)
    assertDone(await site.edit(id, { serviceId: site.service('own') }))
    assert.equal((await site.reservation(id)).end, first.start + 2700)
  })

  test('a new provider alone must have a slot with the same end', async () => {
    const on = site.nextDay()
    const { id } = await site.booked({ service: 'plain', provider: ana, on })
    assertDone(await site.edit(id, { providerId: String(ben) }))
    assert.equal((await site.reservation(id)).providerId, ben)
    assert.equal((await site.slots({ service: 'plain', provider: ana, on })).length, 16)
    assert.equal((await site.slots({ service: 'plain', provider: ben, on })).length, 15)
    await refuses(id, { providerId: cleo }, 403, 'slot_closed')
  })

  test('the slot’s id is checked only when the slot changes', async () => {
    const [first, second, third] = await plain()
    assert.ok(first && second && third)
    const id = await site.book(first)
    assertDone(await site.edit(id, { availabilityId: 'made up', data: { a: 1 } }))
    assertDone(await site.edit(id, { ...into(first), availabilityId: third.availabilityId }))
    assert.equal((await site.reservation(id)).availabilityId, first.availabilityId)
    await refuses(id, { start: second.start, availabilityId: 'made up' }, 403, 'slot_invalid')
    await refuses(id, { start: second.start, availabilityId: third.availabilityId }, 403, 'slot_invalid')
    assertDone(await site.edit(id, { start: second.start, availabilityId: second.availabilityId }))
  })

  test('the same values change nothing and append no event', async () => {
    const data = { a: 1, b: { c: [1, 2] } }
    const made = await site.booked({ service: 'plain', provider: ana }, { data })
    const { id, serviceId, customerId, providerId, start, end, status } = made
    const same = { serviceId, customerId, providerId, start, end, status, data }
    assertDone(await site.assertUnchanged(() => site.edit(id, same)))
    assertDone(await site.assertUnchanged(() => site.edit(id, {})))
    assertDone(await site.assertUnchanged(() => site.edit(id, { data: { b: { c: [1, 2] }, absent: null } })))
  })

  test('a listed reservation can be sent back unchanged', async () => {
    const made = await site.booked({ service: 'plain', provider: ana }, { data: { a: null, b: 1 } })
    const response = await site.assertUnchanged(() => site.edit(made.id, { ...made }))
    assertDone(response)
    assert.equal(response.headers.get('x-svc-ignored-fields'), 'created, updated')
  })

  test('data is merged key by key at the top level, and null deletes a key', async () => {
    const { id } = await site.booked({ service: 'plain', provider: ana }, { data: { a: 1, b: { c: 1, d: 2 }, e: 3 } })
    assertDone(await site.edit(id, { data: { b: { c: 5 }, e: null, f: [null] } }))
    assert.deepEqual((await site.reservation(id)).data, { a: 1, b: { c: 5 }, f: [null] })
    assertDone(await site.edit(id, { data: { a: null, b: null, f: null } }))
    assert.deepEqual((await site.reservation(id)).data, {})
  })

  test('merged data has the same limits as sent data', async () => {
    const half = (letter: string) => ({ [letter]: letter.repeat(9_000) })
    const { id } = await site.booked({ service: 'plain', provider: ana }, { data: half('a') })
    const response = await site.assertUnchanged(() => site.edit(id, { data: half('b') }))
    assertRefused(response, 400, 'invalid_parameter', ['data'])
    assertDone(await site.edit(id, { data: { ...half('b'), a: null } }))
  })

  test('cancelling always works, and a cancelled reservation moves freely', async () => {
    const [first, second] = await plain()
    assert.ok(first && second)
    const id = await site.book(first)
    await site.book(second)
    assertDone(await site.edit(id, { status: 'cancelled' }))
    assertDone(await site.edit(id, { start: 0, end: 5, providerId: dan, serviceId: site.service('inactive') }))
    assertDone(await site.edit(id, { start: second.start, providerId: ana, serviceId: second.serviceId }))
    assert.equal((await site.reservation(id)).end, second.end)
    await refuses(id, { status: 'confirmed' }, 403, 'slot_full')
    assertDone(await site.edit(id, { status: 'confirmed', start: first.start }))
    assert.equal((await site.reservation(id)).status, 'confirmed')
    assert.deepEqual((await typesOf(site, id, 5)).slice(1), [
      'reservation.cancelled',
      'reservation.updated',
      'reservation.updated',
      'reservation.restored',
    ])
  })

  test('a cancelled one moves to any time that a calendar shows, and stores no forged slot id', async () => {
    const { id } = await site.booked({ service: 'plain', provider: ana })
    assertDone(await site.edit(id, { status: 'cancelled' }))
    const [latest, longest] = [253_402_300_799, 7 * 86_400]
    for (const [start, end] of [
      [0, longest],
      [latest - longest, latest],
      [5, 65],
    ] as const) {
      assertDone(await site.edit(id, { start, end, availabilityId: 'made up' }))
      const moved = await site.reservation(id)
      assert.deepEqual([moved.start, moved.end], [start, end])
      assert.match(moved.availabilityId, /^\w+\.[\w-]{16}$/)
    }
    for (const [start, end, field] of [
      [-1, 60, 'start'],
      [latest - 60, latest + 1, 'end'],
      [0, longest + 1, 'end'],
      [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 'start'],
    ] as const)
      assertRefused(await site.assertUnchanged(() => site.edit(id, { start, end })), 400, 'invalid_parameter', [field])
  })

  test('a past reservation can be cancelled but not restored', async () => {
    const past = await site.reservations({ customers: site.customer('Mia'), services: site.service('plain') })
    const [cancelled, confirmed] = [
      past.find((one) => one.providerId === ana),
      past.find((one) => one.providerId === ben),
    ]
    assert.ok(cancelled && confirmed)
    for (const status of ['confirmed', 'pending']) await refuses(cancelled.id, { status }, 403, 'slot_lead_time')
    assertDone(await site.edit(confirmed.id, { status: 'cancelled' }))
    await refuses(confirmed.id, { status: 'confirmed' }, 403, 'slot_lead_time')
  })

  test('a freed seat is not reserved for a restoration', async () => {
    const slot = await site.slot({ service: 'plain', provider: ana })
    const first = await site.book(slot)
    assertDone(await site.edit(first, { status: 'cancelled' }))
    const second = await site.book(slot)
    for (const status of ['pending', 'confirmed']) await refuses(first, { status }, 403, 'slot_full')
    assertDone(await site.edit(second, { status: 'cancelled' }))
    assertDone(await site.edit(first, { status: 'pending' }))
    await refuses(second, { status: 'confirmed' }, 403, 'slot_full')
  })

  test('of two pending reservations without a seat, one can be confirmed', async () => {
    const slot = await site.slot({ service: 'hopeful', provider: ana })
    const [first, second] = [await site.book(slot), await site.book(slot)]
    assertDone(await site.edit(second, { status: 'confirmed' }))
    await refuses(first, { status: 'confirmed' }, 403, 'slot_full')
    assertDone(await site.edit(second, { status: 'pending' }))
    assertDone(await site.edit(first, { status: 'confirmed' }))
    await refuses(second, { status: 'confirmed' }, 403, 'slot_full')
  })

  test('a pending reservation without a seat may not move into a full slot', async () => {
    const [first, second] = await site.slots({ service: 'hopeful', provider: ana })
    assert.ok(first && second)
    await site.edit(await site.book(second), { status: 'confirmed' })
    await refuses(await site.book(first), { start: second.start }, 403, 'slot_full')
  })

  test('a pending reservation takes a seat when it moves to a service that reserves seats', async () => {
    const slot = await site.slot({ service: 'hopeful', provider: ana })
    const [first, second] = [await site.book(slot), await site.book(slot)]
    const approved = { serviceId: site.service('approved') }
    assertDone(await site.edit(first, approved))
    await refuses(second, { status: 'confirmed' }, 403, 'slot_provider_busy')
    await refuses(second, approved, 403, 'slot_full')
    assertDone(await site.edit(first, { serviceId: slot.serviceId }))
    assertDone(await site.edit(second, { status: 'confirmed' }))
  })

  test('a pending reservation with a seat keeps it when confirmed', async () => {
    const slot = await site.slot({ service: 'approved', provider: ana })
    const id = await site.book(slot)
    assertRefused(await site.assertUnchanged(() => site.add(slot)), 403, 'slot_full')
    assertDone(await site.edit(id, { status: 'confirmed' }))
    assertDone(await site.edit(id, { status: 'pending' }))
    assertRefused(await site.assertUnchanged(() => site.add(slot)), 403, 'slot_full')
    assert.deepEqual((await typesOf(site, id, 3)).slice(1), ['reservation.confirmed', 'reservation.pending'])
  })

  test('a change of the customer alone checks whether they are blocked', async () => {
    const { id } = await site.booked({ service: 'plain', provider: ana })
    assertDone(await site.edit(id, { customerId: site.customer('Mia') }))
    assert.equal((await site.reservation(id)).customerId, site.customer('Mia'))
    await refuses(id, { customerId: site.customer('Bo') }, 403, 'customer_blocked')
  })

  test('a change of the customer alone checks the limit per day', async () => {
    const on = site.nextDay()
    const [first, second] = await site.slots({ service: 'onceACustomer', provider: ana, on })
    assert.ok(first && second)
    const id = await site.book(first)
    await site.book(second, { customerId: site.customer('Mia') })
    await refuses(id, { customerId: site.customer('Mia') }, 403, 'slot_limit')
    assertDone(await site.edit(id, { customerId: site.customer('Kim') }))
    // The customer's limit of one reservation a day does not count the reservation that is moved.
    assertDone(await site.edit(id, { start: second.start + 1800 }))
  })

  test('a blocked customer’s reservation may be cancelled and annotated, not moved or restored', async () => {
    const [first, second] = await plain()
    assert.ok(first && second)
    const id = await site.book(first, { customerId: site.customer('Max') })
    await site.post('/customers/edit/', { id: site.customer('Max'), status: 2 })
    await refuses(id, { start: second.start }, 403, 'customer_blocked')
    assertDone(await site.edit(id, { data: { note: 'called' } }))
    assertDone(await site.edit(id, { status: 'cancelled' }))
    await refuses(id, { status: 'confirmed' }, 403, 'customer_blocked')
    await site.post('/customers/edit/', { id: site.customer('Max'), status: 1 })
    assertDone(await site.edit(id, { status: 'confirmed' }))
  })

  test('restrictions apply to new reservations only', async () => {
    const [first, second, third] = await plain(site.nextDay(), cleo)
    assert.ok(first && second && third)
    const id = await site.book(first)
    const made = await site.reservation(id)
    assertDone(await site.post('/providers/edit/', { id: cleo, allowedServices: [] }))
    assert.deepEqual(await site.reservation(id), made)
    assertRefused(await site.assertUnchanged(() => site.add(second)), 403, 'provider_not_eligible')
    await refuses(id, { start: third.start }, 403, 'provider_not_eligible')
    assertDone(await site.edit(id, { data: { kept: true } }))
    const allowedServices = [site.service('plain'), site.service('group')]
    assertDone(await site.post('/providers/edit/', { id: cleo, allowedServices }))
    assertDone(await site.edit(id, { start: third.start }))
  })

  test('with its capacity lowered below its reservations, a slot keeps them and accepts no more', async () => {
    const slot = await site.slot({ service: 'group', provider: ben })
    const ids = [await site.book(slot), await site.book(slot)]
    await site.setService('group', { capacity: 1 })
    const held = await site.reservations({ services: site.service('group'), providers: ben })
    assert.deepEqual(held.map((one) => one.id).sort(), ids.toSorted())
    assertRefused(await site.assertUnchanged(() => site.add(slot)), 403, 'slot_full')
    assertDone(await site.edit(ids[0] ?? '', { data: { stays: true } }))
    assertDone(await site.edit(ids[0] ?? '', { status: 'cancelled' }))
    await refuses(ids[0] ?? '', { status: 'confirmed' }, 403, 'slot_full')
    await site.setService('group', { capacity: 3 })
    assertDone(await site.edit(ids[0] ?? '', { status: 'confirmed' }))
  })

  test('a cancelled reservation survives its service, customer and provider, and cannot be restored to them', async () => {
    const added = async (path: string, body: object): Promise<string> => (await site.post(path, body)).body.id
    const serviceId = await added('/services/add/', { name: 'Short-lived' })
    const customerId = await added('/customers/add/', { name: 'Guest', email: 'guest@example.com' })
    const [slot] = (await site.slots({ provider: ana })).filter((one) => one.serviceId === serviceId)
    const [plainSlot, another] = await plain()
    assert.ok(slot && plainSlot && another)
    const [first, second] = [await site.book(slot), await site.book(plainSlot, { customerId })]
    for (const id of [first, second]) assertDone(await site.edit(id, { status: 'cancelled' }))
    for (const [path, id] of [
      ['/services/remove/', serviceId],
      ['/customers/remove/', customerId],
    ] as const)
      assertDone(await site.server.call('POST', path, { query: { id } }))
    assert.equal((await site.reservation(first)).serviceId, serviceId)
    assert.equal((await site.reservation(second)).customerId, customerId)
    await refuses(first, { status: 'confirmed' }, 404, 'service_not_found')
    assertRefused(
      await site.assertUnchanged(() => site.edit(second, { status: 'confirmed' })),
      404,
      'customer_not_found',
      ['customerId'],
    )
    assertDone(await site.edit(first, { data: { kept: true } }))
    assertDone(await site.edit(first, { ...into(another), status: 'confirmed' }))
    assertDone(await site.edit(second, { status: 'pending', customerId: site.customer('Jo') }))
  })

  test('an edit of an unknown reservation is 404 and changes nothing', async () => {
    const long = 'x'.repeat(9_000)
    const { id } = await site.booked({ service: 'plain', provider: ana }, { data: { a: long } })
    await refuses('r_unknown', { status: 'cancelled' }, 404, 'reservation_not_found')
    // Unknown ids come before the faults of the rest: data that becomes too long, and an end before the start.
    for (const [change, reason, field] of [
      [{ serviceId: 's_unknown' }, 'service_not_found', 'serviceId'],
      [{ customerId: 'c_unknown' }, 'customer_not_found', 'customerId'],
      [{ providerId: 999 }, 'provider_not_found', 'providerId'],
      [{ providerId: 'ana' }, 'provider_not_found', 'providerId'],
      [{ providerId: -1 }, 'provider_not_found', 'providerId'],
    ] as const)
      for (const rest of [{ data: { a: 1 } }, { data: { b: long } }, { end: 5 }])
        assertRefused(await site.assertUnchanged(() => site.edit(id, { ...change, ...rest })), 404, reason, [field])
  })

  test('an end that is not after its start is refused', async () => {
    const made: FullReservation = await site.booked({ service: 'plain', provider: ana })
    for (const end of [made.start, made.start - 60, -1]) {
      const response = await site.assertUnchanged(() => site.edit(made.id, { end }))
      assertRefused(response, 400, 'invalid_parameter', ['end'])
    }
  })

  test('each field of a wrong type is reported', async () => {
    const { id } = await site.booked({ service: 'plain', provider: ana })
    const wrong = {
      serviceId: 1,
      customerId: null,
      providerId: true,
      start: '5',
      end: 1.5,
      status: 'maybe',
      data: [],
      availabilityId: 7,
    }
    const response = await site.assertUnchanged(() => site.edit(id, wrong))
    assertRefused(response, 400, 'invalid_parameter', Object.keys(wrong))
    assertRefused(await site.post('/reservations/edit/', { status: 'cancelled' }), 400, 'missing_parameter', ['id'])
  })
})

async function typesOf(site: TestSite, id: string, expected: number): Promise<readonly string[]> {
  return (await site.eventsOf(id, expected)).map((event) => event.type)
}
