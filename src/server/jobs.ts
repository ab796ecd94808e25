import type { TokenRegister } from '../access/tokens/token.ts'
import { indexAllCustomers } from '../customers/search/search-index.job.ts'
import { type Loop, startLoop } from '../jobs/loop.ts'
import { ClockWatch } from '../maintenance/clock-watch.job.ts'
import { sweepAll } from '../maintenance/sweep.job.ts'
import type { Daybook } from '../operations.ts'
import { settleZones } from '../reservations/zone-changes/zone-changes.job.ts'

const flushSeconds = 5
const sweepSeconds = 300
const zoneSeconds = 86_400
// New customers are indexed when added; this job indexes those from before an upgrade.
const wordsSeconds = 3_600

/** What the jobs depend on besides the service. */
export interface JobSources {
  readonly tokens: TokenRegister
  /** Undefined with an injected clock. */
  readonly clockWatch: ClockWatch | undefined
  /** Called with the number of upcoming reservations that a change of zone rules displaces. */
  readonly onDisplaced: (count: number) => void
}

/**
 * Starts the periodic jobs: storing token uses, sweeping expired rows, comparing clocks, handling changes of zone
 * rules, and indexing customers for the search.
 */
export function startJobs(app: Daybook, { tokens, clockWatch, onDisplaced }: JobSources): Loop {
  const settle = async () => onDisplaced(await settleZones(app))
  const loops = [
    startLoop(flushSeconds, { name: 'token use', run: async () => void (await tokens.flush()) }, app.log),
    startLoop(wordsSeconds, { name: 'customer words', atStart: true, run: () => indexAllCustomers(app) }, app.log),
    startLoop(sweepSeconds, { name: 'sweep', run: () => sweepAll(app) }, app.log),
    startLoop(zoneSeconds, { name: 'zones', atStart: true, run: settle }, app.log),
  ]
  if (clockWatch) loops.push(startLoop(ClockWatch.seconds, { name: 'clock', run: () => clockWatch.turn() }, app.log))
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}
