import assert from 'node:assert/strict'
import { test } from 'node:test'
import { active, type Customer } from '../customer.ts'
import { checkRow, customerKey, type ImportRow } from './import-row.ts'

const ida: Customer = {
  id: 'c_1',
  name: 'Ida Berg',
  email: 'berg@home.example',
  phone: '1',
  hostUserId: 0,
  status: active,
  timezone: 'Europe/Berlin',
  language: 'de',
}
const una: Customer = { ...ida, id: 'c_2', name: 'Una Berg' }
const row = (change: Partial<ImportRow> = {}): ImportRow => ({ name: ida.name, email: ida.email, ...change })

test('at an address that nobody has, a row is a new customer', () =>
  assert.deepEqual(checkRow(row(), []), { is: 'new' }))

test('at an address that others have, a row shares it', () =>
  assert.deepEqual(checkRow(row({ name: 'Una Berg' }), [ida]), { is: 'shared', others: [ida] }))

test('a row that two at its address are called like is unclear, and names those two alone', () => {
  const twin = { ...ida, id: 'c_3' }
  assert.deepEqual(checkRow(row(), [ida, una, twin]), { is: 'unclear', others: [ida, twin] })
})

test('one who is there is found among those of the address, and stays as the row leaves it', () =>
  assert.deepEqual(checkRow(row(), [una, ida]), { is: 'same', before: ida, after: ida }))

for (const change of [{ phone: '2' }, { timezone: null }, { timezone: 'Asia/Tokyo' }, { language: 'ja' }])
  test(`a row that says ${Object.entries(change).join()} changes that alone`, () =>
    assert.deepEqual(checkRow(row(change), [ida]), { is: 'update', before: ida, after: { ...ida, ...change } }))

test('a row that says what is known already changes nothing', () => {
  const { phone, timezone, language } = ida
  assert.equal(checkRow(row({ phone, timezone, language }), [ida]).is, 'same')
})

for (const [typed, kept] of [
  ['  ida \t BERG ', 'Ida Berg'],
  ['José', 'Jose\u0301'],
  ['Ida\u00a0Berg', 'Ida Berg'],
] as const)
  test(`“${typed}” is the name “${kept}”, typed in another way`, () => {
    assert.equal(checkRow(row({ name: typed }), [{ ...ida, name: kept }]).is, 'same')
    assert.equal(customerKey(row({ name: typed })), customerKey({ name: kept, email: 'Berg@HOME.example' }))
  })

test('“IdaBerg” is another name than “Ida Berg”', () =>
  assert.equal(checkRow(row({ name: 'IdaBerg' }), [ida]).is, 'shared'))

test('a name that is typed in another way leaves the kept one as it is', () => {
  const found = checkRow(row({ name: 'IDA BERG', phone: '2' }), [ida])
  assert.deepEqual(found, { is: 'update', before: ida, after: { ...ida, phone: '2' } })
})

test('rows of one name at two addresses, or of two at one, are different people', () => {
  const keys = [row(), row({ email: 'ida@home.example' }), row({ name: 'Una Berg' })].map(customerKey)
  assert.equal(new Set(keys).size, 3)
  assert.equal(keys[0], 'ida berg <berg@home.example>')
})
