import pg from 'pg'
import { withoutPooler } from './databases.ts'
import { pause } from './pause.ts'

const key = 42

/**
 * Blocks inserts into one table of a PostgreSQL database with an advisory lock until `release`. By default, this is the
 * table `occupancy` (the busy times of providers), so that a blocked write has already found its slot free.
 */
export class InsertLock implements AsyncDisposable {
  readonly #client: pg.Client
  #released = false

  private constructor(client: pg.Client) {
    this.#client = client
  }

  static async acquire(
    databaseUrl: string,
    table: 'occupancy' | 'job' | 'idempotency' = 'occupancy',
  ): Promise<InsertLock> {
    const client = new pg.Client(await withoutPooler(databaseUrl))
    await client.connect()
    await client.query(`
      create or replace function insert_lock() returns trigger language plpgsql as $$
      begin
        perform pg_catalog.pg_advisory_xact_lock_shared(${key});
        return new;
      end $$;
      create or replace trigger a_insert_lock before insert on ${table} for each row execute function insert_lock();
      select pg_catalog.pg_advisory_lock(${key})`)
    return new InsertLock(client)
  }

  /** Resolves once `count` writes wait for this lock, or the lock is released. */
  async waitForBlocked(count: number): Promise<void> {
    while (!this.#released && (await this.#waiting('=')) < count) await pause()
  }

  /**
   * Resolves once `count` writes wait for advisory locks with another key, such as a lock that is held by a write which
   * this `InsertLock` blocks, or the lock is released.
   */
  async waitForOtherLocks(count: number): Promise<void> {
    while (!this.#released && (await this.#waiting('<>')) < count) await pause()
  }

  async release(): Promise<void> {
    this.#released = true
    await this.#client.query(`select pg_catalog.pg_advisory_unlock(${key})`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end()
  }

  async #waiting(operator: '=' | '<>'): Promise<number> {
    const { rows } = await this.#client.query(
      `select count(*) from pg_locks join pg_database on oid = database
        where datname = current_database() and locktype = 'advisory' and objid ${operator} ${key} and not granted`,
    )
    return Number(rows[0]?.count)
  }
}
