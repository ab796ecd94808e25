import assert from 'node:assert/strict'
import { slotsOf } from '../src/scheduling/listing/slot-list.ts'
import { openSlots } from '../src/scheduling/slots.ts'
import { plainSlots, sparingSlots } from '../test/properties/temporal-oracle.ts'
import { busyTimes, clinic, days, firstDate, from, hours, minutes, now, until, zone } from './clinic.ts'
import { line, measure } from './measure.ts'
import { report } from './report.ts'

const bar = 50
const plan = clinic(1)
const question = { from, until, now }
const plain = { zone, firstDate, days, hours, minutes, busy: busyTimes(1) }

const slots = slotsOf(openSlots(plan, question))
assert.deepEqual(slots, plainSlots(plain))
assert.deepEqual(slots, sparingSlots(plain))

const { engine, oracle, sparing } = measure({
  engine: () => slotsOf(openSlots(plan, question)),
  oracle: () => plainSlots(plain),
  sparing: () => sparingSlots(plain),
})
const ratio = oracle.median / engine.median
console.log(`P1  1 provider, ${days} days, 200 busy times, ${slots.length} slots`)
console.log(line('plain Temporal', oracle))
console.log(line('Temporal for window ends only', sparing))
console.log(line('engine', engine))
console.log(`ratio ${ratio.toFixed(0)} x (bar: at least ${bar} x)`)
console.log(`ratio ${(sparing.median / engine.median).toFixed(0)} x to Temporal for window ends only (no bar)`)
report({
  figure: 'P1',
  name: `the engine against plain Temporal, 1 provider, ${days} days, 200 busy times`,
  unit: 'times',
  value: ratio,
  spread: [oracle.spread[0] / engine.spread[1], oracle.spread[1] / engine.spread[0]],
  bar: `>= ${bar}`,
  held: ratio >= bar,
})
