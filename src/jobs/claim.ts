import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Operation, Tx } from '../db/perform/app.ts'
import type { JobTable } from '../db/query/job-tables.ts'
import type { ClaimedJob, JobLease } from './job.ts'
import { type Settlement, settleJob } from './queue.ts'

/**
 * The free capacity of a runner for one kind of job, up to which it claims due jobs: in total, and per lane (jobs that
 * share a limit, such as those for one receiver of webhooks).
 */
export interface Capacity {
  readonly kind: string
  /** The number of further jobs of this kind that the runner has room for. */
  readonly free: number
  readonly laneConcurrency: number | null
  /** The number of running jobs by lane; a lane is, for example, the receiver of a webhook. */
  readonly lanes: Readonly<Record<string, number>>
}

interface Claim {
  readonly owner: string
  readonly leaseSeconds: number
  readonly kinds: readonly Capacity[]
  /**
   * The number of attempts after which a crashed job is parked (waits until a user retries it), by kind; null for a
   * periodic job, which is never parked. Only expired leases of these kinds are released.
   */
  readonly maxAttempts: Readonly<Record<string, number | null>>
  /**
   * The ids of the jobs that the runner runs now. They are neither released nor claimed, even if their lease is lost.
   */
  readonly running: readonly string[]
}

const crashed = 'The process ended during the run.'

// The seconds by which a periodic job may be due later than its period allows. A job that is due even later was planned
// before the clock was set back, and is due at once. Clocks of nodes differ by a few seconds, so without a tolerance a
// job could be repeated that another node has just run.
const clockTolerance = 60

/** The condition that a periodic job was planned before the clock was set back. */
function isPlannedTooLate(now: number): RawBuilder<SqlBool> {
  return sql`run_at - every > ${now + clockTolerance}`
}

/**
 * Leases due jobs to a runner and returns them. Before that, jobs whose lease has expired become due again or, when
 * they have no attempts left, wait until a user retries them ("parked").
 */
export const claimJobs: Operation<Claim, readonly ClaimedJob[]> = async (tx, claim) => {
  const { owner, leaseSeconds, kinds, running } = claim
  await releaseExpired(tx, claim)
  const claimed: ClaimedJob[] = []
  // Each kind has a limit of its own, so each is queried separately.
  for (const capacity of kinds) {
    const isPeriodic = claim.maxAttempts[capacity.kind] === null
    const rows = withinLanes(await selectDue(tx, capacity, { running, isPeriodic }), capacity)
    claimed.push(...rows.map((row) => claimedJob(row, owner)))
  }
  if (claimed.length > 0) {
    await tx.db.build
      .updateTable('job')
      .set((row) => ({
        state: 'running',
        attempts: row('attempts', '+', 1),
        lease_owner: owner,
        lease_until: tx.now + leaseSeconds,
        started_at: tx.now,
      }))
      .where((row) =>
        tx.db.dialect.listed(
          row.ref('id'),
          claimed.map(({ lease }) => lease.id),
          'text',
        ),
      )
      .execute()
  }
  return claimed
}

async function releaseExpired(tx: Tx, { maxAttempts, running }: Claim): Promise<void> {
  const { build } = tx.db
  const expired = await build
    .selectFrom('job')
    .select(['id', 'kind', 'attempts', 'every'])
    .where('state', '=', 'running')
    .where('lease_until', '<=', tx.now)
    .where((row) => tx.db.dialect.listed(row.ref('kind'), Object.keys(maxAttempts), 'text'))
    .where(notListed(tx.db, 'id', running))
    .execute()
  if (expired.length === 0) return
  const isSpent = ({ kind, attempts, every }: (typeof expired)[number]) =>
    every === null && attempts >= (maxAttempts[kind] ?? Number.POSITIVE_INFINITY)
  for (const state of ['due', 'parked']) {
    const ids = expired.filter((job) => isSpent(job) === (state === 'parked')).map(({ id }) => id)
    if (ids.length === 0) continue
    await build
      .updateTable('job')
      .set({ state, lease_owner: null, lease_until: null, started_at: null, last_error: crashed })
      .where((row) => tx.db.dialect.listed(row.ref('id'), ids, 'text'))
      // Another runner may have released the job and leased it again in the meantime, so state and lease are checked
      // again.
      .where('state', '=', 'running')
      .where('lease_until', '<=', tx.now)
      .execute()
  }
}

async function selectDue(
  tx: Tx,
  { kind, free, laneConcurrency, lanes }: Capacity,
  { running, isPeriodic }: Pick<Claim, 'running'> & { readonly isPeriodic: boolean },
): Promise<JobTable[]> {
  const { build, dialect } = tx.db
  const full =
    laneConcurrency === null ? [] : Object.keys(lanes).filter((lane) => (lanes[lane] ?? 0) >= laneConcurrency)
  const { rows } = await sql<JobTable>`
    select * from job where kind = ${kind} and state = 'due'
      and ${isPeriodic ? sql`(run_at <= ${tx.now} or ${isPlannedTooLate(tx.now)})` : sql`run_at <= ${tx.now}`}
      and ${notListed(tx.db, 'lane', full)} and ${notListed(tx.db, 'id', running)}
    order by run_at limit ${free} ${dialect.skipLocked()}`.execute(build)
  return rows
}

/** The condition that a column has none of the listed values. */
function notListed({ dialect }: Database, column: 'id' | 'lane', values: readonly string[]): RawBuilder<SqlBool> {
  return values.length > 0 ? sql`not ${dialect.listed(sql.ref(column), values, 'text')}` : sql`true`
}

function withinLanes(rows: readonly JobTable[], { laneConcurrency, lanes }: Capacity): readonly JobTable[] {
  if (laneConcurrency === null) return rows
  const taken = new Map(Object.entries(lanes))
  return rows.filter(({ lane }) => {
    const count = (taken.get(lane) ?? 0) + 1
    if (count <= laneConcurrency) taken.set(lane, count)
    return count <= laneConcurrency
  })
}

function claimedJob(row: JobTable, owner: string): ClaimedJob {
  const { id, kind, unique_key: key, lane, payload, every, attempts, revision } = row
  return { kind, key, lane, payload, every, lease: { id, owner, attempt: attempts + 1, revision } }
}

/** Extends the leases of running jobs; returns the ids of the jobs whose lease the runner still holds. */
export const renewLeases: Operation<
  { readonly owner: string; readonly ids: readonly string[]; readonly leaseSeconds: number },
  readonly string[]
> = async (tx, { owner, ids, leaseSeconds }) => {
  const held = await tx.db.build
    .updateTable('job')
    .set({ lease_until: tx.now + leaseSeconds })
    .where((row) => tx.db.dialect.listed(row.ref('id'), ids, 'text'))
    .where('lease_owner', '=', owner)
    .returning('id')
    .execute()
  return held.map(({ id }) => id)
}

/** Ends a run of a job; returns false when the runner no longer holds the lease of the job. */
export const settle: Operation<{ readonly lease: JobLease; readonly settlement: Settlement }, boolean> = async (
  tx,
  { lease, settlement },
) => (await settleJob(tx, lease, settlement)) !== false

/** A periodic job as a starting node declares it. */
interface DeclaredSchedule {
  readonly kind: string
  readonly every: number
  readonly atStart: boolean
}

interface Start {
  readonly schedules: readonly DeclaredSchedule[]
  /** Whether no other process runs jobs of this site, so that all existing leases are of processes that have ended. */
  readonly alone: boolean
}

/**
 * Prepares the queue for a starting node: adds missing periodic jobs (`schedules`), applies changed intervals, and, if
 * no other process runs jobs (`alone`), expires all leases.
 */
export const startQueue: Operation<Start, null> = async (tx, { schedules, alone }) => {
  const { build } = tx.db
  if (alone) await build.updateTable('job').set({ lease_until: 0 }).where('state', '=', 'running').execute()
  if (schedules.length > 0) {
    const rows = schedules.map(({ kind, every, atStart }) => ({
      ...{ id: tx.newId('job'), kind, unique_key: scheduleKey, lane: '', payload: 'null', state: 'due', every },
      ...{ run_at: atStart ? tx.now : tx.now + every, attempts: 0, revision: 0, created_at: tx.now },
    }))
    await build
      .insertInto('job')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['kind', 'unique_key']).doUpdateSet((row) => ({
          every: row.ref('excluded.every'),
          run_at: row
            .case()
            .when('job.run_at', '>', row.ref('excluded.run_at'))
            .then(row.ref('excluded.run_at'))
            .else(row.ref('job.run_at'))
            .end(),
        })),
      )
      .execute()
  }
  return null
}

const scheduleKey = 'schedule'

/**
 * Returns the time of the next due job of each kind (0 for a periodic job that was planned before the clock was set
 * back; a kind without a due job is absent), the time at which the first lease of a job of the `leased` kinds expires
 * (null when none is leased), and whether outbound jobs are paused. The leases of the jobs that the runner runs itself
 * (`running`) are left out.
 */
export async function nextRuns(
  db: Database,
  kinds: readonly string[],
  {
    leased,
    running,
    now,
  }: { readonly leased: readonly string[]; readonly running: readonly string[]; readonly now: number },
): Promise<{
  readonly runs: ReadonlyMap<string, number>
  readonly leaseUntil: number | null
  readonly paused: boolean
}> {
  const { rows } = await sql<{ kind: string | null; at: number | null }>`
    select wanted.value as kind, coalesce(
      (select 0 from job where kind = wanted.value and unique_key = ${scheduleKey} and state = 'due'
        and ${isPlannedTooLate(now)}),
      (select min(run_at) from job where kind = wanted.value and state = 'due')) as at
    from ${db.dialect.wanted(kinds, 'text')}
    union all select null, (select min(lease_until) from job
      where state = 'running' and ${db.dialect.listed(sql.ref('kind'), leased, 'text')} and ${notListed(db, 'id', running)})
    union all select 'paused', (select outbound_paused_at from site)`.execute(db.build)
  const times = rows.flatMap(({ kind, at }) => (at === null ? [] : [[kind, Number(at)] as const]))
  const runs = new Map(times.flatMap(([kind, at]) => (kind === null || kind === 'paused' ? [] : [[kind, at] as const])))
  const leaseUntil = times.find(([kind]) => kind === null)?.[1] ?? null
  return { runs, leaseUntil, paused: times.some(([kind]) => kind === 'paused') }
}
