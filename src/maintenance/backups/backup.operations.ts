import type { Operation } from '../../db/perform/app.ts'
import { backedUpBy, loadBackupRecord, saveBackupRecord } from './backup.sql.ts'
import { isReportDue } from './backup.ts'

/** Records that a backup succeeded. */
export const recordBackup: Operation<Record<never, never>, Record<never, never>> = async (tx) => {
  await saveBackupRecord(tx.db, { lastAt: tx.now, reportedAt: null })
  return {}
}

/** Sets the number of days after which the next backup is overdue; with null, no backup is ever overdue. */
export const setBackupOverdue: Operation<{ readonly overdueDays: number | null }, Record<never, never>> = async (
  tx,
  { overdueDays },
) => {
  await saveBackupRecord(tx.db, { overdueDays, reportedAt: null })
  return {}
}

/**
 * Appends the event of an overdue backup when administrators are to be notified; returns whether the event was
 * appended.
 */
export const watchBackup: Operation<Record<never, never>, { readonly reported: boolean }> = async (tx) => {
  await tx.lock(['backup'])
  const record = await loadBackupRecord(tx.db)
  if (!isReportDue(record, backedUpBy(tx.db), tx.now)) return { reported: false }
  await saveBackupRecord(tx.db, { reportedAt: tx.now })
  const { lastAt, overdueDays } = record
  await tx.append({ type: 'site.backup_overdue', objectId: 'site', object: { lastAt, overdueDays }, previous: null })
  return { reported: true }
}
