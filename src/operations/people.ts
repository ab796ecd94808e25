import { argon2, hash, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import type { Operation } from '../app.ts'
import { type Person, type PersonRole, shownPerson } from '../domain/person.ts'
import { Refusal } from '../domain/refusal.ts'
import { findPersonId, insertPerson, insertPersonLink } from '../storage/people.ts'
import { listProviders } from '../storage/providers.ts'

export interface CreatePerson {
  readonly email: string
  readonly role: PersonRole
  readonly name: string
  readonly providerId: number | null
  /** How the person gets in: a password's hash by `hashPassword`, or that of a link's secret by `hashLinkSecret`. */
  readonly entry: { readonly passwordHash: string } | { readonly linkHash: string }
}

const linkSeconds = 3_600

/** Makes someone who may use the panel; e-mail addresses are compared without regard to case. */
export const createPerson: Operation<CreatePerson, { readonly id: string }> = async (tx, input) => {
  await tx.lock(['people'])
  if ((await findPersonId(tx.db, input.email)) !== undefined) {
    throw new Refusal('person_exists', `There is a user with the address ${input.email} already.`)
  }
  const { providerId } = input
  if (providerId !== null && !(await listProviders(tx.db)).some(({ id }) => id === providerId)) {
    throw new Refusal('provider_not_found', `There is no provider ${providerId}.`)
  }
  const { email, role, name, entry } = input
  const person: Person = { id: tx.newId('person'), email, role, providerId, name, status: 'active' }
  const passwordHash = 'passwordHash' in entry ? entry.passwordHash : null
  await insertPerson(tx.db, person, { passwordHash, now: tx.now })
  if ('linkHash' in entry) {
    const expiresAt = tx.now + linkSeconds
    await insertPersonLink(tx.db, { hash: entry.linkHash, personId: person.id, createdAt: tx.now, expiresAt })
  }
  await tx.append({ type: 'user.created', objectId: person.id, object: shownPerson(person), previous: null })
  return { id: person.id }
}

/** A new secret for a one-time link: 256 bits of chance. */
export function newLinkSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** What is kept of a link's secret. */
export function hashLinkSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}

// 19 MiB and two passes: what a guess must cost, and a sign-in may.
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const derive = promisify(argon2)

/** What is kept of a password: argon2id with a salt of its own, its costs beside it in the usual notation. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  // Two ways to type the same letter are one password.
  const message = password.normalize('NFC')
  const key = await derive('argon2id', { message, nonce, tagLength: 32, ...cost })
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(key)}`
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
