import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { WorkQueue } from '../../work-queue.ts'

// The parameters of argon2id, with memory in KiB: a compromise between the cost of a guess and the duration of a
// sign-in.
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const keyLength = 32
const derive = promisify(argon2)

/**
 * The queue of password hashes of one thread: the thread computes at most two at once, each with 19 MiB of memory. The
 * queue counts as full when 100 wait; behind a longer queue, a client would give up before its own password is hashed.
 */
const queue = new WorkQueue({ concurrency: 2, maxWaiting: 100 })

/** Whether the queue of password hashes is so long that another sign-in would time out. */
export function arePasswordsBusy(): boolean {
  return queue.isFull
}

/** Hashes a password with argon2id and a random salt; returns the PHC string, which contains the parameters. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const key = await queue.run(() =>
    derive('argon2id', { message: message(password), nonce, tagLength: keyLength, ...cost }),
  )
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(key)}`
}

const kept = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

/**
 * Returns whether a password matches a hash. Without a hash, a hash of the password is computed all the same and the
 * result is false, so that timing does not reveal whether an account exists.
 */
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

// Passwords are normalised to NFC, since keyboards encode the same letter differently, such as ü as one character or as
// u and a combining diaeresis.
function message(password: string): string {
  return password.normalize('NFC')
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
