import { readFile } from 'node:fs/promises'

const cached = new Map<string, Promise<Buffer | undefined>>()

/**
 * Returns the content of an immutable file of the installation; undefined when it does not exist. The file is read
 * once, so that all responses share one copy in memory.
 */
export function readStatic(file: URL): Promise<Buffer | undefined> {
  const known = cached.get(file.href)
  if (known) return known
  const reading = readFresh(file).then((bytes) => {
    // Only existing files are cached, since the number of missing names is unbounded.
    if (!bytes) cached.delete(file.href)
    return bytes
  })
  cached.set(file.href, reading)
  return reading
}

/** Reads a file without caching; undefined when it does not exist. */
export function readFresh(file: URL): Promise<Buffer | undefined> {
  return readFile(file).then(
    (bytes) => bytes,
    () => undefined,
  )
}
