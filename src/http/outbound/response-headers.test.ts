import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryAfterOf } from './response-headers.ts'

const now = Date.parse('2026-10-06T08:00:00Z') / 1_000

for (const [header, seconds] of [
  ['120', 120],
  ['0', 0],
  ['Tue, 06 Oct 2026 08:01:30 GMT', 90],
  ['Tue, 06 Oct 2026 07:59:00 GMT', null],
  ['soon', null],
  ['-5', null],
  ['9999999999', null],
  [undefined, null],
] as const)
  test(`Retry-After: ${header}`, () => {
    assert.equal(retryAfterOf({ headers: { 'retry-after': header } }, now), seconds)
  })
