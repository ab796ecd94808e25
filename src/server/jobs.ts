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
// New customers are found at once; this is for those from before an upgrade.
const wordsSeconds = 3_600

/** What the jobs are about beside the service itself. */
export interface JobSources {
  readonly tokens: TokenRegister
  /** Undefined where the clock is a chosen one. */
  readonly clockWatch: ClockWatch | undefined
  /** Hears how many coming reservations are displaced by a change of their zone. */
  readonly hearDisplaced: (count: number) => void
}

/**
 * Starts what the service does by itself: writing down the use of tokens, sweeping away what nothing looks at, comparing
 * clocks, settling what a change of zone data has displaced, and writing what customers from before are found by.
 */
export function startJobs(app: Daybook, { tokens, clockWatch, hearDisplaced }: JobSources): Loop {
  const settle = async () => hearDisplaced(await settleZones(app))
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
