import assert from 'node:assert/strict'
import { openSlots, type Slot } from '../src/domain/availability.ts'
import { clinic, days, from, now, until } from './clinic.ts'
import { line, measure } from './measure.ts'

const bar = 0.15
const question = { from, until, now }
const offered: Slot[][] = []

for (const providers of [1, 50]) {
  const plan = clinic(providers)
  const slots = openSlots(plan, question)
  assert.deepEqual(JSON.parse(JSON.stringify(slots)), slots)
  offered.push(slots)
  const { compute, serialise } = measure({
    compute: () => openSlots(plan, question),
    serialise: () => JSON.stringify(slots),
  })
  const share = compute.median / serialise.median
  console.log(`P2  ${providers} provider(s), ${days} days, ${slots.length} slots`)
  console.log(line('JSON.stringify', serialise))
  console.log(line('computing', compute))
  console.log(`share ${(share * 100).toFixed(1)} % (bar: at most ${bar * 100} %)`)
  if (share > bar) process.exitCode = 1
}
