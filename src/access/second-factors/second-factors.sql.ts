import type { Database } from '../../db/database.ts'
import type { PasskeyTable } from '../../db/query/access-tables.ts'

/** A user's authenticator app as stored, with its secret encrypted. */
export interface Totp {
  readonly secret: string
  readonly confirmed: boolean
  /**
   * The time step (Unix time divided by 30 seconds) of the last accepted authenticator code; 0 before the first. Codes
   * of this and earlier steps are refused, so that no code is used twice.
   */
  readonly lastStep: number
}

/** A stored passkey. */
export interface Passkey {
  readonly id: string
  readonly userId: string
  readonly name: string
  /** The COSE public key as base64url. */
  readonly publicKey: string
  readonly counter: number
  readonly transports: readonly string[]
  readonly createdAt: number
  readonly lastUsedAt: number | null
}

/**
 * Whether a user has a confirmed authenticator app, and the numbers of the user's passkeys and unused recovery codes.
 */
export interface Factors {
  readonly totp: boolean
  readonly passkeys: number
  readonly recoveryCodes: number
}

/**
 * Returns which second factors and how many recovery codes each of the given users has, with three queries in total.
 */
export async function countFactors(db: Database, userIds: readonly string[]): Promise<Map<string, Factors>> {
  if (userIds.length === 0) return new Map()
  const totps = await db.build
    .selectFrom('totp')
    .select('person_id')
    .where('person_id', 'in', userIds)
    .where('confirmed_at', 'is not', null)
    .execute()
  const counted = (table: 'passkey' | 'recovery_code') =>
    db.build
      .selectFrom(table)
      .select(({ fn }) => ['person_id', fn.countAll().as('count')])
      .where('person_id', 'in', userIds)
      .groupBy('person_id')
      .execute()
  const [passkeys, codes] = [await counted('passkey'), await counted('recovery_code')]
  const numberOf = (rows: typeof passkeys, id: string) => Number(rows.find((row) => row.person_id === id)?.count ?? 0)
  return new Map(
    userIds.map((id) => [
      id,
      {
        totp: totps.some((row) => row.person_id === id),
        passkeys: numberOf(passkeys, id),
        recoveryCodes: numberOf(codes, id),
      },
    ]),
  )
}

/** Returns the authenticator app of a user, confirmed or not; undefined when there is none. */
export async function findTotp(db: Database, userId: string): Promise<Totp | undefined> {
  const row = await db.build.selectFrom('totp').selectAll().where('person_id', '=', userId).executeTakeFirst()
  return row && { secret: row.secret, confirmed: row.confirmed_at !== null, lastStep: row.last_step }
}

/** Stores a new, unconfirmed authenticator app of a user, in place of the user's previous one if there is one. */
export async function replaceTotp(db: Database, userId: string, secret: string, now: number): Promise<void> {
  await deleteTotp(db, userId)
  await db.build
    .insertInto('totp')
    .values({ person_id: userId, secret, created_at: now, confirmed_at: null, last_step: 0 })
    .execute()
}

/** Replaces the encrypted secret of an authenticator app, unless it has changed since it was read. */
export async function replaceTotpSecret(
  db: Database,
  userId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await db.build
    .updateTable('totp')
    .set({ secret: to })
    .where('person_id', '=', userId)
    .where('secret', '=', from)
    .execute()
}

/** Returns the encrypted secrets of all authenticator apps. */
export async function listTotpSecrets(db: Database): Promise<{ readonly userId: string; readonly secret: string }[]> {
  const rows = await db.build.selectFrom('totp').select(['person_id', 'secret']).orderBy('person_id').execute()
  return rows.map((row) => ({ userId: row.person_id, secret: row.secret }))
}

/** Stores the time step of an accepted code; the first accepted code confirms the authenticator app. */
export async function takeStep(db: Database, userId: string, step: number, now: number): Promise<void> {
  await db.build
    .updateTable('totp')
    .set(({ fn, val }) => ({ last_step: step, confirmed_at: fn.coalesce('confirmed_at', val(now)) }))
    .where('person_id', '=', userId)
    .execute()
}

/** Deletes a user's authenticator app. */
export async function deleteTotp(db: Database, userId: string): Promise<void> {
  await db.build.deleteFrom('totp').where('person_id', '=', userId).execute()
}

/** Replaces all recovery codes of a user. */
export async function replaceRecoveryCodes(
  db: Database,
  userId: string,
  hashes: readonly string[],
  now: number,
): Promise<void> {
  await db.build.deleteFrom('recovery_code').where('person_id', '=', userId).execute()
  if (hashes.length === 0) return
  await db.build
    .insertInto('recovery_code')
    .values(hashes.map((hash) => ({ hash, person_id: userId, created_at: now })))
    .execute()
}

/** Deletes an unused recovery code of a user; returns false when the user has no such code. */
export async function spendRecoveryCode(db: Database, userId: string, hash: string): Promise<boolean> {
  const result = await db.build
    .deleteFrom('recovery_code')
    .where('hash', '=', hash)
    .where('person_id', '=', userId)
    .executeTakeFirst()
  return result.numDeletedRows > 0
}

/** Returns the passkey with the given id, regardless of its user; undefined for an unknown id. */
export async function findPasskey(db: Database, id: string): Promise<Passkey | undefined> {
  const row = await db.build.selectFrom('passkey').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toPasskey(row)
}

/** Returns a user's passkeys, the oldest first. */
export async function listPasskeys(db: Database, userId: string): Promise<Passkey[]> {
  const rows = await db.build
    .selectFrom('passkey')
    .selectAll()
    .where('person_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toPasskey)
}

/** Inserts a passkey. */
export async function insertPasskey(db: Database, made: Passkey): Promise<void> {
  await db.build
    .insertInto('passkey')
    .values({
      id: made.id,
      person_id: made.userId,
      name: made.name,
      public_key: made.publicKey,
      counter: made.counter,
      transports: JSON.stringify(made.transports),
      created_at: made.createdAt,
      last_used_at: made.lastUsedAt,
    })
    .execute()
}

/**
 * Stores the time at which a passkey was used (Unix seconds) and the signature counter that the authenticator reported.
 */
export async function touchPasskey(db: Database, id: string, counter: number, now: number): Promise<void> {
  await db.build.updateTable('passkey').set({ counter, last_used_at: now }).where('id', '=', id).execute()
}

/** Deletes one passkey of a user, or all of them when no id is given; returns the number of deleted passkeys. */
export async function deletePasskeys(db: Database, userId: string, id?: string): Promise<number> {
  const all = db.build.deleteFrom('passkey').where('person_id', '=', userId)
  const result = await (id === undefined ? all : all.where('id', '=', id)).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/**
 * Marks a one-time value, such as the challenge of a passkey, as used by storing its hash until `expiresAt`; returns
 * false when the value was used before.
 */
export async function spend(db: Database, hash: string, expiresAt: number): Promise<boolean> {
  const result = await db.build
    .insertInto('spent')
    .values({ hash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows) > 0
}

function toPasskey(row: PasskeyTable): Passkey {
  return {
    id: row.id,
    userId: row.person_id,
    name: row.name,
    publicKey: row.public_key,
    counter: row.counter,
    transports: JSON.parse(row.transports) as string[],
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }
}
