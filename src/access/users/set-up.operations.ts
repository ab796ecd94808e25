import type { Database } from '../../db/database.ts'
import type { Operation } from '../../db/perform/app.ts'
import { message } from '../../messages/message.ts'
import { Refusal, refusal } from '../../messages/refusal.ts'
import { type ClientContext, openSession, type StartedSession } from '../sessions/sessions.operations.ts'
import type { User } from './user.ts'
import { shownUser } from './user.ts'
import {
  deleteSetUpLinks,
  findUserId,
  hasAdministrator,
  hasSetUpLink,
  insertSetUpLink,
  insertUser,
} from './users.sql.ts'

const linkSeconds = 3_600

/**
 * Creates a link with which the first administrator is created. It is valid for an hour, beside the links of other nodes
 * and of earlier starts. When an active administrator exists, no link is created and `offered` is false.
 */
export const offerSetUp: Operation<{ readonly linkHash: string }, { readonly offered: boolean }> = async (
  tx,
  { linkHash },
) => {
  await tx.lock(['users'])
  const offered = !(await hasAdministrator(tx.db))
  if (offered) await insertSetUpLink(tx.db, { hash: linkHash, createdAt: tx.now, expiresAt: tx.now + linkSeconds })
  else await deleteSetUpLinks(tx.db)
  return { offered }
}

/** The input of `finishSetUp`. */
export interface FinishSetUp {
  readonly linkHash: string
  readonly name: string
  readonly email: string
  readonly passwordHash: string
  readonly place: ClientContext
}

/**
 * Creates an administrator through a set-up link, which works only while no administrator is active; voids all set-up
 * links; and signs the administrator in.
 */
export const finishSetUp: Operation<FinishSetUp, StartedSession> = async (tx, input) => {
  await tx.lock(['users'])
  const { linkHash, name, email, passwordHash, place } = input
  await checkSetUpLink(tx.db, linkHash, tx.now)
  if ((await findUserId(tx.db, email)) !== undefined) {
    throw refusal('user_exists', { email })
  }
  await deleteSetUpLinks(tx.db)
  const user: User = { id: tx.newId('user'), email, role: 'admin', providerId: null, name, status: 'active' }
  await insertUser(tx.db, user, { passwordHash, now: tx.now })
  await tx.append({ type: 'user.created', objectId: user.id, object: shownUser(user), previous: null })
  await openSession(tx, user, { place, by: 'set_up_link' })
  return { user }
}

/**
 * Throws a refusal for a set-up link that is unknown or has expired, and for every link once an active administrator
 * exists.
 */
export async function checkSetUpLink(db: Database, linkHash: string, now: number): Promise<void> {
  if (!(await hasAdministrator(db)) && (await hasSetUpLink(db, linkHash, now))) return
  throw new Refusal({ code: 'link_invalid', message: message('set_up_link_invalid') })
}

/** Whether the site has no active administrator. */
export async function isSetUpNeeded(db: Database): Promise<boolean> {
  return !(await hasAdministrator(db))
}
