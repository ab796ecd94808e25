/** What the service knows of backups. */
export interface BackupRecord {
  /** When the last backup succeeded; null when none is known. */
  readonly lastAt: number | null
  /** Days after which the next backup is overdue; null for never. */
  readonly overdueDays: number | null
  /** When administrators were last told that a backup is overdue. */
  readonly reportedAt: number | null
  /** When the site was set up. */
  readonly siteCreatedAt: number
}

/** How an installation is backed up: the embedded database by the service, PostgreSQL by its own tools. */
export type BackedUpBy = 'service' | 'tools'

const day = 86_400

/**
 * Whether a backup is overdue. Without any, the time counts from the set-up of the site; on PostgreSQL, of whose backups
 * the service learns from `daybook backup record` alone, only from the first one recorded.
 */
export function isBackupOverdue(
  { lastAt, overdueDays, siteCreatedAt }: Omit<BackupRecord, 'reportedAt'>,
  by: BackedUpBy,
  now: number,
): boolean {
  const since = lastAt ?? (by === 'service' ? siteCreatedAt : null)
  return overdueDays !== null && since !== null && now - since > overdueDays * day
}

/** Whether administrators are to be told: once for each backup that is overdue, and again after as many days. */
export function isReportDue(record: BackupRecord, by: BackedUpBy, now: number): boolean {
  const { overdueDays, reportedAt } = record
  if (!isBackupOverdue(record, by, now) || overdueDays === null) return false
  return reportedAt === null || now - reportedAt > overdueDays * day
}
