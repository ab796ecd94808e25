import assert from 'node:assert/strict'
import { join } from 'node:path'
import { listAvailability } from '../../src/availability/availability.operations.ts'
import type { ReadDatabase } from '../../src/db/database.ts'
import { migrateSqlite } from '../../src/db/migrate.ts'
import type { Context, InputOf, Outcome, ResultOf, Tx } from '../../src/db/perform/app.ts'
import { performIn, type TransactionScope } from '../../src/db/perform/perform.ts'
import { openToWrite, type SqliteConnection } from '../../src/db/sqlite/sqlite.ts'
import { SqliteReads } from '../../src/db/sqlite/sqlite-reads.ts'
import { type Operations, operations } from '../../src/operations.ts'
import type { EditReservation } from '../../src/reservations/booking/edit.operations.ts'
import type { Reservation } from '../../src/reservations/reservation.ts'
import { findReservation } from '../../src/reservations/reservations.sql.ts'
import { toInstant, wallTime } from '../../src/scheduling/time/zone.ts'
import { dayLong, now, standardSite } from './clinic.ts'
import { contextWith, freshDatabase } from './databases.ts'
import { withSentences } from './sentences.ts'

/** A slot as availability lists it, with the fields that a booking sends; times in Unix seconds. */
export interface ListedSlot {
  readonly availabilityId: string
  readonly serviceId: string
  readonly providerId: number
  readonly start: number
  readonly end: number
}

/**
 * Runs the product's operations in the test process on a SQLite file with the site `standardSite` of `clinic.ts`.
 * Without a service process, a test takes milliseconds.
 */
export class InProcessSite {
  readonly connection: SqliteConnection
  readonly reads: ReadDatabase
  /** The keys that transactions locked, one array per call of `lock`, the oldest first; a test may empty the array. */
  readonly lockKeys: (readonly string[])[] = []
  readonly #scope: TransactionScope
  readonly #services: ReadonlyMap<string, string>
  readonly #customers: ReadonlyMap<string, string>
  readonly #remove: () => Promise<void>
  #days = 0
  #last: Promise<void> = Promise.resolve()

  private constructor(parts: {
    readonly connection: SqliteConnection
    readonly reads: ReadDatabase
    readonly services: ReadonlyMap<string, string>
    readonly customers: ReadonlyMap<string, string>
    readonly remove: () => Promise<void>
  }) {
    this.connection = parts.connection
    this.reads = parts.reads
    this.#services = parts.services
    this.#customers = parts.customers
    this.#remove = parts.remove
    this.#scope = transactionScope(parts.connection, (keys) => this.lockKeys.push([...keys]))
  }

  /**
   * Opens a new database with the site `standardSite`; the properties of `more` replace those of the same names in the
   * site file.
   */
  static async open(more: object = {}): Promise<InProcessSite> {
    const { at, remove } = await freshDatabase('sqlite')
    assert.ok('dataDir' in at)
    const file = join(at.dataDir, 'daybook.db')
    const connection = openToWrite(file)
    await migrateSqlite(connection, now)
    const session = transactionScope(connection, () => {})
    for (const [name, input] of [
      ['site.prepare', { siteUrl: '' }],
      ['site.apply', { ...standardSite, ...more }],
    ] as const) {
      const outcome = await inTransaction(connection, () =>
        performIn(session, operations, { name, input, context: contextWith({ now }) }),
      )
      assert.ok('ok' in outcome, JSON.stringify(outcome))
    }
    const services = await connection.build.selectFrom('service').select(['id', 'name']).execute()
    const customers = await connection.build.selectFrom('customer').select(['id', 'name']).execute()
    const byName = (rows: readonly { id: string; name: string }[]) => new Map(rows.map(({ id, name }) => [name, id]))
    const reads = new SqliteReads(file)
    return new InProcessSite({ connection, reads, services: byName(services), customers: byName(customers), remove })
  }

  service(name: string): string {
    return present(this.#services.get(name))
  }

  customer(name: string): string {
    return present(this.#customers.get(name))
  }

  /**
   * Returns another date in Berlin with each call, beginning with tomorrow by the site's clock; fails after 40 calls.
   */
  nextDay(): string {
    this.#days += 1
    assert.ok(this.#days <= 40, 'No days are left; open another site.')
    return wallTime('Europe/Berlin', now + this.#days * dayLong).slice(0, 10)
  }

  /** Performs one write in its own transaction. */
  async perform<N extends keyof Operations & string>(
    name: N,
    input: InputOf<Operations, N>,
    given: Partial<Context> = {},
  ): Promise<Outcome<ResultOf<Operations, N>>> {
    const write = { name, input, context: contextWith({ now, ...given }) }
    // The connection runs one transaction at a time, so writes wait for each other.
    const outcome = this.#last.then(() =>
      inTransaction(this.connection, () => performIn(this.#scope, operations, write)),
    )
    this.#last = outcome.then(nothing, nothing)
    return (await outcome) as Outcome<ResultOf<Operations, N>>
  }

  /** Runs an operation of the test in its own transaction, as the service runs the product's operations. */
  run(operation: (tx: Tx) => Promise<unknown>): Promise<Outcome<unknown>> {
    const write = { name: 'own', input: {}, context: contextWith({ now }) }
    return inTransaction(this.connection, () => performIn(this.#scope, { own: operation }, write))
  }

  /**
   * Lists the slots of a service on one date in Berlin, with one provider, or with all when `provider` is undefined.
   */
  slots(service: string, provider: number | undefined, on: string): Promise<readonly ListedSlot[]> {
    const from = present(toInstant('Europe/Berlin', `${on}T00:00`))
    return listAvailability(this.reads, {
      from,
      until: from + dayLong,
      now,
      serviceIds: [this.service(service)],
      ...(provider !== undefined && { providerIds: [provider] }),
    })
  }

  /** Books a slot for the customer Jo, with changes to the booking's input. */
  add(
    { availabilityId, serviceId, providerId, start, end }: ListedSlot,
    change: object = {},
    given?: Partial<Context>,
  ) {
    const input = { serviceId, providerId, start, end, availabilityId, customerId: this.customer('Jo'), ...change }
    return this.perform('reservations.add', input, given)
  }

  /** Books a slot, which must succeed, and returns its reservation. */
  async book(slot: ListedSlot, change: object = {}): Promise<Reservation> {
    return this.reservation(resultOf(await this.add(slot, change)).id)
  }

  edit(id: string, change: Omit<EditReservation, 'id'>, given?: Partial<Context>) {
    return this.perform('reservations.edit', { id, ...change }, given)
  }

  async reservation(id: string): Promise<Reservation> {
    return present(await findReservation(this.connection, id))
  }

  /**
   * Returns the rows of a reservation in the table `occupancy` (the times that it makes busy), each as `resource seat
   * start end`, sorted by resource.
   */
  async occupancyRows(id: string): Promise<readonly string[]> {
    const rows = await this.connection.build
      .selectFrom('occupancy')
      .selectAll()
      .where('reservation_id', '=', id)
      .orderBy('resource')
      .execute()
    return rows.map((row) => `${row.resource} ${row.seat} ${row.start_at} ${row.end_at}`)
  }

  /** Returns the events of one object from the log, the oldest first. */
  async events(id: string) {
    const rows = await this.connection.build
      .selectFrom('event')
      .selectAll()
      .where('object_id', '=', id)
      .orderBy('tx')
      .orderBy('id')
      .execute()
    return rows.map(({ id, type, body }) => ({ id, type, ...JSON.parse(body ?? '{}') }))
  }

  /**
   * Returns the rows of the tables `reservation`, `occupancy`, `assignment` and `event`, which a booking may change.
   */
  bookingRows(): Promise<unknown> {
    const { build } = this.connection
    const tables = ['reservation', 'occupancy', 'assignment', 'event'] as const
    return Promise.all(tables.map((table) => build.selectFrom(table).selectAll().execute()))
  }

  /** Fails unless a write is refused with this code (see `assertRefusedWith`) and changes none of the `bookingRows`. */
  async assertRefused(
    act: () => Promise<Outcome<unknown>>,
    code: string,
    sentence?: string,
    details?: object,
  ): Promise<void> {
    const before = await this.bookingRows()
    assertRefusedWith(await act(), code, sentence, details)
    assert.deepEqual(await this.bookingRows(), before)
  }

  async close(): Promise<void> {
    await this.reads.close()
    this.connection.close()
    await this.#remove()
  }
}

/** Returns the value; fails when it is undefined. */
export function present<T>(value: T | undefined): T {
  assert.ok(value !== undefined)
  return value
}

/** Returns the result of a write that must have succeeded. */
export function resultOf<Result>(outcome: Outcome<Result>): Result {
  assert.ok('ok' in outcome, JSON.stringify(outcome))
  return outcome.ok
}

/**
 * Fails unless the outcome is a refusal with exactly this code, this message (`sentence`) and these details; without
 * `sentence`, compares only the code.
 */
export function assertRefusedWith(outcome: Outcome<unknown>, code: string, sentence?: string, details?: object): void {
  assert.ok('refused' in outcome, JSON.stringify(outcome))
  // The comparison ignores `lasting` (the refusal stays valid whatever is booked later), which only the class
  // `TakenSlots` uses; that class has its own tests.
  const { lasting: _, ...said } = outcome.refused
  if (sentence === undefined) assert.equal(said.code, code)
  else assert.deepEqual(withSentences(said), { code, message: sentence, ...(details && { details }) })
}

function transactionScope(connection: SqliteConnection, lock: (keys: readonly string[]) => void): TransactionScope {
  return {
    db: connection,
    lock: async (keys) => void lock(keys),
    claim: async () => true,
    savepoint: async () => connection.script('savepoint operation'),
    release: async () => connection.script('release operation'),
    rollback: async () => connection.script('rollback to operation; release operation'),
  }
}

function nothing(): void {}

async function inTransaction<T>(connection: SqliteConnection, work: () => Promise<T>): Promise<T> {
  connection.script('begin immediate')
  try {
    return await work()
  } finally {
    connection.script('commit')
  }
}
