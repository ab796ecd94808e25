import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { checkSlotId } from '../../src/availability/slot-id.ts'
import { loadCatalogue } from '../../src/catalogue/catalogue.sql.ts'
import { effectiveSettings } from '../../src/catalogue/services/service.ts'
import { message } from '../../src/messages/message.ts'
import { occupy } from '../../src/reservations/booking/offer.operations.ts'
import { takesRoom } from '../../src/reservations/booking/reservations.operations.ts'
import { ana, ben, cleo, dan, dayLong, eve, hour, now, specialDate } from '../support/clinic.ts'
import { assertRefusedWith, InProcessSite, present, resultOf } from '../support/in-process-site.ts'
import { service } from '../support/plan.ts'

let site: InProcessSite
before(async () => {
  site = await InProcessSite.open({
    reservations: [{ service: 'plain', provider: ben, customer: 'Mia', start: '2026-10-01T09:00' }],
  })
})
after(() => site.close())

const slots = (service: string, provider: number, on = site.nextDay()) => site.slots(service, provider, on)
const slot = async (service: string, provider: number, on?: string) => present((await slots(service, provider, on))[0])
type Listed = Awaited<ReturnType<typeof slot>>
const refuses = (listed: Listed, change: object, code: string, sentence?: string, details?: object) =>
  site.assertRefused(() => site.add(listed, change), code, sentence, details)

test('a booking writes the reservation, its seat, its assignment and its event', async () => {
  const listed = await slot('plain', ana, '2026-11-20')
  const made = await site.book(listed, { data: { note: 'x' } })
  assert.match(made.id, /^r_/)
  assert.deepEqual(made, {
    id: made.id,
    serviceId: listed.serviceId,
    customerId: site.customer('Jo'),
    providerId: ana,
    availabilityId: listed.availabilityId,
    start: listed.start,
    end: listed.start + 1_800,
    status: 'confirmed',
    data: { note: 'x' },
    createdAt: now,
    updatedAt: now,
    price: null,
    currency: null,
    localStart: '2026-11-20T09:00',
    zone: 'Europe/Berlin',
    zoneVersion: process.versions.tz,
    assignedBecause: {
      mode: 'direct',
      eligible: [ana],
      chosen: ana,
      picked: ana,
      because: { code: 'assigned_direct', parameters: { id: 1 } },
    },
    groupId: null,
    expiresAt: null,
    awaits: null,
    source: null,
    attendance: { state: 'expected', times: {} },
    meeting: null,
    note: '',
    cancelReason: '',
    payment: null,
    linkVersion: 0,
    version: 1,
  })
  assert.deepEqual(await site.occupancyRows(made.id), [`p1 1 ${made.start} ${made.end}`])
  const { build } = site.connection
  const seat = await build.selectFrom('occupancy').select('id').where('reservation_id', '=', made.id).executeTakeFirst()
  assert.match(seat?.id ?? '', /^o_/)
  const [event, ...more] = await site.events(made.id)
  assert.deepEqual(more, [])
  const { id, serviceId, customerId, providerId, availabilityId, start, end, status, data } = made
  const shown = { id, serviceId, customerId, providerId, availabilityId, start, end, status, data }
  assert.match(event?.id, /^evt_/)
  assert.deepEqual(event, {
    id: event?.id,
    type: 'reservation.created',
    object: { ...shown, created: now, updated: now },
    previous: null,
  })
  const assigned = await site.connection.build
    .selectFrom('assignment')
    .selectAll()
    .where('service_id', '=', serviceId)
    .where('provider_id', '=', ana)
    .executeTakeFirst()
  assert.deepEqual([assigned?.count, assigned?.last_at], [1, now])
  assert.ok((assigned?.turn ?? 0) > 0)
})

test('a booking without data stores none', async () =>
  assert.deepEqual((await site.book(await slot('plain', ana))).data, {}))

for (const [service, status, seats] of [
  ['approved', 'pending', 1],
  ['approvedByProvider', 'pending', 1],
  ['paid', 'pending', 1],
  ['hopeful', 'pending', 0],
  ['group', 'confirmed', 1],
] as const)
  test(`a reservation of the service “${service}” begins ${status} with ${seats} seats`, async () => {
    const made = await site.book(await slot(service, ana))
    assert.deepEqual([made.status, (await site.occupancyRows(made.id)).length], [status, seats])
  })

for (const [service, provider, on, price, currency] of [
  ['paid', ana, undefined, 4_500, 'EUR'],
  ['own', ana, undefined, 5_000, 'EUR'],
  ['plain', ana, undefined, null, null],
  ['plain', ana, specialDate, 6_000, 'CHF'],
] as const)
  test(`“${service}” is booked at ${price} ${currency} ${on ? 'on its special date' : 'on any other'}`, async () => {
    const made = await site.book(await slot(service, provider, on))
    assert.deepEqual([made.price, made.currency], [price, currency])
    if (on) assert.equal(made.status, 'pending')
  })

test('buffers belong to the occupancy, and every seat of a slot has the interval of its first', async () => {
  const buffered = await site.book(await slot('buffered', ben))
  const time = `${buffered.start - 600} ${buffered.end + 1_200}`
  assert.deepEqual(await site.occupancyRows(buffered.id), [`p2 1 ${time}`])
  const listed = await slot('group', ana)
  const made = []
  for (const _ of [1, 2, 3]) made.push(await site.book(listed))
  const [first, second, third] = made
  assert.ok(first && second && third)
  await refuses(listed, {}, 'slot_full', 'All seats of this slot are taken. Choose another time.')
  resultOf(await site.edit(second.id, { status: 'cancelled' }))
  // A booking takes the free seat with the lowest number, here seat 2 of the three seats.
  const again = await site.book(listed)
  assert.deepEqual(await site.occupancyRows(again.id), [`p1 2 ${listed.start} ${listed.end}`])
  // A new seat of a slot gets the occupied interval of the seats that are already taken, although the service's buffers
  // have changed since.
  resultOf(await site.perform('site.apply', { services: [{ key: 'group', name: 'group', bufferAfterMinutes: 5 }] }))
  resultOf(await site.edit(first.id, { status: 'cancelled' }))
  const last = await site.book(listed)
  assert.deepEqual(await site.occupancyRows(last.id), [`p1 1 ${listed.start} ${listed.end}`])
  resultOf(await site.perform('site.apply', { services: [{ key: 'group', name: 'group', bufferAfterMinutes: 0 }] }))
})

test('with random routing the listed provider is the picked one', async () => {
  for (const listed of (await site.slots('random', undefined, site.nextDay())).slice(0, 6)) {
    const made = await site.book(listed)
    assert.deepEqual([made.assignedBecause?.picked, made.assignedBecause?.chosen], [listed.providerId, made.providerId])
  }
})

test('a cancelled reservation takes no seat, whatever its service says', () => {
  for (const pendingBlocks of [true, false]) {
    const own = service({ pendingBlocks })
    assert.deepEqual(
      (['confirmed', 'pending', 'cancelled'] as const).map((status) => takesRoom(own, { status, awaits: null })),
      [true, pendingBlocks, false],
    )
  }
})

test('a collective appointment occupies every provider', async () => {
  const made = await site.book(await slot('collective', ana))
  const time = `1 ${made.start} ${made.end}`
  assert.deepEqual(await site.occupancyRows(made.id), [`p1 ${time}`, `p2 ${time}`, `p5 ${time}`])
})

test('an unknown id is refused by its field', async () => {
  const listed = await slot('plain', ana)
  for (const [change, code, sentence, field] of [
    [{ serviceId: 's_none' }, 'service_not_found', 'No service has this id.', 'serviceId'],
    [{ providerId: 99 }, 'provider_not_found', 'No provider has this id.', 'providerId'],
    [{ customerId: 'c_none' }, 'customer_not_found', 'No customer has this id.', 'customerId'],
  ] as const)
    await refuses(listed, change, code, sentence, { [field]: sentence })
})

const notItsOwn =
  'The availabilityId does not belong to this service, provider, start and end. Request availability again.'
test('a slot id is valid for its own slot, and for a limited time', async () => {
  const [listed, next] = await slots('plain', ana)
  assert.ok(listed && next)
  for (const change of [
    { availabilityId: next.availabilityId },
    { availabilityId: '' },
    { start: next.start, end: next.end },
    { providerId: ben },
    { serviceId: site.service('approved') },
  ])
    await refuses(listed, change, 'slot_invalid', notItsOwn)
  assertRefusedWith(
    await site.add(listed, {}, { now: now + 1_800 }),
    'slot_stale',
    'The availabilityId has expired. Request availability again.',
  )
})

test('a slot that is taken or overlaps occupancy is refused', async () => {
  const on = site.nextDay()
  const listed = await slot('plain', ana, on)
  const [long, group] = [await slot('long', ana, on), await slot('group', ana, on)]
  await site.book(listed)
  await refuses(listed, {}, 'slot_full')
  const busy = 'The provider has another booking at this time. Choose another time.'
  for (const one of [long, group]) await refuses(one, {}, 'slot_provider_busy', busy)
})

test('a blocked customer is refused before anything else', async () => {
  const bo = { customerId: site.customer('Bo') }
  const listed = await slot('plain', ana)
  await refuses(listed, bo, 'customer_blocked', 'This customer is blocked; no new reservations can be made.')
  await site.book(listed)
  await refuses(listed, bo, 'customer_blocked')
})

test('a customer with a limit of one per day is refused on the local day, and accepted on the next', async () => {
  const on = site.nextDay()
  const listed = await slots('onceACustomer', ana, on)
  const [first, second] = [present(listed[0]), present(listed.at(-1))]
  await site.book(first)
  const often = 'The customer has reached the maximum number of bookings of this service that day. Choose another day.'
  await refuses(second, {}, 'slot_limit', often)
  await site.book(second, { customerId: site.customer('Mia') })
  await site.book(await slot('onceACustomer', ana))
  await site.book(await slot('plain', ben, on))
})

test('limits of the provider and the service are checked again', async () => {
  for (const service of ['twoAProvider', 'twoADay']) {
    const [first, second, third] = await slots(service, ana)
    assert.ok(first && second && third)
    await site.book(first)
    await site.book(second)
    await refuses(third, {}, 'slot_limit')
  }
})

test('the listed slot of a pool is booked, with every eligible provider stored', async () => {
  const first = await slot('round_robin', ana)
  assertRefusedWith(await site.add({ ...first, providerId: ben }), 'slot_invalid', notItsOwn)
  const made = await site.book(first)
  assert.equal(made.assignedBecause?.mode, 'round_robin')
  assert.deepEqual(made.assignedBecause?.eligible, [ana, ben, eve])
})

test('a booking locks what it depends on, and nothing else', async () => {
  const keysOf = async (service: string, provider: number) => {
    const listed = await slot(service, provider)
    site.lockKeys.length = 0
    await site.book(listed)
    return site.lockKeys.map((keys) => keys.toSorted())
  }
  const customer = `customer:${site.customer('Jo')}`
  assert.deepEqual(await keysOf('plain', ben), [['catalogue'], [customer, 'resource:p2']])
  assert.deepEqual(await keysOf('twoADay', ana), [
    ['catalogue'],
    [customer, 'resource:p1', `service:${site.service('twoADay')}`],
  ])
  assert.deepEqual(await keysOf('collective', ana), [
    ['catalogue'],
    [customer, 'resource:p1', 'resource:p2', 'resource:p5'],
  ])
  // The operation also locks a requested provider who does not take part in the service.
  site.lockKeys.length = 0
  const listed = await slot('collective', ana)
  await site.add(listed, { providerId: dan })
  assert.ok(site.lockKeys[1]?.includes(`resource:p${dan}`))
})

test('an expired hold blocks no booking, and an active one does', async () => {
  const listed = await slot('plain', cleo)
  const hold = (expires_at: number) =>
    site.connection.build
      .insertInto('occupancy')
      .values({
        id: `o_hold_${expires_at}`,
        reservation_id: null,
        resource: `p${cleo}`,
        slot: 'hold',
        seat: 1,
        start_at: listed.start,
        end_at: listed.end,
        expires_at,
      })
      .execute()
  await hold(now + 60)
  await refuses(listed, {}, 'slot_provider_busy')
  await site.connection.build.deleteFrom('occupancy').where('resource', '=', `p${cleo}`).execute()
  await hold(now)
  await site.book(listed)
})

test('an expired hold within the buffers of a slot blocks no booking', async () => {
  const listed = await slot('buffered', ben)
  const { start, end } = listed
  for (const [id, start_at, end_at] of [
    ['o_before', start - 600, start - 300],
    ['o_after', end + 600, end + 1_200],
  ] as const) {
    const hold = { id, reservation_id: null, resource: `p${ben}`, slot: id, seat: 1, start_at, end_at, expires_at: now }
    await site.connection.build.insertInto('occupancy').values(hold).execute()
  }
  const made = await site.book(listed)
  assert.deepEqual(await site.occupancyRows(made.id), [`p2 1 ${start - 600} ${end + 1_200}`])
})

test('an offer of a slot whose seats have been taken meanwhile takes none', async () => {
  const listed = await slot('plain', ana)
  const made = await site.book(listed)
  const { service: named } = await loadCatalogue(site.connection)
  const service = present(named(listed.serviceId))
  const rule = effectiveSettings(service, ana, undefined)
  const { routingMode } = service.settings
  const shown = { ...listed, bookable: true, routingMode, reservationsCount: 0, eligibleProviderIds: [], overrides: {} }
  const offer = { slot: shown, rule, occupies: [rule], picked: ana, because: message('assigned_random', { id: ana }) }
  const outcome = await site.run((tx) => occupy(tx, { reservationId: made.id, expiresAt: null }, offer))
  assertRefusedWith(outcome, 'slot_full', 'This slot is fully booked. Choose another time.')
})

test('a removed reservation is deleted with its seat, and its event has the last state', async () => {
  const listed = await slot('plain', ana)
  const made = await site.book(listed)
  site.lockKeys.length = 0
  assert.deepEqual(await site.perform('reservations.remove', { id: made.id }), { ok: {} })
  assert.deepEqual(site.lockKeys, [['catalogue'], ['catalogue', `reservation:${made.id}`], [`resource:p${ana}`]])
  assert.deepEqual(await site.occupancyRows(made.id), [])
  const [, removed] = await site.events(made.id)
  assert.deepEqual([removed?.type, removed?.object, removed?.previous.created], ['reservation.removed', null, now])
  const again = await site.perform('reservations.remove', { id: made.id })
  assertRefusedWith(again, 'reservation_not_found', 'No reservation has this id.')
})

test('a reservation that the policy protects cannot be removed', async () => {
  const made = await site.book(await slot('plain', ana))
  resultOf(await site.perform('site.apply', { site: { policies: { removal: 'never' } } }))
  const before = await site.bookingRows()
  const never = 'This site does not allow reservations to be removed. Cancel the reservation instead.'
  assertRefusedWith(await site.perform('reservations.remove', { id: made.id }), 'removal_forbidden', never)
  assert.deepEqual(await site.bookingRows(), before)
  resultOf(await site.perform('site.apply', { site: { policies: { removal: 'any' } } }))
  resultOf(await site.perform('reservations.remove', { id: made.id }))
})

test('the id of a listed slot depends on the secret of the site', async () => {
  const listed = await slot('plain', ana)
  const { secret } = await loadCatalogue(site.connection)
  assert.equal(checkSlotId(secret, listed.availabilityId, listed, now), 'good')
  assert.notEqual(checkSlotId('5e'.repeat(32), listed.availabilityId, listed, now), 'good')
  assert.ok(listed.start > now + hour && listed.start < now + 60 * dayLong)
})
