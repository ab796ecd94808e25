import { closeSync, openSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { sync } from '../../db/sync.ts'

/**
 * Writes a file atomically. `work` receives the path of a temporary file, readable only by its owner. If `work`
 * resolves to true, the temporary file is synced and replaces the target; otherwise, or if `work` rejects, the
 * temporary file is deleted and the target is unchanged.
 */
export async function writeAtomically(path: string, work: (partial: string) => Promise<boolean>): Promise<void> {
  const folder = dirname(path)
  const partial = join(folder, `.${basename(path)}.${process.pid}.part`)
  // A killed process with the same process id may have left this temporary file; in a container, the first process
  // always has the id 1.
  rmSync(partial, { force: true })
  closeSync(openSync(partial, 'wx', 0o600))
  try {
    if (!(await work(partial))) return
    sync(partial)
    renameSync(partial, path)
    sync(folder)
  } finally {
    rmSync(partial, { force: true })
  }
}

/**
 * Whether a file name is that of a temporary file of `writeAtomically`, or of a journal that SQLite keeps beside one. A
 * process that is killed leaves them.
 */
export function isPartialFile(name: string): boolean {
  return /^\..+\.\d+\.part(-journal|-wal|-shm)?$/.test(name)
}
