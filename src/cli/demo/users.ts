import { randomBytes } from 'node:crypto'
import { hashPassword } from '../../access/passwords/password-hash.ts'
import { type UserRole, userRoles } from '../../access/users/user.ts'
import { findUserByEmail } from '../../access/users/users.sql.ts'
import type { CommandApp } from '../framework/command.ts'
import { performCommand } from '../framework/perform.ts'

const by = { by: 'serve --demo' }
const names: Readonly<Record<UserRole, string>> = {
  admin: 'Demo administrator',
  manager: 'Demo manager',
  receptionist: 'Demo receptionist',
  provider: 'Demo provider',
  read_only: 'Demo observer',
}

/**
 * Creates or resets a demo user for each role, all with one new password, and returns a text with the e-mail addresses
 * and the password. Without a provider, no user has the role `provider`.
 */
export async function demoUsers(app: CommandApp, providerId: number | undefined): Promise<string> {
  const password = randomBytes(12).toString('base64url')
  const passwordHash = await hashPassword(password)
  const roles = userRoles.filter((role) => role !== 'provider' || providerId !== undefined)
  for (const role of roles) {
    await setUser(app, role, { passwordHash, providerId: role === 'provider' ? (providerId ?? null) : null })
  }
  const others = roles.filter((role) => role !== 'admin').map(emailOf)
  return `Panel sign-in: ${emailOf('admin')} with the password ${password}\nWith the same password: ${others.join(', ')}\n`
}

async function setUser(
  app: CommandApp,
  role: UserRole,
  { passwordHash, providerId }: { readonly passwordHash: string; readonly providerId: number | null },
): Promise<void> {
  const email = emailOf(role)
  const known = await findUserByEmail(app.db, email)
  if (!known) {
    await performCommand(
      app,
      'users.create',
      { email, role, name: names[role], providerId, entry: { passwordHash } },
      by,
    )
    return
  }
  await performCommand(app, 'users.edit', { id: known.user.id, role, providerId, status: 'active' }, by)
  // Sets the new password and ends the sessions of an earlier start of the demo.
  await performCommand(app, 'users.password', { passwordHash, of: { userId: known.user.id, sessionId: '' } }, by)
}

function emailOf(role: UserRole): string {
  return `${role}@demo.example`
}
