import assert from 'node:assert/strict'
import { test } from 'node:test'
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
