import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toInstant } from '../scheduling/time/zone.ts'
import { quietEnd } from './settings.ts'

const zone = 'Europe/Berlin'
const at = (text: string) => toInstant(zone, text) ?? assert.fail(text)
const night = { from: '22:00', until: '07:00' }

for (const [hours, now, end] of [
  [night, '2026-11-24T21:59:59', '2026-11-24T21:59:59'],
  [night, '2026-11-24T22:00', '2026-11-25T07:00'],
  [night, '2026-11-25T06:59:59', '2026-11-25T07:00'],
  [night, '2026-11-25T07:00', '2026-11-25T07:00'],
  [night, '2026-03-28T23:30', '2026-03-29T07:00'],
  [night, '2026-10-24T23:30', '2026-10-25T07:00'],
  [{ from: '12:00', until: '14:00' }, '2026-11-24T13:00', '2026-11-24T14:00'],
  [{ from: '12:00', until: '14:00' }, '2026-11-24T14:00', '2026-11-24T14:00'],
  [{ from: '08:00', until: '08:00' }, '2026-11-24T08:00', '2026-11-24T08:00'],
] as const)
  test(`at ${now}, quiet hours from ${hours.from} until ${hours.until} end at ${end}`, () =>
    assert.equal(quietEnd(hours, zone, at(now)), at(end)))
