import assert from 'node:assert/strict'
import { slotsOf } from '../src/scheduling/listing/slot-list.ts'
import { openSlots } from '../src/scheduling/slots.ts'
import { clinic, days, from, now, until } from './clinic.ts'
import { line, measure } from './measure.ts'
import { report } from './report.ts'

const bar = 0.15
const question = { from, until, now }

for (const providers of [1, 50]) {
  const plan = clinic(providers)
  const slots = slotsOf(openSlots(plan, question))
  // The serialised slots contain ids, as in a response. The ids are placeholders that are made in advance, since the
  // figure compares only the computation of slots with their serialisation.
  const response = slots.map((slot, index) => ({ availabilityId: slotId(index), ...slot }))
  const answer = { status: 'OK', response }
  assert.deepEqual(
    response.map(({ availabilityId, ...slot }) => slot),
    slots,
  )
  const { compute, make, serialise } = measure({
    compute: () => openSlots(plan, question),
    make: () => slotsOf(openSlots(plan, question)),
    serialise: () => JSON.stringify(answer),
  })
  const share = compute.median / serialise.median
  console.log(
    `P2  ${providers} provider(s), ${days} days, ${slots.length} slots, ${JSON.stringify(answer).length} bytes`,
  )
  console.log(line('JSON.stringify', serialise))
  console.log(line('computing', compute))
  console.log(line('computing, every slot made', make))
  console.log(`share ${(share * 100).toFixed(1)} % (bar: at most ${bar * 100} %)`)
  report({
    figure: 'P2',
    name: `computing an answer against serialising it, ${providers} provider(s), ${days} days`,
    unit: 'share',
    value: share,
    spread: [compute.spread[0] / serialise.spread[1], compute.spread[1] / serialise.spread[0]],
    bar: `<= ${bar}`,
    held: share <= bar,
  })
}

/** Returns a unique text in the format of a slot id. */
function slotId(index: number): string {
  return `u2k9d.${String(index).padStart(16, 'Aq7')}`
}
