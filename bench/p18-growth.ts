import { join } from 'node:path'
import { listAvailability } from '../src/availability/availability.operations.ts'
import { AvailabilityCache } from '../src/availability/cache/availability-cache.ts'
import type { AvailabilityQuery } from '../src/availability/cache/question.ts'
import { SqliteReads } from '../src/db/sqlite/sqlite-reads.ts'
import { everythingChanged } from '../src/scheduling/invalidation.ts'
import { median } from '../test/support/scale.ts'
import { days as daysOfPeriod, from, now } from './clinic.ts'
import { makeClinic } from './clinic-site.ts'
import { quick } from './quick.ts'
import { report, reportGrowth } from './report.ts'

const bar = 0.2
const day = 86_400
const rounds = quick ? 1 : 9
const millisecondsPerRound = quick ? 1 : 200

await grow('providers', 'from 1 to 1,000 providers, a week', quick ? [1, 10] : [1, 3, 10, 30, 100, 300, 1000], {
  days: 7,
})
await grow('days', 'from 1 to 60 days, 50 providers', quick ? [1, 10] : [1, 2, 5, 10, 20, 40, 60], { providers: 50 })

/**
 * Measures the processor time of streaming the slots of one service at every size, in rounds that alternate between the
 * sizes, so that a slow minute of the machine affects all alike. Each day is read from the database, computed,
 * serialised and merged, because every list begins with an empty cache. A line is fitted to the cost by number of
 * slots. Reports the largest relative distance of a measured cost from that line.
 */
async function grow(
  x: 'providers' | 'days',
  name: string,
  sizes: readonly number[],
  fixedSize: Partial<Size>,
): Promise<void> {
  const lists: MeasuredList[] = []
  for (const size of sizes) lists.push(await openList({ providers: size, days: size, ...fixedSize }))
  for (let round = 0; round < rounds; round += 1)
    for (const { stream, times, taken } of lists) taken.push(((await timed(stream, times)) * 1000) / times)
  const points: Point[] = lists.map(({ slots, taken }) => ({ x: slots, y: median(taken) }))
  for (const [index, { x: slots, y: cost }] of points.entries())
    console.log(`${sizes[index]} ${x}, ${slots} slots: ${cost.toFixed(0)} µs`)
  for (const { close } of lists) await close()
  const { fixed, each } = lineThrough(points)
  const off = points.map((point) => Math.abs(point.y / (fixed + each * point.x) - 1))
  const value = Math.max(...off)
  console.log(
    `P18 ${name}: ${fixed.toFixed(1)} µs and ${(each * 1000).toFixed(0)} ns a slot, at most ${(value * 100).toFixed(0)} % off`,
  )
  const spread = [Math.min(...off), value] as const
  report({ figure: 'P18', name, unit: 'off the line', value, spread, bar: `<= ${bar}`, held: value <= bar })
  reportGrowth({
    figure: 'P18',
    name,
    x: 'slots listed',
    y: 'µs of processor time',
    points: points.map((point) => [point.x, point.y] as const),
  })
  if (value > bar) process.exitCode = 1
}

/** The number of providers and of days of a list. */
interface Size {
  readonly providers: number
  readonly days: number
}

/** A number of slots, and the median processor time in microseconds that streaming them takes. */
interface Point {
  readonly x: number
  readonly y: number
}

/** A list of one size whose cost is measured. */
interface MeasuredList {
  readonly slots: number
  readonly stream: () => Promise<void>
  /** How often the list is streamed in a round. */
  readonly times: number
  /** The processor time of one list in microseconds, by round. */
  readonly taken: number[]
  readonly close: () => Promise<void>
}

async function openList({ providers, days }: Size): Promise<MeasuredList> {
  const site = await makeClinic(providers, Math.ceil(days / daysOfPeriod))
  const db = new SqliteReads(join(site.dataDir, 'daybook.db'))
  const cache = new AvailabilityCache(db, { maxBytes: 32 * 2 ** 20, maxUnitsAtOnce: 0 })
  const query = { from, until: from + days * day, now, serviceIds: [site.services.direct] }
  const stream = () => {
    cache.invalidate([everythingChanged])
    return streamSlots(cache, query)
  }
  let times = 1
  while ((await timed(stream, times)) < millisecondsPerRound) times *= 2
  const { length: slots } = await listAvailability(db, query)
  return { slots, stream, times, taken: [], close: () => db.close() }
}

/** Streams the slots of a query to their end. */
async function streamSlots(cache: AvailabilityCache, query: AvailabilityQuery): Promise<void> {
  const answer = await cache.list(query)
  if (!('items' in answer)) throw new Error('The slots were not streamed.')
  for await (const _ of answer.items);
}

/** Resolves to the milliseconds of processor time that this thread takes to stream so many times. */
async function timed(stream: () => Promise<void>, times: number): Promise<number> {
  const begun = process.threadCpuUsage()
  for (let time = 0; time < times; time += 1) await stream()
  const { user, system } = process.threadCpuUsage(begun)
  return (user + system) / 1000
}

/** Fits a line by least squares of relative errors, so that all sizes count equally. */
function lineThrough(points: readonly Point[]): { fixed: number; each: number } {
  let [n, sx, sy, sxx, sxy] = [0, 0, 0, 0, 0]
  for (const { x, y } of points) {
    const weight = 1 / (y * y)
    n += weight
    sx += weight * x
    sy += weight * y
    sxx += weight * x * x
    sxy += weight * x * y
  }
  const each = (n * sxy - sx * sy) / (n * sxx - sx * sx)
  return { fixed: (sy - each * sx) / n, each }
}
