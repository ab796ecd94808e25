import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withSentences } from '../../../test/support/sentences.ts'
import { guessablePasswordFault } from './password.ts'

const owner = { name: 'Ann Ruiz', email: 'ann@clinic.example', siteName: 'Harbour Clinic' }
const spaces = 'A password cannot consist only of spaces.'
const repeats = 'A password cannot repeat the same few characters.'
const sequence = 'A password cannot be a sequence of adjacent characters.'
const own = 'A password cannot contain only your name, your e-mail address or the name of the site.'

for (const [password, fault] of [
  [' '.repeat(10), spaces],
  ['\t \u00a0      \t', spaces],
  ['aaaaaaaaaa', repeats],
  ['abcdabcdabcd', repeats],
  ['ééééééééééé', repeats],
  ['1234567890', sequence],
  ['0987654321', sequence],
  ['QwertyUiop', sequence],
  ['ann@clinic.example', own],
  ['Ann.Ruiz.2026', own],
  ['harbourclinic', own],
  ['Ruiz-Harbour-1', own],
  ['correct horse battery staple', undefined],
  ['Ann walks the dog at noon', undefined],
  ['xK3-9vQp2L', undefined],
] as const)
  test(`“${password}” ${fault ? 'can be guessed' : 'is accepted'}`, () =>
    assert.equal(withSentences(guessablePasswordFault(password, owner)), fault))
