import type { Database } from '../../db/database.ts'
import type { CalendarAccountTable } from '../../db/query/calendar-tables.ts'
import type { CalendarFaultCode } from '../calendar-fault.ts'
import type { AccountKind, CalendarAccount } from './account.ts'

/** Returns the calendar accounts of a provider, or of all providers, in the order of connection. */
export async function listAccounts(db: Database, providerId?: number): Promise<CalendarAccount[]> {
  const rows = await db.build
    .selectFrom('calendar_account')
    .selectAll()
    .$if(providerId !== undefined, (query) => query.where('provider_id', '=', providerId ?? 0))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toAccount)
}

/** Returns the kinds of the given calendar accounts by id, without those that do not exist. */
export async function listAccountKinds(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AccountKind>> {
  if (ids.length === 0) return new Map()
  const rows = await db.build
    .selectFrom('calendar_account')
    .select(['id', 'kind'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, kind }) => [id, kind as AccountKind]))
}

/** Returns the calendar account with the given id; undefined when there is none. */
export async function findAccount(db: Database, id: string): Promise<CalendarAccount | undefined> {
  const row = await db.build.selectFrom('calendar_account').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toAccount(row)
}

/** Stores a new calendar account. */
export async function insertAccount(db: Database, account: CalendarAccount): Promise<void> {
  await db.build.insertInto('calendar_account').values(toRow(account)).execute()
}

/** Stores a changed calendar account. */
export async function updateAccount(db: Database, account: CalendarAccount): Promise<void> {
  const { id, ...row } = toRow(account)
  await db.build.updateTable('calendar_account').set(row).where('id', '=', id).execute()
}

/** The result of listing the calendars of an account; an absent field is left unchanged. */
export type AccountListing = Partial<Pick<CalendarAccount, 'found' | 'foundAt' | 'login'>> &
  Pick<CalendarAccount, 'fault' | 'faultDetail'>

/** Stores the result of listing the calendars of an account; does nothing if the account has another revision. */
export async function updateListing(
  db: Database,
  { id, revision }: Pick<CalendarAccount, 'id' | 'revision'>,
  { found, foundAt, login, fault, faultDetail }: AccountListing,
): Promise<void> {
  await db.build
    .updateTable('calendar_account')
    .set({
      ...{ fault, fault_detail: faultDetail },
      ...(found !== undefined && { found: JSON.stringify(found) }),
      ...(foundAt !== undefined && { found_at: foundAt }),
      ...(login !== undefined && { login }),
    })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .execute()
}

/** Replaces the encrypted secret of an account; does nothing and returns false if the stored secret is not `from`. */
export async function replaceSecret(
  db: Database,
  { id, from, to }: { readonly id: string; readonly from: string; readonly to: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db.build
    .updateTable('calendar_account')
    .set({ secret: to })
    .where('id', '=', id)
    .where('secret', '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Records until when a node exchanges the authorization code in the encrypted secret `sealed` of an account. Does
 * nothing and returns false if another node does so at `now`, or if the stored secret is not `sealed`.
 */
export async function setExchanging(
  db: Database,
  { id, sealed }: Pick<CalendarAccount, 'id' | 'sealed'>,
  { now, until }: { readonly now: number; readonly until: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db.build
    .updateTable('calendar_account')
    .set({ exchanging_until: until })
    .where('id', '=', id)
    .where('secret', '=', sealed)
    .where('exchanging_until', '<=', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Records that no node exchanges the authorization code of an account; does nothing if it has another revision. */
export async function clearExchanging(
  db: Database,
  { id, revision }: Pick<CalendarAccount, 'id' | 'revision'>,
): Promise<void> {
  await db.build
    .updateTable('calendar_account')
    .set({ exchanging_until: 0 })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .execute()
}

/** Deletes a calendar account; its calendars are deleted by the caller. */
export async function deleteAccount(db: Database, id: string): Promise<void> {
  await db.build.deleteFrom('calendar_account').where('id', '=', id).execute()
}

function toAccount(row: CalendarAccountTable): CalendarAccount {
  return {
    id: row.id,
    providerId: row.provider_id,
    kind: row.kind as AccountKind,
    login: row.login,
    host: row.host,
    sealed: row.secret,
    found: JSON.parse(row.found),
    foundAt: row.found_at,
    fault: row.fault as CalendarFaultCode | null,
    faultDetail: row.fault_detail,
    revision: row.revision,
    createdAt: row.created_at,
  }
}

function toRow(account: CalendarAccount): CalendarAccountTable {
  return {
    id: account.id,
    provider_id: account.providerId,
    kind: account.kind,
    login: account.login,
    host: account.host,
    secret: account.sealed,
    // A new account and new credentials have an authorization code of their own.
    exchanging_until: 0,
    found: JSON.stringify(account.found),
    found_at: account.foundAt,
    fault: account.fault,
    fault_detail: account.faultDetail,
    revision: account.revision,
    created_at: account.createdAt,
  }
}
