import { readFile } from 'node:fs/promises'

const cached = new Map<string, Promise<Buffer | undefined>>()

/**
 * A file of the installation that never changes under its name, read once: a client that asks for it a thousand times
 * without reading the responses takes no more memory than the file. Undefined when it does not exist.
 */
export function readStatic(file: URL): Promise<Buffer | undefined> {
  const known = cached.get(file.href)
  if (known) return known
  const reading = readFresh(file).then((bytes) => {
    // Names that do not exist have no end; only existing files stay.
    if (!bytes) cached.delete(file.href)
    return bytes
  })
  cached.set(file.href, reading)
  return reading
}

/** A file as it is now; undefined when it does not exist. */
export function readFresh(file: URL): Promise<Buffer | undefined> {
  return readFile(file).then(
    (bytes) => bytes,
    () => undefined,
  )
}
