import assert from 'node:assert/strict'
import { test } from 'node:test'
import { intendedInstant } from './zone-change.ts'

const at = (text: string) => Temporal.Instant.from(text).epochMilliseconds / 1000

for (const [what, zone, localStart, start, meant] of [
  ['where nothing changed it means the same', 'Europe/Berlin', '2026-12-01T10:00', '2026-12-01T09:00Z', undefined],
  [
    'booked by the rules of before 2026',
    'America/Vancouver',
    '2026-12-01T10:00',
    '2026-12-01T18:00Z',
    '2026-12-01T17:00Z',
  ],
  ['booked by the rules of today', 'America/Vancouver', '2026-12-01T10:00', '2026-12-01T17:00Z', undefined],
  ['the first of two equal times', 'Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30Z', undefined],
  ['the second of two equal times', 'Europe/Berlin', '2026-10-25T02:30', '2026-10-25T01:30Z', undefined],
  ['a time that the clock skips by now', 'Europe/Berlin', '2026-03-29T02:30', '2026-03-29T00:30Z', '2026-03-29T01:30Z'],
  ['a text that is no time', 'Europe/Berlin', '', '2026-03-29T00:30Z', undefined],
] as const)
  test(`the wall time of an appointment: ${what}`, () => {
    assert.equal(intendedInstant({ zone, localStart, start: at(start) }), meant === undefined ? undefined : at(meant))
  })
