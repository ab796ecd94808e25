import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  at,
  blocked,
  booking,
  now,
  occupiedTime,
  type PlanChange,
  plan,
  providerSettings,
  takenSeats,
  wanted,
} from '../../test/support/plan.ts'
import { withSentences } from '../../test/support/sentences.ts'
import { effectiveSettings } from '../catalogue/services/service.ts'
import { sentence } from '../messages/sentence.ts'
import { slotsOf } from './listing/slot-list.ts'
import type { CustomerLoad } from './plan/plan.ts'
import { customerRefusal, offeredSlot, openSlots, roomFor } from './slots.ts'

const customer: CustomerLoad = { id: 'c_1', blocked: false, booked: [] }
const isBlocked = { no: 'customer_blocked', message: 'This customer is blocked; no new reservations can be made.' }
const often = {
  no: 'slot_limit',
  message: 'The customer has reached the maximum number of bookings of this service that day. Choose another day.',
}

test('an offer says all that a booking needs to know', () => {
  const world = plan({ settings: { capacity: 2 }, booked: [booking()], occupied: takenSeats(1) })
  const rule = effectiveSettings(world.services[0] ?? assert.fail(), 1, undefined)
  assert.deepEqual(withSentences(offeredSlot(world, wanted, now)), {
    slot: {
      ...wanted,
      bookable: true,
      routingMode: 'direct',
      eligibleProviderIds: [1],
      reservationsCount: 1,
      overrides: {},
    },
    rule,
    occupies: [rule],
    picked: 1,
    because: 'Provider 1 was requested.',
  })
  assert.deepEqual(roomFor(world, wanted, now), offeredSlot(world, wanted, now))
})

test('a date decides about the seats of everyone it is offered with', () => {
  const overrides = [{ from: '2026-11-23', to: '2026-11-23', slot: { capacity: 4 } }]
  const offer = offeredSlot(
    plan({ settings: { routingMode: 'collective' }, providers: 2, own: { overrides } }),
    wanted,
    now,
  )
  assert.ok('slot' in offer)
  assert.deepEqual(
    [offer.rule, ...offer.occupies].map(({ capacity }) => capacity),
    [4, 4, 4],
  )
  assert.deepEqual(offer.slot.overrides, { capacity: 4 })
  assert.deepEqual(offer.slot.eligibleProviderIds, [1, 2])
  const because = 'The service needs all its providers at once; provider 1 has the lowest id.'
  assert.deepEqual([offer.picked, sentence(offer.because)], [1, because])
})

test('of a pool those are eligible who are free for a slot of the same length', () => {
  const settings = { routingMode: 'priority' } as const
  const own = { services: new Map([['s_1', { priority: 1 }]]) }
  const eligible = (change: PlanChange) => {
    const offer = offeredSlot(plan({ settings, own, providers: 3, ...change }), wanted, now)
    assert.ok('slot' in offer)
    return [offer.slot.eligibleProviderIds, offer.picked]
  }
  assert.deepEqual(eligible({}), [[1, 2, 3], 1])
  assert.deepEqual(eligible({ second: providerSettings({ priority: 2 }) }), [[1, 2, 3], 2])
  assert.deepEqual(eligible({ second: providerSettings({ durationMinutes: 30 }) }), [[1, 3], 1])
  assert.deepEqual(eligible({ blocked: blocked('time_off', '09:00', '10:00', 2) }), [[1, 3], 1])
  assert.deepEqual(
    eligible({ occupied: takenSeats(1, 2), listFullSlots: true, settings: { ...settings, capacity: 1 } }),
    [[1, 3], 1],
  )
})

for (const [what, change, slot, no, message] of [
  ['an unknown service', {}, { serviceId: 's_9' }, 'service_inactive', 'There is no such service.'],
  ['an unknown provider', {}, { providerId: 9 }, 'provider_not_eligible', 'There is no such provider.'],
] as const satisfies readonly (readonly [string, PlanChange, object, string, string])[])
  test(`${what} is offered nothing`, () => {
    assert.deepEqual(withSentences(offeredSlot(plan(change), { ...wanted, ...slot }, now)), { no, message })
    assert.deepEqual(withSentences(roomFor(plan(change), { ...wanted, ...slot }, now)), { no, message })
  })

test('the first rule that says no is the reason, and a customer who is blocked comes before all but an inactive service', () => {
  const closed = plan({ own: { weekly: {} }, occupied: occupiedTime('09:00', '10:00') })
  const no = offeredSlot(closed, wanted, now, customer)
  assert.deepEqual('no' in no && no.no, 'slot_closed')
  assert.deepEqual(withSentences(offeredSlot(closed, wanted, now, { ...customer, blocked: true })), isBlocked)
  const inactive = offeredSlot(plan({ settings: { active: false } }), wanted, now, { ...customer, blocked: true })
  assert.deepEqual('no' in inactive && inactive.no, 'service_inactive')
})

test('a customer’s own limit is the last to say no', () => {
  const settings = { limits: { perCustomerDay: 1 } }
  const load = { ...customer, booked: [booking()] }
  assert.deepEqual(withSentences(offeredSlot(plan({ settings }), wanted, now, load)), often)
  const full = offeredSlot(plan({ settings, occupied: takenSeats(1) }), wanted, now, load)
  assert.deepEqual('no' in full && full.no, 'slot_full')
  assert.ok('slot' in offeredSlot(plan({ settings }), wanted, now))
  assert.ok('slot' in offeredSlot(plan({ settings }), wanted, now, customer))
})

test('a customer is unwelcome when blocked, or at the limit of the provider’s local day', () => {
  const world = plan({ settings: { limits: { perCustomerDay: 2 } }, own: { timezone: 'Asia/Tokyo' } })
  const [service, provider] = [world.services[0], world.providers[0]]
  assert.ok(service && provider)
  // 15:30 UTC is after midnight in Tokyo, so the appointment is on the next local day.
  const late = booking({ start: at('15:30'), end: at('16:30') })
  const loads = [
    [[], undefined],
    [[booking()], undefined],
    [[booking(), booking()], often],
    [[booking(), late], undefined],
    [[booking(), booking({ serviceId: 's_2' }), booking({ customerId: 'c_2' })], undefined],
  ] as const
  for (const [booked, no] of loads)
    assert.deepEqual(withSentences(customerRefusal(service, provider, wanted, { ...customer, booked })), no)
  assert.deepEqual(withSentences(customerRefusal(service, provider, wanted, { ...customer, blocked: true })), isBlocked)
})

test('room is all that is asked of a slot that is somebody’s already', () => {
  const override = { active: false, leadTimeMinutes: 600, horizonDays: 0, limits: { perProviderDay: 0 } }
  const closed = plan({ settings: override, own: { weekly: {}, restrictServices: true } })
  assert.ok('slot' in roomFor(closed, wanted, now))
  for (const [no, change] of [
    ['slot_closed', { blocked: blocked('time_off', '09:00', '10:00') }],
    ['slot_calendar_busy', { blocked: blocked('calendar', '09:00', '10:00') }],
    ['slot_provider_busy', { occupied: occupiedTime('09:00', '10:00') }],
    ['slot_full', { occupied: takenSeats(1) }],
  ] as const) {
    const response = roomFor(plan(change), wanted, now)
    assert.equal('no' in response && response.no, no)
  }
})

test('slots are listed for the providers who are named, of a pool when one of its providers is', () => {
  const asked = (world: PlanChange, ...ids: number[]) =>
    slotsOf(
      openSlots(plan({ providers: 3, ...world }), { from: now, until: at('10:00'), now, providerIds: new Set(ids) }),
    ).map(({ providerId, eligibleProviderIds }) => [providerId, ...eligibleProviderIds])
  assert.deepEqual(asked({}, 2, 3), [
    [2, 2],
    [3, 3],
  ])
  assert.deepEqual(asked({}), [])
  assert.deepEqual(asked({ settings: { routingMode: 'collective' } }, 3), [[1, 1, 2, 3]])
  assert.deepEqual(asked({ settings: { routingMode: 'collective' } }, 4), [])
  assert.deepEqual(asked({ settings: { routingMode: 'round_robin' } }, 2, 3), [[2, 2, 3]])
})

test('slots of a pool that start together come by provider, whoever is asked first', () => {
  const world = plan({
    settings: { routingMode: 'priority' },
    providers: 3,
    own: providerSettings({ durationMinutes: 30 }),
    second: providerSettings({ durationMinutes: 60 }),
  })
  const first = slotsOf(openSlots(world, { from: now, until: at('09:31'), now }))
  assert.deepEqual(
    first.map(({ start, end, providerId }) => [start, end, providerId]),
    [
      [at('09:00'), at('09:30'), 1],
      [at('09:00'), at('10:00'), 2],
      [at('09:30'), at('10:00'), 1],
    ],
  )
})

test('of a pool the least busy of the local day is picked, and on each day anew', () => {
  const night = { mon: ['23:00-24:00'], tue: ['00:00-01:00'] }
  const settings = { routingMode: 'least_busy' } as const
  // On Monday only the first provider has a reservation, on Tuesday only the second.
  const booked = [
    booking({ providerId: 1 }),
    booking({ providerId: 2, serviceId: 's_2', start: at('00:00') + 2 * 86_400 - 60, end: at('00:00') + 2 * 86_400 }),
  ]
  const listed = slotsOf(
    openSlots(plan({ settings, providers: 2, own: { weekly: night }, booked }), {
      from: now,
      until: now + 86_400,
      now,
    }),
  )
  assert.deepEqual(
    listed.map(({ providerId }) => providerId),
    [2, 1],
  )
})
