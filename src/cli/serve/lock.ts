import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** A data directory held by this process alone, until `release` or the process's end, however it ends. */
export interface Lock {
  release(): void
}

const sqliteBusy = 5

/**
 * Takes the data directory for this process; undefined when another process has it. The lock is the kernel's, on a
 * database of its own beside the site's, so nothing is left behind by a process that was killed.
 */
export function takeLock(dataDir: string): Lock | undefined {
  const file = join(dataDir, 'daybook.lock')
  // For its owner alone: whoever can open it can hold it.
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
