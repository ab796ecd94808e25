import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dateText, dayNumber, parseDate, weekdayOf } from './date.ts'

for (const [date, number] of [
  ['1970-01-01', 0],
  ['1969-12-31', -1],
  ['2000-02-29', 11_016],
  ['2026-11-20', 20_777],
] as const)
  test(`${date} is day ${number}`, () => {
    assert.equal(parseDate(date), number)
    assert.equal(dateText(number), date)
  })

for (const text of [
  '2026-02-29',
  '2026-13-01',
  '2026-00-10',
  '2026-04-31',
  '2026-4-1',
  '26-04-01',
  '2026-04-01T00:00',
  '12026-04-01',
  ' 2026-04-01',
  'NaN-NaN-NaN',
  '',
])
  test(`'${text}' is no date`, () => assert.equal(parseDate(text), undefined))

test('days are numbered without gaps over centuries', () => {
  for (let number = dayNumber(1890, 1, 1); number < dayNumber(2210, 1, 1); number += 1)
    assert.equal(parseDate(dateText(number)), number)
})

test('weeks begin on Monday', () => {
  assert.equal(weekdayOf(dayNumber(2026, 11, 16)), 0)
  assert.equal(weekdayOf(dayNumber(2026, 11, 22)), 6)
  assert.equal(weekdayOf(dayNumber(1969, 12, 28)), 6)
})
