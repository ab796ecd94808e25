import { deleteExpiredDevices } from '../access/sessions/devices.sql.ts'
import { deleteEndedLinks } from '../booking-page/links/links.sql.ts'
import { deleteEndedBusyTimes } from '../calendars/calendars.sql.ts'
import { loadCatalogue } from '../catalogue/catalogue.sql.ts'
import type { Database } from '../db/database.ts'
import { deleteEndedOccupancy, deleteExpired, deleteExpiredAnswers, deleteOldMessages } from '../db/expired.ts'
import { deleteOldSecurityEvents } from '../db/log/security-log.ts'
import type { Operation } from '../db/perform/app.ts'
import { firstKeptYear } from '../payments/receipts/receipt.ts'
import { deleteOldReceipts, loadReceiptSettings } from '../payments/receipts/receipts.sql.ts'
import { dateAt } from '../scheduling/time/zone.ts'
import { deleteOldDeliveries, deleteOrphanedDeliveries } from '../webhooks/deliveries.sql.ts'
import { retentionSeconds } from '../webhooks/schedule.ts'

// On SQLite a sweep shares the writing connection with bookings, which wait meanwhile, so one transaction deletes at
// most this many rows of all tables together.
const maxRows = 2_000
/** The retention of occupied intervals and of busy times of connected calendars after their end: one day. */
const endedSeconds = 86_400
/** The retention of the security history: 400 days. */
const securitySeconds = 400 * 86_400
/** The retention of the log of messages: 180 days. */
const messageSeconds = 180 * 86_400
/** The retention of private booking links that have ended: 90 days. */
const linkSeconds = 90 * 86_400

/** Deletes one batch of expired rows; `more` says whether another batch may remain. */
export const sweep: Operation<Record<never, never>, { readonly deleted: number; readonly more: boolean }> = async ({
  db,
  now,
}) => {
  let left = maxRows
  for (const deleteExpired of deletions) if (left > 0) left -= await deleteExpired(db, now, left)
  return { deleted: maxRows - left, more: left === 0 }
}

/** The deletions of a sweep. Each deletes at most `limit` rows and returns their number; `now` is in Unix seconds. */
const deletions: readonly ((db: Database, now: number, limit: number) => Promise<number>)[] = [
  (db, now, limit) => deleteEndedOccupancy(db, now - endedSeconds, limit),
  deleteExpiredAnswers,
  (db, now, limit) => deleteExpired(db, 'session', now, limit),
  (db, now, limit) => deleteExpired(db, 'person_link', now, limit),
  (db, now, limit) => deleteExpired(db, 'spent', now, limit),
  deleteExpiredDevices,
  (db, now, limit) => deleteOldSecurityEvents(db, now - securitySeconds, limit),
  (db, now, limit) => deleteOldMessages(db, now - messageSeconds, limit),
  (db, now, limit) => deleteOldDeliveries(db, now - retentionSeconds, limit),
  (db, _, limit) => deleteOrphanedDeliveries(db, limit),
  (db, now, limit) => deleteEndedLinks(db, now - linkSeconds, limit),
  (db, now, limit) => deleteEndedBusyTimes(db, now - endedSeconds, limit),
  (db, now, limit) => deleteExpired(db, 'bookings_access', now, limit),
  async (db, now, limit) => {
    // The year of a receipt is a calendar year in the site's time zone.
    const year = Number(dateAt((await loadCatalogue(db)).site.timezone, now).slice(0, 4))
    return deleteOldReceipts(db, firstKeptYear(await loadReceiptSettings(db), year), limit)
  },
]
