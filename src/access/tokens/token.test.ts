import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { base62, isTokenSecret, tokenSecret, tokenState } from './token.ts'

const random = 'abcdefghijklmnopqrstuvwxyzABCDEFGH'
const secret = tokenSecret(random)

test('a secret consists of dbk_, 34 random characters and a checksum of six', () => {
  assert.match(secret, /^dbk_[0-9A-Za-z]{40}$/)
  assert.equal(secret.slice(4, 38), random)
})

test('the checksum is the CRC-32 of the preceding text, in base62 with leading zeros', () => {
  const value = [...secret.slice(-6)].reduce((sum, digit) => sum * 62 + base62.indexOf(digit), 0)
  assert.equal(value, crc32(secret.slice(0, -6)))
})

test('a secret passes its check and no copy with one changed character does', () => {
  assert.equal(isTokenSecret(secret), true)
  for (let at = 0; at < secret.length; at++) {
    const other = secret[at] === 'x' ? 'y' : 'x'
    assert.equal(isTokenSecret(secret.slice(0, at) + other + secret.slice(at + 1)), false, `character ${at}`)
  }
})

for (const text of [
  '',
  'dbk_',
  secret.slice(1),
  `${secret}0`,
  tokenSecret('a'),
  `x${tokenSecret(random).slice(1)}`,
  secret.toUpperCase(),
  `${secret}\n`,
  `Bearer ${secret}`,
]) {
  test(`${JSON.stringify(text)} is not a secret`, () => assert.equal(isTokenSecret(text), false))
}

for (const [expiresAt, revokedAt, now, state] of [
  [null, null, 100, 'active'],
  [101, null, 100, 'active'],
  [100, null, 100, 'expired'],
  [null, 90, 100, 'revoked'],
  [50, 90, 100, 'revoked'],
] as const) {
  test(`a token that expires at ${expiresAt}, revoked at ${revokedAt}, is ${state} at ${now}`, () =>
    assert.equal(tokenState({ expiresAt, revokedAt }, now), state))
}
