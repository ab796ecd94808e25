import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

// 19 MiB and two passes: what a guess must cost, and a sign-in may.
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const keyLength = 32
const derive = promisify(argon2)

/** How many passwords are worked on at once: guesses take no more memory and processor than this. */
const atOnce = 2
/** Beyond these, nobody would wait for the answer. */
const mostWaiting = 100
let running = 0
const waiting: (() => void)[] = []

/** Whether so many passwords wait to be looked at that another one would wait for too long. */
export function arePasswordsBusy(): boolean {
  return waiting.length >= mostWaiting
}

/** What is kept of a password: argon2id with a salt of its own, its costs beside it in the usual notation. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const key = await inTurn(() =>
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
  const found = await inTurn(() =>
    derive('argon2id', { message: message(password), nonce: salt, tagLength: expected.length, ...costs }),
  )
  return timingSafeEqual(found, expected) && known
}

// Two ways to type the same letter are one password.
function message(password: string): string {
  return password.normalize('NFC')
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  else running++
  try {
    return await work()
  } finally {
    // Whoever waits takes over the place, which is not given back in between.
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
