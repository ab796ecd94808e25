import { listProviders } from '../catalogue/providers/providers.sql.ts'
import { bumpCatalogue, replaceLinkSecret } from '../catalogue/site/site.sql.ts'
import { raiseTxBase } from '../db/log/event-log.ts'
import type { Operation, Tx } from '../db/perform/app.ts'
import { pauseOutbound } from '../jobs/outbound-pause.ts'
import {
  clearAccess,
  countActiveUsers,
  countCalendarFeeds,
  countTokens,
  findFirstAdministrator,
  findLinkSecret,
  type LinkSecret,
  listUsersByAge,
  type Revocations,
  revokeSecrets,
} from './reset.sql.ts'
import { type ReplacedUsers, withdrawAccess } from './reset-users.ts'
import { isActiveAdministrator } from './users/user.ts'
import { linkSeconds } from './users/users.operations.ts'
import { insertUserLink, updateUser } from './users/users.sql.ts'

/** The input of `resetAccess`. */
export interface ResetAccess {
  /** The hash of the secret in the one-time link for the oldest administrator. */
  readonly linkHash: string
  /**
   * The API tokens, calendar feeds and private links that were revoked in the database before the restore replaced it,
   * and the users and the secret of customers' links in that database. The operation revokes the secrets and withdraws
   * the access of users again, and takes over the secret of links if it was rotated, since the backup may be older than
   * the revocation or rotation. Absent when the replaced database cannot be read, and with `daybook
   * restore --reset-access`, which resets access after a restore by another tool such as `pg_restore`.
   */
  readonly revoked?: Revocations
}

/** The result of `resetAccess`. */
export interface AccessReset {
  /** The e-mail address of the administrator that the link is for; null when the site has no active administrator. */
  readonly administrator: string | null
  /**
   * Whether that administrator was disabled, removed or given another role in the replaced database, and is one again
   * because no other administrator is active.
   */
  readonly reinstated: boolean
  /** The number of users who are not disabled. */
  readonly users: number
  /** The number of API tokens that are neither revoked nor expired. */
  readonly tokens: number
  readonly calendarFeeds: number
}

/**
 * Resets access after a restore: deletes sessions, one-time links, records of known browsers, passkeys and unconfirmed
 * authenticator apps, clears passwords, revokes the secrets in `revoked`, withdraws the access of the users from whom
 * it was withdrawn there, pauses jobs that contact other systems, and creates a link with which the oldest active
 * administrator, if there is one, sets a password. Events after the reset sort after all earlier events of the event
 * log, including events that the restore discarded but that a reader of the event log may have seen.
 */
export const resetAccess: Operation<ResetAccess, AccessReset> = async (tx, { linkHash, revoked }) => {
  await tx.lock(['catalogue!', 'users'])
  await clearAccess(tx.db)
  if (revoked) await revokeSecrets(tx.db, revoked.secrets, tx.now)
  if (revoked?.links) await takeOverLinkSecret(tx, revoked.links)
  const reinstated = revoked !== undefined && (await withdrawFromUsers(tx, revoked.users))
  await pauseOutbound(tx)
  // New events get numbers above the current time in microseconds. As long as the site has had fewer than a million
  // writes a second, that time exceeds the number of every earlier event, even of the events that the restore discarded
  // (see docs/decisions/0025).
  await raiseTxBase(tx.db, tx.newOrdinal())
  tx.record({ kind: 'access_cleared', userId: null, by: 'restore' })
  const administrator = await findFirstAdministrator(tx.db)
  if (administrator) {
    const times = { createdAt: tx.now, expiresAt: tx.now + linkSeconds }
    await insertUserLink(tx.db, { hash: linkHash, userId: administrator.id, liftSecondFactor: false, ...times })
    tx.record({ kind: 'link_made', userId: administrator.id })
  }
  return {
    administrator: administrator?.email ?? null,
    reinstated,
    users: await countActiveUsers(tx.db),
    tokens: await countTokens(tx.db, tx.now),
    calendarFeeds: await countCalendarFeeds(tx.db),
  }
}

/**
 * Takes over the secret of customers' links from the replaced database if that is of the same site and the backup has
 * no later rotation: links signed with a secret that was replaced after a leak stay void.
 */
async function takeOverLinkSecret(tx: Tx, replaced: LinkSecret): Promise<void> {
  const restored = await findLinkSecret(tx.db)
  if (restored?.siteCreatedAt !== replaced.siteCreatedAt || restored.secret === replaced.secret) return
  if (restored.rotatedAt > replaced.rotatedAt) return
  await replaceLinkSecret(tx.db, replaced.secret)
  await bumpCatalogue(tx)
}

/**
 * Stores what remains of the access of restored users. If no administrator remained active, the access of one stays as
 * in the backup, preferably of one who only has another role in the replaced database; returns whether it did.
 */
async function withdrawFromUsers(tx: Tx, replaced: ReplacedUsers): Promise<boolean> {
  const restored = await listUsersByAge(tx.db)
  const changes = new Map(withdrawAccess(restored, replaced).map((user) => [user.id, user]))
  const administrators = restored.filter(isActiveAdministrator)
  const reinstated = administrators.some((user) => isActiveAdministrator(changes.get(user.id) ?? user))
    ? undefined
    : (administrators.find(({ id }) => changes.get(id)?.status === 'active') ?? administrators[0])
  if (reinstated) changes.delete(reinstated.id)
  // A provider who was added after the backup is missing in it.
  const providers = new Set((await listProviders(tx.db)).map(({ id }) => id))
  for (const { providerId, ...user } of changes.values()) {
    const known = providerId !== null && providers.has(providerId) ? providerId : null
    await updateUser(tx.db, { ...user, providerId: known }, tx.now)
  }
  return reinstated !== undefined
}
