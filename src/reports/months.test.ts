import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWholeMonths, monthsBefore, monthsOf } from './months.ts'

for (const [from, to, before, until] of [
  ['2026-07-01', '2026-12-31', '2026-01-01', '2026-06-30'],
  ['2026-01-01', '2026-06-30', '2025-07-01', '2025-12-31'],
  ['2026-03-31', '2026-03-31', '2026-02-28', '2026-02-28'],
  ['2028-03-01', '2028-03-31', '2028-02-01', '2028-02-29'],
  ['2026-11-10', '2026-12-15', '2026-09-10', '2026-10-15'],
] as const)
  test(`the months before ${from} to ${to} are ${before} to ${until}`, () =>
    assert.deepEqual(monthsBefore({ from, to }), { from: before, to: until }))

for (const [from, to, whole] of [
  ['2026-10-01', '2026-10-31', true],
  ['2027-02-01', '2027-02-28', true],
  ['2028-02-01', '2028-02-28', false],
  ['2026-07-01', '2026-12-31', true],
  ['2026-10-02', '2026-10-31', false],
  ['2026-10-01', '2026-10-30', false],
] as const)
  test(`${from} to ${to} are ${whole ? '' : 'no '}whole months`, () => assert.equal(isWholeMonths({ from, to }), whole))

test('the months of a period are in order, over the turn of the year', () =>
  assert.deepEqual(monthsOf({ from: '2026-11-30', to: '2027-02-01' }), ['2026-11', '2026-12', '2027-01', '2027-02']))
