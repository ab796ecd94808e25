import type { TokenRegister } from '../access/tokens/token.ts'
import { storeFunnel } from '../booking-page/funnel/funnel.job.ts'
import type { Funnel } from '../booking-page/funnel/funnel.ts'
import { queueSyncs } from '../calendars/sync/plan-syncs.job.ts'
import { machineClock } from '../clock.ts'
import { indexAllCustomers } from '../customers/search/search-index.job.ts'
import type { Schedule } from '../jobs/job.ts'
import { type Loop, startLoop } from '../jobs/loop.ts'
import { JobRunner } from '../jobs/runner.ts'
import { reportOverdueBackup } from '../maintenance/backups/backup-watch.job.ts'
import { ClockWatch } from '../maintenance/clock-watch.job.ts'
import { reportSeconds } from '../maintenance/nodes/node.ts'
import type { NodeReport } from '../maintenance/nodes/node-report.job.ts'
import { sweepAll } from '../maintenance/sweep.job.ts'
import { queueAgendas } from '../notifications/agenda/plan-agendas.job.ts'
import type { Daybook } from '../operations.ts'
import { queueNightly } from '../payments/reconciliation/reconciliation.job.ts'
import { expireAll } from '../reservations/holds/expiry.job.ts'
import { settleZones } from '../reservations/zone-changes/zone-changes.job.ts'
import { type OutboundThreadOptions, startOutbound } from './outbound-thread.ts'

const flushSeconds = 5
const funnelSeconds = 10
const sweepSeconds = 300
const expirySeconds = 60
const agendaSeconds = 300
// Seconds between two searches for calendars that are due to be read or compared with the reservations.
const calendarSeconds = 10
const zoneSeconds = 86_400
const backupSeconds = 3_600
// Seconds between two runs of the periodic job that queues the next nightly comparison of the books with the payment
// processor. It is not queued while another comparison is due earlier, so the job runs more often than once a day.
const reconciliationSeconds = 3_600
// Seconds between two runs of the periodic job that adds missing customers to the search index. Only customers stored
// by earlier versions can be missing, since new customers are indexed when they are added.
const wordsSeconds = 3_600

/**
 * The objects of which each thread that answers requests has its own: collectors of data that is held in memory and
 * stored from time to time, and the comparison of clocks.
 */
export interface OwnSources {
  readonly tokens: TokenRegister
  /**
   * The counts of the steps that visitors took on the booking page, such as choosing a time, that have not been stored
   * yet.
   */
  readonly funnel: Funnel
  /** Compares this machine's clock with the database's; undefined when the service's clock is set by configuration. */
  readonly clockWatch: ClockWatch | undefined
}

/** The dependencies of the jobs, apart from the service itself. */
export interface JobSources extends OwnSources {
  /** Stores this node's heartbeat; undefined on SQLite, where a single process serves the site. */
  readonly nodeReport: NodeReport | undefined
  /** The dependencies of the outbound thread, see `startOutbound`. */
  readonly outbound: Omit<OutboundThreadOptions, 'app'>
  /**
   * Called with the number of upcoming reservations whose start no longer has the booked local time after a change of
   * time zone rules, and that were not moved.
   */
  readonly onDisplaced: (count: number) => void
}

/** The running jobs of this node. */
export interface RunningJobs extends Loop {
  /** Makes the outbound thread look for due jobs soon after the call; called after each commit. */
  wake(): void
}

/**
 * Starts the jobs of this node. Each node periodically stores token uses and booking steps, compares clocks unless its
 * clock is set by configuration and, on PostgreSQL, stores its heartbeat. Periodic jobs of the job queue (`schedules`),
 * such as deleting expired rows, run once per site. All other jobs of the queue run on the outbound thread. On
 * PostgreSQL, a node whose clock disagrees with the database's starts no jobs of the queue.
 */
export async function startJobs(
  app: Daybook,
  { nodeReport, outbound, onDisplaced, ...own }: JobSources,
): Promise<RunningJobs> {
  const schedules: readonly Schedule[] = [
    { kind: 'customer-words', every: wordsSeconds, atStart: true, run: (signal) => indexAllCustomers(app, signal) },
    { kind: 'sweep', every: sweepSeconds, run: (signal) => sweepAll(app, signal) },
    { kind: 'reservation-expiry', every: expirySeconds, atStart: true, run: (signal) => expireAll(app, signal) },
    { kind: 'plan-agendas', every: agendaSeconds, atStart: true, run: () => queueAgendas(app) },
    { kind: 'plan-calendars', every: calendarSeconds, atStart: true, run: () => queueSyncs(app) },
    { kind: 'backup-watch', every: backupSeconds, atStart: true, run: () => reportOverdueBackup(app) },
    { kind: 'plan-reconciliation', every: reconciliationSeconds, atStart: true, run: () => queueNightly(app) },
    {
      ...{ kind: 'zones', every: zoneSeconds, atStart: true },
      run: async (signal) => onDisplaced(await settleZones(app, signal)),
    },
  ]
  const isAlone = app.db.dialect.name === 'sqlite'
  // On SQLite, a single process serves the site, so there are no other nodes with which its clock must agree.
  const compared = isAlone || !own.clockWatch ? undefined : machineClock
  const runner = new JobRunner({ app, handlers: [], schedules, alone: isAlone, machineClock: compared })
  await runner.prepare()
  runner.start()
  const loops: Pick<Loop, 'stop'>[] = [startOwnLoops(app, own)]
  if (nodeReport)
    loops.push(startLoop(reportSeconds, { name: 'node', atStart: true, run: () => nodeReport.report() }, app.log))
  const sending = startOutbound({ app, ...outbound })
  return {
    wake: () => sending.wake(),
    async stop() {
      await Promise.all([sending.stop(), runner.stop(), ...loops.map((loop) => loop.stop())])
      await nodeReport?.leave()
    },
  }
}

/**
 * Starts the periodic tasks of a thread that answers requests: storing token uses and booking steps and, unless the
 * clock is set by configuration, comparing clocks.
 */
export function startOwnLoops(app: Daybook, { tokens, funnel, clockWatch }: OwnSources): Pick<Loop, 'stop'> {
  const loops = [
    startLoop(flushSeconds, { name: 'token use', run: async () => void (await tokens.flush()) }, app.log),
    startLoop(funnelSeconds, { name: 'booking steps', run: () => storeFunnel(app, funnel) }, app.log),
  ]
  if (clockWatch) loops.push(startLoop(ClockWatch.seconds, { name: 'clock', run: () => clockWatch.turn() }, app.log))
  return { stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))) }
}
