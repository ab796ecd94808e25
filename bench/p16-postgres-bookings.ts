import assert from 'node:assert/strict'
import pg from 'pg'
import { operationsModule } from '../src/cli/framework/operations.ts'
import { Batch } from '../src/db/postgres/batch.ts'
import type { Operations } from '../src/operations.ts'
import { open } from '../src/server/open.ts'
import { contextWith, emptyDatabase } from '../test/support/databases.ts'
import { createDatabase, dropDatabase, postgresServer } from '../test/support/postgres.ts'
import { median } from '../test/support/scale.ts'
import { now } from './clinic.ts'
import { startClinic, startNode } from './clinic-node.ts'
import { backendTimeSince, backendTimes, bookingCosts, bookingsOf } from './postgres-bookings.ts'
import { quick } from './quick.ts'
import { report } from './report.ts'

// Measures the processor time of a booking on PostgreSQL, in the service and in its database connections. The first
// figure compares the last bookings with their SQL statements alone, which are sent without waiting for responses; both
// are measured in turns, since other work on the machine changes what either costs for seconds. The second compares
// bookings after many others with the first bookings in a new database.
const counts = quick
  ? { all: 60, raw: 60, round: 20, first: 20 }
  : { all: 20_000, raw: 6_000, round: 200, first: 1_000 }
const bars = { raw: 1.5, growth: 1.1 }

/** An SQL statement as the service sent it to PostgreSQL. */
interface Sent {
  readonly text: string
  readonly name?: string
  readonly values?: readonly unknown[]
}

/** The statements of many bookings, sent on one connection without waiting in between. */
class StatementsAlone {
  readonly #client: pg.Client
  readonly #pids: readonly number[]
  readonly #sent: readonly (readonly Sent[])[]
  #next = 0

  private constructor(client: pg.Client, pids: readonly number[], sent: readonly (readonly Sent[])[]) {
    this.#client = client
    this.#pids = pids
    this.#sent = sent
  }

  /** Connects to the database, and sends half of the statements at once, so that the code is compiled afterwards. */
  static async connect(url: string, sent: readonly (readonly Sent[])[]): Promise<StatementsAlone> {
    const client = new pg.Client({ connectionString: url, pipeline: true } as pg.ClientConfig)
    await client.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const pids = rows.map(({ pid }) => pid)
    const alone = new StatementsAlone(client, pids, sent)
    while (alone.#next < sent.length / 2) await alone.round()
    return alone
  }

  /** The number of rounds that are left. */
  get rounds(): number {
    return Math.floor((this.#sent.length - this.#next) / counts.round)
  }

  /**
   * Sends the statements of the bookings of one round. Returns the microseconds of processor time per booking, of this
   * process and of the connection's PostgreSQL process.
   */
  async round(): Promise<number> {
    const statements = this.#sent.slice(this.#next, this.#next + counts.round)
    this.#next += counts.round
    const [before, atDatabase] = [process.cpuUsage(), backendTimes(this.#pids)]
    for (const ofBooking of statements)
      await Promise.all(
        ofBooking.map(({ text, name, values }) =>
          this.#client.query({ text, ...(name && { name }), values: [...(values ?? [])] }),
        ),
      )
    const { user, system } = process.cpuUsage(before)
    return (user + system + backendTimeSince(atDatabase)) / counts.round
  }

  async close(): Promise<void> {
    await this.#client.end()
  }
}

const server = await postgresServer()
if (server) await measured()
else console.log('P16 was not measured: PostgreSQL is not installed.')

async function measured(): Promise<void> {
  assert.ok(server)
  const database = await emptyDatabase()
  assert.ok('databaseUrl' in database.at)
  const place = (url: string): string[] => ['--database-url', url]
  const first = await startClinic(place(database.at.databaseUrl), false)
  const bodies = await bookingsOf(first, counts.all)
  await first.service.stop()
  const name = new URL(database.at.databaseUrl).pathname.slice(1)
  const copies = [await createDatabase(server, name), await createDatabase(server, name)] as const
  const sent = await statementsOf(copies[0], bodies.slice(0, counts.raw))
  const raw = await StatementsAlone.connect(copies[1], sent)
  const rawCosts: number[] = []
  const node = await startNode(place(database.at.databaseUrl), { token: first.token, counted: false })
  const rounds = Math.floor(counts.all / counts.round)
  const booked = await bookingCosts(node, database.at.databaseUrl, bodies, {
    round: counts.round,
    async prepare(_, number) {
      if (number >= rounds - raw.rounds) rawCosts.push(await raw.round())
    },
  })
  await node.service.stop()
  await raw.close()
  for (const copy of copies) await dropDatabase(server, copy)
  await database.remove()
  console.log(`P16 ${sent[0]?.length} statements a booking, with begin and commit`)
  const atFirst = Math.max(1, counts.first / counts.round)
  compare(
    'a booking on PostgreSQL against its statements alone, pipelined',
    booked.slice(-rawCosts.length),
    rawCosts,
    bars.raw,
  )
  compare(
    'a booking on PostgreSQL, the last 1,000 of 20,000 against the first',
    booked.slice(-atFirst),
    booked.slice(0, atFirst),
    bars.growth,
  )
}

function compare(name: string, one: readonly number[], other: readonly number[], bar: number): void {
  const value = median(one) / median(other)
  console.log(`P16 ${name}: ${median(one).toFixed(0)} µs and ${median(other).toFixed(0)} µs`)
  const spread = [Math.min(...one) / Math.max(...other), Math.max(...one) / Math.min(...other)] as const
  report({ figure: 'P16', name, unit: 'times', value, spread, bar: `<= ${bar}`, held: value <= bar })
  if (value > bar) process.exitCode = 1
}

/**
 * Makes bookings in this process and returns the SQL statements of each booking, in the order in which they were sent.
 */
async function statementsOf(url: string, bodies: readonly string[]): Promise<Sent[][]> {
  const sent: Sent[][] = []
  const original = pg.Client.prototype.query
  const storage = await open<Operations>({ at: { databaseUrl: url }, operations: operationsModule, thread: false })
  // One replacement serves all overloads of `query`, whose types differ only in the result.
  Object.defineProperty(pg.Client.prototype, 'query', {
    configurable: true,
    value(this: pg.Client, question: Sent | Batch, ...rest: unknown[]) {
      const questions = question instanceof Batch ? question.queries : 'text' in question ? [question] : []
      for (const { text, name, values } of questions)
        sent.at(-1)?.push({ text, ...(name && { name }), ...(values && { values }) })
      return Reflect.apply(original, this, [question, ...rest])
    },
  })
  for (const body of bodies) {
    sent.push([])
    const outcome = await storage.perform('reservations.add', JSON.parse(body), contextWith({ now }))
    assert.ok('ok' in outcome, JSON.stringify(outcome))
  }
  Object.defineProperty(pg.Client.prototype, 'query', { configurable: true, value: original })
  await storage.close()
  return sent
}
