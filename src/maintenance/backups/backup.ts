/** The stored record about backups, with times in Unix seconds. */
export interface BackupRecord {
  /** When the last backup succeeded; null when none is recorded. */
  readonly lastAt: number | null
  /** Days after which the next backup is overdue; null for never. */
  readonly overdueDays: number | null
  /**
   * When administrators were last notified of an overdue backup; a backup or change of `overdueDays` resets it to null.
   */
  readonly reportedAt: number | null
  /** When the site was set up; 0 before it is set up. */
  readonly siteCreatedAt: number
}

/** Which software makes backups: the service for the embedded database, PostgreSQL's own tools for PostgreSQL. */
export type BackedUpBy = 'service' | 'tools'

const day = 86_400

/**
 * Whether a backup is overdue. If no backup is recorded, `overdueDays` counts from the set-up of the site; on
 * PostgreSQL, where only `daybook record-backup` informs the service of a backup, nothing is overdue until the first
 * backup is recorded.
 */
export function isBackupOverdue(
  { lastAt, overdueDays, siteCreatedAt }: Omit<BackupRecord, 'reportedAt'>,
  by: BackedUpBy,
  now: number,
): boolean {
  const since = lastAt ?? (by === 'service' ? siteCreatedAt : null)
  return overdueDays !== null && since !== null && now - since > overdueDays * day
}

/**
 * Whether administrators are to be notified that a backup is overdue: when it becomes overdue, and again each time that
 * more than `overdueDays` days have passed since the last notification.
 */
export function isReportDue(record: BackupRecord, by: BackedUpBy, now: number): boolean {
  const { overdueDays, reportedAt } = record
  if (!isBackupOverdue(record, by, now) || overdueDays === null) return false
  return reportedAt === null || now - reportedAt > overdueDays * day
}
