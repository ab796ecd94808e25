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

/** A slot as availability lists it, with the fields of a booking. */
export interface ListedSlot {
  readonly availabilityId: string
  readonly serviceId: string
  readonly providerId: number
  readonly start: number
  readonly end: number
}

/**
 * The operations of the standard site in this process on a SQLite file, for tests of operations within milliseconds.
 */
export class Office {
  readonly connection: SqliteConnection
  readonly reads: ReadDatabase
  /** The keys that operations locked, in order; a test may empty the list. */
  readonly locked: (readonly string[])[] = []
  readonly #session: TransactionScope
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
    this.#session = sessionOver(parts.connection, (keys) => this.locked.push([...keys]))
  }

  /** Opens the standard site with additions to its site file. */
  static async open(more: object = {}): Promise<Office> {
    const { at, remove } = await freshDatabase('sqlite')
    assert.ok('dataDir' in at)
    const file = join(at.dataDir, 'daybook.db')
    const connection = openToWrite(file)
    await migrateSqlite(connection, now)
    const session = sessionOver(connection, () => {})
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
    return new Office({ connection, reads, services: byName(services), customers: byName(customers), remove })
  }

  service(name: string): string {
    return present(this.#services.get(name))
  }

  customer(name: string): string {
    return present(this.#customers.get(name))
  }

  /** Returns a date that no other test of this office uses, from tomorrow on. */
  nextDay(): string {
    this.#days += 1
    assert.ok(this.#days <= 40, 'No days are left; open another office.')
    return wallTime('Europe/Berlin', now + this.#days * dayLong).slice(0, 10)
  }

  /** Performs one write in its own transaction. */
  async perform<N extends keyof Operations & string>(
    name: N,
    input: InputOf<Operations, N>,
    given: Partial<Context> = {},
  ): Promise<Outcome<ResultOf<Operations, N>>> {
    const write = { name, input, context: contextWith({ now, ...given }) }
    // One transaction at a time on the connection.
    const outcome = this.#last.then(() =>
      inTransaction(this.connection, () => performIn(this.#session, operations, write)),
    )
    this.#last = outcome.then(nothing, nothing)
    return (await outcome) as Outcome<ResultOf<Operations, N>>
  }

  /** Performs an operation of the test like those of the service. */
  run(operation: (tx: Tx) => Promise<unknown>): Promise<Outcome<unknown>> {
    const write = { name: 'own', input: {}, context: contextWith({ now }) }
    return inTransaction(this.connection, () => performIn(this.#session, { own: operation }, write))
  }

  /** Lists the slots of a service with a provider, or with all, on one date in Berlin. */
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

  /** Books a slot for Jo, with changes. */
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
    return this.reservation(done(await this.add(slot, change)).id)
  }

  edit(id: string, change: Omit<EditReservation, 'id'>, given?: Partial<Context>) {
    return this.perform('reservations.edit', { id, ...change }, given)
  }

  async reservation(id: string): Promise<Reservation> {
    return present(await findReservation(this.connection, id))
  }

  /** Returns the seats of a reservation, each as `resource seat start end`. */
  async seats(id: string): Promise<readonly string[]> {
    const rows = await this.connection.build
      .selectFrom('occupancy')
      .selectAll()
      .where('reservation_id', '=', id)
      .orderBy('resource')
      .execute()
    return rows.map((row) => `${row.resource} ${row.seat} ${row.start_at} ${row.end_at}`)
  }

  /** Returns the events of one object, in order. */
  async events(id: string) {
    const rows = await this.connection.build
      .selectFrom('event')
      .selectAll()
      .where('object_id', '=', id)
      .orderBy('tx')
      .orderBy('id')
      .execute()
    return rows.map(({ type, body }) => ({ type, ...JSON.parse(body ?? '{}') }))
  }

  /** Returns everything that a booking may change. */
  kept(): Promise<unknown> {
    const { build } = this.connection
    const tables = ['reservation', 'occupancy', 'assignment', 'event'] as const
    return Promise.all(tables.map((table) => build.selectFrom(table).selectAll().execute()))
  }

  /** Performs a write that must be refused (see `refusedAs`) and leave no trace. */
  async refuses(
    act: () => Promise<Outcome<unknown>>,
    code: string,
    sentence?: string,
    details?: object,
  ): Promise<void> {
    const before = await this.kept()
    refusedAs(await act(), code, sentence, details)
    assert.deepEqual(await this.kept(), before)
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
export function done<Result>(outcome: Outcome<Result>): Result {
  assert.ok('ok' in outcome, JSON.stringify(outcome))
  return outcome.ok
}

/** Asserts a refused write exactly; without a sentence only its code. */
export function refusedAs(outcome: Outcome<unknown>, code: string, sentence?: string, details?: object): void {
  assert.ok('refused' in outcome, JSON.stringify(outcome))
  // The lasting flag matters to the memory of late bookings only, which has its own tests.
  const { lasting: _, ...said } = outcome.refused
  if (sentence === undefined) assert.equal(said.code, code)
  else assert.deepEqual(withSentences(said), { code, message: sentence, ...(details && { details }) })
}

function sessionOver(connection: SqliteConnection, lock: (keys: readonly string[]) => void): TransactionScope {
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
