import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type NoShowPolicy, noShowsCountFrom, noShowVerdict } from './no-show-policy.ts'

const policy: NoShowPolicy = { count: 2, months: 6, online: 'refuse' }

for (const [missed, verdict] of [
  [0, undefined],
  [1, undefined],
  [2, 'refuse'],
  [9, 'refuse'],
] as const)
  test(`after ${missed} missed visits, the policy of two says ${verdict ?? 'nothing'}`, () =>
    assert.equal(noShowVerdict(policy, missed), verdict))

test('a site without the policy lets everybody book', () => assert.equal(noShowVerdict(null, 9), undefined))

test('a month of the policy has 30 days', () => assert.equal(noShowsCountFrom(policy, 180 * 86_400 + 5), 5))
