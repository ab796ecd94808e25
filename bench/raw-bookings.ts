import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Operation } from '../src/db/perform/app.ts'
import { SqliteConnection } from '../src/db/sqlite/sqlite.ts'
import { SqliteWrites } from '../src/db/sqlite/sqlite-writes.ts'
import { operations } from '../src/operations.ts'
import { freshFolder } from '../test/support/daybook.ts'
import { type BenchSite, now } from './site.ts'

const frame = /^(?:begin|commit|savepoint|release|rollback)\b/

/** One SQL statement as the service executed it, with its values. */
interface Ran {
  readonly text: string
  readonly values: readonly (string | number | null)[]
}

/**
 * Makes bookings from request bodies (JSON) on a copy of the site's database, and returns the SQL statements that the
 * service executes: one list per booking, without the statements that control transactions.
 */
export async function statementsOf(site: BenchSite, bodies: readonly string[]): Promise<Ran[][]> {
  const ran: Ran[][] = []
  class Catching extends DatabaseSync {
    override prepare(text: string): StatementSync {
      const statement = super.prepare(text)
      for (const name of ['all', 'run'] as const) {
        const original = statement[name].bind(statement)
        // One replacement serves both methods, whose types differ only in the result.
        Object.defineProperty(statement, name, {
          value: (...values: (string | number | null)[]) => {
            if (!frame.test(text)) ran.at(-1)?.push({ text, values })
            return original(...values)
          },
        })
      }
      return statement
    }
  }
  const counted: Readonly<Record<string, Operation<never, unknown>>> = {
    ...operations,
    'reservations.add': (tx, input) => {
      ran.push([])
      return operations['reservations.add'](tx, input)
    },
  }
  const database = new Catching(copyOf(site))
  database.exec('pragma synchronous = off')
  const writes = new SqliteWrites(new SqliteConnection(database), counted)
  const outcomes = await writes.perform(
    bodies.map((body) => ({ name: 'reservations.add', input: JSON.parse(body), context })),
  )
  writes.close()
  const failed = outcomes.find((outcome) => !('ok' in outcome))
  if (failed) throw new Error(`A booking failed: ${JSON.stringify(failed)}`)
  return ran
}

const context = {
  now,
  actor: { kind: 'token', id: 'bench' },
  requestId: 'bench',
  dryRun: false,
  idempotency: null,
} as const

/**
 * Executes recorded SQL statements without any other work, on a copy of the site's database. Like the service, it syncs
 * each commit to disk.
 */
export class RawBookings {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  readonly #bookings: readonly (readonly Ran[])[]
  #done = 0

  constructor(site: Pick<BenchSite, 'dataDir'>, bookings: readonly (readonly Ran[])[]) {
    this.#database = new DatabaseSync(copyOf(site))
    this.#database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -4096')
    this.#bookings = bookings
  }

  /**
   * Executes the statements of bookings, `each` bookings per commit, until at least `max` were made or fewer than
   * `each` remain. Returns the number of bookings, the duration in seconds and the CPU microseconds per booking.
   */
  round(max: number, each: number): { readonly total: number; readonly seconds: number; readonly cpu: number } {
    const [since, begun, first] = [performance.now(), process.threadCpuUsage(), this.#done]
    while (this.#done - first < max && this.#done + each <= this.#bookings.length) {
      this.#database.exec('begin immediate')
      for (const booking of this.#bookings.slice(this.#done, this.#done + each))
        for (const { text, values } of booking) this.#statement(text).all(...values)
      this.#database.exec('commit')
      this.#done += each
    }
    const { user, system } = process.threadCpuUsage(begun)
    const total = this.#done - first
    return { total, seconds: (performance.now() - since) / 1000, cpu: (user + system) / total }
  }

  close(): void {
    this.#database.close()
  }

  #statement(text: string): StatementSync {
    const known = this.#statements.get(text) ?? this.#database.prepare(text)
    this.#statements.set(text, known)
    return known
  }
}

function copyOf({ dataDir }: Pick<BenchSite, 'dataDir'>): string {
  const file = join(freshFolder(), 'daybook.db')
  copyFileSync(join(dataDir, 'daybook.db'), file)
  return file
}
