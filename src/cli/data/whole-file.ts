import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Has a file written beside its place, and puts it there, safe on the disk, once `work` says it is whole; until then
 * what was there stays. `work` is given the path of an empty file that its owner alone can read.
 */
export async function writeWhole(path: string, work: (partial: string) => Promise<boolean>): Promise<void> {
  const folder = dirname(path)
  const partial = join(folder, `.${basename(path)}.${process.pid}.part`)
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

/** Has the disk keep what was written to a file, or which files a folder has. */
export function sync(path: string): void {
  // Windows keeps a folder's entries by itself, and refuses to be asked to.
  const descriptor = openSync(path, process.platform === 'win32' ? 'r+' : 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
