import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withSentences } from '../../../test/support/sentences.ts'
import { timeOffFault } from './time-off.ts'

const day = 86_400
const twoYears = 731 * day
const backwards = { end: 'Must be later than start.' }
const tooLong = { end: 'Must be at most two years after start; add another time off for the rest.' }

for (const [what, length, fault] of [
  ['of a second', 1, undefined],
  ['of no length', 0, backwards],
  ['that ends before it begins', -1, backwards],
  ['of two years with a leap day', twoYears, undefined],
  ['of a second more', twoYears + 1, tooLong],
] as const)
  test(`a time off ${what} is ${fault ? 'refused' : 'accepted'}, whenever it begins`, () => {
    for (const start of [0, 20_000 * day])
      assert.deepEqual(withSentences(timeOffFault({ start, end: start + length })), fault)
  })
