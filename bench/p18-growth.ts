import { slotText } from '../src/availability/slot-json.ts'
import { slotsOf } from '../src/scheduling/listing/slot-list.ts'
import type { Plan } from '../src/scheduling/plan/plan.ts'
import { openSlots } from '../src/scheduling/slots.ts'
import { clinic, from, now } from './clinic.ts'
import { line, measure } from './measure.ts'
import { report, reportGrowth } from './report.ts'

const bar = 0.2
const day = 86_400

grow('providers', 'from 1 to 1,000 providers, a week', [1, 3, 10, 30, 100, 300, 1000], (providers) => [
  clinic(providers),
  7,
])
grow('days', 'from 1 to 60 days, 50 providers', [1, 2, 5, 10, 20, 40, 60], (days) => [clinic(50), days])

/**
 * Measures the cost of finding and serialising slots at every size, day by day, as the service streams them. A line is
 * fitted to the cost by number of slots. Reports the largest relative distance of a measured cost from that line.
 */
function grow(x: string, name: string, sizes: readonly number[], at: (size: number) => readonly [Plan, number]): void {
  const points = sizes.map((size) => {
    const [plan, days] = at(size)
    const textOfDay = (index: number) => {
      const start = from + index * day
      return slotText(slotsOf(openSlots(plan, { from: start, until: start + day, now })), {
        secret: 'ab'.repeat(32),
        now,
      })
    }
    const answer = () => {
      let slots = 0
      for (let index = 0; index < days; index += 1) slots += textOfDay(index).starts.length
      return slots
    }
    const slots = answer()
    const { cost } = measure({ cost: answer }, 9)
    console.log(line(`${size} ${x}, ${slots} slots`, cost))
    return { x: slots, y: cost.median }
  })
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

interface Point {
  readonly x: number
  readonly y: number
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
