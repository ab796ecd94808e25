import type pg from 'pg'
import {
  everythingChanged,
  type Invalidation,
  type InvalidationSubject,
  type OnInvalidation,
} from '../../scheduling/invalidation.ts'
import { runQuery } from './postgres.ts'

interface Row {
  readonly id: number
  readonly subject: string
  readonly first_day: number
  readonly last_day: number
}

// Milliseconds from the end of a poll to the start of the next. The caches reflect a commit of another node within
// about this time plus the duration of two polls.
const interval = 40
// Seconds since the last poll after which cached answers are not used: they may miss commits whose effects clients of
// other nodes have already seen.
const maxAge = 1
const maxBehind = 300_000
const maxRows = 5_000
const cleanUpInterval = 60_000
const retentionSeconds = 600

/** The horizon of a poll, and the time at which the poll began, by the clock of the feed. */
interface PastHorizon {
  readonly at: number
  readonly horizon: number
}

/**
 * Polls the table to which all nodes write their cache invalidations, and applies them to the caches of this node. Each
 * poll reads from the horizon of the previous poll (the oldest transaction that was running in this database then),
 * because that transaction may have committed in the meantime.
 *
 * The clean-up deletes rows whose transaction is below the horizon of a poll of this node ten minutes ago: they have
 * been visible since. Every other node has polled in the meantime and read them, or clears its caches at its next poll,
 * because it has not polled for five minutes. The age of a row alone would not be sufficient, since a transaction may
 * commit long after it wrote the row.
 */
export class InvalidationFeed {
  readonly #pool: pg.Pool
  readonly #apply: OnInvalidation
  /** Returns the time in milliseconds since any fixed moment. */
  readonly #clock: () => number
  /**
   * The ids of rows that have been applied although their transaction number is not below the horizon, the oldest
   * transaction that was running. The next poll reads these rows again and skips them. Empty unless the feed was
   * started, since only polls remove ids.
   */
  #applied = new Set<number>()
  #horizon: number | undefined
  #polledAt = Number.NEGATIVE_INFINITY
  /**
   * Unix time of the last poll in seconds, by the clock of the database. It shows how long a suspended machine was
   * stopped, unlike the clock of the feed, which may stand still meanwhile.
   */
  #databaseTime = Number.POSITIVE_INFINITY
  #cleanedUpAt = Number.NEGATIVE_INFINITY
  /** The horizons at the clean-ups since the newest one that is older than `retentionSeconds`, the oldest first. */
  #pastHorizons: readonly PastHorizon[] = []
  #timer: NodeJS.Timeout | undefined
  #polling: Promise<void> | undefined
  #started = false
  #closed = false

  constructor(pool: pg.Pool, apply: OnInvalidation, clock = () => performance.now()) {
    this.#pool = pool
    this.#apply = apply
    this.#clock = clock
  }

  /** Starts polling and resolves after the first attempt. A failed poll is repeated at the next interval. */
  async start(): Promise<void> {
    this.#started = true
    await this.#next()
  }

  /** Whether every commit older than one second has been applied to the caches of this node. */
  isFresh(): boolean {
    return this.age() < maxAge
  }

  /**
   * Returns the seconds since the start of the last completed poll; every commit from before that moment has been
   * applied.
   */
  age(): number {
    return (this.#clock() - this.#polledAt) / 1000
  }

  /**
   * Applies the cache invalidations of a transaction of this node at once, without waiting for a poll. Call it after
   * the commit and before the response to the write.
   */
  committed(rows: readonly Row[]): void {
    if (rows.length === 0) return
    if (this.#started) for (const { id } of rows) this.#applied.add(id)
    this.#apply(rows.map(toInvalidation))
  }

  /**
   * Resolves when every commit before the call has been applied to the caches of this node; rejects when the poll for
   * these commits fails.
   */
  async caughtUp(): Promise<void> {
    await this.#polling
    await this.#poll()
  }

  /** Stops polling for cache invalidations; resolves once a poll in progress has ended. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#polling
  }

  async #next(): Promise<void> {
    this.#polling = this.#poll().catch(() => {
      // While polls fail, `isFresh` becomes false and nothing cached is served; the next successful poll applies what
      // was missed.
    })
    await this.#polling
    this.#polling = undefined
    if (this.#closed) return
    this.#timer = setTimeout(() => void this.#next(), interval)
    this.#timer.unref()
  }

  async #poll(): Promise<void> {
    const began = this.#clock()
    const { rows } = await runQuery(this.#pool, {
      name: 'invalidations',
      text: pollText,
      values: [this.#horizon ?? null],
    })
    const { horizon, now }: { horizon: number; now: number } = rows[0]
    // Transaction numbers decrease when the database is replaced by an older state.
    const replaced = horizon < (this.#horizon ?? 0)
    if (replaced) this.#pastHorizons = []
    const behind = Math.max(began - this.#polledAt, (now - this.#databaseTime) * 1000)
    const late = behind > maxBehind || replaced || rows.length > maxRows
    const news = rows.filter(({ id }) => id !== null && !this.#applied.has(id))
    this.#horizon = horizon
    this.#applied = new Set(rows.flatMap(({ id, tx }) => (id !== null && tx >= horizon ? [id] : [])))
    this.#polledAt = began
    this.#databaseTime = now
    if (late) this.#apply([everythingChanged])
    else if (news.length > 0) this.#apply(news.map(toInvalidation))
    if (began - this.#cleanedUpAt > cleanUpInterval) {
      this.#cleanedUpAt = began
      await this.#cleanUp({ at: began, horizon })
    }
  }

  async #cleanUp(current: PastHorizon): Promise<void> {
    const seen = this.#pastHorizons.findLast(({ at }) => current.at - at >= retentionSeconds * 1000)
    this.#pastHorizons = [...this.#pastHorizons.filter(({ at }) => at >= (seen?.at ?? at)), current]
    await runQuery(this.#pool, { text: cleanUpText, values: [retentionSeconds, seen?.horizon ?? 0] })
  }
}

/**
 * Reads the cache invalidations of the current transaction and commits it, in one round trip. The statement timeout is
 * disabled, because it would also end the wait for a synchronous standby: the commit would be stored on the primary,
 * but perhaps not replicated.
 *
 * A transaction that has changed nothing, such as a repeated request, writes a message to the write-ahead log.
 * Without it the commit would not wait for the standby, and the earlier transaction whose result it repeats, whose own
 * wait may have been cut off, could still be lost. On a standby, `pg_current_xact_id` fails as a write does.
 */
export const commitText = `
  set local statement_timeout = 0;
  select pg_logical_emit_message(true, 'daybook', pg_current_xact_id()::text) where pg_current_xact_id_if_assigned() is null;
  select id, subject, first_day, last_day from invalidation where tx = pg_current_xact_id_if_assigned()::text::bigint;
  commit`

function toInvalidation({ subject, first_day, last_day }: Row): Invalidation {
  return { subject: subject as InvalidationSubject, firstDay: first_day, lastDay: last_day }
}

// The lowest number of the transactions that run in the snapshot of the query, without those that pg_stat_activity, read
// after the snapshot, shows to run in another database; without any, the `xmax` of the snapshot. The horizon of the event
// feed (see `postgres` in dialects.ts) is not sufficient here: any transaction that changes a table with a trigger writes
// cache invalidations, such as one of psql, and only a write of the service locks `event` before it has a number.
const horizonText = `(
  select coalesce(min(tx), pg_snapshot_xmax(pg_current_snapshot())::text::bigint)
  from (select pg_snapshot_xip(pg_current_snapshot())::text::bigint as tx) as running
  where not exists (
    select from pg_stat_activity as other
    where other.backend_xid::text::bigint = tx % 4294967296
      and other.datid <> (select oid from pg_database where datname = current_database())))`

// One statement, so that horizon and rows come from one snapshot. The first poll has no horizon yet ($1 is null), so it
// returns no cache invalidations.
const pollText = `
  select one.horizon, one.now, row.*
  from (select ${horizonText} as horizon, extract(epoch from clock_timestamp())::float8 as now) as one left join lateral (
    select id, tx, subject, first_day, last_day from invalidation where tx >= $1 order by id limit ${maxRows + 1}
  ) as row on true`

// Rows with a number that no transaction of this server has yet were restored from another server. Every poll reads them,
// so their age alone decides.
const cleanUpText = `
  delete from invalidation where created_at < extract(epoch from clock_timestamp())::bigint - $1::bigint
    and (tx < $2::bigint or tx >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint)`
