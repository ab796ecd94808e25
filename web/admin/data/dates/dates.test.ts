import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, isDate, lastDayAfter, startOfWeek } from './dates.ts'

test('days are added across the ends of months and years', () => {
  assert.equal(addDays('2026-12-31', 1), '2027-01-01')
  assert.equal(addDays('2028-03-01', -1), '2028-02-29')
})

test('a week begins on Monday', () => {
  for (const date of ['2026-10-05', '2026-10-07', '2026-10-11']) assert.equal(startOfWeek(date), '2026-10-05')
})

test('a date that no calendar has is rejected', () => {
  for (const text of ['2026-02-30', '2026-13-01', '', 'x', undefined]) assert.equal(isDate(text), false)
  assert.equal(isDate('2026-02-28'), true)
})

test('the last day of a period follows its first day only where it has to', () => {
  for (const [first, from, to, last] of [
    ['2026-12-24', null, null, '2026-12-24'],
    ['2026-12-24', '2062-12-24', '2062-12-24', '2026-12-24'],
    ['2026-12-28', '2026-12-24', '2026-12-26', '2026-12-28'],
    ['2026-12-23', '2026-12-24', '2026-12-26', '2026-12-26'],
  ] as const)
    assert.equal(lastDayAfter(first, { from, to }), last, first)
})
