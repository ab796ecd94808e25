import { randomBytes, randomUUID } from 'node:crypto'
import { resultOf } from '../../db/perform/outcome.ts'
import { workerContext } from '../../db/perform/worker-context.ts'
import type { AccountOpening } from '../accounts/account-opening.job.ts'
import { openAccountById } from '../accounts/open-account.job.ts'
import type { ConnectedCalendar } from '../calendar.ts'
import { CalendarFault } from '../calendar-fault.ts'
import { type CalendarWatch, changesPath } from './watch.ts'
import { hashWatchSecret } from './watches.operations.ts'
import { listWatches } from './watches.sql.ts'

/**
 * Seconds for which notifications are requested; a calendar system may end them earlier. Google and Microsoft 365
 * accept this period.
 */
const watchSeconds = 70 * 3_600
/** Seconds before its expiry from which a watch (a request for notifications) is replaced. */
const renewalSeconds = 12 * 3_600
/** The minimum number of seconds between two requests for notifications of one calendar. */
const retrySeconds = 6 * 3_600

/** The dependencies of `keepWatched`. */
export interface WatchOptions extends AccountOpening {
  /** Returns the public origin of the service, to which notifications are sent. */
  origin(): string
}

/**
 * Requests notifications of changes from the system of a calendar and stores the watch, the record of this request;
 * does nothing before `CalendarWatch.nextAt` of the stored watch. The caller calls this function before it reads the
 * calendar, so that no change is missed in between, and only if the origin of the service is an https URL. A failure is
 * recorded in the watch.
 */
export async function keepWatched(
  options: WatchOptions,
  { id, kind, account }: Pick<ConnectedCalendar, 'id' | 'kind' | 'account'>,
  signal: AbortSignal,
): Promise<void> {
  const { app, origin } = options
  const [before] = await listWatches(app.db, [id])
  const now = app.now()
  if (!account || (before && before.nextAt > now)) return
  const secret = randomBytes(32).toString('base64url')
  const intended: CalendarWatch = {
    ...{ calendarId: id, secretHash: hashWatchSecret(secret), channel: randomUUID() },
    ...{ remote: '', expiresAt: 0, nextAt: now + retrySeconds, fault: null },
  }
  const record = async (watch: CalendarWatch): Promise<void> =>
    void resultOf(await app.perform('calendars.watch', watch, { ...workerContext('calendars'), now }))
  try {
    const client = await openAccountById(options, { db: app.db, id: account.id }, signal)
    if (!client.watch) return
    const { channel } = intended
    const url = `${origin()}${changesPath}/${kind}`
    const expiresAt = now + watchSeconds
    const watched = await client.watch(account.remote, { url, channel, secret, expiresAt })
    const nextAt = Math.max(now + retrySeconds, watched.expiresAt - renewalSeconds)
    await record({ ...intended, ...watched, nextAt })
    // The previous watch expires by itself if it cannot be ended now.
    if (before && before.remote !== '') await client.unwatch?.(before).catch(ignoringFaults)
  } catch (error) {
    if (!(error instanceof CalendarFault)) throw error
    if (signal.aborted) return
    const kept = before && before.expiresAt > now ? before : intended
    await record({ ...kept, nextAt: now + retrySeconds, fault: error.code })
  }
}

function ignoringFaults(error: unknown): void {
  if (!(error instanceof CalendarFault)) throw error
}
