import { hash, randomInt } from 'node:crypto'
import type { Database } from '../../db/database.ts'
import type { Context, Operation, Outcome } from '../../db/perform/app.ts'
import { workerContext } from '../../db/perform/worker-context.ts'
import { message } from '../../messages/message.ts'
import { Refusal, refusal } from '../../messages/refusal.ts'
import {
  base62,
  type CheckedToken,
  isTokenSecret,
  secretLength,
  type Token,
  type TokenRecord,
  type TokenRefusal,
  type TokenRegister,
  type TokenScope,
  tokenSecret,
  tokenState,
} from './token.ts'
import {
  findToken,
  findTokenByHash,
  insertToken,
  listTokens,
  recordTokenUses,
  updateRevoked as revokeTokenRow,
  type TokenUse,
} from './tokens.sql.ts'

/** The input of `createToken`. */
export interface CreateToken {
  readonly name: string
  readonly scope: TokenScope
  /** The hash of the API token's secret (`hashSecret`). The secret itself is never passed to an operation or stored. */
  readonly hash: string
  /** When the API token expires, in Unix seconds; null for never. */
  readonly expiresAt: number | null
  /** The maximum number of requests per minute with the API token; null or absent for no limit. */
  readonly rateLimit?: number | null
}

/** Creates an API token. The caller has generated its secret, which is shown to the user once. */
export const createToken: Operation<CreateToken, { readonly id: string }> = async (tx, input) => {
  const name = input.name.trim()
  if (name === '')
    throw new Refusal({
      code: 'invalid_parameter',
      message: message('token_name_missing'),
      details: { name: message('send_name') },
    })
  if (input.expiresAt !== null && input.expiresAt <= tx.now) {
    throw new Refusal({
      code: 'invalid_parameter',
      message: message('token_expires_in_past'),
      details: {
        expiresAt: message('send_later_time'),
      },
    })
  }
  const token: TokenRecord = {
    id: tx.newId('token'),
    name,
    scope: input.scope,
    rateLimit: input.rateLimit ?? null,
    createdAt: tx.now,
    expiresAt: input.expiresAt,
    revokedAt: null,
    lastUsedAt: null,
    lastUsedAddress: null,
  }
  await insertToken(tx.db, token, input.hash)
  await tx.append({ type: 'token.created', objectId: token.id, object: shown(token), previous: null })
  return { id: token.id }
}

/** Revokes an API token permanently; a token that is already revoked stays as it is. */
export const revokeToken: Operation<{ readonly id: string }, { readonly name: string }> = async (tx, { id }) => {
  await tx.lock([`token:${id}`])
  const token = await findToken(tx.db, id)
  if (!token) throw refusal('token_not_found')
  if (token.revokedAt !== null) return { name: token.name }
  await revokeTokenRow(tx.db, id, tx.now)
  const previous = shown(token)
  await tx.append({ type: 'token.revoked', objectId: id, object: { ...previous, revokedAt: tx.now }, previous })
  return { name: token.name }
}

/**
 * Stores the time and address of the last use of API tokens. The operation appends no event, so that the event log
 * records changes rather than requests.
 */
export const recordTokenUse: Operation<{ readonly uses: readonly TokenUse[] }, Record<never, never>> = async (
  tx,
  { uses },
) => {
  await recordTokenUses(tx.db, uses)
  return {}
}

/** Returns every API token, the most recently created first. */
export async function listTokensByAge(db: Database): Promise<TokenRecord[]> {
  return (await listTokens(db)).toReversed()
}

/**
 * Generates the secret of an API token; its 34 random characters are cryptographically random and uniform in base62.
 */
export function newSecret(): string {
  return tokenSecret(Array.from({ length: secretLength }, () => base62.charAt(randomInt(62))).join(''))
}

/**
 * Hashes the secret of an API token with SHA-256, as hexadecimal text. A slow hash is not needed, since a secret has
 * 202 random bits.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/** The dependencies of `tokenRegister`. */
export interface RegisterSource {
  readonly db: Database
  perform(
    name: 'tokens.used',
    input: { readonly uses: readonly TokenUse[] },
    context: Context,
  ): Promise<Outcome<unknown>>
}

type Answer = { readonly token: TokenRecord } | undefined
type Remembered = { readonly answer: Answer; readonly until: number }
type Answers = Map<string, Remembered>

// Milliseconds for which the result of checking a secret is cached. A revoked token thus stops working within half a
// second, even if another thread or process revoked it.
const freshFor = 500
const maxAnswers = 10_000

/** Creates a `TokenRegister`. Results of checks are cached for half a second; uses are buffered until `flush`. */
export function tokenRegister({ db, perform }: RegisterSource): TokenRegister {
  // Unknown secrets have a map of their own, so that a client that sends many of them evicts no token that is in use.
  const answers = { known: new Map() as Answers, unknown: new Map() as Answers }
  const uses = new Map<string, TokenUse>()

  async function find(wanted: string): Promise<Answer> {
    const clock = performance.now()
    const row = await findTokenByHash(db, wanted)
    const answer = row && { token: row.token }
    const [here, other] = answer ? [answers.known, answers.unknown] : [answers.unknown, answers.known]
    other.delete(wanted)
    if (here.size >= maxAnswers) here.clear()
    // The lifetime of a cached result begins before the query, so that no result is used for longer than `freshFor`
    // milliseconds after its query began.
    here.set(wanted, { answer, until: clock + freshFor })
    return answer
  }

  function rememberedAnswer(wanted: string): Remembered | undefined {
    const known = answers.known.get(wanted) ?? answers.unknown.get(wanted)
    return known && known.until > performance.now() ? known : undefined
  }

  return {
    async check(secret, now) {
      if (!isTokenSecret(secret)) return unknown
      const wanted = hashSecret(secret)
      return judged(rememberedAnswer(wanted) ?? { answer: await find(wanted) }, now)
    },
    remembered(secret, now) {
      const known = rememberedAnswer(hashSecret(secret))
      if (known) return judged(known, now)
      return isTokenSecret(secret) ? undefined : unknown
    },
    recordUse(tokenId, address, now) {
      uses.set(tokenId, { tokenId, address, at: now })
    },
    async flush() {
      const pending = [...uses.values()]
      if (pending.length === 0) return true
      const now = Math.max(...pending.map((use) => use.at))
      const outcome = await perform('tokens.used', { uses: pending }, { ...byWorker, now })
      // Uses that could not be stored stay buffered for the next `flush`; a later use of the same token replaces them.
      if ('fault' in outcome) return false
      for (const use of pending) if (uses.get(use.tokenId) === use) uses.delete(use.tokenId)
      return true
    },
  }
}

const byWorker = workerContext('tokens')

const refusals: Readonly<Record<ReturnType<typeof tokenState>, TokenRefusal | undefined>> = {
  active: undefined,
  expired: 'expired_token',
  revoked: 'revoked_token',
}

const unknown = { reason: 'invalid_token' } as const

function judged({ answer }: Pick<Remembered, 'answer'>, now: number): CheckedToken {
  if (!answer) return unknown
  const reason = refusals[tokenState(answer.token, now)]
  return reason ? { reason, tokenId: answer.token.id } : { token: bare(answer.token) }
}

function bare({ id, name, scope, rateLimit }: TokenRecord): Token {
  return { id, name, scope, rateLimit }
}

function shown({ id, name, scope, createdAt, expiresAt, revokedAt }: TokenRecord) {
  return { id, name, scope, createdAt, expiresAt, revokedAt }
}
