import { lockCatalogue, requireProvider } from '../../catalogue/catalogue.operations.ts'
import type { Operation, Tx } from '../../db/perform/app.ts'
import { cancelJobs, enqueue } from '../../jobs/queue.ts'
import { refusal } from '../../messages/refusal.ts'
import { providerResource, resourceLock } from '../../scheduling/plan/resource.ts'
import { type Blocking, type ConnectedCalendar, defaultBlocking, shownInHistory } from '../calendar.ts'
import type { CalendarFaultCode } from '../calendar-fault.ts'
import { maxCalendars, syncSoon } from '../calendars.operations.ts'
import { deleteCalendar, insertCalendar, listCalendars, updateCalendar } from '../calendars.sql.ts'
import { dropDestination } from '../destinations/destinations.operations.ts'
import { type AccountKind, accountInHistory, type CalendarAccount } from './account.ts'
import type { RemoteCalendar } from './account-client.ts'
import { deleteAccount, findAccount, insertAccount, listAccounts, updateAccount } from './accounts.sql.ts'
import { type ChangingAccount, lockAccount } from './lock-account.operations.ts'

/** The kind of the jobs that list the calendars of an account; the key is its id. */
export const findCalendarsKind = 'calendar-account'

/** The maximum number of accounts that one provider may connect. */
const maxAccounts = 5

/** The input of `connectAccount`. */
export interface ConnectAccount extends ChangingAccount {
  readonly providerId: number
  readonly kind: AccountKind
  readonly login: string
  readonly host: string
  /** The encrypted credentials: the password does not cross the write seam. */
  readonly sealed: string
}

/** Connects an account, whose calendars are listed at once; none of them blocks time before it is chosen. */
export const connectAccount: Operation<ConnectAccount, { readonly id: string }> = async (tx, input) => {
  const { ofProvider, ...settings } = input
  const catalogue = await lockCatalogue(tx)
  // Another provider's account is refused like an unknown one, so that it cannot be discovered.
  requireProvider(catalogue, ofProvider === undefined || ofProvider === input.providerId ? input.providerId : 0)
  await tx.lock([resourceLock(providerResource(input.providerId))])
  const known = await listAccounts(tx.db, input.providerId)
  if (known.length >= maxAccounts) throw refusal('calendar_limit', { count: maxAccounts })
  const account: CalendarAccount = {
    ...{ ...settings, found: [], foundAt: 0, fault: null, faultDetail: '', revision: 0, createdAt: tx.now },
  }
  await insertAccount(tx.db, account)
  await findCalendarsSoon(tx, account.id)
  const object = accountInHistory(account)
  await tx.append({ type: 'calendar.created', objectId: input.id, object, previous: null })
  return { id: input.id }
}

/** The input of `editAccount`: new credentials. */
export interface EditAccount extends ChangingAccount {
  readonly login: string
  readonly host: string
  readonly sealed: string
}

/** Changes the credentials of an account; its calendars are read again with them at once. */
export const editAccount: Operation<EditAccount, Record<string, never>> = async (tx, input) => {
  const before = await lockAccount(tx, input)
  const { login, host, sealed } = input
  const after = { ...before, login, host, sealed, revision: before.revision + 1 }
  await updateAccount(tx.db, after)
  await findCalendarsSoon(tx, after.id)
  const calendars = await calendarsOf(tx, after)
  for (const calendar of calendars)
    await updateCalendar(tx.db, { ...calendar, host, nextAt: tx.now, failures: 0 }, tx.now)
  await syncSoon(tx, [{ host }])
  const [object, previous] = [accountInHistory(after), accountInHistory(before)]
  await tx.append({ type: 'calendar.updated', objectId: after.id, object, previous })
  return {}
}

/** Lists the calendars of an account again. */
export const refreshAccount: Operation<ChangingAccount, Record<string, never>> = async (tx, input) => {
  const { id } = await lockAccount(tx, input)
  await findCalendarsSoon(tx, id)
  return {}
}

/** The result of listing the calendars of an account. */
export interface FoundCalendars {
  readonly id: string
  /** The revision of the account whose credentials were used. */
  readonly revision: number
  readonly found?: readonly RemoteCalendar[]
  readonly fault?: { readonly code: CalendarFaultCode; readonly detail: string }
}

/** Stores the calendars that were found, or why none could be listed; the calendars found before stay then. */
export const recordAccount: Operation<FoundCalendars, Record<string, never>> = async (
  tx,
  { id, revision, found, fault },
) => {
  const account = await findAccount(tx.db, id)
  if (!account || account.revision !== revision) return {}
  await updateAccount(tx.db, {
    ...account,
    ...(found && { found, foundAt: tx.now }),
    ...{ fault: fault?.code ?? null, faultDetail: (fault?.detail ?? '').slice(0, 200) },
  })
  return {}
}

/** The input of `chooseCalendars`. */
export interface ChooseCalendars extends ChangingAccount {
  /** The calendars whose events block time; those that are not listed no longer do. */
  readonly refs: readonly string[]
}

/** Chooses the calendars of an account whose events block the time of its provider. */
export const chooseCalendars: Operation<ChooseCalendars, Record<string, never>> = async (tx, input) => {
  const account = await lockAccount(tx, input)
  const all = await listCalendars(tx.db, account.providerId)
  const own = all.filter((calendar) => calendar.account?.id === account.id)
  const wanted = new Set(input.refs)
  const isKept = ({ account: of }: ConnectedCalendar): boolean => of !== null && wanted.delete(of.remote)
  const dropped = own.filter((calendar) => !isKept(calendar))
  const added = account.found.filter(({ ref }) => wanted.has(ref))
  if (all.length - dropped.length + added.length > maxCalendars)
    throw refusal('calendar_limit', { count: maxCalendars })
  for (const calendar of dropped) {
    await deleteCalendar(tx.db, calendar.id)
    const previous = shownInHistory(calendar)
    await tx.append({ type: 'calendar.removed', objectId: calendar.id, object: null, previous })
  }
  for (const { ref, name } of added) await connect(tx, account, { ref, name, blocking: defaultBlocking })
  if (added.length > 0) await syncSoon(tx, [account])
  return {}
}

async function connect(
  tx: Tx,
  { id, providerId, kind, host }: CalendarAccount,
  { ref, name, blocking }: { readonly ref: string; readonly name: string; readonly blocking: Blocking },
): Promise<void> {
  const calendar: ConnectedCalendar = {
    ...{ id: tx.newId('calendar'), providerId, kind, name, host, sealed: '', blocking },
    ...{ account: { id, remote: ref }, content: null, coveredUntil: 0, readAt: 0, triedAt: null, nextAt: tx.now },
    ...{ failures: 0, fault: null, faultDetail: '', revision: 0, turn: 0, createdAt: tx.now },
  }
  await insertCalendar(tx.db, calendar, tx.now)
  const object = shownInHistory(calendar)
  await tx.append({ type: 'calendar.created', objectId: calendar.id, object, previous: null })
}

/**
 * Disconnects an account with its calendars, which no longer block. Reservations are no longer written to it; events that
 * were written stay where they are.
 */
export const removeAccount: Operation<ChangingAccount, Record<string, never>> = async (tx, input) => {
  const account = await lockAccount(tx, input)
  await dropDestination(tx, account)
  for (const calendar of await calendarsOf(tx, account)) {
    await deleteCalendar(tx.db, calendar.id)
    const previous = shownInHistory(calendar)
    await tx.append({ type: 'calendar.removed', objectId: calendar.id, object: null, previous })
  }
  await deleteAccount(tx.db, account.id)
  await cancelJobs(tx, findCalendarsKind, [account.id])
  const previous = accountInHistory(account)
  await tx.append({ type: 'calendar.removed', objectId: account.id, object: null, previous })
  return {}
}

/** Stores the secret of an account encrypted with another key, unless it changed in the meantime. */
export const resealAccount: Operation<
  { readonly id: string; readonly from: string; readonly to: string },
  Record<string, never>
> = async (tx, { id, from, to }) => {
  const found = await findAccount(tx.db, id)
  if (found?.sealed === from) await updateAccount(tx.db, { ...found, sealed: to })
  return {}
}

async function calendarsOf(tx: Tx, { id, providerId }: CalendarAccount): Promise<ConnectedCalendar[]> {
  return (await listCalendars(tx.db, providerId)).filter(({ account }) => account?.id === id)
}

async function findCalendarsSoon(tx: Tx, id: string): Promise<void> {
  await enqueue(tx, [{ kind: findCalendarsKind, key: id, payload: { id } }])
}
