import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordsOf, wordsSought } from './customer-words.ts'

test('a customer is found by the words of the name, by address and by number, whatever the accents and case', () => {
  assert.deepEqual(wordsOf({ name: 'Zoë  Groß-Müller', email: 'Zoe.M@clinic.example', phone: '+49 (30) 1-2' }), [
    'zoe',
    'gross',
    'muller',
    'm',
    'zoe.m@clinic.example',
    '493012',
  ])
  assert.deepEqual(wordsOf({ name: '…', email: '', phone: '' }), [])
})

for (const [text, words] of [
  ['  MÜL  zoë ', ['mul', 'zoe']],
  ['zoe.m@cli', ['zoe.m@cli']],
  ['+49 (30) 1', ['49301']],
  ['zoe 12', ['zoe', '12']],
  ['o’neil', ['o', 'neil']],
  ['!!!', []],
] as const)
  test(`“${text}” asks for ${words.join(' and ') || 'nothing'}`, () => assert.deepEqual(wordsSought(text), words))
