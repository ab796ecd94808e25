import type pg from 'pg'

/**
 * Returns how many sessions of the database wait for a lock. The connection must not be in a transaction, in which
 * PostgreSQL would return the number of the first call again.
 */
export async function waitingForLocks(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    "select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )
  return rows[0].waiting
}
