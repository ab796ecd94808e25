import type { TokenRegister } from '../domain/token.ts'
import type { Daybook } from '../operations/index.ts'
import { ClockWatch } from './clock-watch.ts'
import { every, type Loop } from './loop.ts'
import { sweepAll } from './sweep.ts'
import { settleZones } from './zones.ts'

const flushSeconds = 5
const sweepSeconds = 300
const zoneSeconds = 86_400

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
 * clocks, and settling what a change of zone data has displaced.
 */
export function startJobs(app: Daybook, { tokens, clockWatch, hearDisplaced }: JobSources): Loop {
  const settle = async () => hearDisplaced(await settleZones(app))
  const loops = [
    every(flushSeconds, { name: 'token use', run: async () => void (await tokens.flush()) }, app.log),
    every(sweepSeconds, { name: 'sweep', run: () => sweepAll(app) }, app.log),
    every(zoneSeconds, { name: 'zones', atStart: true, run: settle }, app.log),
  ]
  if (clockWatch) loops.push(every(ClockWatch.seconds, { name: 'clock', run: () => clockWatch.turn() }, app.log))
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}
