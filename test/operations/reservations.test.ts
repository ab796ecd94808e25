import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { checkSlotId } from '../../src/availability/slot-id.ts'
import { loadCatalogue } from '../../src/catalogue/catalogue.sql.ts'
import { effectiveSettings } from '../../src/catalogue/services/service.ts'
import { message } from '../../src/messages/message.ts'
import { occupy } from '../../src/reservations/booking/offer.operations.ts'
import { takesRoom } from '../../src/reservations/booking/reservations.operations.ts'
import { ana, ben, cleo, dan, dayLong, eve, hour, now, specialDate } from '../support/clinic.ts'
import { done, Office, present, refusedAs } from '../support/office.ts'
import { service } from '../support/plan.ts'

let office: Office
before(async () => {
  office = await Office.open({
    reservations: [{ service: 'plain', provider: ben, customer: 'Mia', start: '2026-10-01T09:00' }],
  })
})
after(() => office.close())

const slots = (service: string, provider: number, on = office.nextDay()) => office.slots(service, provider, on)
const slot = async (service: string, provider: number, on?: string) => present((await slots(service, provider, on))[0])
type Listed = Awaited<ReturnType<typeof slot>>
const refuses = (listed: Listed, change: object, code: string, sentence?: string, details?: object) =>
  office.refuses(() => office.add(listed, change), code, sentence, details)

test('a booking writes the reservation, its seat, its assignment and its event', async () => {
  const listed = await slot('plain', ana, '2026-11-20')
  const made = await office.book(listed, { data: { note: 'x' } })
  assert.match(made.id, /^r_/)
  assert.deepEqual(made, {
    id: made.id,
    serviceId: listed.serviceId,
    customerId: office.customer('Jo'),
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
    version: 1,
  })
  assert.deepEqual(await office.seats(made.id), [`p1 1 ${made.start} ${made.end}`])
  const { build } = office.connection
  const seat = await build.selectFrom('occupancy').select('id').where('reservation_id', '=', made.id).executeTakeFirst()
  assert.match(seat?.id ?? '', /^o_/)
  const [event, ...more] = await office.events(made.id)
  assert.deepEqual(more, [])
  const { id, serviceId, customerId, providerId, availabilityId, start, end, status, data } = made
  const shown = { id, serviceId, customerId, providerId, availabilityId, start, end, status, data }
  assert.deepEqual(event, {
    type: 'reservation.created',
    object: { ...shown, created: now, updated: now },
    previous: null,
  })
  const assigned = await office.connection.build
    .selectFrom('assignment')
    .selectAll()
    .where('service_id', '=', serviceId)
    .where('provider_id', '=', ana)
    .executeTakeFirst()
  assert.deepEqual([assigned?.count, assigned?.last_at], [1, now])
  assert.ok((assigned?.turn ?? 0) > 0)
})

test('a booking without data stores none', async () =>
  assert.deepEqual((await office.book(await slot('plain', ana))).data, {}))

for (const [service, status, seats] of [
  ['approved', 'pending', 1],
  ['approvedByProvider', 'pending', 1],
  ['paid', 'pending', 1],
  ['hopeful', 'pending', 0],
  ['group', 'confirmed', 1],
] as const)
  test(`a reservation of the service “${service}” begins ${status} with ${seats} seats`, async () => {
    const made = await office.book(await slot(service, ana))
    assert.deepEqual([made.status, (await office.seats(made.id)).length], [status, seats])
  })

for (const [service, provider, on, price, currency] of [
  ['paid', ana, undefined, 4_500, 'EUR'],
  ['own', ana, undefined, 5_000, 'EUR'],
  ['plain', ana, undefined, null, null],
  ['plain', ana, specialDate, 6_000, 'CHF'],
] as const)
  test(`“${service}” is booked at ${price} ${currency} ${on ? 'on its special date' : 'on any other'}`, async () => {
    const made = await office.book(await slot(service, provider, on))
    assert.deepEqual([made.price, made.currency], [price, currency])
    if (on) assert.equal(made.status, 'pending')
  })

test('buffers belong to the occupancy, and every seat of a slot has the interval of its first', async () => {
  const buffered = await office.book(await slot('buffered', ben))
  const time = `${buffered.start - 600} ${buffered.end + 1_200}`
  assert.deepEqual(await office.seats(buffered.id), [`p2 1 ${time}`])
  const listed = await slot('group', ana)
  const made = []
  for (const _ of [1, 2, 3]) made.push(await office.book(listed))
  const [first, second, third] = made
  assert.ok(first && second && third)
  await refuses(listed, {}, 'slot_full', 'All seats of this slot are taken. Choose another time.')
  done(await office.edit(second.id, { status: 'cancelled' }))
  // The lowest free seat is taken first.
  const again = await office.book(listed)
  assert.deepEqual(await office.seats(again.id), [`p1 2 ${listed.start} ${listed.end}`])
  // The interval of a slot is that of its first seat, though the buffers have changed since.
  done(await office.perform('site.apply', { services: [{ key: 'group', name: 'group', bufferAfterMinutes: 5 }] }))
  done(await office.edit(first.id, { status: 'cancelled' }))
  const last = await office.book(listed)
  assert.deepEqual(await office.seats(last.id), [`p1 1 ${listed.start} ${listed.end}`])
  done(await office.perform('site.apply', { services: [{ key: 'group', name: 'group', bufferAfterMinutes: 0 }] }))
})

test('with random routing the listed provider is the picked one', async () => {
  for (const listed of (await office.slots('random', undefined, office.nextDay())).slice(0, 6)) {
    const made = await office.book(listed)
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
  const made = await office.book(await slot('collective', ana))
  const time = `1 ${made.start} ${made.end}`
  assert.deepEqual(await office.seats(made.id), [`p1 ${time}`, `p2 ${time}`, `p5 ${time}`])
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
    { serviceId: office.service('approved') },
  ])
    await refuses(listed, change, 'slot_invalid', notItsOwn)
  refusedAs(
    await office.add(listed, {}, { now: now + 1_800 }),
    'slot_stale',
    'The availabilityId has expired. Request availability again.',
  )
})

test('a slot that is taken or overlaps occupancy is refused', async () => {
  const on = office.nextDay()
  const listed = await slot('plain', ana, on)
  const [long, group] = [await slot('long', ana, on), await slot('group', ana, on)]
  await office.book(listed)
  await refuses(listed, {}, 'slot_full')
  const busy = 'The provider has another booking at this time. Choose another time.'
  for (const one of [long, group]) await refuses(one, {}, 'slot_provider_busy', busy)
})

test('a blocked customer is refused before anything else', async () => {
  const bo = { customerId: office.customer('Bo') }
  const listed = await slot('plain', ana)
  await refuses(listed, bo, 'customer_blocked', 'This customer is blocked; no new reservations can be made.')
  await office.book(listed)
  await refuses(listed, bo, 'customer_blocked')
})

test('a customer with a limit of one per day is refused on the local day, and accepted on the next', async () => {
  const on = office.nextDay()
  const listed = await slots('onceACustomer', ana, on)
  const [first, second] = [present(listed[0]), present(listed.at(-1))]
  await office.book(first)
  const often = 'The customer has reached the maximum number of bookings of this service that day. Choose another day.'
  await refuses(second, {}, 'slot_limit', often)
  await office.book(second, { customerId: office.customer('Mia') })
  await office.book(await slot('onceACustomer', ana))
  await office.book(await slot('plain', ben, on))
})

test('limits of the provider and the service are checked again', async () => {
  for (const service of ['twoAProvider', 'twoADay']) {
    const [first, second, third] = await slots(service, ana)
    assert.ok(first && second && third)
    await office.book(first)
    await office.book(second)
    await refuses(third, {}, 'slot_limit')
  }
})

test('the listed slot of a pool is booked, with every eligible provider stored', async () => {
  const first = await slot('round_robin', ana)
  refusedAs(await office.add({ ...first, providerId: ben }), 'slot_invalid', notItsOwn)
  const made = await office.book(first)
  assert.equal(made.assignedBecause?.mode, 'round_robin')
  assert.deepEqual(made.assignedBecause?.eligible, [ana, ben, eve])
})

test('a booking locks what it depends on, and nothing else', async () => {
  const keysOf = async (service: string, provider: number) => {
    const listed = await slot(service, provider)
    office.locked.length = 0
    await office.book(listed)
    return office.locked.map((keys) => keys.toSorted())
  }
  const customer = `customer:${office.customer('Jo')}`
  assert.deepEqual(await keysOf('plain', ben), [['catalogue'], [customer, 'resource:p2']])
  assert.deepEqual(await keysOf('twoADay', ana), [
    ['catalogue'],
    [customer, 'resource:p1', `service:${office.service('twoADay')}`],
  ])
  assert.deepEqual(await keysOf('collective', ana), [
    ['catalogue'],
    [customer, 'resource:p1', 'resource:p2', 'resource:p5'],
  ])
  // A requested provider is locked too, even outside of the service.
  office.locked.length = 0
  const listed = await slot('collective', ana)
  await office.add(listed, { providerId: dan })
  assert.ok(office.locked[1]?.includes(`resource:p${dan}`))
})

test('an expired hold blocks no booking, and an active one does', async () => {
  const listed = await slot('plain', cleo)
  const hold = (expires_at: number) =>
    office.connection.build
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
  await office.connection.build.deleteFrom('occupancy').where('resource', '=', `p${cleo}`).execute()
  await hold(now)
  await office.book(listed)
})

test('an expired hold within the buffers of a slot blocks no booking', async () => {
  const listed = await slot('buffered', ben)
  const { start, end } = listed
  for (const [id, start_at, end_at] of [
    ['o_before', start - 600, start - 300],
    ['o_after', end + 600, end + 1_200],
  ] as const) {
    const hold = { id, reservation_id: null, resource: `p${ben}`, slot: id, seat: 1, start_at, end_at, expires_at: now }
    await office.connection.build.insertInto('occupancy').values(hold).execute()
  }
  const made = await office.book(listed)
  assert.deepEqual(await office.seats(made.id), [`p2 1 ${start - 600} ${end + 1_200}`])
})

test('an offer of a slot whose seats have been taken meanwhile takes none', async () => {
  const listed = await slot('plain', ana)
  const made = await office.book(listed)
  const { service: named } = await loadCatalogue(office.connection)
  const service = present(named(listed.serviceId))
  const rule = effectiveSettings(service, ana, undefined)
  const { routingMode } = service.settings
  const shown = { ...listed, bookable: true, routingMode, reservationsCount: 0, eligibleProviderIds: [], overrides: {} }
  const offer = { slot: shown, rule, occupies: [rule], picked: ana, because: message('assigned_random', { id: ana }) }
  const outcome = await office.run((tx) => occupy(tx, { reservationId: made.id, expiresAt: null }, offer))
  refusedAs(outcome, 'slot_full', 'This slot is fully booked. Choose another time.')
})

test('a removed reservation is deleted with its seat, and its event has the last state', async () => {
  const listed = await slot('plain', ana)
  const made = await office.book(listed)
  office.locked.length = 0
  assert.deepEqual(await office.perform('reservations.remove', { id: made.id }), { ok: {} })
  assert.deepEqual(office.locked, [['catalogue'], [`reservation:${made.id}`], [`resource:p${ana}`]])
  assert.deepEqual(await office.seats(made.id), [])
  const [, removed] = await office.events(made.id)
  assert.deepEqual([removed?.type, removed?.object, removed?.previous.created], ['reservation.removed', null, now])
  const again = await office.perform('reservations.remove', { id: made.id })
  refusedAs(again, 'reservation_not_found', 'No reservation has this id.')
})

test('a reservation that the policy protects cannot be removed', async () => {
  const made = await office.book(await slot('plain', ana))
  done(await office.perform('site.apply', { site: { policies: { removal: 'never' } } }))
  const before = await office.kept()
  const never = 'This site does not allow reservations to be removed. Cancel the reservation instead.'
  refusedAs(await office.perform('reservations.remove', { id: made.id }), 'removal_forbidden', never)
  assert.deepEqual(await office.kept(), before)
  done(await office.perform('site.apply', { site: { policies: { removal: 'any' } } }))
  done(await office.perform('reservations.remove', { id: made.id }))
})

test('the id of a listed slot depends on the secret of the site', async () => {
  const listed = await slot('plain', ana)
  const { secret } = await loadCatalogue(office.connection)
  assert.equal(checkSlotId(secret, listed.availabilityId, listed, now), 'good')
  assert.ok(listed.start > now + hour && listed.start < now + 60 * dayLong)
})
