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

test('a row with an unknown address is a new customer', () => assert.deepEqual(checkRow(row(), []), { is: 'new' }))

test('a row with a known address and another name shares the address', () =>
  assert.deepEqual(checkRow(row({ name: 'Una Berg' }), [ida]), { is: 'shared', others: [ida] }))

test('a row that matches two customers is unclear, and names only those two', () => {
  const twin = { ...ida, id: 'c_3' }
  assert.deepEqual(checkRow(row(), [ida, una, twin]), { is: 'unclear', others: [ida, twin] })
})

test('an existing customer is found by address and name, and completed by the row', () =>
  assert.deepEqual(checkRow(row(), [una, ida]), { is: 'same', before: ida, after: ida }))

for (const change of [{ phone: '2' }, { timezone: null }, { timezone: 'Asia/Tokyo' }, { language: 'ja' }])
  test(`a row with ${Object.entries(change).join()} changes that alone`, () =>
    assert.deepEqual(checkRow(row(change), [ida]), { is: 'update', before: ida, after: { ...ida, ...change } }))

test('a row with known values changes nothing', () => {
  const { phone, timezone, language } = ida
  assert.equal(checkRow(row({ phone, timezone, language }), [ida]).is, 'same')
})

for (const [typed, kept] of [
  ['  ida \t BERG ', 'Ida Berg'],
  ['José', 'Jose\u0301'],
  ['Ida\u00a0Berg', 'Ida Berg'],
] as const)
  test(`“${typed}” is the name “${kept}” in another notation`, () => {
    assert.equal(checkRow(row({ name: typed }), [{ ...ida, name: kept }]).is, 'same')
    assert.equal(customerKey(row({ name: typed })), customerKey({ name: kept, email: 'Berg@HOME.example' }))
  })

test('“IdaBerg” is another name than “Ida Berg”', () =>
  assert.equal(checkRow(row({ name: 'IdaBerg' }), [ida]).is, 'shared'))

test('another notation of a name does not change the stored one', () => {
  const found = checkRow(row({ name: 'IDA BERG', phone: '2' }), [ida])
  assert.deepEqual(found, { is: 'update', before: ida, after: { ...ida, phone: '2' } })
})

test('rows with one name at two addresses, or two names at one, are different customers', () => {
  const keys = [row(), row({ email: 'ida@home.example' }), row({ name: 'Una Berg' })].map(customerKey)
  assert.equal(new Set(keys).size, 3)
  assert.equal(keys[0], 'ida berg <berg@home.example>')
})
