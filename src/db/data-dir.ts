import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** Returns the path of the embedded database in a data directory. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, 'daybook.db')
}

/**
 * Whether a path, which need not exist, is that of the embedded database in a data directory, or of its `-wal` or
 * `-shm` file.
 */
export function isDatabaseFile(path: string, dataDir: string): boolean {
  const [folder, place] = [dirname(resolve(path)), resolve(dataDir)]
  if (!existsSync(folder) || !existsSync(place) || realpathSync(folder) !== realpathSync(place)) return false
  return ['', '-wal', '-shm'].some((suffix) => basename(path) === basename(databaseFile(place)) + suffix)
}

/**
 * Whether a file name in a data directory is that of a copy of the embedded database: the panel's backup, a database
 * that a restore replaced, or one that an interrupted restore left unfinished.
 */
export function isDatabaseCopy(name: string): boolean {
  return name === basename(panelBackupFile('')) || name.startsWith(`${basename(databaseFile(''))}.`)
}

/** Returns the path of the backup that the panel creates and offers for download. */
export function panelBackupFile(dataDir: string): string {
  return join(dataDir, 'backup.db')
}
