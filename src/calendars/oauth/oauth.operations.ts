import type { Operation } from '../../db/perform/app.ts'
import { refusal } from '../../messages/refusal.ts'
import { connectAccount, editAccount } from '../accounts/accounts.operations.ts'
import { findAccount } from '../accounts/accounts.sql.ts'
import { type Changing, lockOwned, lockProvider } from '../lock-owned.operations.ts'
import { deleteApp, deleteGrants, findApp, findGrant, insertGrant, saveApp } from './oauth.sql.ts'
import { type Grant, type GrantApp, type GrantKind, grantSeconds } from './oauth.ts'

/** The input of `setApp`: the OAuth client credentials to store; null removes them. */
export interface SetApp {
  readonly kind: GrantKind
  readonly app: Pick<GrantApp, 'clientId' | 'sealed'> | null
}

/**
 * Stores or removes the OAuth client credentials of this site at a calendar system. Without them, this service cannot
 * request access tokens for the accounts at that calendar system.
 */
export const setApp: Operation<SetApp, Record<never, never>> = async (tx, { kind, app }) => {
  await tx.lock(['calendar-apps'])
  const before = await findApp(tx.db, kind)
  if (app) await saveApp(tx.db, { kind, ...app })
  else await deleteApp(tx.db, kind)
  const object = app && shown(kind, app.clientId)
  const previous = before ? shown(kind, before.clientId) : null
  if (object || previous)
    await tx.append({ type: object ? 'calendar.updated' : 'calendar.removed', objectId: kind, object, previous })
  return {}
}

/**
 * Stores an OAuth client secret encrypted with another key; does nothing when the stored secret is no longer `from`.
 */
export const resealApp: Operation<
  { readonly kind: GrantKind; readonly from: string; readonly to: string },
  Record<never, never>
> = async (tx, { kind, from, to }) => {
  await tx.lock(['calendar-apps'])
  const found = await findApp(tx.db, kind)
  if (found?.sealed === from) await saveApp(tx.db, { ...found, sealed: to })
  return {}
}

/** The input of `beginGrant`: the sign-in, without the time of its expiry. */
export type BeginGrant = Omit<Grant, 'expiresAt'> & Changing

/** Begins an OAuth sign-in at a calendar system, for a new account or to renew the credentials of an existing one. */
export const beginGrant: Operation<BeginGrant, Record<never, never>> = async (tx, { ofProvider, ...grant }) => {
  const scope = ofProvider === undefined ? {} : { ofProvider }
  if (grant.accountId === null) await lockProvider(tx, { providerId: grant.providerId, ...scope })
  else {
    const account = await lockOwned(tx, { id: grant.accountId, ...scope }, findAccount)
    // The credentials of one calendar system would replace those of another.
    if (account.kind !== grant.kind) throw refusal('calendar_not_found')
  }
  await deleteGrants(tx.db, grant.stateHash, tx.now)
  await insertGrant(tx.db, { ...grant, expiresAt: tx.now + grantSeconds })
  return {}
}

/** The input of `finishGrant`; `userId` must be the user who began the sign-in. */
export interface FinishGrant extends Changing {
  readonly stateHash: string
  readonly userId: string
  /** The id of the account if the sign-in connects a new one; ignored for an existing account. */
  readonly id: string
  readonly host: string
  /** The encrypted `GrantSecret` of the account. */
  readonly sealed: string
}

/**
 * Completes an OAuth sign-in at a calendar system: connects a new account, or replaces the credentials of an existing
 * one. Each sign-in can be completed once, before it expires and by the user who began it.
 */
export const finishGrant: Operation<FinishGrant, { readonly providerId: number }> = async (tx, input) => {
  const { stateHash, userId, id, host, sealed, ofProvider } = input
  const scope = ofProvider === undefined ? {} : { ofProvider }
  await tx.lock([`calendar-grant:${stateHash}`])
  const grant = await findGrant(tx.db, stateHash)
  if (!grant || grant.userId !== userId || grant.expiresAt <= tx.now) throw refusal('calendar_grant_expired')
  await deleteGrants(tx.db, stateHash, tx.now)
  const { providerId, kind, accountId } = grant
  if (accountId === null) await connectAccount(tx, { id, providerId, kind, login: '', host, sealed, ...scope })
  else await editAccount(tx, { id: accountId, login: '', host, sealed, ...scope })
  return { providerId }
}

function shown(kind: GrantKind, clientId: string) {
  return { id: kind, kind, clientId }
}
