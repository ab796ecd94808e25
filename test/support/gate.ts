import pg from 'pg'
import { direct } from './databases.ts'

const key = 42

/**
 * A gate in a PostgreSQL database at which every new row of occupancy waits while the gate is closed: a write at the
 * gate has found its slot free and is about to take it.
 */
export class Gate implements AsyncDisposable {
  readonly #client: pg.Client
  #open = false

  private constructor(client: pg.Client) {
    this.#client = client
  }

  static async close(databaseUrl: string): Promise<Gate> {
    const client = new pg.Client(await direct(databaseUrl))
    await client.connect()
    await client.query(`
      create or replace function gate() returns trigger language plpgsql as $$
      begin
        perform pg_catalog.pg_advisory_xact_lock_shared(${key});
        return new;
      end $$;
      create or replace trigger a_gate before insert on occupancy for each row execute function gate();
      select pg_catalog.pg_advisory_lock(${key})`)
    return new Gate(client)
  }

  /** Resolves once `count` writes wait at the gate, or the gate is open. */
  async crowd(count: number): Promise<void> {
    while (!this.#open && (await this.#waiting('=')) < count);
  }

  /** Resolves once `count` writes wait for locks that others hold, such as those of the writes at the gate. */
  async queue(count: number): Promise<void> {
    while ((await this.#waiting('<>')) < count);
  }

  async open(): Promise<void> {
    this.#open = true
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
