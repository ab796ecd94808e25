import { emailKey } from '../domain/customer.ts'
import type { Person } from '../domain/person.ts'
import type { Database } from './database.ts'

/** The id of the person with this e-mail address, however it is spelled; undefined when there is none. */
export async function findPersonId(db: Database, email: string): Promise<string | undefined> {
  const row = await db.build
    .selectFrom('person')
    .select('id')
    .where('email_key', '=', emailKey(email))
    .executeTakeFirst()
  return row?.id
}

/** Writes a new person; without a hash there is no password, and no way in but a link. */
export async function insertPerson(
  db: Database,
  made: Person,
  { passwordHash, now }: { readonly passwordHash: string | null; readonly now: number },
): Promise<void> {
  await db.build
    .insertInto('person')
    .values({
      id: made.id,
      email: made.email,
      email_key: emailKey(made.email),
      role: made.role,
      provider_id: made.providerId,
      name: made.name,
      password_hash: passwordHash,
      status: made.status,
      created_at: now,
      updated_at: now,
    })
    .execute()
}

/** Writes a link with which the person may set a password once, until it expires. */
export async function insertPersonLink(
  db: Database,
  link: { readonly hash: string; readonly personId: string; readonly createdAt: number; readonly expiresAt: number },
): Promise<void> {
  await db.build
    .insertInto('person_link')
    .values({
      hash: link.hash,
      person_id: link.personId,
      purpose: 'set_password',
      created_at: link.createdAt,
      expires_at: link.expiresAt,
      used_at: null,
    })
    .execute()
}
