import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Interval, overlaps } from './interval.ts'

const spans = (text: string): Interval[] =>
  text.split(' ').map((part) => {
    const [start, end] = part.split('-').map(Number)
    return { start: start ?? 0, end: end ?? 0 }
  })

for (const [one, other, meet] of [
  ['0-10', '10-20', false],
  ['0-10', '9-20', true],
  ['5-6', '0-10', true],
  ['11-20', '0-10', false],
] as const)
  test(`${one} and ${other} ${meet ? 'overlap' : 'do not overlap'}`, () => {
    const [first, second] = [...spans(one), ...spans(other)]
    assert.ok(first && second)
    assert.equal(overlaps(first, second), meet)
    assert.equal(overlaps(second, first), meet)
  })
