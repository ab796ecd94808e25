import pg from 'pg'
import { withoutPooler } from './databases.ts'
import { pause } from './pause.ts'

/** The keys of the advisory locks of the test, and of each session whose insert is blocked. */
const [key, blockedKey] = [42, 43]

/**
 * Blocks inserts into one table of a PostgreSQL database until `release`. By default, this is the table `occupancy`
 * (the busy times of providers), so that a blocked write has already found its slot free. A blocked insert asks again
 * and again for an advisory lock instead of waiting for it: PostgreSQL would end the wait after the lock timeout of the
 * service, three seconds, in which a test on a busy machine may not get as far as it wants.
 */
export class InsertLock implements AsyncDisposable {
  readonly #client: pg.Client
  #released = false

  private constructor(client: pg.Client) {
    this.#client = client
  }

  static async acquire(
    databaseUrl: string,
    table: 'occupancy' | 'job' | 'idempotency' | 'busy' | 'event' = 'occupancy',
  ): Promise<InsertLock> {
    const client = new pg.Client(await withoutPooler(databaseUrl))
    await client.connect()
    await client.query(`
      create or replace function insert_lock() returns trigger language plpgsql as $$
      begin
        perform pg_catalog.pg_advisory_xact_lock_shared(${blockedKey});
        while not pg_catalog.pg_try_advisory_xact_lock_shared(${key}) loop
          perform pg_catalog.pg_sleep(0.01);
        end loop;
        return new;
      end $$;
      create or replace trigger a_insert_lock before insert on ${table} for each row execute function insert_lock();
      select pg_catalog.pg_advisory_lock(${key})`)
    return new InsertLock(client)
  }

  /** Resolves once this lock blocks `count` writes, or the lock is released. */
  async waitForBlocked(count: number): Promise<void> {
    while (!this.#released && (await this.#count(`objid = ${blockedKey} and granted`)) < count) await pause()
  }

  /**
   * Resolves once `count` writes wait for other advisory locks, such as a lock that is held by a write which this
   * `InsertLock` blocks, or the lock is released.
   */
  async waitForOtherLocks(count: number): Promise<void> {
    const others = `objid not in (${key}, ${blockedKey}) and not granted`
    while (!this.#released && (await this.#count(others)) < count) await pause()
  }

  async release(): Promise<void> {
    this.#released = true
    await this.#client.query(`select pg_catalog.pg_advisory_unlock(${key})`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end()
  }

  /** Returns how many advisory locks of the database meet a condition. */
  async #count(condition: string): Promise<number> {
    const { rows } = await this.#client.query(
      `select count(*) from pg_locks join pg_database on oid = database
        where datname = current_database() and locktype = 'advisory' and ${condition}`,
    )
    return Number(rows[0]?.count)
  }
}
