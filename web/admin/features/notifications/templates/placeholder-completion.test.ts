import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completePlaceholder, matchingPlaceholders, typedPlaceholder } from './placeholder-completion.ts'

for (const [text, expected] of [
  ['Hello {{', { from: 6, typed: '' }],
  ['Hello {{ cust', { from: 6, typed: 'cust' }],
  ['Hello {{customer.n', { from: 6, typed: 'customer.n' }],
  ['Hello {{ customer.name }}', undefined],
  ['Hello { cust', undefined],
  ['Hello', undefined],
] as const)
  test(`at the end of "${text}" ${expected ? 'a placeholder is typed' : 'none is typed'}`, () =>
    assert.deepEqual(typedPlaceholder(text, text.length), expected))

test('placeholders are found by the beginning of their name, then by name or label', () => {
  const all = [
    { name: 'customer.name', label: 'Customer’s name' },
    { name: 'start', label: 'Date and time' },
    { name: 'previous_start', label: 'Previous date' },
  ]
  const names = (typed: string) => matchingPlaceholders(all, typed).map(({ name }) => name)
  assert.deepEqual(names('st'), ['start', 'customer.name', 'previous_start'])
  assert.deepEqual(names('DATE'), ['start', 'previous_start'])
  assert.deepEqual(names('zzz'), [])
})

for (const [text, cursor, expected] of [
  ['Hello {{ cu', 11, 'Hello {{ start }}|'],
  ['Hello {{ cu, bye', 11, 'Hello {{ start }}|, bye'],
  ['Hello {{ custom }}, bye', 11, 'Hello {{ start }}|, bye'],
] as const)
  test(`"${text}" is completed to "${expected}"`, () => {
    const typed = typedPlaceholder(text, cursor)
    assert.ok(typed)
    const done = completePlaceholder(text, cursor, typed, 'start')
    assert.equal(`${done.text.slice(0, done.cursor)}|${done.text.slice(done.cursor)}`, expected)
  })
