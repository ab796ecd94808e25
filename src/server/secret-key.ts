import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sync } from '../db/sync.ts'
import type { KeyRing, KeySource } from '../encryption.ts'

const keyBytes = 32
const fileName = 'secret.key'

/** The two places of the encryption keys: a setting, or a file in the data directory. */
export interface KeyPlace {
  /** The setting: 64 hexadecimal digits, or two such keys separated by a comma. */
  readonly secretKey: string | undefined
  /** The directory of the embedded database; undefined on PostgreSQL, where each node needs the setting. */
  readonly dataDir: string | undefined
}

/**
 * Returns a source of the keys: the setting, or else a file next to the embedded database, created if missing. On
 * PostgreSQL without the setting, the source returns undefined. The file is read at each use, so a rotated key applies
 * at once.
 */
export function keyFinder({ secretKey, dataDir }: KeyPlace): KeySource {
  // The promise is shared, so that concurrent requests of this thread create the key once. Other threads and processes
  // may create it at the same time; `makeKey` then returns the key of the first.
  let making: Promise<KeyRing> | undefined
  return async () => {
    if (secretKey !== undefined) return ringOf(secretKey.split(','))
    if (dataDir === undefined) return undefined
    const found = await readKeys(dataDir)
    if (found) return found
    // A failure, such as a full disk, is not retained, so that the next use of a secret tries again.
    making ??= makeKey(dataDir).then(undefined, (error: unknown) => {
      making = undefined
      throw error
    })
    return making
  }
}

/**
 * Returns a source of the encryption keys: the setting, or else an existing file next to the embedded database. A
 * missing file is not created, since this source is for a thread that only uses secrets that are already stored.
 */
export function keyReader({ secretKey, dataDir }: KeyPlace): KeySource {
  return async () => {
    if (secretKey !== undefined) return ringOf(secretKey.split(','))
    return dataDir === undefined ? undefined : readKeys(dataDir)
  }
}

/** Returns the path of the key file in a data directory. */
export function keyFile(dataDir: string): string {
  return join(dataDir, fileName)
}

/**
 * Copies the key file of a data directory, if there is one, to another directory, where only its owner can read it.
 * Refuses to replace a file that contains other keys.
 */
export async function copyKeys(from: string, to: string): Promise<void> {
  if (!existsSync(keyFile(from))) return
  const text = await readFile(keyFile(from), 'utf8')
  if (existsSync(keyFile(to)) && (await readFile(keyFile(to), 'utf8')) !== text) {
    throw new Error(`${keyFile(to)} contains another encryption key. Move that file away, then copy again.`)
  }
  await replaceKeyFile(to, text)
}

/**
 * Returns the state of the key file in a directory; `open` when users other than its owner have any permission for it.
 */
export async function keyState(dataDir: string): Promise<{
  readonly path: string
  readonly state: 'missing' | 'broken' | 'open' | 'well'
}> {
  const path = keyFile(dataDir)
  const lines = await readLines(dataDir)
  if (!lines) return { path, state: 'missing' }
  if (!ringOf(lines)) return { path, state: 'broken' }
  // On Windows, the mode of a file does not contain its permissions.
  const open = process.platform !== 'win32' && ((await stat(path)).mode & 0o077) !== 0
  return { path, state: open ? 'open' : 'well' }
}

/**
 * Adds a new key before the current one in the key file, so that new secrets are encrypted with it and both keys
 * decrypt. If an earlier rotation was interrupted, the key that it added is used instead of another new one.
 */
export async function addKey(dataDir: string): Promise<KeyRing> {
  const keys = (await readKeys(dataDir)) ?? (await makeKey(dataDir))
  if (keys.length > 1) return keys
  const ring: KeyRing = [randomBytes(keyBytes), ...keys]
  await writeKeys(dataDir, ring)
  return ring
}

/**
 * Removes all but the first key from the key file. The caller must have made sure that no stored secret is encrypted
 * with another key.
 */
export async function dropOldKey(dataDir: string, [first]: KeyRing): Promise<void> {
  await writeKeys(dataDir, [first])
}

async function readLines(dataDir: string): Promise<string[] | undefined> {
  const text = await readFile(keyFile(dataDir), 'utf8').then(
    (read) => read,
    () => undefined,
  )
  return text?.trim().split('\n')
}

async function readKeys(dataDir: string): Promise<KeyRing | undefined> {
  const lines = await readLines(dataDir)
  if (!lines) return undefined
  const ring = ringOf(lines)
  if (!ring) throw new Error(`${keyFile(dataDir)} holds no key of ${keyBytes} bytes.`)
  return ring
}

/** Parses keys of 64 hexadecimal digits; undefined unless every key has 32 bytes. */
function ringOf(texts: readonly string[]): KeyRing | undefined {
  const [first, ...more] = texts.map((text) => Buffer.from(text.trim(), 'hex'))
  if (!first || [first, ...more].some((key) => key.length !== keyBytes)) return undefined
  return [first, ...more]
}

/**
 * Creates the key file and returns its keys. The file and its name are synced before, since otherwise a secret that is
 * stored durably could outlive its key in a power loss. If another thread or process has created the file in the
 * meantime, its keys are returned, since replacing them would make what they have encrypted unreadable.
 */
async function makeKey(dataDir: string): Promise<KeyRing> {
  const ring: KeyRing = [randomBytes(keyBytes)]
  const path = keyFile(dataDir)
  const temporary = `${path}.${randomBytes(8).toString('hex')}.new`
  try {
    await writeSynced(temporary, textOf(ring))
    // Unlike a rename, a link fails if the file exists, and unlike a file that is created and then written, it is never
    // seen incomplete.
    await link(temporary, path)
    sync(dataDir)
    return ring
  } catch (error) {
    const keys = (error as NodeJS.ErrnoException).code === 'EEXIST' ? await readKeys(dataDir) : undefined
    if (!keys) throw error
    sync(dataDir)
    return keys
  } finally {
    await rm(temporary, { force: true })
  }
}

async function writeKeys(dataDir: string, ring: KeyRing): Promise<void> {
  await replaceKeyFile(dataDir, textOf(ring))
}

/**
 * Replaces the key file atomically: concurrent readers, and a reader after a crash, see either the old or the new
 * content; once the promise resolves, a reader after a power loss sees the new one.
 */
async function replaceKeyFile(dataDir: string, text: string): Promise<void> {
  const path = keyFile(dataDir)
  await writeSynced(`${path}.new`, text)
  await rename(`${path}.new`, path)
  sync(dataDir)
}

function textOf(ring: KeyRing): string {
  return ring.map((key) => `${Buffer.from(key).toString('hex')}\n`).join('')
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
