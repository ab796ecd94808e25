import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearest } from './nearest.ts'

for (const [typed, close] of [
  ['durationMinuts', 'durationMinutes'],
  ['nmae', 'name'],
  ['NAME', 'name'],
  ['weekley', 'weekly'],
  ['durXtioYMiZutes', undefined],
  ['naxy', 'name'],
  ['abcd', undefined],
  ['wex', undefined],
  ['ly', undefined],
  ['xxname', 'name'],
  ['xxxname', undefined],
  ['zz', undefined],
  ['n', undefined],
] as const) {
  test(`${typed} ${close ? `was meant as ${close}` : 'is like nothing'}`, () =>
    assert.equal(nearest(typed, ['name', 'weekly', 'durationMinutes']), close))
}

test('of two that are equally close the first known is meant', () =>
  assert.equal(nearest('nane', ['name', 'nave']), 'name'))
