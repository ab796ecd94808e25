import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedPolicy, noSecondFactorPolicy, secondFactorDueAt } from './security-event.ts'

const day = 86_400
const policy = { since: { admin: 1_000_000 }, graceDays: 7 }

for (const [what, role, roleSince, due] of [
  ['had the role before', 'admin', 0, 1_000_000 + 7 * day],
  ['got the role afterwards', 'admin', 1_500_000, 1_500_000 + 7 * day],
  ['has another role', 'manager', 0, undefined],
] as const)
  test(`a second factor is due for a user who ${what}: ${due}`, () =>
    assert.equal(secondFactorDueAt(policy, { role, roleSince }), due))

test('a role that stays in the policy keeps its start, a new one starts now', () =>
  assert.deepEqual(changedPolicy(policy, { roles: ['admin', 'manager'], graceDays: 3 }, 2_000_000), {
    since: { admin: 1_000_000, manager: 2_000_000 },
    graceDays: 3,
  }))

test('a role that leaves the policy starts again when it returns', () => {
  const without = changedPolicy(policy, { roles: [], graceDays: 7 }, 2_000_000)
  assert.deepEqual(without, { since: {}, graceDays: 7 })
  assert.deepEqual(changedPolicy(without, { roles: ['admin'], graceDays: 7 }, 3_000_000).since, { admin: 3_000_000 })
  assert.deepEqual(noSecondFactorPolicy.since, {})
})
