import { randomBytes } from 'node:crypto'
import { open, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeyRing, KeySource } from '../encryption.ts'

const keyBytes = 32
const fileName = 'secret.key'

/** Where the keys are that secrets are encrypted with. */
export interface KeyPlace {
  /** Given as a setting: 64 hexadecimal digits, or two such keys with a comma between them. */
  readonly secretKey: string | undefined
  /** The folder of the embedded database; undefined on PostgreSQL, where each node is to be given the key. */
  readonly dataDir: string | undefined
}

/**
 * Finds the keys: the setting, else a file beside the embedded database, made if missing. The file is read each time, which
 * only happens for second factors, so that a rotated key counts at once.
 */
export function keyFinder({ secretKey, dataDir }: KeyPlace): KeySource {
  // Two requests that both find none must not each make one.
  let making: Promise<KeyRing> | undefined
  return async () => {
    if (secretKey !== undefined) return ringOf(secretKey.split(','))
    if (dataDir === undefined) return undefined
    const found = await readKeys(dataDir)
    if (found) return found
    making ??= makeKey(dataDir)
    return making
  }
}

/** How the key in a folder stands; `open` when others than its owner can read it. */
export async function keyState(dataDir: string): Promise<{
  readonly path: string
  readonly state: 'missing' | 'broken' | 'open' | 'well'
}> {
  const path = join(dataDir, fileName)
  const lines = await readLines(dataDir)
  if (!lines) return { path, state: 'missing' }
  if (!ringOf(lines)) return { path, state: 'broken' }
  // Windows keeps rights in another way, which the mode does not tell.
  const open = process.platform !== 'win32' && ((await stat(path)).mode & 0o077) !== 0
  return { path, state: open ? 'open' : 'well' }
}

/**
 * Puts a new key in front of the one in the folder's file; both decrypt from then on. A rotation that was interrupted goes on with
 * its key.
 */
export async function addKey(dataDir: string): Promise<KeyRing> {
  const keys = (await readKeys(dataDir)) ?? (await makeKey(dataDir))
  if (keys.length > 1) return keys
  const ring: KeyRing = [randomBytes(keyBytes), ...keys]
  await writeKeys(dataDir, ring)
  return ring
}

/** Leaves the first key alone in the folder's file: nothing is encrypted with the other any more. */
export async function dropOldKey(dataDir: string, [first]: KeyRing): Promise<void> {
  await writeKeys(dataDir, [first])
}

async function readLines(dataDir: string): Promise<string[] | undefined> {
  const text = await readFile(join(dataDir, fileName), 'utf8').then(
    (read) => read,
    () => undefined,
  )
  return text?.trim().split('\n')
}

async function readKeys(dataDir: string): Promise<KeyRing | undefined> {
  const lines = await readLines(dataDir)
  if (!lines) return undefined
  const ring = ringOf(lines)
  if (!ring) throw new Error(`${join(dataDir, fileName)} holds no key of ${keyBytes} bytes.`)
  return ring
}

/** Keys in hexadecimal digits; undefined unless each is one. */
function ringOf(texts: readonly string[]): KeyRing | undefined {
  const [first, ...more] = texts.map((text) => Buffer.from(text.trim(), 'hex'))
  if (!first || [first, ...more].some((key) => key.length !== keyBytes)) return undefined
  return [first, ...more]
}

async function makeKey(dataDir: string): Promise<KeyRing> {
  const ring: KeyRing = [randomBytes(keyBytes)]
  await writeKeys(dataDir, ring)
  return ring
}

/** Replaces the file as a whole: a crash leaves, and a reader finds, the old one or the new one. */
async function writeKeys(dataDir: string, ring: KeyRing): Promise<void> {
  const path = join(dataDir, fileName)
  const file = await open(`${path}.new`, 'w', 0o600)
  await file.writeFile(ring.map((key) => `${Buffer.from(key).toString('hex')}\n`).join(''))
  await file.sync()
  await file.close()
  await rename(`${path}.new`, path)
}
