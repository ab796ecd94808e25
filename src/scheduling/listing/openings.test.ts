import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
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
} from '../../../test/support/plan.ts'
import { takenTimes } from '../../../test/support/times.ts'
import { slotKey, TimeColumns, type TimeRows } from '../plan/occupancy.ts'
import type { Plan, SlotWindow } from '../plan/plan.ts'
import type { ResourceName } from '../plan/resource.ts'
import { openSlots } from '../slots.ts'
import { wallTime } from '../time/zone.ts'
import { slotsOf } from './slot-list.ts'

interface Asked extends PlanChange {
  readonly from?: string
  readonly until?: string
  readonly at?: string
}

function slots(world: Plan, question: SlotWindow = { from: now, until: now + 86_400, now }) {
  return slotsOf(openSlots(world, question))
}

/** Returns the starts of the listed slots; the start of a full slot is in brackets. */
function starts({ from = '07:00', until = '23:00', at: asked = '07:00', ...change }: Asked): string {
  const listed = slots(plan(change), { from: at(from), until: at(until), now: at(asked) })
  const texts = listed.map(({ start, bookable }) => [wallTime('UTC', start).slice(11), bookable] as const)
  return texts.map(([text, bookable]) => (bookable ? text : `(${text})`)).join(' ')
}

const half = { settings: { durationMinutes: 30 } }
const buffered = { settings: { durationMinutes: 30, bufferBeforeMinutes: 10, bufferAfterMinutes: 20 } }
const room = { settings: { capacity: 2 } }
/** Combines two maps, each with one row of the first provider, into one map with both rows. */
const two = <Mark>(
  one: ReadonlyMap<ResourceName, TimeRows<Mark>>,
  other: ReadonlyMap<ResourceName, TimeRows<Mark>>,
): ReadonlyMap<ResourceName, TimeRows<Mark>> => {
  const columns = new TimeColumns<Mark>(2)
  for (const rows of [...one.values(), ...other.values()]) columns.copy(rows, rows.first)
  return new Map([['p1', columns.since(0)]])
}
const weekly = (...mon: string[]) => ({ own: { weekly: { mon } } })

const table: readonly (readonly [what: string, asked: Asked, expected: string])[] = [
  ['every hour of the window', {}, '09:00 10:00 11:00'],
  ['from a start on', { from: '10:00' }, '10:00 11:00'],
  ['from a second after a start on', { from: '10:00:01' }, '11:00'],
  ['up to a start', { until: '11:00' }, '09:00 10:00'],
  ['up to a second after a start', { until: '11:00:01' }, '09:00 10:00 11:00'],
  ['with a lead time to the second', { settings: { leadTimeMinutes: 60 }, at: '09:00' }, '10:00 11:00'],
  ['with a horizon to the second', { settings: { horizonDays: 0 }, at: '10:00' }, '10:00'],
  ['with a provider’s own lead time', { own: providerSettings({ leadTimeMinutes: 181 }) }, '11:00'],
  ['within a window that is just long enough', weekly('09:00-10:00'), '09:00'],
  ['within a window that is too short', weekly('09:00-09:59'), ''],
  ['of two windows that touch', weekly('09:00-10:30', '10:30-12:00'), '09:00 10:30'],
  ['of two windows apart', weekly('09:00-10:00', '11:00-12:00'), '09:00 11:00'],
  ['of one window within another', weekly('09:00-12:00', '09:30-10:30'), '09:00 09:30 10:00 11:00'],
  ['of a window that is too short beside one it overlaps', weekly('09:00-10:00', '09:30-10:00'), '09:00'],
  [
    'without what time off takes',
    { ...half, blocked: blocked('time_off', '09:30', '10:15') },
    '09:00 10:30 11:00 11:30',
  ],
  [
    'without what a calendar takes, to the second',
    { ...half, blocked: blocked('calendar', '09:30', '10:00') },
    '09:00 10:00 10:30 11:00 11:30',
  ],
  ['without what another slot takes', { ...half, occupied: occupiedTime('09:30', '10:15') }, '09:00 10:30 11:00 11:30'],
  [
    'with buffers around what blocks',
    { ...buffered, blocked: blocked('time_off', '10:00', '10:20') },
    '09:00 10:30 11:00 11:30',
  ],
  [
    'with a buffer before that just fits',
    { ...buffered, blocked: blocked('time_off', '09:40', '09:50') },
    '10:00 10:30 11:00 11:30',
  ],
  [
    'with a buffer after that just fits',
    { ...buffered, blocked: blocked('time_off', '09:50', '09:55') },
    '09:00 10:30 11:00 11:30',
  ],
  [
    'with buffers around what is taken',
    { ...buffered, occupied: occupiedTime('10:00', '10:20') },
    '09:00 10:30 11:00 11:30',
  ],
  [
    'after what ended before the window',
    { ...half, occupied: occupiedTime('07:00', '08:00'), blocked: blocked('calendar', '07:00', '08:30') },
    '09:00 09:30 10:00 10:30 11:00 11:30',
  ],
  [
    'before what begins after the window',
    { occupied: occupiedTime('12:00', '13:00'), blocked: blocked('calendar', '12:00', '13:00') },
    '09:00 10:00 11:00',
  ],
  [
    'with what is taken between',
    { ...half, occupied: two(occupiedTime('09:00', '09:30'), occupiedTime('11:00', '11:10')) },
    '09:30 10:00 10:30 11:30',
  ],
  [
    'without what either of two blocks',
    { ...half, blocked: two(blocked('time_off', '09:00', '09:30'), blocked('calendar', '11:00', '11:10')) },
    '09:30 10:00 10:30 11:30',
  ],
  [
    'with a seat left behind another slot in the buffer before',
    {
      settings: { capacity: 2, bufferBeforeMinutes: 10 },
      occupied: two(occupiedTime('08:00', '08:55'), takenSeats(1)),
    },
    '09:00 11:00',
  ],
  ['with a seat left', { ...room, occupied: takenSeats(1) }, '09:00 10:00 11:00'],
  ['without a seat left', { ...room, occupied: takenSeats(2) }, '10:00 11:00'],
  [
    'and those that are full, where that is wanted',
    { ...room, occupied: takenSeats(2), listFullSlots: true },
    '(09:00) 10:00 11:00',
  ],
  ['and not those that are full with one', { occupied: takenSeats(1), listFullSlots: true }, '10:00 11:00'],
  [
    'and those that are full on a date with more seats',
    {
      own: { overrides: [{ from: '2026-11-23', to: '2026-11-23', slot: { capacity: 2 } }] },
      occupied: takenSeats(2),
      listFullSlots: true,
    },
    '(09:00) 10:00 11:00',
  ],
  [
    'and not those that are full on a date with one seat',
    {
      own: { overrides: [{ from: '2026-11-23', to: '2026-11-23', slot: { capacity: 1 } }] },
      ...room,
      occupied: takenSeats(1),
      listFullSlots: true,
    },
    '10:00 11:00',
  ],
  [
    'with a seat left of a slot that another one meets',
    { ...room, occupied: two(takenSeats(1), occupiedTime('09:30', '09:40')) },
    '09:00 10:00 11:00',
  ],
  [
    'without one that another slot meets and nobody has a seat of',
    { ...room, occupied: two(occupiedTime('08:30', '09:10'), occupiedTime('09:30', '09:40')) },
    '10:00 11:00',
  ],
  ['under a limit', { settings: { limits: { perProviderDay: 2 } }, booked: [booking()] }, '09:00 10:00 11:00'],
  ['not at a limit', { settings: { limits: { perProviderDay: 1 } }, booked: [booking()] }, ''],
  ['not at a limit of nothing', { settings: { limits: { perServiceDay: 0 } } }, ''],
]
describe('slots are offered', () => {
  for (const [what, asked, expected] of table) test(what, () => assert.equal(starts(asked), expected))
})

test('a limit holds for its local day alone', () => {
  const week = { mon: ['22:00-02:00'] }
  const settings = { durationMinutes: 30, limits: { perProviderDay: 1 } }
  const listed = (booked: Plan['booked']) =>
    slots(plan({ settings, own: { weekly: week }, booked })).map(({ start }) => wallTime('UTC', start).slice(11))
  const today = ['22:00', '22:30', '23:00', '23:30']
  const tomorrow = ['00:00', '00:30', '01:00', '01:30']
  assert.deepEqual(listed([]), [...today, ...tomorrow])
  assert.deepEqual(listed([booking()]), tomorrow)
  assert.deepEqual(listed([booking({ start: at('23:00') + 3_600, end: at('23:00') + 5_400 })]), today)
})

test('what a date changes goes with its slots, and what is reserved of each is counted', () => {
  const overrides = [{ from: '2026-11-23', to: '2026-11-23', slot: { price: 5 } }]
  const world = plan({
    own: { overrides },
    settings: { capacity: 3 },
    booked: [booking(), booking()],
    occupied: takenSeats(2),
  })
  assert.deepEqual(
    slots(world).map((slot) => [slot.overrides, slot.reservationsCount]),
    [
      [{ price: 5 }, 2],
      [{ price: 5 }, 0],
      [{ price: 5 }, 0],
    ],
  )
})

describe('a slot of all together', () => {
  const together = (change: Asked) =>
    starts({ ...change, providers: 2, settings: { routingMode: 'collective', ...change.settings } })
  const seats = (one: number, other: number): Plan['occupied'] =>
    new Map([...takenSeats(one, 1), ...takenSeats(other, 2)])
  for (const [what, change, expected] of [
    ['is offered when both are free', {}, '09:00 10:00 11:00'],
    ['is not when the first is away', { blocked: blocked('time_off', '09:00', '09:10') }, '10:00 11:00'],
    ['is not when the second is away', { blocked: blocked('time_off', '09:00', '09:10', 2) }, '10:00 11:00'],
    ['is not when the second has something else', { occupied: occupiedTime('11:00', '11:10', 2) }, '09:00 10:00'],
    [
      'is full when the second is',
      { settings: { capacity: 2 }, occupied: seats(1, 2), listFullSlots: true },
      '(09:00) 10:00 11:00',
    ],
    [
      'is full when the first is',
      { settings: { capacity: 2 }, occupied: seats(2, 1), listFullSlots: true },
      '(09:00) 10:00 11:00',
    ],
    [
      'is not listed full when one of them has one seat',
      {
        second: providerSettings({ capacity: 1 }),
        settings: { capacity: 2 },
        occupied: seats(1, 1),
        listFullSlots: true,
      },
      '10:00 11:00',
    ],
    [
      'takes those alone who handle the service',
      { second: { restrictServices: true }, blocked: blocked('time_off', '09:00', '09:10', 2) },
      '09:00 10:00 11:00',
    ],
    ['lies in the hours they share', { second: { weekly: { mon: ['09:30-11:30'] } } }, '09:30 10:30'],
    [
      'keeps the longest lead time and the shortest horizon',
      { second: providerSettings({ leadTimeMinutes: 180, horizonDays: 0 }), own: {}, at: '07:00' },
      '',
    ],
    ['keeps the longest lead time', { second: providerSettings({ leadTimeMinutes: 180 }) }, '10:00 11:00'],
    [
      'is as long as the service says',
      { second: providerSettings({ durationMinutes: 30, intervalMinutes: 30 }) },
      '09:00 10:00 11:00',
    ],
    [
      'has the buffers of the service',
      { second: providerSettings({ bufferBeforeMinutes: 60 }), blocked: blocked('time_off', '08:00', '09:00', 2) },
      '09:00 10:00 11:00',
    ],
  ] as const satisfies readonly (readonly [string, Asked, string])[])
    test(what, () => assert.equal(together(change), expected))
})

test('seats of a slot count wherever its first seat began', () => {
  const slot = slotKey('s_1', at('09:00'), at('10:00'))
  const occupied = new Map([['p1' as const, takenTimes([{ start: at('08:50'), end: at('10:05'), slot, taken: 1 }])]])
  assert.equal(starts({ ...room, occupied }), '09:00 11:00')
  assert.equal(starts({ occupied }), '11:00')
})
