import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { WorkQueue } from '../../work-queue.ts'

// 19 MiB and two passes: what a guess must cost, and a sign-in may.
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const keyLength = 32
const derive = promisify(argon2)

/** Guesses take no more memory and processor time than two hashes at once; clients would not wait behind 100. */
const queue = new WorkQueue({ concurrency: 2, maxWaiting: 100 })

/** Whether so many passwords wait to be hashed that another one would wait for too long. */
export function arePasswordsBusy(): boolean {
  return queue.isFull
}

/** What is kept of a password: argon2id with a salt of its own, its costs beside it in the usual notation. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const key = await queue.run(() =>
    derive('argon2id', { message: message(password), nonce, tagLength: keyLength, ...cost }),
  )
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(key)}`
}

const kept = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

/** Whether the password is the one that was kept; takes the same time where nothing was. */
export async function checkPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  const [, memory, passes, parallelism, nonce = '', key = ''] = kept.exec(hash ?? '') ?? []
  const known = memory !== undefined
  const expected = known ? Buffer.from(key, 'base64') : Buffer.alloc(keyLength)
  const costs = known ? { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) } : cost
  const salt = known ? Buffer.from(nonce, 'base64') : Buffer.alloc(16)
  const found = await queue.run(() =>
    derive('argon2id', { message: message(password), nonce: salt, tagLength: expected.length, ...costs }),
  )
  return timingSafeEqual(found, expected) && known
}

// Two ways to type the same letter are one password.
function message(password: string): string {
  return password.normalize('NFC')
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
