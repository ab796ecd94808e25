import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type BookedSlot,
  type BookingRequest,
  bookingSpecification,
  formatReservations,
  formatStarts,
} from '../support/booking-specification.ts'
import { checkLinearizability, type RecordedCall } from '../support/linearizability.ts'
import type { OccupancyRule } from '../support/offerings.ts'

const rule: OccupancyRule = {
  serviceId: 's',
  providerId: 1,
  occupiedProviderId: 1,
  before: 0,
  after: 600,
  seats: 1,
  pendingOccupies: true,
}
const rules = bookingSpecification([
  rule,
  { ...rule, serviceId: 'class', seats: 2 },
  { ...rule, serviceId: 'asking', pendingOccupies: false },
])
const nine: BookedSlot = { serviceId: 's', providerId: 1, start: 9 * 3_600, end: 10 * 3_600 }
const half: BookedSlot = { ...nine, start: nine.start + 1_800, end: nine.end + 1_800 }
const noon: BookedSlot = { ...nine, start: 12 * 3_600, end: 13 * 3_600 }
const lesson: BookedSlot = { ...nine, serviceId: 'class' }

/**
 * A call of a history. `when` has two letters, for the times at which the call began and got its response; an earlier
 * letter is an earlier time. Without a second letter, the response was lost.
 */
type TestCall = readonly [when: string, request: BookingRequest, response?: string]

const add = (mark: string, slot: BookedSlot): BookingRequest => ({ kind: 'add', mark, slot, status: 'confirmed' })
const edit = (mark: string, change: (BookingRequest & { kind: 'edit' })['change']): BookingRequest => ({
  kind: 'edit',
  mark,
  change,
})
const remove = (mark: string): BookingRequest => ({ kind: 'remove', mark })
const list: BookingRequest = { kind: 'list' }
const slots: BookingRequest = { kind: 'slots', slots: [nine, noon] }
const seen = (...kept: readonly (readonly [string, BookedSlot, 'pending' | 'confirmed' | 'cancelled'])[]): string =>
  formatReservations(new Map(kept.map(([mark, slot, status]) => [mark, { mark, ...slot, status }])))

function verdict(timeline: readonly TestCall[]): string {
  const calls = timeline.map(([when, request, text = 'done']): RecordedCall<BookingRequest> => {
    const [began = '', at] = when
    const response = at === undefined ? undefined : { at: at.charCodeAt(0), text }
    return { request, began: began.charCodeAt(0), response }
  })
  return checkLinearizability(calls, rules).verdict
}

const possible: Readonly<Record<string, readonly TestCall[]>> = {
  'nothing at all': [],
  'two at once, one of which gets the seat': [
    ['ac', add('x', nine)],
    ['bd', add('y', nine), 'no room'],
  ],
  'the later of two at once being first': [
    ['ad', add('x', nine), 'no room'],
    ['bc', add('y', nine)],
  ],
  'a seat that comes free while others ask': [
    ['ab', add('x', nine)],
    ['ch', remove('x')],
    ['de', add('y', half), 'no room'],
    ['fg', add('z', half)],
  ],
  'a call without an answer that happened later': [
    ['a', add('x', nine)],
    ['bc', list, ''],
    ['de', add('y', nine), 'no room'],
    ['fg', list, seen(['x', nine, 'confirmed'])],
  ],
  'a call without an answer that never happened': [
    ['a', add('x', nine)],
    ['bc', add('y', nine)],
    ['de', list, seen(['y', nine, 'confirmed'])],
  ],
  'of two calls without an answer the second having happened': [
    ['a', add('x', nine)],
    ['b', add('y', nine)],
    ['cd', add('z', half), 'no room'],
    ['ef', list, seen(['y', nine, 'confirmed'])],
  ],
  'seats of one slot side by side': [
    ['ab', add('x', lesson)],
    ['cd', add('y', lesson)],
    ['ef', add('z', lesson), 'no room'],
  ],
  'a cancelled one that finds its place taken': [
    ['ab', add('x', nine)],
    ['cd', edit('x', { status: 'cancelled' })],
    ['ef', add('y', nine)],
    ['gh', edit('x', { status: 'confirmed' }), 'no room'],
  ],
  'a change that would have changed nothing at first': [
    ['ab', add('x', nine)],
    ['cf', edit('x', { status: 'confirmed' })],
    ['de', edit('x', { status: 'cancelled' })],
    ['gh', list, seen(['x', nine, 'confirmed'])],
  ],
}

const impossible: Readonly<Record<string, readonly TestCall[]>> = {
  'one seat sold twice': [
    ['ac', add('x', nine)],
    ['bd', add('y', nine)],
  ],
  'overlapping times sold': [
    ['ab', add('x', nine)],
    ['cd', add('y', half)],
  ],
  'a third of two seats sold': [
    ['ad', add('x', lesson)],
    ['be', add('y', lesson)],
    ['cf', add('z', lesson)],
  ],
  'a free seat refused': [
    ['ab', add('x', nine), 'no room'],
    ['cd', list, ''],
  ],
  'both of two at once refused': [
    ['ac', add('x', nine), 'no room'],
    ['bd', add('y', nine), 'no room'],
  ],
  'an answered booking lost': [
    ['ab', add('x', nine)],
    ['cd', list, ''],
  ],
  'an old list after a new one': [
    ['ad', add('x', nine)],
    ['bc', list, seen(['x', nine, 'confirmed'])],
    ['ef', list, ''],
  ],
  'a removed one that comes back': [
    ['ab', add('x', nine)],
    ['cd', remove('x')],
    ['ef', list, seen(['x', nine, 'confirmed'])],
  ],
  'removed twice': [
    ['ab', add('x', nine)],
    ['ce', remove('x')],
    ['df', remove('x')],
  ],
  'a move by half': [
    ['ab', add('x', nine)],
    ['cf', edit('x', noon)],
    ['de', list, seen(['x', { ...noon, end: nine.end }, 'confirmed'])],
  ],
  'a move that holds its old place as well': [
    ['ab', add('x', nine)],
    ['cd', edit('x', noon)],
    ['ef', add('y', nine), 'no room'],
  ],
  'a slot shown that was sold': [
    ['ab', add('x', nine)],
    ['cd', slots, formatStarts([nine, noon])],
  ],
  'a slot not shown that was free': [['ab', slots, formatStarts([noon])]],
  'come back to a place that is taken': [
    ['ab', add('x', nine)],
    ['cd', edit('x', { status: 'cancelled' })],
    ['ef', add('y', nine)],
    ['gh', edit('x', { status: 'confirmed' })],
  ],
  'confirmed where there is no room any more': [
    ['ab', { kind: 'add', mark: 'x', slot: { ...nine, serviceId: 'asking' }, status: 'pending' }],
    ['cd', add('y', nine)],
    ['ef', edit('x', { status: 'confirmed' })],
  ],
  'a call without an answer that happened twice': [
    ['ab', add('x', nine)],
    ['c', edit('x', { status: 'cancelled' })],
    ['de', list, seen(['x', nine, 'cancelled'])],
    ['fg', edit('x', { status: 'confirmed' })],
    ['hi', list, seen(['x', nine, 'cancelled'])],
  ],
  'a call without an answer that happened before it was asked': [
    ['ab', add('y', nine), 'no room'],
    ['c', add('x', nine)],
    ['de', list, seen(['x', nine, 'confirmed'])],
  ],
  'a call without an answer that happened and was undone by nobody': [
    ['a', add('x', nine)],
    ['bc', list, seen(['x', nine, 'confirmed'])],
    ['de', list, ''],
  ],
}

describe('a history is linearizable with', () => {
  for (const [name, timeline] of Object.entries(possible))
    test(name, () => assert.equal(verdict(timeline), 'linearizable'))
})

describe('a history is not linearizable with', () => {
  for (const [name, timeline] of Object.entries(impossible))
    test(name, () => assert.equal(verdict(timeline), 'not linearizable'))
})

test('the calls at which the search failed are reported', () => {
  const call = (request: BookingRequest, began: number): RecordedCall<BookingRequest> => ({
    request,
    began,
    response: { at: began + 1, text: 'done' },
  })
  const [first, second] = [call(add('x', nine), 1), call(add('y', nine), 3)]
  assert.deepEqual(checkLinearizability([first, second], rules).stuck, [second])
})
