import type { Database } from '../../db/database.ts'

/** The payment processor of the site, with its encrypted keys. */
export interface StoredProcessor {
  /** The keys of the processor (`ProcessorKeys`) as JSON, encrypted. */
  readonly sealed: string
  /** The name of the account at the processor, or its id if it has no name; empty until the keys have been accepted. */
  readonly account: string
  /** Why the last check of the keys failed; empty when it succeeded, and before the first check. */
  readonly fault: string
  /** When the keys were last checked, in Unix seconds; null before their first check. */
  readonly checkedAt: number | null
  /** Whether the keys are live keys, which move real money. */
  readonly live: boolean
  readonly connectedAt: number
}

/** Returns the processor of the site; undefined when none is connected. */
export async function findProcessor(db: Database): Promise<StoredProcessor | undefined> {
  const row = await db.build.selectFrom('payment_settings').selectAll().executeTakeFirst()
  if (!row) return undefined
  const { sealed, account, fault } = row
  return { sealed, account, fault, checkedAt: row.checked_at, live: row.live === 1, connectedAt: row.connected_at }
}

/** Stores the processor of the site, replacing an earlier one. */
export async function saveProcessor(db: Database, of: StoredProcessor): Promise<void> {
  const { sealed, account, fault, checkedAt, live, connectedAt } = of
  const known = { sealed, account, fault, checked_at: checkedAt }
  const row = { processor: 'stripe', ...known, live: live ? 1 : 0, connected_at: connectedAt }
  await db.build
    .insertInto('payment_settings')
    .values({ id: 'site', ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

/** Removes the processor of the site. */
export async function deleteProcessor(db: Database): Promise<void> {
  await db.build.deleteFrom('payment_settings').execute()
}

/** Whether a payment or a refund is unfinished and still needs the processor. */
export async function hasOpenPayments(db: Database): Promise<boolean> {
  const payment = await db.build
    .selectFrom('payment')
    .select('id')
    .where('state', 'in', ['starting', 'open'])
    .limit(1)
    .executeTakeFirst()
  if (payment) return true
  const share = await db.build
    .selectFrom('payment_share')
    .select('payment_id')
    .where('state', '=', 'waiting')
    .limit(1)
    .executeTakeFirst()
  if (share) return true
  const refund = await db.build
    .selectFrom('refund')
    .select('id')
    .where('state', '=', 'pending')
    .limit(1)
    .executeTakeFirst()
  return refund !== undefined
}
