import { randomBytes } from 'node:crypto'
import { hashPassword } from '../../access/passwords/password-hash.ts'
import type { PersonRole } from '../../access/users/user.ts'
import { findPersonByEmail } from '../../access/users/users.sql.ts'
import { ask } from '../framework/ask.ts'
import type { CommandApp } from '../framework/command.ts'

const by = { by: 'serve --demo' }
const names: Readonly<Record<PersonRole, string>> = {
  admin: 'Demo administrator',
  manager: 'Demo manager',
  provider: 'Demo provider',
}

/** Gives the demo one person of each role, all with one new password, and the text that tells of them. */
export async function demoPeople(app: CommandApp, providerId: number | undefined): Promise<string> {
  const password = randomBytes(12).toString('base64url')
  const passwordHash = await hashPassword(password)
  const roles: readonly PersonRole[] =
    providerId === undefined ? ['admin', 'manager'] : ['admin', 'manager', 'provider']
  for (const role of roles) {
    await setPerson(app, role, { passwordHash, providerId: role === 'provider' ? (providerId ?? null) : null })
  }
  const others = roles.filter((role) => role !== 'admin').map(emailOf)
  return `Panel sign-in: ${emailOf('admin')} with the password ${password}\nWith the same password: ${others.join(', ')}\n`
}

async function setPerson(
  app: CommandApp,
  role: PersonRole,
  { passwordHash, providerId }: { readonly passwordHash: string; readonly providerId: number | null },
): Promise<void> {
  const email = emailOf(role)
  const known = await findPersonByEmail(app.db, email)
  if (!known) {
    await ask(app, 'users.create', { email, role, name: names[role], providerId, entry: { passwordHash } }, by)
    return
  }
  await ask(app, 'users.edit', { id: known.person.id, role, providerId, status: 'active' }, by)
  // No session is left of an earlier start.
  await ask(app, 'users.password', { passwordHash, of: { personId: known.person.id, sessionId: '' } }, by)
}

function emailOf(role: PersonRole): string {
  return `${role}@demo.example`
}
