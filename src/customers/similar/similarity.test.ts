import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areSimilar, type Compared, likenesses, mailbox } from './similarity.ts'

const ida: Compared = { name: 'Ida Lovelace', email: 'ida@example.com', phone: '+49 30 1234567' }
const national = (phone: string): string => phone.replace(/\D/g, '').replace(/^(?:49|0)/, '')
const like = (change: Partial<Compared>): readonly string[] =>
  likenesses(ida, { name: 'Una Berg', email: 'una@example.com', phone: '', ...change }, national)

test('the same number is recognised however it is written, and among further numbers', () => {
  assert.deepEqual(like({ phone: '030 1234567' }), ['phone'])
  assert.deepEqual(like({ details: { phones: [{ label: 'Work', number: '(030) 123-4567' }] } }), ['phone'])
  assert.deepEqual(like({ phone: '030 1234568' }), [])
})

test('the same mailbox is recognised in another spelling, and another domain is another mailbox', () => {
  assert.deepEqual(like({ email: 'I.D.A+spa@Example.com' }), ['email'])
  assert.deepEqual(like({ email: 'ida@example.org' }), [])
  assert.equal(mailbox(''), '')
})

test('a similar name counts together with the birthday alone', () => {
  const born = { ...ida, details: { birthday: '1980-01-01' } }
  const other = { name: 'Ida Lovelase', email: '', phone: '', details: { birthday: '1980-01-01' } }
  assert.deepEqual(likenesses(born, other, national), ['name_and_birthday'])
  assert.deepEqual(likenesses(born, { ...other, details: { birthday: '1980-01-02' } }, national), [])
  assert.deepEqual(likenesses(born, { ...other, name: 'Una Berg' }, national), [])
})

test('words may be swapped, accents missing, and short names may differ by one letter', () => {
  assert.deepEqual(like({ name: 'lovelace, IDA' }), ['name'])
  for (const [one, other, alike] of [
    ['Müller Jörg', 'Jorg Muller', true],
    ['Kim', 'Tim', true],
    ['Kim', 'Tom', false],
    ['Ana Paula Reis', 'Ana Paula Rios', true],
    ['', '', false],
  ] as const)
    assert.equal(areSimilar(one, other), alike, `${one} / ${other}`)
})
