import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RestRefusal } from '../../http/response/errors.ts'
import { type AccountName, createSignInCounters, type SignInCounters } from './sign-in-counters.routes.ts'

const now = 1_800_000_000
const nothing = (): void => {}
const email = 'ann@clinic.example'

function isRefused(attempt: () => void): boolean {
  try {
    attempt()
    return false
  } catch (error) {
    assert.ok(error instanceof RestRefusal, String(error))
    return true
  }
}

function lock(attempts: SignInCounters, name: AccountName): void {
  for (let count = 0; count < 11; count++) isRefused(() => attempts.atAccount(name, now, nothing))
}

// The test makes 10 attempts from each of 5,000 addresses, so that an address is refused only when 11 addresses share a
// counter, which practically never happens. With 50 attempts from each of 1,000 addresses, three addresses that share a
// counter would suffice, which happens for about one random key in 25.
test('50,000 names tried from 5,000 addresses do not reset a locked account', () => {
  const attempts = createSignInCounters(() => false)
  lock(attempts, { email })
  let passed = 0
  for (let count = 0; count < 50_000; count++) {
    const address = `10.0.${Math.floor((count % 5_000) / 250)}.${count % 250}`
    isRefused(() => {
      attempts.fromAddress(address, now)
      passed++
      attempts.atAccount({ email: `${count}@x.example` }, now, nothing)
    })
  }
  assert.ok(passed >= 50_000, String(passed))
  assert.ok(isRefused(() => attempts.atAccount({ email }, now, nothing)))
  assert.ok(!isRefused(() => attempts.atAccount({ email }, now + 901, nothing)))
})

test('no number of addresses resets a limited one, and an IPv6 network counts as one', () => {
  const attempts = createSignInCounters(() => false)
  for (let count = 0; count <= 100; count++) {
    isRefused(() => attempts.fromAddress(`2001:db8:1:2::${count.toString(16)}`, now))
  }
  for (let count = 0; count < 60_000; count++) {
    isRefused(() => attempts.fromAddress(`2001:db8:${count.toString(16)}:9::1`, now + 1))
  }
  assert.ok(isRefused(() => attempts.fromAddress('2001:db8:1:2:ffff::1', now + 2)))
})

test('strangers cannot lock out a known browser, which has its own limit', () => {
  const attempts = createSignInCounters(() => false)
  lock(attempts, { email })
  assert.ok(!isRefused(() => attempts.atAccount({ email, deviceHash: 'd' }, now, nothing)))
  lock(attempts, { email, deviceHash: 'd' })
  assert.ok(isRefused(() => attempts.atAccount({ email, deviceHash: 'd' }, now, nothing)))
})

test('a lock is reported once', () => {
  const attempts = createSignInCounters(() => false)
  let told = 0
  for (let count = 0; count < 30; count++) isRefused(() => attempts.atAccount({ email }, now, () => told++))
  assert.equal(told, 1)
})
