import { slotIds } from '../src/availability/slot-id.ts'
import { measure } from './measure.ts'
import { report } from './report.ts'

const bar = 150
const count = 500
const start = 1_790_000_000
const slots = Array.from({ length: count }, (_, index) => ({
  providerId: 1 + (index % 50),
  start: start + index * 1800,
  end: start + index * 1800 + 1800,
}))
const { ids } = measure({ ids: () => slotIds('ab'.repeat(32), 's_1', start, slots) })
const each = (microseconds: number) => (microseconds * 1000) / count
const value = each(ids.median)
console.log(`slot ids  ${value.toFixed(0)} ns each (bar: at most ${bar} ns)`)
const spread = [each(ids.spread[0]), each(ids.spread[1])] as const
report({
  figure: 'slot id',
  name: 'making one id of a list',
  unit: 'ns',
  value,
  spread,
  bar: `<= ${bar} ns`,
  held: value <= bar,
})
if (value > bar) process.exitCode = 1
