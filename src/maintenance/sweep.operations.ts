import { deleteExpiredDevices } from '../access/sessions/devices.sql.ts'
import { deleteEndedLinks } from '../booking-page/links/links.sql.ts'
import { deleteExpiredAccesses } from '../booking-page/own/access.sql.ts'
import { deleteEndedBusyTimes } from '../calendars/calendars.sql.ts'
import { deleteEndedOccupancy, deleteExpiredAnswers, deleteExpiredEntries, deleteOldMessages } from '../db/expired.ts'
import { deleteOldSecurityEvents } from '../db/log/security-log.ts'
import type { Operation } from '../db/perform/app.ts'
import { firstKeptYear } from '../payments/receipts/receipt.ts'
import { deleteOldReceipts, loadReceiptSettings } from '../payments/receipts/receipts.sql.ts'
import { dateText } from '../scheduling/time/date.ts'
import { deleteOldDeliveries } from '../webhooks/deliveries.sql.ts'
import { retentionSeconds } from '../webhooks/schedule.ts'

// A sweep shares the writing connection with bookings, which wait for at most this many rows.
const maxRows = 2_000
const keptAfterEnd = 86_400
/** The retention of the security history: 400 days. */
const securitySeconds = 400 * 86_400
/** The retention of the log of messages: 180 days. */
const messageSeconds = 180 * 86_400

/** The retention of private booking links that have ended: 90 days. */
const linkSeconds = 90 * 86_400

/** Deletes one batch of expired rows; `more` says whether another batch remains. */
export const sweep: Operation<Record<never, never>, { readonly deleted: number; readonly more: boolean }> = async (
  tx,
) => {
  const occupancy = await deleteEndedOccupancy(tx.db, tx.now - keptAfterEnd, maxRows)
  const answers = await deleteExpiredAnswers(tx.db, tx.now, maxRows)
  const entries = await deleteExpiredEntries(tx.db, tx.now, maxRows)
  const devices = await deleteExpiredDevices(tx.db, tx.now, maxRows)
  const security = await deleteOldSecurityEvents(tx.db, tx.now - securitySeconds, maxRows)
  const messages = await deleteOldMessages(tx.db, tx.now - messageSeconds, maxRows)
  const deliveries = await deleteOldDeliveries(tx.db, tx.now - retentionSeconds, maxRows)
  const links = await deleteEndedLinks(tx.db, tx.now - linkSeconds, maxRows)
  const busy = await deleteEndedBusyTimes(tx.db, tx.now - keptAfterEnd, maxRows)
  const accesses = await deleteExpiredAccesses(tx.db, tx.now, maxRows)
  const year = Number(dateText(Math.floor(tx.now / 86_400)).slice(0, 4))
  const kept = firstKeptYear(await loadReceiptSettings(tx.db), year)
  const receipts = await deleteOldReceipts(tx.db, kept, maxRows)
  const counts = [occupancy, answers, entries, devices, security, messages, deliveries, links, accesses, busy, receipts]
  return {
    deleted: counts.reduce((sum, count) => sum + count, 0),
    more: counts.some((count) => count >= maxRows),
  }
}
