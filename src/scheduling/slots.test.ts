import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, type PlanChange, plan, providerSettings, service } from '../../test/support/plan.ts'
import { blockedTimes, takenTimes } from '../../test/support/times.ts'
import type { Provider } from '../catalogue/providers/provider.ts'
import { sentence } from '../messages/sentence.ts'
import { explainSlot } from './explain.ts'
import { slotsOf } from './listing/slot-list.ts'
import { type Blocked, slotKey } from './plan/occupancy.ts'
import type { Booked, Offer, Plan, Slot } from './plan/plan.ts'
import { assignment } from './routing/routing.ts'
import { listedSources, offeredSlot, openSlots, roomFor } from './slots.ts'
import { wallTime } from './time/zone.ts'

const now = at('07:00')
const wanted = { serviceId: 's_1', providerId: 1, start: at('09:00'), end: at('10:00') }

test('a new service is offered every hour from the start of opening hours', () => {
  assert.deepEqual(times(plan({})), ['09:00', '10:00', '11:00'])
})

for (const [what, settings, expected] of [
  ['a grid steps by the interval', { intervalMinutes: 30 }, ['09:00', '09:30', '10:00', '10:30', '11:00']],
  ['an appointment ends within the window', { durationMinutes: 100 }, ['09:00']],
  ['the lead time is kept to the second', { leadTimeMinutes: 120 }, ['09:00', '10:00', '11:00']],
  ['a longer lead time takes the first', { leadTimeMinutes: 121 }, ['10:00', '11:00']],
  ['a horizon of no days leaves nothing later than now', { horizonDays: 0 }, []],
  ['an inactive service is not listed', { active: false }, []],
] as const)
  test(what, () => assert.deepEqual(times(plan({ settings })), expected))

test('buffers keep other bookings away, and may leave the window', () => {
  const settings = { intervalMinutes: 30, bufferBeforeMinutes: 30, bufferAfterMinutes: 30 }
  const occupied = taken({ slot: 's_2:0:1', from: '10:30', until: '11:00', seats: 1 })
  assert.deepEqual(times(plan({ settings, occupied })), ['09:00'])
})

test('a slot with seats only needs a free one, though its time would meet another slot today', () => {
  const settings = { capacity: 2, bufferAfterMinutes: 60 }
  const occupied = new Map([
    [
      'p1' as const,
      takenTimes([
        { start: at('09:00'), end: at('10:00'), slot: slotKey('s_1', at('09:00'), at('10:00')), taken: 1 },
        { start: at('10:00'), end: at('10:30'), slot: 's_2:0:1', taken: 1 },
      ]),
    ],
  ])
  assert.deepEqual(times(plan({ settings, occupied })), ['09:00', '11:00'])
})

test('a full slot with room for several is listed as such only where that is switched on', () => {
  const occupied = seated(2)
  const settings = { capacity: 2 }
  assert.deepEqual(times(plan({ settings, occupied })), ['10:00', '11:00'])
  const [full, free] = slots(plan({ settings, occupied, listFullSlots: true }))
  assert.deepEqual([full?.bookable, full?.eligibleProviderIds, free?.bookable], [false, [1], true])
  assert.deepEqual(times(plan({ occupied: seated(1), listFullSlots: true })), ['10:00', '11:00'])
})

test('a full slot of a pool is listed under the lowest id, and nobody is eligible', () => {
  const both = new Map([...seated(2), ...[...seated(2).values()].map((rows) => ['p2', rows] as const)])
  const world = plan({
    settings: { capacity: 2, routingMode: 'round_robin' },
    providers: 2,
    occupied: both,
    listFullSlots: true,
  })
  const [full] = slots(world)
  assert.deepEqual([full?.providerId, full?.eligibleProviderIds, full?.bookable], [1, [], false])
})

test('a date can change the seats, and what it changes is told', () => {
  const overrides = [{ from: '2026-11-23', to: '2026-11-23', slot: { capacity: 3, note: 'group' } }]
  const [slot] = slots(plan({ occupied: seated(2), own: { overrides }, booked: [booking(), booking()] }))
  assert.deepEqual(slot?.overrides, { capacity: 3, note: 'group' })
  assert.equal(slot?.reservationsCount, 2)
})

test('overlapping windows keep their grids, and a start that two reach is listed once', () => {
  const weekly = { mon: ['09:00-12:00', '10:30-12:30', '12:30-13:30'] }
  assert.deepEqual(times(plan({ own: { weekly } })), ['09:00', '10:00', '10:30', '11:00', '11:30', '12:30'])
})

test('a collective service needs all: shared hours, the longest lead time, the shortest horizon, everyone free', () => {
  const weekly = { mon: ['10:00-13:00'] }
  const second: Partial<Provider> = { weekly, services: new Map([['s_1', { leadTimeMinutes: 200, horizonDays: 1 }]]) }
  const world = plan({ settings: { routingMode: 'collective' }, providers: 2, second })
  assert.deepEqual(times(world), ['11:00'])
  assert.deepEqual(slots(world)[0]?.eligibleProviderIds, [1, 2])
  const nextWeek = slotsOf(openSlots(world, { from: now, until: now + 10 * 86_400, now }))
  assert.equal(nextWeek.length, 1, 'the horizon of the second ends before the next Monday')
  const busy = new Map([['p2' as const, blockedTimes([{ start: at('11:30'), end: at('11:31'), source: 'time_off' }])]])
  assert.deepEqual(times({ ...world, blocked: busy }), [])
})

test('a collective slot is given under its lowest provider and occupies every one', () => {
  const world = plan({ settings: { routingMode: 'collective' }, providers: 2 })
  const offer = offered(world, 1)
  assert.deepEqual(
    offer.occupies.map(({ providerId }) => providerId),
    [1, 2],
  )
  assert.equal(refused(world, { ...wanted, providerId: 2 }), 'provider_not_eligible')
})

test('a provider of a pool who is no longer the pick is given the slot, and the assignment says so', () => {
  const assigned = new Map([['s_1', new Map([[1, { count: 1, lastAt: 5, turn: 1 }]])]])
  const world = plan({ settings: { routingMode: 'round_robin' }, providers: 3, assigned })
  assert.deepEqual(slots(world)[0]?.providerId, 2)
  const kept = assignment(offered(world, 1))
  assert.deepEqual([kept.chosen, kept.picked, kept.eligible], [1, 2, [1, 2, 3]])
  const never = 'Provider 2 has never been assigned.'
  const because = `Provider 1 was listed and is still available; the routing would now choose provider 2. ${never}`
  assert.equal(sentence(kept.because), because)
  const { picked, because: why } = assignment(offered(world, 2))
  assert.deepEqual([picked, sentence(why)], [2, never])
})

test('a pool does not offer those whose own appointments are longer with the others', () => {
  const second: Partial<Provider> = { services: new Map([['s_1', { durationMinutes: 30 }]]) }
  const world = plan({ settings: { routingMode: 'priority' }, providers: 2, second })
  const first = slots(world).filter(({ start }) => start === at('09:00'))
  assert.deepEqual(
    first.map(({ providerId, end, eligibleProviderIds }) => [
      providerId,
      (end - at('09:00')) / 60,
      eligibleProviderIds,
    ]),
    [
      [1, 60, [1]],
      [2, 30, [2]],
    ],
  )
})

test('slots come by start, then service, then provider', () => {
  const one = plan({ providers: 2 })
  const services = ['s_2', 's_1'].map((id) => ({ ...service({}), id }))
  const order = slots({ ...one, services }).slice(0, 4)
  assert.deepEqual(
    order.map(({ serviceId, providerId }) => `${serviceId} ${providerId}`),
    ['s_1 1', 's_1 2', 's_2 1', 's_2 2'],
  )
})

for (const [what, given, code, setting] of [
  ['inactive', { settings: { active: false } }, 'service_inactive', 'service.active'],
  [
    'not taking part',
    { own: providerSettings({ participate: false }) },
    'provider_not_eligible',
    'provider.services.s_1.participate',
  ],
  ['restricted', { own: { restrictServices: true } }, 'provider_not_eligible', 'provider.allowedServices'],
  ['too soon', { settings: { leadTimeMinutes: 121 } }, 'slot_lead_time', 'service.leadTimeMinutes'],
  [
    'too soon for the provider',
    { own: providerSettings({ leadTimeMinutes: 121 }) },
    'slot_lead_time',
    'provider.services.s_1.leadTimeMinutes',
  ],
  ['too far', { settings: { horizonDays: 0 } }, 'slot_horizon', 'service.horizonDays'],
  ['closed', { own: { weekly: {} } }, 'slot_closed', 'provider.weekly.mon'],
  ['another length', { settings: { durationMinutes: 30 } }, 'slot_closed', 'service.durationMinutes'],
  ['off the grid', { own: { weekly: { mon: ['08:30-12:00'] } } }, 'slot_closed', 'service.intervalMinutes'],
  ['time off', { blocked: blockedBy('time_off') }, 'slot_closed', 'provider.timeOff'],
  ['calendar', { blocked: blockedBy('calendar') }, 'slot_calendar_busy', 'provider.calendars'],
  [
    'another slot',
    { occupied: taken({ slot: 's_2:0:1', from: '09:59', until: '10:30', seats: 1 }) },
    'slot_provider_busy',
    'reservations',
  ],
  ['full', { occupied: seated(1) }, 'slot_full', 'service.capacity'],
  [
    'a limit a day',
    { settings: { limits: { perProviderDay: 1 } }, booked: [booking()] },
    'slot_limit',
    'service.limits.perProviderDay',
  ],
  ['a limit of all', { settings: { limits: { perServiceDay: 0 } } }, 'slot_limit', 'service.limits.perServiceDay'],
  [
    'a limit a week',
    { settings: { limits: { minutesPerProviderWeek: 119 } }, booked: [booking()] },
    'slot_limit',
    'service.limits.minutesPerProviderWeek',
  ],
] as const satisfies readonly (readonly [string, PlanChange, string, string])[])
  test(`a slot refused as ${what} is ${code}, decided by ${setting}`, () => {
    const world = plan(given)
    assert.equal(refused(world), code)
    const first = explainSlot(world, wanted, now).find(({ ok }) => !ok)
    assert.deepEqual([first?.code, first?.setting], [code, setting])
    assert.match(first ? sentence(first.message) : '', /^[A-Z].*\.$/)
  })

test('explain asks every rule in its order', () => {
  assert.deepEqual(
    explainSlot(plan({}), wanted, now).map(({ rule, ok }) => [rule, ok]),
    [
      'service_active',
      'provider_eligible',
      'lead_time',
      'horizon',
      'opening_hours',
      'time_off',
      'calendar',
      'occupancy',
      'capacity',
      'limits',
    ].map((rule) => [rule, true]),
  )
})

test('explain names the weekday on which a window past midnight starts', () => {
  const world = plan({ own: { weekly: { sun: ['22:00-02:00'] } } })
  const night = { ...wanted, start: at('01:00'), end: at('02:00') }
  const hours = explainSlot(world, night, at('00:00')).find(({ rule }) => rule === 'opening_hours')
  assert.deepEqual([hours?.ok, hours?.setting], [true, 'provider.weekly.sun'])
})

test('a limit counts the reservations of the local day alone, and those of other services not at all', () => {
  const settings = { limits: { perProviderDay: 1 } }
  const yesterday = { ...booking(), start: at('00:00') - 1, end: at('01:00') }
  const other = { ...booking(), serviceId: 's_2' }
  assert.deepEqual(times(plan({ settings, booked: [yesterday, other] })), ['09:00', '10:00', '11:00'])
  assert.deepEqual(times(plan({ settings, booked: [{ ...booking(), start: at('00:00') }] })), [])
})

test('a blocked customer is refused before anything but an inactive service', () => {
  const customer = { id: 'c_1', blocked: true, booked: [] }
  assert.equal(code(offeredSlot(plan({ own: { weekly: {} } }), wanted, now, customer)), 'customer_blocked')
  assert.equal(code(offeredSlot(plan({ settings: { active: false } }), wanted, now, customer)), 'service_inactive')
})

test('a limit for each customer refuses that customer and delists nothing', () => {
  const world = plan({ settings: { limits: { perCustomerDay: 1 }, capacity: 5 }, booked: [booking()] })
  const customer = { id: 'c_1', blocked: false, booked: [booking()] }
  assert.deepEqual(times(world), ['09:00', '10:00', '11:00'])
  assert.equal(code(offeredSlot(world, wanted, now, customer)), 'slot_limit')
  assert.equal(code(offeredSlot(world, wanted, now, { ...customer, id: 'c_2' })), undefined)
})

test('what is neither a service nor a provider is offered nothing', () => {
  assert.equal(refused(plan({}), { ...wanted, serviceId: 's_9' }), 'service_inactive')
  assert.equal(refused(plan({}), { ...wanted, providerId: 9 }), 'provider_not_eligible')
  assert.ok(explainSlot(plan({}), { ...wanted, providerId: 9 }, now).every(({ ok }) => !ok))
})

test('room for a slot that was given is room for as long as it was given, whatever the service takes by now', () => {
  const given = { ...wanted, end: at('09:30') }
  const offer = roomFor(plan({}), given, now)
  assert.ok('slot' in offer)
  assert.deepEqual([offer.slot.start, offer.slot.end], [given.start, given.end])
})

function slots(world: Plan): readonly Slot[] {
  return slotsOf(openSlots(world, { from: now, until: now + 86_400, now }))
}

function times(world: Plan): string[] {
  return slots(world).map(({ start }) => wallTime('UTC', start).slice(11))
}

function offered(world: Plan, providerId: number): Offer {
  const offer = offeredSlot(world, { ...wanted, providerId }, now)
  assert.ok('slot' in offer, JSON.stringify(offer))
  return offer
}

function refused(world: Plan, slot = wanted): string | undefined {
  return code(offeredSlot(world, slot, now))
}

function code(answer: ReturnType<typeof offeredSlot>): string | undefined {
  return 'no' in answer ? answer.no : undefined
}

function taken(of: { slot: string; from: string; until: string; seats: number }): Plan['occupied'] {
  return new Map([['p1', takenTimes([{ start: at(of.from), end: at(of.until), slot: of.slot, taken: of.seats }])]])
}

/** Returns occupied time in which `seats` seats of the slot from 9:00 to 10:00 are taken. */
function seated(seats: number): Plan['occupied'] {
  return taken({ slot: slotKey('s_1', at('09:00'), at('10:00')), from: '09:00', until: '10:00', seats })
}

function blockedBy(source: Blocked['source']): Plan['blocked'] {
  return new Map([['p1', blockedTimes([{ start: at('09:30'), end: at('09:31'), source }])]])
}

function booking(): Booked {
  return { serviceId: 's_1', providerId: 1, customerId: 'c_1', start: at('09:00'), end: at('10:00') }
}

test('of a pool those are eligible who are there, and everybody keeps all of their starts', () => {
  const second = { weekly: { mon: ['10:00-13:00'] } }
  const world = plan({ settings: { routingMode: 'priority' }, providers: 2, second })
  const listed = slotsOf(openSlots(world, { from: at('00:00'), until: at('23:00'), now }))
  assert.deepEqual(
    listed.map(({ start, eligibleProviderIds }) => `${wallTime('UTC', start).slice(11)} ${eligibleProviderIds}`),
    ['09:00 1', '10:00 1,2', '11:00 1,2', '12:00 2'],
  )
})

test('of some providers only their sources are listed', () => {
  const ofSecond = listedSources(plan({ providers: 2 }), new Set([2]))
  assert.deepEqual(
    ofSecond.flatMap(({ slotSources }) => slotSources.map(({ eligible }) => eligible)),
    [[2]],
  )
})
