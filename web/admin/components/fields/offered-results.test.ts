import assert from 'node:assert/strict'
import { test } from 'node:test'
import { offeredResults } from './offered-results.ts'

const found = ['Ana Suárez', 'Anabel Kim', 'Jo Anders']

const offered = (typed: string, isCurrent: boolean) =>
  offeredResults(found, { typed, isCurrent, textOf: (name) => name })

test('all results of the typed text are offered, whatever the server matched', () =>
  assert.deepEqual(offered('+49 30', true), found))

for (const [typed, expected] of [
  ['an', found],
  ['ana', ['Ana Suárez', 'Anabel Kim']],
  ['ANA SUAREZ', ['Ana Suárez']],
  ['zoë', []],
] as const)
  test(`until the response to “${typed}” arrives, earlier results are offered if their text contains it`, () =>
    assert.deepEqual(offered(typed, false), expected))
