import type { Operation, Tx } from '../../db/perform/app.ts'
import { cancelJobs, enqueue } from '../../jobs/queue.ts'
import { message } from '../../messages/message.ts'
import { Refusal, refusal, wrongFields } from '../../messages/refusal.ts'
import { type ConnectedCalendar, defaultBlocking } from '../calendar.ts'
import type { CalendarFaultCode } from '../calendar-fault.ts'
import { addCalendar, dropCalendar, maxCalendars, syncSoon } from '../calendars.operations.ts'
import { listCalendars, updateCalendar } from '../calendars.sql.ts'
import { dropDestination, resumeDestination } from '../destinations/destinations.operations.ts'
import { findDestination } from '../destinations/destinations.sql.ts'
import { type ChangingOne, lockOwned, lockProvider } from '../lock-owned.operations.ts'
import { type AccountKind, accountInHistory, type CalendarAccount } from './account.ts'
import type { RemoteCalendar } from './account-client.ts'
import {
  clearExchanging,
  deleteAccount,
  findAccount,
  insertAccount,
  listAccounts,
  replaceSecret,
  setExchanging,
  updateAccount,
  updateListing,
} from './accounts.sql.ts'

/** The kind of the jobs that list the calendars of an account; the key of a job is the account's id. */
export const findCalendarsKind = 'calendar-account'

/** The maximum number of accounts that one provider may connect. */
const maxAccounts = 5

/** The input of `connectAccount`. */
export interface ConnectAccount extends ChangingOne {
  readonly providerId: number
  readonly kind: AccountKind
  readonly login: string
  readonly host: string
  /** The credentials of the account, encrypted by the caller, so that the input contains no password in plain text. */
  readonly sealed: string
}

/**
 * Connects an account on another calendar system and queues the listing of its calendars. No calendar of the account
 * blocks time until it is chosen.
 */
export const connectAccount: Operation<ConnectAccount, { readonly id: string }> = async (tx, input) => {
  const { ofProvider, ...settings } = input
  await lockProvider(tx, input)
  const known = await listAccounts(tx.db, input.providerId)
  if (known.length >= maxAccounts)
    throw new Refusal({ code: 'calendar_limit', message: message('calendar_account_limit', { count: maxAccounts }) })
  const account: CalendarAccount = {
    ...{ ...settings, found: [], foundAt: 0, fault: null, faultDetail: '', revision: 0, createdAt: tx.now },
  }
  await insertAccount(tx.db, account)
  await findCalendarsSoon(tx, account.id)
  const object = accountInHistory(account)
  await tx.append({ type: 'calendar.created', objectId: input.id, object, previous: null })
  return { id: input.id }
}

/** The input of `editAccount`: the id of the account and its new credentials. */
export interface EditAccount extends ChangingOne {
  readonly login: string
  readonly host: string
  readonly sealed: string
}

/**
 * Changes the credentials of an account and queues the jobs that use them: one lists the account's calendars, and
 * others read the connected calendars. If reservations are written to the account, further jobs compare the written
 * events with those in the calendar and try again to write the events that failed.
 */
export const editAccount: Operation<EditAccount, Record<string, never>> = async (tx, input) => {
  const before = await lockOwned(tx, input, findAccount)
  const { login, host, sealed } = input
  const calendars = await calendarsOf(tx, before)
  const isElsewhere = host !== before.host
  const isInUse = calendars.length > 0 || (await findDestination(tx.db, before.providerId))?.accountId === before.id
  if (isElsewhere && isInUse) throw wrongFields({ url: message('calendar_account_in_use', { host: before.host }) })
  const forgotten = isElsewhere && { found: [], foundAt: 0 }
  const after = { ...before, login, host, sealed, ...forgotten, revision: before.revision + 1 }
  await updateAccount(tx.db, after)
  await findCalendarsSoon(tx, after.id)
  for (const calendar of calendars) {
    const due = { ...calendar, host, nextAt: tx.now, failures: 0 }
    await updateCalendar(tx.db, due, { now: tx.now, hasNewAddress: false })
  }
  await syncSoon(tx, [{ host }])
  await resumeDestination(tx, after)
  const [object, previous] = [accountInHistory(after), accountInHistory(before)]
  await tx.append({ type: 'calendar.updated', objectId: after.id, object, previous })
  return {}
}

/** Queues another listing of the calendars of an account. */
export const refreshAccount: Operation<ChangingOne, Record<string, never>> = async (tx, input) => {
  const { id } = await lockOwned(tx, input, findAccount)
  await findCalendarsSoon(tx, id)
  return {}
}

/** The input of `recordAccount`: the result of listing the calendars of an account. */
export interface FoundCalendars {
  readonly id: string
  /**
   * The revision of the account when its credentials were read. The result is ignored when the revision has changed.
   */
  readonly revision: number
  readonly found?: readonly RemoteCalendar[]
  readonly fault?: { readonly code: CalendarFaultCode; readonly detail: string }
}

/**
 * Stores the calendars that were found in an account, or why the listing failed; a failure does not change the stored
 * calendars.
 */
export const recordAccount: Operation<FoundCalendars, Record<string, never>> = async (
  tx,
  { id, revision, found, fault },
) => {
  const account = await findAccount(tx.db, id)
  if (!account || account.revision !== revision) return {}
  await updateListing(tx.db, account, {
    ...(found && { found, foundAt: tx.now }),
    // An account that was connected without a user name gets as user name the e-mail address of the owner of its first
    // calendar or, if that is unknown, the id of this calendar. The first calendar is the user's own.
    ...(found && account.login === '' && { login: (found[0]?.owner ?? found[0]?.ref ?? '').slice(0, 200) }),
    ...{ fault: fault?.code ?? null, faultDetail: (fault?.detail ?? '').slice(0, 200) },
  })
  return {}
}

/** The input of `chooseCalendars`. */
export interface ChooseCalendars extends ChangingOne {
  /**
   * The ids, within the account, of the calendars whose events block time; the account's other calendars are
   * disconnected.
   */
  readonly refs: readonly string[]
}

/** Chooses the calendars of an account whose events block the time of its provider. */
export const chooseCalendars: Operation<ChooseCalendars, Record<string, never>> = async (tx, input) => {
  const account = await lockOwned(tx, input, findAccount, 'catalogue!')
  const all = await listCalendars(tx.db, account.providerId)
  const own = all.filter((calendar) => calendar.account?.id === account.id)
  const wanted = new Set(input.refs)
  const isKept = ({ account: of }: ConnectedCalendar): boolean => of !== null && wanted.delete(of.remote)
  const dropped = own.filter((calendar) => !isKept(calendar))
  const added = account.found.filter(({ ref }) => wanted.has(ref))
  if (all.length - dropped.length + added.length > maxCalendars)
    throw refusal('calendar_limit', { count: maxCalendars })
  for (const calendar of dropped) await dropCalendar(tx, calendar)
  const { id: accountId, providerId, kind, host } = account
  for (const { ref: remote, name } of added)
    await addCalendar(tx, {
      ...{ id: tx.newId('calendar'), providerId, kind, name, host, sealed: '', blocking: defaultBlocking },
      opening: null,
      account: { id: accountId, remote },
    })
  if (added.length > 0) await syncSoon(tx, [account])
  return {}
}

/**
 * Disconnects an account and its calendars, which then no longer block time. Reservations are no longer written to the
 * account; events that were written remain in the calendar.
 */
export const removeAccount: Operation<ChangingOne, Record<string, never>> = async (tx, input) => {
  const account = await lockOwned(tx, input, findAccount, 'catalogue!')
  await dropDestination(tx, account)
  for (const calendar of await calendarsOf(tx, account)) await dropCalendar(tx, calendar)
  await deleteAccount(tx.db, account.id)
  await cancelJobs(tx, findCalendarsKind, [account.id])
  const previous = accountInHistory(account)
  await tx.append({ type: 'calendar.removed', objectId: account.id, object: null, previous })
  return {}
}

/**
 * Replaces the encrypted secret `from` of an account with `to`: the same secret encrypted with another key, or a new
 * refresh token. Does nothing, and returns `stored: false`, when the stored secret is no longer `from`.
 */
export const resealAccount: Operation<
  { readonly id: string; readonly from: string; readonly to: string },
  { readonly stored: boolean }
> = async (tx, reseal) => ({ stored: await replaceSecret(tx.db, reseal) })

/** Seconds after which a node that claimed the exchange of an authorization code counts as crashed. */
const claimSeconds = 60

/**
 * Claims the exchange of the authorization code in the encrypted secret `sealed` of an account, so that no other node
 * exchanges it: a code can be exchanged once, and a server may revoke the tokens of one that is sent again. Returns
 * `claimed: false` when another node has claimed it, or when the account has another secret by now.
 */
export const claimExchange: Operation<
  { readonly id: string; readonly sealed: string },
  { readonly claimed: boolean }
> = async (tx, { id, sealed }) => ({
  claimed: await setExchanging(tx.db, { id, sealed }, { now: tx.now, until: tx.now + claimSeconds }),
})

/**
 * Ends the claim of `claimExchange`. Does nothing when the user has signed in again since, which gave the account
 * another revision.
 */
export const releaseExchange: Operation<Pick<CalendarAccount, 'id' | 'revision'>, Record<string, never>> = async (
  tx,
  account,
) => {
  await clearExchanging(tx.db, account)
  return {}
}

async function calendarsOf(tx: Tx, { id, providerId }: CalendarAccount): Promise<ConnectedCalendar[]> {
  return (await listCalendars(tx.db, providerId)).filter(({ account }) => account?.id === id)
}

async function findCalendarsSoon(tx: Tx, id: string): Promise<void> {
  await enqueue(tx, [{ kind: findCalendarsKind, key: id, payload: { id } }])
}
