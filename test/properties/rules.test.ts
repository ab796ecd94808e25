import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { slotSourcesOf } from '../../src/scheduling/listing/slot-source.ts'
import { noStarts } from '../../src/scheduling/listing/starts.ts'
import { bookingIndexOf } from '../../src/scheduling/plan/booking-index.ts'
import { caseOf } from '../../src/scheduling/rules/rule-case.ts'
import { filterOrder, rules } from '../../src/scheduling/rules/rules.ts'
import { patience, scaled, seed } from '../support/scale.ts'
import { drawWorld } from './world.ts'

const cases = scaled(1_500)
const [openingHours] = filterOrder

for (const rule of rules)
  test(`the filter of ${rule.name} keeps exactly the starts that its verdict allows`, { timeout: patience }, () => {
    fc.assert(
      fc.property(fc.gen(), (g) => {
        const { plan, question } = drawWorld(g)
        const bookingIndex = bookingIndexOf(plan.booked)
        for (const service of plan.services)
          for (const slotSource of slotSourcesOf(plan, service)) {
            const within = { start: question.from, end: question.until }
            const asked = { plan, bookingIndex, slotSource, within, now: question.now }
            const grid = openingHours?.filter(noStarts, asked) ?? noStarts
            const kept = rule.filter(grid, asked)
            const bookable = kept.starts.filter((start) => !kept.full.has(start))
            const allowed = grid.starts.filter((start) => {
              const end = start + slotSource.rule.duration
              const wanted = { serviceId: service.id, providerId: slotSource.provider.id, start, end }
              const slot = caseOf(plan, bookingIndex, wanted, question.now)
              return slot && rule.verdict(slot).ok
            })
            assert.deepEqual(bookable, allowed)
          }
      }),
      { numRuns: cases, seed },
    )
  })
