import { randomBytes } from 'node:crypto'

/** Returns an unguessable name for a meeting: 128 random bits. */
export function newRoom(): string {
  return randomBytes(16).toString('hex')
}
