import { join } from 'node:path'

/** Returns the path of the embedded database in a data directory. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, 'daybook.db')
}

/** Returns the path of the backup that the panel creates and offers for download. */
export function panelBackupFile(dataDir: string): string {
  return join(dataDir, 'backup.db')
}
