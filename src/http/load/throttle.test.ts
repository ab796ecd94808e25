import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createThrottle } from './throttle.ts'

const now = 1_800_000_000

test('other names never reset the counter of a name that is over its limit', () => {
  const throttle = createThrottle()
  for (let count = 0; count < 3; count++) throttle.count('192.0.2.7', 2, now)
  for (let count = 0; count < 150_000; count++) throttle.count(`10.${count}`, 2, now)
  assert.equal(throttle.count('192.0.2.7', 2, now).allowed, false)
  assert.equal(throttle.count('192.0.2.7', 2, now + 60).allowed, true)
})
