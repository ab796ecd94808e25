import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ana, ben, cleo, dan, eve, now } from '../support/clinic.ts'
import { assertRefusedWith, InProcessSite, type ListedSlot, present, resultOf } from '../support/in-process-site.ts'

type Change = Parameters<InProcessSite['edit']>[1]

let site: InProcessSite
before(async () => {
  site = await InProcessSite.open()
})
after(() => site.close())

const later = now + 100
const slots = (service: string, provider: number, on = site.nextDay()) => site.slots(service, provider, on)
const slot = async (service: string, provider: number) => present((await slots(service, provider))[0])
const booked = async (service: string, provider: number, change: object = {}) =>
  site.book(await slot(service, provider), change)
const edit = (id: string, change: Change, at = now) => site.edit(id, change, { now: at })
/** Returns the reservation after an edit, which must succeed and return the id of its event. */
const edited = async (id: string, change: Change, at = now) => {
  const result = resultOf(await edit(id, change, at))
  assert.deepEqual(result, { change: (await site.events(id)).at(-1)?.id })
  return site.reservation(id)
}
const refuses = (id: string, change: Change, code: string, sentence?: string, details?: object) =>
  site.assertRefused(() => edit(id, change), code, sentence, details)
const assigned = async ({ serviceId, providerId }: { serviceId: string; providerId: number }) => {
  const row = await site.connection.build
    .selectFrom('assignment')
    .select('count')
    .where('service_id', '=', serviceId)
    .where('provider_id', '=', providerId)
    .executeTakeFirst()
  return row?.count ?? 0
}
const seat = ({ providerId, start, end }: ListedSlot) => `p${providerId} 1 ${start} ${end}`
const into = ({ serviceId, providerId, start, end, availabilityId }: ListedSlot) => ({
  serviceId,
  providerId,
  start,
  end,
  availabilityId,
})

test('a moved reservation takes all fields from its new slot, and its event has the previous state', async () => {
  const made = await booked('plain', ana)
  const listed = await slot('own', ana)
  const moved = await edited(made.id, into(listed), later)
  assert.deepEqual(moved, {
    ...made,
    ...into(listed),
    price: 5_000,
    currency: 'EUR',
    localStart: moved.localStart,
    updatedAt: later,
    version: 2,
  })
  assert.match(moved.localStart, /T09:00$/)
  assert.notEqual(moved.localStart, made.localStart)
  assert.deepEqual(await site.occupancyRows(made.id), [seat(listed)])
  const [, event, ...more] = await site.events(made.id)
  assert.deepEqual(more, [])
  assert.equal(event?.type, 'reservation.rescheduled')
  assert.deepEqual([event?.previous.start, event?.previous.created], [made.start, now])
  assert.deepEqual([event?.object.start, event?.object.updated], [listed.start, later])
})

test('a move to another provider or service counts as an assignment, a move in time does not', async () => {
  const [first, second] = await slots('plain', ana)
  assert.ok(first && second)
  const before = await assigned(first)
  const { id } = await site.book(first)
  await edited(id, { start: second.start })
  assert.equal(await assigned(first), before + 1)
  const elsewhere = { ...second, providerId: ben }
  const beforeBen = await assigned(elsewhere)
  await edited(id, { providerId: ben })
  assert.equal(await assigned(elsewhere), beforeBen + 1)
  const approved = { ...second, serviceId: site.service('approved'), providerId: ben }
  const beforeApproved = await assigned(approved)
  await edited(id, { serviceId: approved.serviceId })
  assert.equal(await assigned(approved), beforeApproved + 1)
  assert.deepEqual(await site.occupancyRows(id), [seat(approved)])
})

test('an edit to a slot without its id stores the id under which the slot is listed', async () => {
  const [first, second, third] = await slots('plain', ana)
  assert.ok(first && second && third)
  const { id } = await site.book(first)
  assert.equal((await edited(id, { start: second.start })).availabilityId, second.availabilityId)
  const invalid = 'slot_invalid'
  await refuses(id, { start: third.start, availabilityId: second.availabilityId }, invalid)
  await refuses(id, { start: third.start, availabilityId: '' }, invalid)
  assert.equal((await edited(id, into(third))).availabilityId, third.availabilityId)
  // The slot id is not checked when an edit leaves the reservation in its slot.
  assert.equal((await edited(id, { availabilityId: 'x', data: { a: 1 } })).availabilityId, third.availabilityId)
})

test('without an end, a new start or service takes the effective duration; otherwise the end stays', async () => {
  const [first, second] = await slots('plain', ana)
  assert.ok(first && second)
  const { id } = await site.book(first)
  assert.equal((await edited(id, { start: second.start })).end, second.end)
  assert.equal((await edited(id, { start: first.start })).end, first.end)
  assert.equal((await edited(id, { serviceId: site.service('long'), start: first.start })).end, first.start + 3_600)
  assert.equal((await edited(id, { serviceId: site.service('own') })).end, first.start + 2_700)
  await refuses(id, { serviceId: site.service('plain'), end: first.start + 2_700 }, 'slot_closed')
  assert.equal((await edited(id, { serviceId: site.service('plain') })).end, first.end)
  await refuses(id, { end: first.end + 60 }, 'slot_closed')
})

test('a collective appointment takes its duration from the service, whichever providers it has', async () => {
  resultOf(
    await site.perform('site.apply', {
      providers: [{ id: ana, name: 'Ana', services: { collective: { durationMinutes: 50 } } }],
    }),
  )
  const [first, second] = await slots('collective', ana)
  assert.ok(first && second)
  const { id } = await site.book(first)
  assert.equal((await edited(id, { start: second.start })).end, second.start + 1_800)
  assert.equal((await site.occupancyRows(id)).length, 3)
})

test('an end that is not after the start is refused', async () => {
  const { id, start } = await booked('plain', ana)
  for (const end of [start, start - 1])
    await refuses(id, { end }, 'invalid_parameter', 'The end must be later than the start.', {
      end: 'Must be later than start.',
    })
})

test('an unknown id is refused by its field', async () => {
  const { id } = await booked('plain', ana)
  await refuses('r_none', { data: {} }, 'reservation_not_found', 'No reservation has this id.')
  for (const [change, code, sentence, field] of [
    [{ serviceId: 's_none' }, 'service_not_found', 'No service has this id.', 'serviceId'],
    [{ providerId: 99 }, 'provider_not_found', 'No provider has this id.', 'providerId'],
    [{ customerId: 'c_none' }, 'customer_not_found', 'No customer has this id.', 'customerId'],
  ] as const) {
    await refuses(id, change, code, sentence, { [field]: sentence })
    await refuses(id, { ...change, status: 'cancelled' }, code)
  }
})

test('an edit without changes writes nothing', async () => {
  const made = await booked('plain', ana, { data: { a: 1, b: { c: [1] } } })
  const before = await site.bookingRows()
  const { serviceId, customerId, providerId, start, end, status, data } = made
  for (const same of [
    {},
    { serviceId, customerId, providerId, start, end, status, data },
    { data: { b: { c: [1] }, gone: null } },
    { start },
    { serviceId },
  ])
    assert.deepEqual(await edit(made.id, same), { ok: { change: null } })
  assert.deepEqual(await site.bookingRows(), before)
})

test('changes of data, customer and status are each stored alone', async () => {
  const made = await booked('plain', ana, { data: { a: 1, b: 2 } })
  const annotated = await edited(made.id, { data: { a: null, c: 3 } }, later)
  assert.deepEqual(annotated, { ...made, data: { b: 2, c: 3 }, updatedAt: later, version: 2 })
  const customerId = site.customer('Mia')
  const given = { ...annotated, customerId, linkVersion: 1, updatedAt: now }
  assert.deepEqual(await edited(made.id, { customerId }), { ...given, version: 3 })
  assert.deepEqual(await edited(made.id, { status: 'pending' }), { ...given, status: 'pending', version: 4 })
  const types = (await site.events(made.id)).map(({ type }) => type)
  assert.deepEqual(types, ['reservation.created', 'reservation.updated', 'reservation.updated', 'reservation.pending'])
})

test('merged data has the same limits as sent data', async () => {
  const half = (letter: string) => ({ [letter]: letter.repeat(9_000) })
  const made = await booked('plain', ana, { data: half('a') })
  const tooMuch = { data: 'Can be at most 16,384 bytes of JSON; send less.' }
  await refuses(made.id, { data: half('b') }, 'invalid_parameter', 'The data is too large.', tooMuch)
  await edited(made.id, { data: { ...half('b'), a: null } })
})

test('data stored before a limit existed stays, as long as an edit sends no data', async () => {
  const made = await booked('plain', ana)
  const data = JSON.stringify({ a: 'x'.repeat(17_000) })
  await site.connection.build.updateTable('reservation').set({ data }).where('id', '=', made.id).execute()
  await edited(made.id, { status: 'cancelled' })
})

test('a cancelled reservation frees its seat, and is checked like a new one when restored', async () => {
  const listed = await slot('plain', ana)
  const { id } = await site.book(listed)
  await edited(id, { status: 'cancelled' })
  assert.deepEqual(await site.occupancyRows(id), [])
  const other = await site.book(listed)
  for (const status of ['confirmed', 'pending'] as const) await refuses(id, { status }, 'slot_full')
  await edited(other.id, { status: 'cancelled' })
  const before = await assigned(listed)
  const back = await edited(id, { status: 'confirmed' })
  assert.deepEqual(await site.occupancyRows(id), [seat(listed)])
  assert.equal(await assigned(listed), before)
  assert.equal(back.availabilityId, listed.availabilityId)
  const types = (await site.events(id)).map(({ type }) => type)
  assert.deepEqual(types, ['reservation.created', 'reservation.cancelled', 'reservation.restored'])
})

const yearless = 'Start and end must be between the years 1970 and 9999.'
test('a cancelled reservation moves freely, within the years that calendars show', async () => {
  const [listed, next] = await slots('plain', ana)
  assert.ok(listed && next)
  const { id } = await site.book(listed)
  await site.book(next)
  await edited(id, { status: 'cancelled' })
  const moved = await edited(id, { start: next.start, availabilityId: 'made up' })
  assert.deepEqual([moved.availabilityId, moved.end], [next.availabilityId, next.end])
  assert.match(moved.localStart, /T09:30$/)
  assert.deepEqual(await site.occupancyRows(id), [])
  const elsewhere = await edited(id, { providerId: cleo })
  assert.deepEqual([elsewhere.zone, elsewhere.localStart.slice(10)], ['America/New_York', 'T03:30'])
  const [latest, longest] = [253_402_300_799, 7 * 86_400]
  for (const [start, end] of [
    [0, longest],
    [latest - longest, latest],
  ] as const) {
    const far = await edited(id, { start, end })
    assert.deepEqual([far.start, far.end], [start, end])
  }
  for (const [change, field] of [
    [{ start: -1, end: 60 }, 'start'],
    [{ start: 0, end: latest + 1 }, 'end'],
    [{ start: -1, end: latest + 1 }, 'start'],
  ] as const)
    await refuses(id, change, 'invalid_parameter', yearless, {
      [field]: 'Must be between the years 1970 and 9999, in Unix seconds.',
    })
  await refuses(id, { start: 0, end: longest + 1 }, 'invalid_parameter', 'An appointment cannot end at this time.', {
    end: 'Must be later than start, by at most a week.',
  })
  // Times outside the years 1970 to 9999 are the reason of the refusal only if the reservation stays cancelled; an edit
  // that confirms it is refused earlier, by the booking rules, here for its lead time.
  await refuses(id, { start: -60, end: 60, status: 'confirmed' }, 'slot_lead_time')
})

test('an edit that cancels may move at once, and frees the seat', async () => {
  const [listed, next] = await slots('plain', ana)
  assert.ok(listed && next)
  const { id } = await site.book(listed)
  const moved = await edited(id, { status: 'cancelled', start: next.start })
  assert.deepEqual([moved.status, moved.start, moved.availabilityId], ['cancelled', next.start, next.availabilityId])
  assert.deepEqual(await site.occupancyRows(id), [])
})

test('pending reservations without seats take one when confirmed, and free it again', async () => {
  const listed = await slot('hopeful', ana)
  const [first, second] = [await site.book(listed), await site.book(listed)]
  await edited(first.id, { status: 'confirmed' })
  assert.deepEqual(await site.occupancyRows(first.id), [seat(listed)])
  await refuses(
    second.id,
    { status: 'confirmed' },
    'slot_full',
    'All seats of this slot are taken. Choose another time.',
  )
  await edited(first.id, { status: 'pending' })
  assert.deepEqual(await site.occupancyRows(first.id), [])
  await edited(second.id, { status: 'confirmed' })
  await refuses(first.id, { serviceId: site.service('approved') }, 'slot_provider_busy')
})

test('a confirmation checks room only: not opening hours, lead time or limits', async () => {
  const listed = await slot('hopeful', ana)
  const { id } = await site.book(listed)
  const during = { now: listed.start + 60 }
  resultOf(await site.edit(id, { status: 'confirmed' }, during))
  assert.deepEqual(await site.occupancyRows(id), [seat(listed)])
})

test('pending reservations with seats keep them when they are confirmed and when they move', async () => {
  const [listed, next] = await slots('approved', ana)
  assert.ok(listed && next)
  const { id } = await site.book(listed)
  const seats = await site.connection.build.selectFrom('occupancy').select('id').execute()
  await edited(id, { status: 'confirmed' })
  await edited(id, { status: 'pending' })
  assert.deepEqual(await site.connection.build.selectFrom('occupancy').select('id').execute(), seats)
  await edited(id, { start: next.start })
  assert.deepEqual(await site.occupancyRows(id), [seat(next)])
  await edited(id, { serviceId: site.service('hopeful') })
  assert.deepEqual(await site.occupancyRows(id), [])
})

test('a new customer is checked, whatever the slot', async () => {
  const on = site.nextDay()
  const [first, second, third] = await slots('onceACustomer', ana, on)
  assert.ok(first && second && third)
  const made = await site.book(first)
  await site.book(second, { customerId: site.customer('Mia') })
  await refuses(
    made.id,
    { customerId: site.customer('Mia') },
    'slot_limit',
    'The customer has reached the maximum number of bookings of this service that day. Choose another day.',
  )
  const bo = 'This customer is blocked; no new reservations can be made.'
  await refuses(made.id, { customerId: site.customer('Bo') }, 'customer_blocked', bo)
  await edited(made.id, { customerId: site.customer('Kim') })
  // The limit of a customer does not count the reservation that is edited.
  await edited(made.id, { start: third.start })
  await edited(made.id, { status: 'cancelled' })
  await refuses(made.id, { status: 'confirmed', customerId: site.customer('Mia') }, 'slot_limit')
  await edited(made.id, { status: 'confirmed' })
})

test('a reservation does not conflict with itself', async () => {
  const [first, second] = await slots('buffered', ana)
  assert.ok(first && second)
  const { id } = await site.book(first)
  await edited(id, { start: second.start })
  assert.deepEqual(await site.occupancyRows(id), [`p1 1 ${second.start - 600} ${second.end + 1_200}`])
})

test('a cancelled reservation survives its service, and cannot be restored to it', async () => {
  const { id: serviceId } = resultOf(await site.perform('services.add', { name: 'Short-lived' }))
  const on = site.nextDay()
  const [plain] = await slots('plain', ana, on)
  assert.ok(plain)
  const { id } = await site.book(plain)
  await edited(id, { status: 'cancelled' })
  await edited(id, { serviceId })
  resultOf(await site.perform('services.remove', { id: serviceId }))
  const gone = `The service ${serviceId} of this reservation no longer exists.`
  await refuses(id, { status: 'confirmed' }, 'service_not_found', gone)
  await edited(id, { data: { kept: true } })
  // The duration is unknown since the service was removed, so an edit stores the given end, or leaves the length.
  const moved = await edited(id, { start: plain.start + 60, end: plain.start + 120 })
  assert.equal(moved.end, plain.start + 120)
  assert.equal((await edited(id, { start: plain.start + 180 })).end, plain.start + 240)
  assert.equal((await edited(id, { start: plain.start + 90 })).availabilityId, moved.availabilityId)
  await edited(id, { ...into(plain), status: 'confirmed' })
})

test('an edit locks the reservation, both customers and both providers', async () => {
  const made = await booked('plain', ana)
  site.lockKeys.length = 0
  await edit(made.id, { providerId: dan, customerId: site.customer('Mia') })
  assert.deepEqual(
    site.lockKeys.map((keys) => keys.toSorted()),
    [
      ['catalogue'],
      ['catalogue', `reservation:${made.id}`],
      [`customer:${made.customerId}`, `customer:${site.customer('Mia')}`, 'resource:p1', 'resource:p4'].toSorted(),
    ],
  )
  site.lockKeys.length = 0
  await edit(made.id, { serviceId: site.service('collective') })
  assert.deepEqual(site.lockKeys[2]?.toSorted(), [
    `customer:${made.customerId}`,
    'resource:p1',
    'resource:p2',
    `resource:p${eve}`,
  ])
})

test('a restored reservation is checked like a new booking, an annotated one is not', async () => {
  const listed = await slot('plain', ana)
  const { id } = await site.book(listed, { customerId: site.customer('Max') })
  resultOf(await site.perform('customers.edit', { id: site.customer('Max'), status: 2 }))
  await edited(id, { data: { note: 'called' } })
  await edited(id, { status: 'pending' })
  await edited(id, { status: 'cancelled' })
  await refuses(id, { status: 'confirmed' }, 'customer_blocked')
  await edited(id, { customerId: site.customer('Jo') })
  const late = await site.edit(id, { status: 'confirmed' }, { now: listed.start + 1 })
  assertRefusedWith(late, 'slot_lead_time')
})

test('changed settings do not affect an existing reservation', async () => {
  const set = async (name: string, settings: object) =>
    resultOf(await site.perform('site.apply', { services: [{ key: name, name, ...settings }] }))
  const hopeful = await booked('hopeful', ana)
  await set('hopeful', { pendingBlocks: true })
  await edited(hopeful.id, { data: { a: 1 } })
  assert.deepEqual(await site.occupancyRows(hopeful.id), [])
  await set('hopeful', { pendingBlocks: false })

  const paid = await booked('paid', ana)
  await set('paid', { price: 9_900, durationMinutes: 40 })
  assert.equal((await edited(paid.id, { data: { a: 1 } })).end, paid.end)
  await set('paid', { durationMinutes: 30 })
  await edited(paid.id, { status: 'cancelled' })
  const back = await edited(paid.id, { status: 'confirmed' })
  assert.deepEqual([back.price, back.availabilityId], [4_500, paid.availabilityId])
  await set('paid', { price: 4_500 })
})
