import assert from 'node:assert/strict'
import { test } from 'node:test'
import { e164Of } from './mobile-number.ts'

for (const [typed, number] of [
  ['+49 151 23456789', '+4915123456789'],
  ['0049 (151) 2345-6789', '+4915123456789'],
  [' +34 612 345 678 ', '+34612345678'],
  ['0151 23456789', undefined],
  ['+49', undefined],
  ['+999 1234567', undefined],
  ['call me', undefined],
  ['', undefined],
] as const)
  test(`"${typed}" is ${number ?? 'no number with a country code'}`, async () =>
    assert.equal(await e164Of(typed), number))
