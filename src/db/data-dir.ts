import { join } from 'node:path'

/** The file of the embedded database in a data directory. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, 'daybook.db')
}

/** The backup that the panel makes and offers for download, in a data directory. */
export function panelBackupFile(dataDir: string): string {
  return join(dataDir, 'backup.db')
}
