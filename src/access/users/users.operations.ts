import { hash, randomBytes } from 'node:crypto'
import { listProviders } from '../../catalogue/providers/providers.sql.ts'
import type { Database } from '../../db/database.ts'
import type { Operation, Tx } from '../../db/perform/app.ts'
import { message } from '../../messages/message.ts'
import { Refusal, refusal, wrongFields } from '../../messages/refusal.ts'
import { countFactors, deletePasskeys, deleteTotp, replaceRecoveryCodes } from '../second-factors/second-factors.sql.ts'
import { forgetDevices } from '../sessions/devices.sql.ts'
import { loadFactors } from '../sessions/sessions.operations.ts'
import { deleteSessions } from '../sessions/sessions.sql.ts'
import { isActiveAdministrator, shownUser, type User, type UserRole } from './user.ts'
import { saveUserLanguage } from './user-language.sql.ts'
import {
  deleteUser,
  findLink,
  findUser,
  findUserId,
  hasAdministrator,
  insertUser,
  insertUserLink,
  listUserRecords,
  listUsersOfProvider,
  type UserRecord,
  updateFactorsLifted,
  updatePassword,
  updateUser,
  voidLinks,
} from './users.sql.ts'

/** The input of `createUser`. */
export interface CreateUser {
  readonly email: string
  readonly role: UserRole
  readonly name: string
  readonly providerId: number | null
  /** The user's first credential: the hash of a password (`hashPassword`) or of a link's secret (`hashLinkSecret`). */
  readonly entry: { readonly passwordHash: string } | { readonly linkHash: string }
}

/** Seconds after its creation at which a link for setting a password expires. */
export const linkSeconds = 3_600

/** Creates a user of the panel; refuses an e-mail address that another user has, regardless of case. */
export const createUser: Operation<CreateUser, { readonly id: string }> = async (tx, input) => {
  await tx.lock(['users'])
  if ((await findUserId(tx.db, input.email)) !== undefined) {
    throw refusal('user_exists', { email: input.email })
  }
  const { email, role, name, providerId, entry } = input
  const user: User = { id: tx.newId('user'), email, role, providerId, name, status: 'active' }
  await refuseOddProvider(tx, user)
  const passwordHash = 'passwordHash' in entry ? entry.passwordHash : null
  await insertUser(tx.db, user, { passwordHash, now: tx.now })
  if ('linkHash' in entry) await insertLink(tx, user.id, { hash: entry.linkHash, liftSecondFactor: false })
  await tx.append({ type: 'user.created', objectId: user.id, object: shownUser(user), previous: null })
  return { id: user.id }
}

/** The input of `editUser`. */
export interface EditUser {
  readonly id: string
  readonly name?: string
  readonly role?: UserRole
  readonly providerId?: number | null
  readonly status?: User['status']
}

/**
 * Changes a user. Disabling the user, or changing the role or the linked provider, ends all of the user's sessions. The
 * last active administrator can be neither disabled nor given another role.
 */
export const editUser: Operation<EditUser, Record<never, never>> = async (tx, input) => {
  const { user } = await lockUser(tx, input.id)
  const role = input.role ?? user.role
  const providerId = input.providerId === undefined ? (role === 'provider' ? user.providerId : null) : input.providerId
  const changed = {
    ...user,
    name: input.name ?? user.name,
    role,
    providerId,
    status: input.status ?? user.status,
  }
  const previous = shownUser(user)
  const object = shownUser(changed)
  if (JSON.stringify(previous) === JSON.stringify(object)) return {}
  await refuseOddProvider(tx, changed)
  if (!isActiveAdministrator(changed)) await keepAnAdministrator(tx, user)
  await updateUser(tx.db, changed, tx.now)
  // An open stream of `GET /live/` applies the role and provider that the user had when it started, until its session
  // ends. A change of either therefore ends the user's sessions.
  const other = changed.role !== user.role || changed.providerId !== user.providerId
  if ((changed.status !== 'active' || other) && (await deleteSessions(tx.db, user.id, 'all')) > 0) {
    tx.record({ kind: 'sessions_ended', userId: user.id, by: changed.status === 'active' ? 'role' : 'disabled' })
  }
  await tx.append({ type: 'user.updated', objectId: user.id, object, previous })
  return {}
}

/**
 * Unlinks all users from a provider that is about to be deleted, and ends their sessions. The caller must hold the lock
 * `users`.
 */
export async function unlinkProvider(tx: Tx, providerId: number): Promise<void> {
  for (const user of await listUsersOfProvider(tx.db, providerId)) {
    const changed = { ...user, providerId: null }
    await updateUser(tx.db, changed, tx.now)
    if ((await deleteSessions(tx.db, user.id, 'all')) > 0) {
      tx.record({ kind: 'sessions_ended', userId: user.id, by: 'role' })
    }
    const [object, previous] = [shownUser(changed), shownUser(user)]
    await tx.append({ type: 'user.updated', objectId: user.id, object, previous })
  }
}

/**
 * Removes a user permanently; refuses the last active administrator. The event log and the security history retain the
 * entries about the user.
 */
export const removeUser: Operation<{ readonly id: string }, Record<never, never>> = async (tx, { id }) => {
  const { user } = await lockUser(tx, id)
  await keepAnAdministrator(tx, user)
  await deleteUser(tx.db, id)
  await tx.append({ type: 'user.removed', objectId: id, object: null, previous: shownUser(user) })
  return {}
}

/** The input of `inviteUser`. */
export interface InviteUser {
  readonly id: string
  readonly linkHash: string
  /** Whether the use of the link also removes the user's second factors. */
  readonly liftSecondFactor: boolean
  /** Whether earlier links of the user stay valid; false when absent. */
  readonly beside?: boolean
}

/**
 * Creates a link with which an active user sets a password; earlier links of the user become invalid unless `beside` is
 * set. Refuses a disabled user, whose links are invalid.
 */
export const inviteUser: Operation<InviteUser, Record<never, never>> = async (tx, input) => {
  const { user } = await lockUser(tx, input.id)
  if (user.status !== 'active') throw refusal('user_disabled')
  if (!input.beside) await voidLinks(tx.db, user.id, tx.now)
  await insertLink(tx, user.id, { hash: input.linkHash, liftSecondFactor: input.liftSecondFactor })
  const object = { id: user.id, liftSecondFactor: input.liftSecondFactor }
  await tx.append({ type: 'user.invited', objectId: user.id, object, previous: null })
  return {}
}

async function liftSecondFactors(tx: Tx, userId: string): Promise<void> {
  const { totp, passkeys } = await loadFactors(tx.db, userId)
  if (!totp && passkeys === 0) return
  // The link removed the user's second factors, and someone other than the user may have opened it. The user therefore
  // gets a mail, which the event causes, and sees a notice at the next sign-in.
  await updateFactorsLifted(tx.db, userId, tx.now)
  tx.record({ kind: 'factors_lifted', userId })
  await deleteTotp(tx.db, userId)
  await deletePasskeys(tx.db, userId)
  await replaceRecoveryCodes(tx.db, userId, [], tx.now)
  await tx.append({
    type: 'user.second_factor_changed',
    objectId: userId,
    object: { id: userId, what: 'all lifted by a link' },
    previous: null,
  })
}

/** The input of `setPassword`. */
export interface SetPassword {
  readonly passwordHash: string
  /**
   * The authorisation to set the password: a one-time link, whose use ends every session of the user, or a session of
   * the user, which stays valid while the other sessions end.
   */
  readonly of:
    | { readonly linkHash: string }
    | {
        readonly userId: string
        readonly sessionId: string
        /**
         * The hash of the device cookie of the browser that changes the password; other known browsers are forgotten.
         */
        readonly deviceHash?: string | undefined
      }
}

/**
 * Sets the password of an active user and invalidates the user's unused links. With a session, ends the user's other
 * sessions and forgets all known browsers except the one with the device cookie `deviceHash`; with a link, ends all
 * sessions and forgets all known browsers. Refuses an invalid link and a disabled user.
 */
export const setPassword: Operation<SetPassword, { readonly email: string }> = async (tx, { passwordHash, of }) => {
  const { user } = await lockUser(tx, 'userId' in of ? of.userId : (await loadLink(tx, of.linkHash)).userId)
  // The link is checked again after locking, so that of two concurrent uses of one link the second is refused.
  const link = 'linkHash' in of ? await loadLink(tx, of.linkHash) : undefined
  if (user.status !== 'active') throw voidLink()
  await voidLinks(tx.db, user.id, tx.now)
  await updatePassword(tx.db, user.id, passwordHash, tx.now)
  await deleteSessions(tx.db, user.id, 'sessionId' in of ? { but: of.sessionId } : 'all')
  await forgetDevices(tx.db, user.id, 'sessionId' in of ? of.deviceHash : undefined)
  const by = link ? 'link' : tx.actor.kind === 'command' ? 'command' : 'person'
  if (link) {
    tx.record({ kind: 'link_used', userId: user.id })
    if (link.liftSecondFactor) await liftSecondFactors(tx, user.id)
  }
  tx.record({ kind: 'password_set', userId: user.id, by })
  const object = { id: user.id, by }
  await tx.append({ type: 'user.password_set', objectId: user.id, object, previous: null })
  return { email: user.email }
}

async function loadLink(tx: Tx, linkHash: string) {
  const link = await findLink(tx.db, linkHash, tx.now)
  if (!link) throw voidLink()
  return link
}

/**
 * Returns the user whose password a link sets; throws a refusal for an invalid link and for a link of a disabled user.
 */
export async function ownerOfLink(db: Database, linkHash: string, now: number): Promise<User> {
  const link = await findLink(db, linkHash, now)
  const known = link && (await findUser(db, link.userId))
  if (known?.user.status !== 'active') throw voidLink()
  return known.user
}

function voidLink(): Refusal {
  return refusal('link_invalid')
}

async function lockUser(tx: Tx, id: string): Promise<UserRecord> {
  await tx.lock(['users', `user:${id}`])
  const known = await findUser(tx.db, id)
  if (!known) throw refusal('user_not_found')
  return known
}

async function keepAnAdministrator(tx: Tx, user: User): Promise<void> {
  if (!isActiveAdministrator(user) || (await hasAdministrator(tx.db, user.id))) return
  throw refusal('last_administrator')
}

async function refuseOddProvider(tx: Tx, { role, providerId }: User): Promise<void> {
  if (providerId === null) return
  if (role !== 'provider') {
    throw wrongFields({
      providerId: message('provider_for_role_only'),
    })
  }
  if (!(await listProviders(tx.db)).some(({ id }) => id === providerId)) {
    throw new Refusal({ code: 'provider_not_found', message: message('no_such_provider_id', { id: providerId }) })
  }
}

async function insertLink(
  tx: Tx,
  userId: string,
  made: { readonly hash: string; readonly liftSecondFactor: boolean },
): Promise<void> {
  await insertUserLink(tx.db, { ...made, userId, createdAt: tx.now, expiresAt: tx.now + linkSeconds })
  tx.record({ kind: 'link_made', userId, by: made.liftSecondFactor ? 'lift_second_factor' : '' })
}

/** A user in the list of users. */
export interface ListedUser extends User {
  /** Whether the user has a password; a user who was created with a link has none until the first one is set. */
  readonly passwordSet: boolean
  readonly secondFactor: boolean
  /**
   * The time of the last sign-in in the security history or, if later, of the last request in a stored session, to
   * within a minute; null when neither is stored.
   */
  readonly lastSeenAt: number | null
  readonly createdAt: number
}

/** Returns all users, sorted by name. */
export async function listUsers(db: Database): Promise<ListedUser[]> {
  const people = await listUserRecords(db)
  const factors = await countFactors(
    db,
    people.map(({ user }) => user.id),
  )
  return people.map(({ user, passwordHash, createdAt, lastSeenAt }) => {
    const { totp = false, passkeys = 0 } = factors.get(user.id) ?? {}
    return { ...user, passwordSet: passwordHash !== null, secondFactor: totp || passkeys > 0, lastSeenAt, createdAt }
  })
}

/** Generates the secret of a one-time link: 256 random bits. */
export function newLinkSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Hashes the secret of a one-time link with SHA-256, as hexadecimal text. */
export function hashLinkSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/**
 * Stores the language in which a user reads the panel; the operation appends no event, since the language is only a
 * preference.
 */
export const setUserLanguage: Operation<
  { readonly userId: string; readonly language: string },
  Record<never, never>
> = async (tx, { userId, language }) => {
  await saveUserLanguage(tx.db, userId, language)
  return {}
}
