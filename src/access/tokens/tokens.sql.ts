import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { prepared } from '../../db/query/prepared.ts'
import type { TokenTable } from '../../db/query/tables.ts'
import type { TokenRecord, TokenScope } from './token.ts'

const byHash = prepared<{ hash: string }, TokenTable>((db, p) =>
  db.selectFrom('token').selectAll().where('hash', '=', p.hash),
)

/** Returns the API token whose secret has the given SHA-256 hash (hexadecimal); undefined for an unknown hash. */
export async function findTokenByHash(
  db: Database,
  hash: string,
): Promise<{ readonly token: TokenRecord } | undefined> {
  const [row] = await db.run(byHash, { hash })
  return row && { token: toToken(row) }
}

/** Returns the API token with the given id; undefined for an unknown id. */
export async function findToken(db: Database, id: string): Promise<TokenRecord | undefined> {
  const row = await db.build.selectFrom('token').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toToken(row)
}

/** Returns every API token, including revoked and expired ones, in the order of creation. */
export async function listTokens(db: Database): Promise<TokenRecord[]> {
  return (await db.build.selectFrom('token').selectAll().orderBy('created_at').orderBy('id').execute()).map(toToken)
}

/** Returns the ids and names of the API tokens with the given ids; unknown ids are omitted. */
export async function namesOfTokens(db: Database, ids: readonly string[]): Promise<[id: string, name: string][]> {
  if (ids.length === 0) return []
  const rows = await db.build.selectFrom('token').select(['id', 'name']).where('id', 'in', ids).execute()
  return rows.map(({ id, name }) => [id, name])
}

/** Inserts an API token with the hash of its secret. */
export async function insertToken(db: Database, made: TokenRecord, hash: string): Promise<void> {
  await db.build
    .insertInto('token')
    .values({
      id: made.id,
      name: made.name,
      scope: made.scope,
      hash,
      rate_limit: made.rateLimit,
      created_at: made.createdAt,
      expires_at: made.expiresAt,
      revoked_at: made.revokedAt,
      last_used_at: made.lastUsedAt,
      last_used_ip: made.lastUsedAddress,
    })
    .execute()
}

/** Stores the time at which an API token was revoked. */
export async function updateRevoked(db: Database, id: string, now: number): Promise<void> {
  await db.build.updateTable('token').set({ revoked_at: now }).where('id', '=', id).execute()
}

/** The time (Unix seconds) and the client address of an API token's last use. */
export interface TokenUse {
  readonly tokenId: string
  readonly at: number
  readonly address: string
}

/** Stores the last use of each API token in one statement; unknown ids are skipped. */
export async function recordTokenUses(db: Database, uses: readonly TokenUse[]): Promise<void> {
  const last = new Map(uses.map((use) => [use.tokenId, use]))
  if (last.size === 0) return
  const each = (value: (use: TokenUse) => number | string) =>
    sql.join(
      [...last.values()].map((use) => sql`when ${use.tokenId} then ${value(use)}`),
      sql` `,
    )
  await db.build
    .updateTable('token')
    .set({
      last_used_at: sql<number>`cast(case id ${each((use) => use.at)} end as bigint)`,
      last_used_ip: sql<string>`case id ${each((use) => use.address)} end`,
    })
    .where('id', 'in', [...last.keys()])
    .execute()
}

function toToken(row: TokenTable): TokenRecord {
  return {
    id: row.id,
    name: row.name,
    scope: row.scope as TokenScope,
    rateLimit: row.rate_limit,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    lastUsedAddress: row.last_used_ip,
  }
}
