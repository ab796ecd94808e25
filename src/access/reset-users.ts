import type { User, UserRole } from './users/user.ts'

/** A user as in the database that a restore replaced. */
export interface ReplacedUser extends Pick<User, 'id' | 'role' | 'providerId' | 'status'> {
  readonly updatedAt: number
}

/** The users in the database that a restore replaced. */
export interface ReplacedUsers {
  readonly users: readonly ReplacedUser[]
  /** The ids of the users who were removed in that database. */
  readonly removed: readonly string[]
}

// Of the roles `provider` and `read_only` neither includes the other.
const powers: Readonly<Record<UserRole, number>> = { admin: 3, manager: 2, receptionist: 1, provider: 0, read_only: 0 }

/**
 * Returns the restored users whose access was withdrawn or reduced in the replaced database, with what remains of it: a
 * user who was removed there is disabled, and a user who was changed there after the last change in the backup is
 * disabled if disabled in either database and has the lesser of the two roles. A role or status that grants more is not
 * taken over, since the reason for the restore may be that an intruder granted it.
 */
export function withdrawAccess(
  restored: readonly (User & { readonly updatedAt: number })[],
  { users, removed }: ReplacedUsers,
): User[] {
  const replaced = new Map(users.map((user) => [user.id, user]))
  const gone = new Set(removed)
  return restored.flatMap(({ updatedAt, ...user }) => {
    const later = replaced.get(user.id)
    const changed = later && later.updatedAt >= updatedAt ? lesserOf(user, later) : user
    const result: User = gone.has(user.id) ? { ...changed, status: 'disabled' } : changed
    const { role, providerId, status } = result
    return role === user.role && providerId === user.providerId && status === user.status ? [] : [result]
  })
}

function lesserOf(user: User, later: ReplacedUser): User {
  const { role, providerId } = powers[later.role] <= powers[user.role] ? later : user
  return { ...user, role, providerId, status: later.status === 'disabled' ? 'disabled' : user.status }
}
