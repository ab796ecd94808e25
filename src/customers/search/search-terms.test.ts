import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSearch, searchTermsOf } from './search-terms.ts'

test('a customer is found by words of the name, by address and by number, regardless of accents and case', async () => {
  assert.deepEqual(
    await searchTermsOf({ name: 'Zoë  Groß-Müller', email: 'Zoe.M@clinic.example', phone: '+49 (30) 1-2' }),
    ['zoe', 'gross', 'muller', 'm', 'zoe.m@clinic.example', '493012', '3012', '~210394'],
  )
  assert.deepEqual(await searchTermsOf({ name: '…', email: '', phone: '' }), [])
})

test('an address that starts with the character of tags or numbers is no tag and no number', async () => {
  const terms = await searchTermsOf({ name: '', email: '#~Zoe@clinic.example', phone: '' })
  assert.deepEqual(terms, ['zoe', 'zoe@clinic.example'])
  assert.deepEqual(await parseSearch('#~zoe@cli'), ['zoe@cli'])
})

for (const [text, words] of [
  ['  MÜL  zoë ', ['mul', 'zoe']],
  ['zoe.m@cli', ['zoe.m@cli']],
  ['+49 (30) 1', [['49301', '301']]],
  ['zoe 12', ['zoe', '12']],
  ['12 34 zoe', ['12', '34', 'zoe']],
  ['zoe (30) 12', ['zoe', ['3012', '~2103']]],
  ['zoe 040 66969-198', ['zoe', ['04066969198', '4066969198', '~8919696604']]],
  ['1234', [['1234', '~4321']]],
  ['zoe 9198', ['zoe', ['9198', '~8919']]],
  ['zoe  zoe', ['zoe']],
  ['o’  neil…', ['o', 'neil']],
  ['o’neil', ['o', 'neil']],
  ['!!!', []],
  ['a b c d e f g h', ['a', 'b', 'c', 'd', 'e', 'f']],
  [`${'b'.repeat(61)}x`, ['b'.repeat(60)]],
] as const)
  test(`“${text}” asks for ${words.join(' and ') || 'nothing'}`, async () =>
    assert.deepEqual(await parseSearch(text), words))

test('a term is stored and searched by its first 60 characters', async () => {
  const name = 'a'.repeat(61)
  assert.deepEqual(await searchTermsOf({ name, email: '', phone: '' }), ['a'.repeat(60)])
})
