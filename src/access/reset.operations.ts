import { raiseTxBase } from '../db/log/event-log.ts'
import type { Operation } from '../db/perform/app.ts'
import { pauseOutbound } from '../jobs/outbound-pause.ts'
import {
  clearAccess,
  countCalendarFeeds,
  countTokens,
  findFirstAdministrator,
  type RevokedSecrets,
  revokeSecrets,
} from './reset.sql.ts'
import { linkSeconds } from './users/users.operations.ts'
import { insertUserLink } from './users/users.sql.ts'

/** The input of `resetAccess`. */
export interface ResetAccess {
  /** The hash of the secret in the one-time link for the oldest administrator. */
  readonly linkHash: string
  /**
   * The API tokens, calendar feeds and private links that were revoked in the database before the restore replaced it.
   * The operation revokes them again, since the backup may be older than the revocation. Absent when the replaced
   * database cannot be read, and with `daybook restore --reset-access`, which resets access after a restore by another
   * tool such as `pg_restore`.
   */
  readonly revoked?: RevokedSecrets
}

/** The result of `resetAccess`. */
export interface AccessReset {
  /** The e-mail address of the administrator that the link is for; null when the site has no active administrator. */
  readonly administrator: string | null
  /** The number of API tokens that are neither revoked nor expired. */
  readonly tokens: number
  readonly calendarFeeds: number
}

/**
 * Resets access after a restore: deletes sessions, one-time links, records of known browsers, passkeys and unconfirmed
 * authenticator apps, clears passwords, revokes the secrets in `revoked`, pauses jobs that contact other systems, and
 * creates a link with which the oldest active administrator, if there is one, sets a password. Events after the reset
 * sort after all earlier events of the event log, including events that the restore discarded but that a reader of the
 * event log may have seen.
 */
export const resetAccess: Operation<ResetAccess, AccessReset> = async (tx, { linkHash, revoked }) => {
  await tx.lock(['users'])
  await clearAccess(tx.db)
  if (revoked) await revokeSecrets(tx.db, revoked, tx.now)
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
    tokens: await countTokens(tx.db, tx.now),
    calendarFeeds: await countCalendarFeeds(tx.db),
  }
}
