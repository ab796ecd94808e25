import type { Database } from '../../db/database.ts'
import type { BackedUpBy, BackupRecord } from './backup.ts'

/** Returns the stored record about backups. */
export async function loadBackupRecord(db: Database): Promise<BackupRecord> {
  const row = await db.build.selectFrom('backup_state').selectAll().executeTakeFirstOrThrow()
  const site = await db.build.selectFrom('site').select('created_at').executeTakeFirst()
  return {
    lastAt: row.last_at,
    overdueDays: row.overdue_days,
    reportedAt: row.reported_at,
    siteCreatedAt: site?.created_at ?? 0,
  }
}

/** Changes the stored record about backups; absent fields are unchanged. */
export async function saveBackupRecord(
  db: Database,
  { lastAt, overdueDays, reportedAt }: Partial<Omit<BackupRecord, 'siteCreatedAt'>>,
): Promise<void> {
  const row = {
    ...(lastAt !== undefined && { last_at: lastAt }),
    ...(overdueDays !== undefined && { overdue_days: overdueDays }),
    ...(reportedAt !== undefined && { reported_at: reportedAt }),
  }
  await db.build.updateTable('backup_state').set(row).execute()
}

/** Returns which software makes the backups of this database. */
export function backedUpBy({ dialect }: Pick<Database, 'dialect'>): BackedUpBy {
  return dialect.name === 'sqlite' ? 'service' : 'tools'
}
