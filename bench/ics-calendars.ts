import type { DatabaseSync } from 'node:sqlite'
import { calendarPlace, defaultBlocking } from '../src/calendars/calendar.ts'
import { encrypt, type KeyRing } from '../src/encryption.ts'

/** A connected calendar that the service reads from an iCalendar file at a URL. */
export interface IcsCalendar {
  /** A number that no other calendar of the site has. */
  readonly number: number
  readonly providerId: number
  readonly url: string
  /**
   * `readAt`: the time of the last reading. `coveredUntil`: the end of the period that the last reading covers. Both
   * are Unix seconds; 0 when the calendar was never read.
   */
  readonly readAt: number
  readonly coveredUntil: number
}

/** Inserts calendars that were created at `now` (Unix seconds); all of them are due to be read. */
export function insertCalendars(
  raw: DatabaseSync,
  { keys, now }: { readonly keys: KeyRing; readonly now: number },
  calendars: readonly IcsCalendar[],
): void {
  const insert = raw.prepare(`
    insert into connected_calendar (id, provider_id, kind, name, host, secret, blocking, opening, opening_faults, content,
      covered_until, read_at, tried_at, next_at, failures, fault, fault_detail, revision, turn, account_id, remote,
      created_at, updated_at)
    values (?, ?, 'ics', 'Private', ?, ?, ?, '', '[]', '', ?, ?, ?, 0, 0, null, '', 0, 0, null, null, ?, ?)`)
  const blocking = JSON.stringify(defaultBlocking)
  raw.exec('begin')
  for (const { number, providerId, url, readAt, coveredUntil } of calendars) {
    const id = calendarId(number)
    const secret = encrypt(keys, JSON.stringify({ url }), calendarPlace(id))
    const triedAt = readAt || null
    insert.run(id, providerId, new URL(url).host, secret, blocking, coveredUntil, readAt, triedAt, now, now)
  }
  raw.exec('commit')
}

/** Returns the id of the calendar with this number. */
export function calendarId(number: number): string {
  return `cal_${String(number).padStart(32, '0')}`
}
