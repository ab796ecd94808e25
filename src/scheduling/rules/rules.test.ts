import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  at,
  blocked,
  booking,
  interval,
  now,
  occupiedTime,
  type PlanChange,
  plan,
  providerSettings,
  takenSeats,
  wanted,
} from '../../../test/support/plan.ts'
import { withSentences } from '../../../test/support/sentences.ts'
import { explainSlot } from '../explain.ts'
import type { RequestedSlot, RuleName } from '../plan/plan.ts'

type RuleVerdict = readonly [code: string | undefined, setting: string, value: unknown, sentence: string]
interface Asked extends PlanChange {
  readonly wanted?: Partial<RequestedSlot>
  readonly now?: number
}

const away = 'The provider has time off at this time. Choose another time.'
const meets = 'The provider is busy at this time. Choose another time.'
const busy = 'The provider has another booking at this time. Choose another time.'
const full = 'All seats of this slot are taken. Choose another time.'
const seat = 'A seat is available.'
const noTimeOff = [undefined, 'provider.timeOff', null, 'The provider has no time off at this time.'] as const
const noOther = [undefined, 'reservations', null, 'The provider has no other booking at this time.'] as const
const onGrid = 'The start is a start time within opening hours.'
const outside = 'The time is outside opening hours. Choose another time.'
const every = (minutes: number) =>
  `Appointments start every ${minutes} minutes from the beginning of opening hours. Choose one of those times.`
const atOrAfter = 'The start is not before the earliest start, 2026-11-23'
const tooSoon = (earliest: string) =>
  `The start is too soon: the earliest start is 2026-11-23 ${earliest}. Choose a later time.`
const later = { bufferBeforeMinutes: 1, bufferAfterMinutes: 1 }
const together = { routingMode: 'collective' } as const

const table: Readonly<Record<RuleName, readonly (readonly [what: string, asked: Asked, verdict: RuleVerdict])[]>> = {
  service_active: [
    ['an active service', {}, [undefined, 'service.active', true, 'The service is bookable.']],
    [
      'an inactive one',
      { settings: { active: false } },
      ['service_inactive', 'service.active', false, 'This service cannot be booked at the moment.'],
    ],
  ],
  provider_eligible: [
    ['whoever handles it', {}, [undefined, 'provider.allowedServices', 1, 'The provider offers this service.']],
    [
      'whoever takes no part',
      { own: providerSettings({ participate: false }) },
      [
        'provider_not_eligible',
        'provider.services.s_1.participate',
        false,
        'The provider does not offer this service. Choose another provider.',
      ],
    ],
    [
      'whoever is restricted to others',
      { own: { restrictServices: true, allowedServices: ['s_2'], ...providerSettings({ participate: true }) } },
      [
        'provider_not_eligible',
        'provider.allowedServices',
        ['s_2'],
        'The provider does not offer this service. Choose another provider.',
      ],
    ],
    [
      'the second of all together',
      { settings: together, providers: 2, wanted: { providerId: 2 } },
      [
        'provider_not_eligible',
        'service.routingMode',
        1,
        'All providers of this service are booked together, under provider 1.',
      ],
    ],
    [
      'the first of all together',
      { settings: together, providers: 2 },
      [undefined, 'provider.allowedServices', 1, 'The provider offers this service.'],
    ],
  ],
  lead_time: [
    [
      'a start as early as may be',
      { settings: { leadTimeMinutes: 120 } },
      [undefined, 'service.leadTimeMinutes', at('09:00'), `${atOrAfter} 09:00 (UTC).`],
    ],
    [
      'a start a minute too soon',
      { settings: { leadTimeMinutes: 121 } },
      ['slot_lead_time', 'service.leadTimeMinutes', at('09:01'), tooSoon('09:01 (UTC)')],
    ],
    [
      'a start too soon, at a moment between two minutes',
      { settings: { leadTimeMinutes: 121 }, now: at('07:00') + 8 },
      ['slot_lead_time', 'service.leadTimeMinutes', at('09:01') + 8, tooSoon('09:02 (UTC)')],
    ],
    [
      'a start too soon for the provider, by the provider’s clock',
      { own: { ...providerSettings({ leadTimeMinutes: 180 }), timezone: 'Europe/Berlin' } },
      ['slot_lead_time', 'provider.services.s_1.leadTimeMinutes', at('10:00'), tooSoon('11:00 (Europe/Berlin)')],
    ],
  ],
  horizon: [
    [
      'a start as late as may be',
      { settings: { horizonDays: 0 }, now: at('09:00') },
      [
        undefined,
        'service.horizonDays',
        at('09:00'),
        'The start is not after the latest start, 2026-11-23 09:00 (UTC).',
      ],
    ],
    [
      'a start after that, at a moment between two minutes',
      { settings: { horizonDays: 0 }, now: at('08:58') + 8 },
      [
        'slot_horizon',
        'service.horizonDays',
        at('08:58') + 8,
        'The start is too far ahead: the latest start is 2026-11-23 08:58 (UTC). Choose an earlier time.',
      ],
    ],
    [
      'a start after that',
      { own: providerSettings({ horizonDays: 0 }), now: at('08:59') },
      [
        'slot_horizon',
        'provider.services.s_1.horizonDays',
        at('08:59'),
        'The start is too far ahead: the latest start is 2026-11-23 08:59 (UTC). Choose an earlier time.',
      ],
    ],
  ],
  opening_hours: [
    ['a start of the grid', {}, [undefined, 'provider.weekly.mon', interval('09:00', '12:00'), onGrid]],
    [
      'the last start of the grid',
      { wanted: interval('11:00', '12:00') },
      [undefined, 'provider.weekly.mon', interval('09:00', '12:00'), onGrid],
    ],
    [
      'a start within the hours that ends after them',
      { wanted: interval('11:30', '12:30'), settings: { intervalMinutes: 30 } },
      ['slot_closed', 'provider.weekly.mon', [interval('09:00', '12:00')], outside],
    ],
    [
      'a start before the hours',
      { wanted: interval('08:00', '09:00') },
      ['slot_closed', 'provider.weekly.mon', [], outside],
    ],
    ['a closed day', { own: { weekly: {} } }, ['slot_closed', 'provider.weekly.mon', [], outside]],
    [
      'another length',
      { settings: { durationMinutes: 30 } },
      [
        'slot_closed',
        'service.durationMinutes',
        30,
        'An appointment of this service takes 30 minutes here. Choose one of the available times.',
      ],
    ],
    [
      'a start beside the grid',
      { own: { weekly: { mon: ['08:30-12:00'] } } },
      ['slot_closed', 'service.intervalMinutes', [interval('08:30', '12:00')], every(60)],
    ],
    [
      'a start beside the provider’s own grid',
      { own: { weekly: { mon: ['08:30-12:00'] }, ...providerSettings({ intervalMinutes: 20 }) } },
      ['slot_closed', 'provider.services.s_1.intervalMinutes', [interval('08:30', '12:00')], every(20)],
    ],
    [
      'a start of the later of two windows that overlap',
      { own: { weekly: { mon: ['08:30-12:00', '09:00-11:00'] } } },
      [undefined, 'provider.weekly.mon', interval('09:00', '11:00'), onGrid],
    ],
  ],
  time_off: [
    ['a free time', {}, noTimeOff],
    ['time off that ends as it starts', { blocked: blocked('time_off', '08:00', '09:00') }, noTimeOff],
    ['time off that begins as it ends', { blocked: blocked('time_off', '10:00', '11:00') }, noTimeOff],
    ['time of a calendar', { blocked: blocked('calendar', '09:00', '10:00') }, noTimeOff],
    [
      'time off within it',
      { blocked: blocked('time_off', '09:30', '09:31') },
      ['slot_closed', 'provider.timeOff', interval('09:30', '09:31'), away],
    ],
    [
      'time off in the buffer before',
      { blocked: blocked('time_off', '08:00', '09:00'), settings: later },
      ['slot_closed', 'provider.timeOff', interval('08:00', '09:00'), away],
    ],
    [
      'time off in the buffer after',
      { blocked: blocked('time_off', '10:00', '11:00'), settings: later },
      ['slot_closed', 'provider.timeOff', interval('10:00', '11:00'), away],
    ],
    [
      'time off of the second of all together',
      { blocked: blocked('time_off', '09:00', '10:00', 2), settings: together, providers: 2 },
      ['slot_closed', 'provider.timeOff', interval('09:00', '10:00'), away],
    ],
  ],
  calendar: [
    [
      'a free time',
      { blocked: blocked('time_off', '09:00', '10:00') },
      [undefined, 'provider.calendars', null, 'No connected calendar is busy at this time.'],
    ],
    [
      'an entry of a calendar',
      { blocked: blocked('calendar', '09:59', '11:00') },
      ['slot_calendar_busy', 'provider.calendars', interval('09:59', '11:00'), meets],
    ],
  ],
  occupancy: [
    ['a free time', {}, noOther],
    ['seats of its own', { occupied: takenSeats(1) }, noOther],
    ['a slot that ends as it starts', { occupied: occupiedTime('08:00', '09:00') }, noOther],
    ['a slot that begins as it ends', { occupied: occupiedTime('10:00', '11:00') }, noOther],
    [
      'another slot',
      { occupied: occupiedTime('09:59', '10:30') },
      ['slot_provider_busy', 'reservations', interval('09:59', '10:30'), busy],
    ],
    [
      'another slot in the buffer before',
      { occupied: occupiedTime('08:00', '09:00'), settings: later },
      ['slot_provider_busy', 'reservations', interval('08:00', '09:00'), busy],
    ],
    [
      'another slot in the buffer after',
      { occupied: occupiedTime('10:00', '11:00'), settings: later },
      ['slot_provider_busy', 'reservations', interval('10:00', '11:00'), busy],
    ],
    [
      'another slot of the second of all together',
      { occupied: occupiedTime('09:00', '10:00', 2), settings: together, providers: 2 },
      ['slot_provider_busy', 'reservations', interval('09:00', '10:00'), busy],
    ],
  ],
  capacity: [
    ['no seat taken', {}, [undefined, 'service.capacity', { taken: 0, capacity: 1 }, seat]],
    [
      'every seat taken',
      { occupied: takenSeats(1) },
      ['slot_full', 'service.capacity', { taken: 1, capacity: 1 }, full],
    ],
    [
      'one seat of two taken',
      { occupied: takenSeats(1), own: providerSettings({ capacity: 2 }) },
      [undefined, 'provider.services.s_1.capacity', { taken: 1, capacity: 2 }, seat],
    ],
    [
      'more seats taken than there are now',
      { occupied: takenSeats(3), settings: { capacity: 2 } },
      ['slot_full', 'service.capacity', { taken: 3, capacity: 2 }, full],
    ],
    [
      'the seats of the date taken',
      {
        occupied: takenSeats(2),
        own: {
          overrides: [{ from: '2026-11-23', to: '2026-11-23', slot: { capacity: 2 } }],
          ...providerSettings({ capacity: 9 }),
        },
      },
      ['slot_full', 'provider.overrides.slot.capacity', { taken: 2, capacity: 2 }, full],
    ],
    [
      'the seats of another slot',
      { occupied: occupiedTime('09:00', '10:00') },
      [undefined, 'service.capacity', { taken: 0, capacity: 1 }, seat],
    ],
    [
      'the second of all together with fewest seats left',
      {
        settings: { ...together, capacity: 3 },
        providers: 2,
        second: providerSettings({ capacity: 2 }),
        occupied: takenSeats(1, 2),
      },
      [undefined, 'service.capacity', { taken: 1, capacity: 2 }, seat],
    ],
    [
      'the first of two with equally many left',
      {
        settings: { ...together, capacity: 3 },
        providers: 2,
        second: providerSettings({ capacity: 4 }),
        occupied: takenSeats(1, 2),
      },
      [undefined, 'service.capacity', { taken: 0, capacity: 3 }, seat],
    ],
  ],
  limits: [
    ['no limit', {}, [undefined, 'service.limits', {}, 'No booking limit is reached.']],
    [
      'a limit that one more just reaches',
      { settings: { limits: { perProviderDay: 2 } }, booked: [booking()] },
      [undefined, 'service.limits', { perProviderDay: 2 }, 'No booking limit is reached.'],
    ],
    [
      'the limit of the provider',
      { settings: { limits: { perProviderDay: 1 } }, booked: [booking(), booking({ providerId: 2 })] },
      [
        'slot_limit',
        'service.limits.perProviderDay',
        { limit: 1, reserved: 1, from: at('00:00'), until: at('00:00') + 86_400 },
        'The provider takes no more bookings of this service that day. Choose another day.',
      ],
    ],
    [
      'the limit of the service',
      { settings: { limits: { perServiceDay: 2 } }, booked: [booking(), booking({ providerId: 2 })] },
      [
        'slot_limit',
        'service.limits.perServiceDay',
        { limit: 2, reserved: 2, from: at('00:00'), until: at('00:00') + 86_400 },
        'This service takes no more bookings that day. Choose another day.',
      ],
    ],
    [
      'the limit of the week',
      { settings: { limits: { minutesPerProviderWeek: 119 } }, booked: [booking()] },
      [
        'slot_limit',
        'service.limits.minutesPerProviderWeek',
        { limit: 119, reserved: 60, from: at('00:00'), until: at('00:00') + 7 * 86_400 },
        'The provider takes no more bookings of this service that week. Choose another week.',
      ],
    ],
    [
      'the limit of a provider of all together, who all have each',
      { settings: { ...together, limits: { perProviderDay: 1 } }, providers: 2, booked: [booking({ providerId: 2 })] },
      [
        'slot_limit',
        'service.limits.perProviderDay',
        { limit: 1, reserved: 1, from: at('00:00'), until: at('00:00') + 86_400 },
        'The provider takes no more bookings of this service that day. Choose another day.',
      ],
    ],
  ],
}

for (const [rule, cases] of Object.entries(table))
  describe(`the rule ${rule}`, () => {
    for (const [what, { wanted: change, now: asked = now, ...world }, [code, setting, value, sentence]] of cases)
      test(`says ${code ?? 'yes'} to ${what}`, () => {
        const verdicts = explainSlot(plan(world), { ...wanted, ...change }, asked)
        const expected = { rule, ok: code === undefined, ...(code && { code }), message: sentence, value, setting }
        assert.deepEqual(withSentences(verdicts.find((one) => one.rule === rule)), expected)
      })
  })

test('rules are asked in one order, whatever is asked about', () => {
  for (const change of [{}, { serviceId: 's_9' }, { providerId: 9 }])
    assert.deepEqual(
      explainSlot(plan({}), { ...wanted, ...change }, now).map(({ rule }) => rule),
      Object.keys(table),
    )
})

for (const [change, code, setting] of [
  [{ serviceId: 's_9' }, 'service_inactive', 'service'],
  [{ providerId: 9 }, 'provider_not_eligible', 'provider'],
  [{ serviceId: 's_9', providerId: 9 }, 'service_inactive', 'service'],
] as const)
  test(`of ${JSON.stringify(change)} every rule says that there is no such ${setting}`, () => {
    for (const { rule, ...verdict } of explainSlot(plan({}), { ...wanted, ...change }, now))
      assert.deepEqual(withSentences(verdict), {
        ok: false,
        code,
        message: `There is no such ${setting}.`,
        value: null,
        setting,
      })
  })
