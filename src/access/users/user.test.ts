import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withSentences } from '../../../test/support/sentences.ts'
import { passwordFault, shownUser, type User, userRoles } from './user.ts'

test('there are five roles', () =>
  assert.deepEqual(userRoles, ['admin', 'manager', 'receptionist', 'provider', 'read_only']))

test('the history contains all fields of a user, none of them about the password', () => {
  const user: User = {
    id: 'u_1',
    email: 'ana@a.example',
    role: 'provider',
    providerId: 3,
    name: 'Ana',
    status: 'active',
  }
  assert.deepEqual(shownUser(user), user)
})

const tooShort = 'A password must have at least 10 characters.'
const tooLong = 'A password can have at most 1,000 characters.'
for (const [what, password, fault] of [
  ['of 9 characters', 'x'.repeat(9), tooShort],
  ['of 10 characters', 'x'.repeat(10), undefined],
  ['of 9 characters that take two units each', '🔑'.repeat(9), tooShort],
  ['of 1,000 characters', 'x'.repeat(1000), undefined],
  ['of 1001 characters', 'x'.repeat(1001), tooLong],
  ['of 1,000 characters that take two units each', '🔑'.repeat(1000), undefined],
] as const)
  test(`a password ${what} ${fault ? 'is refused' : 'is accepted'}`, () =>
    assert.equal(withSentences(passwordFault(password)), fault))
