import assert from 'node:assert/strict'
import { openSlots } from '../src/domain/availability.ts'
import { plainSlots } from '../test/properties/temporal-oracle.ts'
import { busyTimes, clinic, days, firstDate, from, hours, minutes, now, until, zone } from './clinic.ts'
import { line, measure } from './measure.ts'

const bar = 50
const plan = clinic(1)
const question = { from, until, now }
const plain = { zone, firstDate, days, hours, minutes, busy: busyTimes(1) }

const slots = openSlots(plan, question)
assert.deepEqual(slots, plainSlots(plain))

const { engine, oracle } = measure({ engine: () => openSlots(plan, question), oracle: () => plainSlots(plain) })
const ratio = oracle.median / engine.median
console.log(`P1  1 provider, ${days} days, 200 busy times, ${slots.length} slots`)
console.log(line('plain Temporal', oracle))
console.log(line('engine', engine))
console.log(`ratio ${ratio.toFixed(0)} x (bar: at least ${bar} x)`)
process.exitCode = ratio >= bar ? 0 : 1
