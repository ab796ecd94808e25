import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differences } from './differences.ts'

const dateTime = (at: number): string => `instant ${at}`

test('instants are shown as dates, and the time of the change is left out', () =>
  assert.deepEqual(
    differences(
      { start: 1_800_000_000, price: 1_800_000_000, limits: { start: 540 }, updated: 1 },
      { start: 1_800_003_600, price: 1_800_003_600, limits: { start: 600 }, updated: 2, lastUsedAt: 1_800_000_001 },
      dateTime,
    ),
    [
      { field: 'start', before: 'instant 1800000000', after: 'instant 1800003600' },
      { field: 'price', before: '1800000000', after: '1800003600' },
      { field: 'limits.start', before: '540', after: '600' },
      { field: 'lastUsedAt', before: undefined, after: 'instant 1800000001' },
    ],
  ))

test('two instants that are written alike differ', () =>
  assert.deepEqual(
    differences({ start: 1_800_000_000 }, { start: 1_800_000_001 }, () => '02:30'),
    [{ field: 'start', before: '02:30', after: '02:30' }],
  ))
