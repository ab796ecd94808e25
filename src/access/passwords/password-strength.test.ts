import assert from 'node:assert/strict'
import { subscribe } from 'node:diagnostics_channel'
import { test } from 'node:test'
import { isPasswordRatingBusy, newPasswordFault } from './password-strength.ts'

const owner = { name: 'Ann', email: 'ann@clinic.example', siteName: 'Clinic' }

test('at most two threads rate passwords concurrently, and a full queue is reported', async () => {
  let threads = 0
  let most = 0
  subscribe('worker_threads', (message) => {
    threads += 1
    most = Math.max(most, threads)
    const { worker } = Object(message)
    worker.once('exit', () => {
      threads -= 1
    })
  })
  const ratings: ReturnType<typeof newPasswordFault>[] = []
  const rate = (password: string) => newPasswordFault(password, owner)
  while (!isPasswordRatingBusy()) ratings.push(rate(ratings.length % 2 ? 'password12' : 'four words of my own'))
  assert.ok(ratings.length >= 10 && ratings.length <= 30, String(ratings.length))
  const faults = await Promise.all(ratings)
  assert.equal(most, 2)
  assert.equal(faults[0], undefined)
  assert.deepEqual(faults[1], { code: 'password_common' })
  assert.equal(isPasswordRatingBusy(), false)
})
