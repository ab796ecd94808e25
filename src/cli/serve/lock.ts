import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** An exclusive lock on a data directory, until `release` or the end of the process. */
export interface Lock {
  release(): void
}

const sqliteBusy = 5

/**
 * Locks the data directory for this process; returns undefined when it is locked already. The lock is a file lock of
 * the kernel on a separate SQLite database, so it is released when its process is killed.
 */
export function takeLock(dataDir: string): Lock | undefined {
  const file = join(dataDir, 'daybook.lock')
  // The file is accessible only to its owner, because any process that can open the file could take the lock.
  closeSync(openSync(file, 'a', 0o600))
  const held = new DatabaseSync(file, { timeout: 0 })
  try {
    held.exec('pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    held.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return undefined
    throw error
  }
  return { release: () => held.close() }
}
