import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { coveredSeconds } from './covered-time.ts'

const spans = (text: string) =>
  text === ''
    ? []
    : text.split(' ').map((span) => ({ start: Number(span.split('-')[0]), end: Number(span.split('-')[1]) }))

for (const [days, windows, seconds] of [
  ['0-10 10-20', '2-4 12-18', [2, 6]],
  ['0-10 10-20', '8-12', [2, 2]],
  ['0-10', '1-5 3-7 7-8', [7]],
  ['0-10', '1-9 2-3', [8]],
  ['10-20', '0-10 20-30', [0]],
  ['0-10', '', [0]],
] as const)
  test(`within ${windows || 'nothing'}, of ${days} there are ${seconds.join(' and ')}`, () =>
    assert.deepEqual(coveredSeconds(spans(days), spans(windows)), seconds))

test('each second of a day counts once if any window covers it', () => {
  const windows = fc.array(
    fc.record({ start: fc.integer({ min: -10, max: 90 }), length: fc.integer({ min: 1, max: 30 }) }),
  )
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 12 }), windows, (lengths, ofWindows) => {
      const sum = (count: number) => lengths.slice(0, count).reduce((all, length) => all + length, 0)
      const days = lengths.map((_, at) => ({ start: sum(at), end: sum(at + 1) }))
      const ascending = ofWindows
        .map(({ start, length }) => ({ start, end: start + length }))
        .sort((one, other) => one.start - other.start)
      const covered = days.map((day) => {
        const seconds = Array.from({ length: day.end - day.start }, (_, nth) => day.start + nth)
        return seconds.filter((second) => ascending.some((one) => one.start <= second && second < one.end)).length
      })
      assert.deepEqual(coveredSeconds(days, ascending), covered)
    }),
  )
})

test('days and windows are compared in proportion to their sum, not to their product', (t) => {
  const { mock } = t.mock.method(Math, 'min')
  const count = 400
  const days = Array.from({ length: count }, (_, day) => ({ start: day * 10, end: (day + 1) * 10 }))
  const windows = Array.from({ length: 2 * count }, (_, nth) => ({ start: nth * 5 + 1, end: nth * 5 + 4 }))
  assert.deepEqual(new Set(coveredSeconds(days, windows)), new Set([6]))
  assert.ok(mock.callCount() <= 10 * count, `${mock.callCount()} comparisons`)
})
