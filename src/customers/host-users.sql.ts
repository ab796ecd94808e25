import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { emailKey, type HostUser } from './customer.ts'

/**
 * Returns the id of the host user (account of the host platform) with an e-mail address, regardless of case; undefined
 * when there is none.
 */
export async function findHostUserId(db: Database, email: string): Promise<number | undefined> {
  const row = await db.build
    .selectFrom('host_user')
    .select('id')
    .where('email_key', '=', emailKey(email))
    .executeTakeFirst()
  return row?.id
}

/** Inserts a host user, an account of the host platform. */
export async function insertHostUser(db: Database, made: HostUser, now: number): Promise<void> {
  const row = { ...made, email_key: emailKey(made.email), created_at: now }
  await db.build.insertInto('host_user').values(row).execute()
}

/**
 * Returns an unused positive id for a host user: the largest id in use plus one or, when that exceeds the largest safe
 * integer, the lowest unused one. The caller holds the lock `host-users`.
 */
export async function nextHostUserId(db: Database): Promise<number> {
  const user = await db.build
    .selectFrom('host_user')
    .select((e) => e.fn.max<number | null>('id').as('id'))
    .executeTakeFirst()
  const link = await db.build
    .selectFrom('customer')
    .select((e) => e.fn.max<number | null>('host_user_id').as('id'))
    .executeTakeFirst()
  const next = Math.max(user?.id ?? 0, link?.id ?? 0) + 1
  return Number.isSafeInteger(next) ? next : lowestFreeId(db)
}

async function lowestFreeId(db: Database): Promise<number> {
  const gap = await db.build
    .selectFrom(idsInUse(db).as('used'))
    .select((e) => e.fn.min<number>('used.id').as('id'))
    .where('used.id', '>=', 0)
    .where((e) =>
      e.not(e.exists(db.build.selectFrom('host_user').select('id').where('id', '=', sql<number>`used.id + 1`))),
    )
    .where((e) =>
      e.not(
        e.exists(db.build.selectFrom('customer').select('id').where('host_user_id', '=', sql<number>`used.id + 1`)),
      ),
    )
    .executeTakeFirstOrThrow()
  return gap.id + 1
}

/**
 * Selects all ids of host users that exist or to which customers are linked, and zero, so that the lowest unused id
 * follows one of the selected ids.
 */
function idsInUse(db: Database) {
  return db.build
    .selectFrom('host_user')
    .select('id')
    .union(db.build.selectFrom('customer').select('host_user_id as id'))
    .union(db.build.selectNoFrom(sql<number>`cast(0 as bigint)`.as('id')))
}
