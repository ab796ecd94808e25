import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withdrawAccess } from './reset-users.ts'
import type { User } from './users/user.ts'

const mia = { id: 'u_1', email: 'mia@clinic.example', name: 'Mia', providerId: null, updatedAt: 10 } as const

function remains(before: Pick<User, 'role' | 'status'>, later: Pick<User, 'role' | 'status'>, updatedAt = 20): string {
  const restored = { ...mia, ...before }
  const [changed = restored] = withdrawAccess([restored], {
    users: [{ id: mia.id, providerId: later.role === 'provider' ? 7 : null, updatedAt, ...later }],
    removed: [],
  })
  return `${changed.role} ${changed.providerId ?? ''} ${changed.status}`
}

test('of two roles and two states, a restored user has those that grant less', () => {
  const [active, disabled] = ['active', 'disabled'] as const
  assert.equal(remains({ role: 'admin', status: active }, { role: 'manager', status: active }), 'manager  active')
  assert.equal(remains({ role: 'manager', status: active }, { role: 'admin', status: active }), 'manager  active')
  assert.equal(
    remains({ role: 'read_only', status: active }, { role: 'provider', status: active }),
    'provider 7 active',
  )
  assert.equal(remains({ role: 'admin', status: active }, { role: 'admin', status: disabled }), 'admin  disabled')
  assert.equal(remains({ role: 'admin', status: disabled }, { role: 'manager', status: active }), 'manager  disabled')
})

test('a user who was changed in the backup after the last change in the replaced database stays as in the backup', () => {
  const before = { role: 'admin', status: 'active' } as const
  assert.equal(remains(before, { role: 'manager', status: 'disabled' }, 9), 'admin  active')
})

test('a user who was removed in the replaced database is disabled, and one who is unknown there is not', () => {
  const restored = { ...mia, role: 'admin', status: 'active' } as const
  const changed = withdrawAccess([restored, { ...restored, id: 'u_2' }], { users: [], removed: [mia.id] })
  assert.deepEqual(
    changed.map(({ id, role, status }) => [id, role, status]),
    [[mia.id, 'admin', 'disabled']],
  )
})
