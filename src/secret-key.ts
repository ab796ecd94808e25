import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FindKey } from './operations/vault.ts'

const keyBytes = 32
const fileName = 'secret.key'

/** Where the key is that secrets are sealed under. */
export interface KeyPlace {
  /** Given as a setting; 64 hexadecimal digits. */
  readonly secretKey: string | undefined
  /** The folder of the embedded database; undefined on PostgreSQL, where each node is to be given the key. */
  readonly dataDir: string | undefined
}

/** Finds the key when it is first needed: the setting, else a file beside the embedded database, made if missing. */
export function keyFinder({ secretKey, dataDir }: KeyPlace): FindKey {
  let found: Promise<Uint8Array | undefined> | undefined
  return () => {
    found ??= secretKey === undefined ? fromFolder(dataDir) : Promise.resolve(Buffer.from(secretKey, 'hex'))
    return found
  }
}

/** How the key in a folder stands; `open` when others than its owner can read it. */
export async function keyState(dataDir: string): Promise<{
  readonly path: string
  readonly state: 'missing' | 'broken' | 'open' | 'well'
}> {
  const path = join(dataDir, fileName)
  const key = await readKey(dataDir)
  if (!key) return { path, state: 'missing' }
  if (key.length !== keyBytes) return { path, state: 'broken' }
  // Windows keeps rights in another way, which the mode does not tell.
  const open = process.platform !== 'win32' && ((await stat(path)).mode & 0o077) !== 0
  return { path, state: open ? 'open' : 'well' }
}

/** The key in the folder, as it is; undefined where there is none. */
async function readKey(dataDir: string): Promise<Uint8Array | undefined> {
  const text = await readFile(join(dataDir, fileName), 'utf8').then(
    (read) => read,
    () => undefined,
  )
  return text === undefined ? undefined : Buffer.from(text.trim(), 'hex')
}

async function fromFolder(dataDir: string | undefined): Promise<Uint8Array | undefined> {
  if (dataDir === undefined) return undefined
  const kept = await readKey(dataDir)
  if (kept) {
    if (kept.length !== keyBytes) throw new Error(`${join(dataDir, fileName)} holds no key of ${keyBytes} bytes.`)
    return kept
  }
  const made = randomBytes(keyBytes)
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL
  const file = await open(join(dataDir, fileName), flags, 0o600)
  await file.writeFile(`${made.toString('hex')}\n`)
  await file.sync()
  await file.close()
  return made
}
