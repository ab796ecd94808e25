import { closeSync, fsyncSync, openSync, statSync } from 'node:fs'

/** Flushes a file, or the entries of a directory, to the disk. */
export function sync(path: string): void {
  const isWindows = process.platform === 'win32'
  // Windows flushes directory entries by itself and rejects the sync of a directory.
  if (isWindows && statSync(path).isDirectory()) return
  // Windows flushes only files that are open for writing.
  const descriptor = openSync(path, isWindows ? 'r+' : 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
