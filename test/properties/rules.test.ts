import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { slotSourcesOf } from '../../src/scheduling/listing/slot-source.ts'
import { noStarts } from '../../src/scheduling/listing/starts.ts'
import { bookingIndexOf } from '../../src/scheduling/plan/booking-index.ts'
import { caseOf } from '../../src/scheduling/rules/rule-case.ts'
import { filterOrder, rules } from '../../src/scheduling/rules/rules.ts'
import { scaled, seed, suiteTimeout } from '../support/scale.ts'
import { generatePlan } from './generated-plan.ts'

const cases = scaled(1_500)
const [openingHours] = filterOrder

for (const rule of rules)
  test(`the filter of ${rule.name} keeps exactly the starts that its verdict allows`, { timeout: suiteTimeout }, () => {
    fc.assert(
      fc.property(fc.gen(), (g) => {
        const { plan, query } = generatePlan(g)
        const bookingIndex = bookingIndexOf(plan)
        for (const service of plan.services)
          for (const slotSource of slotSourcesOf(plan, service)) {
            const within = { start: query.from, end: query.until }
            const asked = { plan, bookingIndex, slotSource, within, now: query.now }
            const grid = openingHours?.filter(noStarts, asked) ?? noStarts
            const kept = rule.filter(grid, asked)
            const bookable = kept.starts.filter((start) => !kept.full.has(start))
            const allowed = grid.starts.filter((start) => {
              const end = start + slotSource.rule.duration
              const wanted = { serviceId: service.id, providerId: slotSource.provider.id, start, end }
              const slot = caseOf(plan, bookingIndex, wanted, query.now)
              return slot && rule.verdict(slot).ok
            })
            assert.deepEqual(bookable, allowed)
          }
      }),
      { numRuns: cases, seed },
    )
  })

// Cached openings are computed without these two rules (`timelessOpenings`); a third one would be missing there.
test('only lead time and horizon depend on the current time', () => {
  fc.assert(
    fc.property(fc.gen(), (g) => {
      const { plan } = generatePlan(g)
      for (const service of plan.services)
        for (const slotSource of slotSourcesOf(plan, service)) {
          const timed = rules.filter((rule) => rule.dependsOn(slotSource).clock !== undefined)
          assert.deepEqual(
            timed.map(({ name }) => name),
            ['lead_time', 'horizon'],
          )
        }
    }),
    { numRuns: 100, seed },
  )
})
