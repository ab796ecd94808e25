import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LoggedEvent } from '../history/event.ts'
import { announcedChange } from './announcement.ts'
import type { Audience, ReservationState } from './notification.ts'

const state = (start: number, status: ReservationState['status'] = 'confirmed'): ReservationState => ({
  ...{ id: 'r_1', serviceId: 's_1', customerId: 'c_1', providerId: 1, availabilityId: 'x' },
  ...{ start, end: start + 3_600, status },
})

interface Step {
  readonly at: number
  readonly to: ReservationState
  readonly by?: 'user' | 'token'
  readonly withheld?: true
}

/** Returns the events of a reservation whose start is the Unix time 100000 until the steps change it. */
function eventsOf(steps: readonly Step[]): LoggedEvent[] {
  return steps.map(({ at, to, by = 'user', withheld }, index) => ({
    ...{ id: `e_${index}`, seq: String(index), type: 'reservation.updated', objectId: 'r_1', createdAt: at },
    actor: { kind: by, id: 'x' },
    object: { ...to, ...(withheld && { notifyCustomer: false }) },
    previous: { ...(steps[index - 1]?.to ?? state(100_000)) },
  }))
}

/**
 * Returns the start of which the audience had been notified before the event at `place`, and the start that this event
 * announces; undefined when it announces nothing.
 */
function told(steps: readonly Step[], place: number, audience: Audience) {
  const events = eventsOf(steps)
  const event = events[place]
  assert.ok(event)
  const change = announcedChange(
    { ...event, before: steps[place - 1]?.to ?? state(100_000), after: steps[place]?.to ?? null },
    { earlier: events.slice(0, place).reverse(), later: events.slice(place + 1) },
    audience,
  )
  return change && [change.before?.start, change.after?.start]
}

const [b, c] = [state(200_000), state(300_000)]

for (const [name, steps, place, audience, expected] of [
  ['a single change', [{ at: 10, to: b }], 0, 'customer', [100_000, 200_000]],
  [
    'a change long after another',
    [
      { at: 10, to: b },
      { at: 60, to: c },
    ],
    1,
    'customer',
    [200_000, 300_000],
  ],
  [
    'a change right after another of a user',
    [
      { at: 10, to: b },
      { at: 20, to: c },
    ],
    1,
    'customer',
    [100_000, 300_000],
  ],
  [
    'a change that another follows at once',
    [
      { at: 10, to: b },
      { at: 20, to: c },
    ],
    0,
    'customer',
    undefined,
  ],
  [
    ...(['a change right after another of a client of the API'] as const),
    ...([
      [
        { at: 10, to: b, by: 'token' },
        { at: 20, to: c },
      ],
      1,
      'customer',
      [200_000, 300_000],
    ] as const),
  ],
  [
    ...(['a change after a withheld one, to the customer'] as const),
    ...([
      [
        { at: 10, to: b, withheld: true },
        { at: 900, to: c },
      ],
      1,
      'customer',
      [100_000, 300_000],
    ] as const),
  ],
  [
    ...(['a change after a withheld one, to the provider'] as const),
    ...([
      [
        { at: 10, to: b, withheld: true },
        { at: 900, to: c },
      ],
      1,
      'provider',
      [200_000, 300_000],
    ] as const),
  ],
] as const satisfies readonly (readonly [string, readonly Step[], number, Audience, unknown])[])
  test(`${name} announces ${expected ? expected.join(' to ') : 'nothing itself'}`, () => {
    assert.deepEqual(told(steps, place, audience), expected)
  })
