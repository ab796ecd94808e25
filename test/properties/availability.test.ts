import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { explainSlot } from '../../src/scheduling/explain.ts'
import { slotsOf } from '../../src/scheduling/listing/slot-list.ts'
import type { Plan, RequestedSlot, Slot } from '../../src/scheduling/plan/plan.ts'
import { planReach } from '../../src/scheduling/plan/reach.ts'
import { offeredSlot, openSlots } from '../../src/scheduling/slots.ts'
import { proved } from '../support/proof.ts'
import { scaled, seed, suiteTimeout } from '../support/scale.ts'
import { blockedIn, blockedTimes, occupiedIn, takenTimes } from '../support/times.ts'
import { between, type GeneratedPlan, generatePlan, oneOf } from './generated-plan.ts'
import { naiveSlots } from './oracle.ts'

const cases = Number(process.env.DAYBOOK_TEST_CASES ?? scaled(4_000))
const settings = { numRuns: cases, seed }

test('the listed slots are those of a minute-by-minute evaluation of the rules', { timeout: suiteTimeout }, (t) => {
  const zonesSeen = new Set<string>()
  let offered = 0
  fc.assert(
    fc.property(fc.gen(), (g) => {
      const { plan, query } = generatePlan(g)
      const slots = slotsOf(openSlots(plan, query))
      const expected = naiveSlots(plan, query, (serviceId, start, end, eligible) => {
        const drawn = slots.find((one) => one.serviceId === serviceId && one.start === start && one.end === end)
        return drawn && eligible.includes(drawn.providerId) ? drawn.providerId : 0
      })
      assert.deepEqual(slots, expected)
      offered += slots.length
      for (const { timezone } of plan.providers) zonesSeen.add(timezone)
    }),
    settings,
  )
  proved(t, 'T2', { cases, slots: offered, 'worst zones drawn': zonesSeen.size, wrong: 0 })
})

test('two adjacent windows return what one window returns', { timeout: suiteTimeout }, () => {
  fc.assert(
    fc.property(fc.gen(), fc.integer({ min: 0, max: 100 }), (g, share) => {
      const { plan, query } = generatePlan(g)
      const between = query.from + Math.floor(((query.until - query.from) * share) / 100)
      const parts = [
        ...slotsOf(openSlots(plan, { ...query, until: between })),
        ...slotsOf(openSlots(plan, { ...query, from: between })),
      ]
      assert.deepEqual(parts, slotsOf(openSlots(plan, query)))
    }),
    { ...settings, numRuns: Math.ceil(cases / 4) },
  )
})

test('a slot is listed exactly when it is offered, and exactly when every rule agrees', {
  timeout: suiteTimeout,
}, () => {
  fc.assert(
    fc.property(fc.gen(), (g) => {
      const generated = generatePlan(g)
      for (const wanted of drawWanted(g, generated)) agree(generated, wanted)
    }),
    { ...settings, numRuns: Math.ceil(cases / 2) },
  )
})

test('what lies beyond the reach of a plan changes no slot', { timeout: suiteTimeout }, () => {
  fc.assert(
    fc.property(fc.gen(), (g) => {
      const { plan, query } = generatePlan(g)
      assert.deepEqual(slotsOf(openSlots(within(plan, query), query)), slotsOf(openSlots(plan, query)))
    }),
    { ...settings, numRuns: Math.ceil(cases / 2) },
  )
})

/** Returns the plan with only the occupancy, blocked times and reservations that a query for the window would load. */
function within(plan: Plan, { from, until }: GeneratedPlan['query']): Plan {
  const { occupied, booked } = planReach({ ...plan, from, until })
  const near = <Time extends { start: number; end: number }>(times: readonly Time[]) =>
    times.filter((one) => one.start < occupied.end && one.end > occupied.start)
  return {
    ...plan,
    occupied: new Map([...plan.occupied].map(([id, times]) => [id, takenTimes(near(occupiedIn(times)))])),
    blocked: new Map([...plan.blocked].map(([id, times]) => [id, blockedTimes(near(blockedIn(times)))])),
    booked: plan.booked.filter(({ start }) => start >= booked.start && start < booked.end),
    shared: plan.shared.filter(({ start }) => start >= booked.start && start < booked.end),
  }
}

/**
 * Draws listed and reserved slots and, for each, variants at another time, of another length or with another provider.
 */
function drawWanted(g: fc.GeneratorValue, { plan, query }: GeneratedPlan): RequestedSlot[] {
  const slots = slotsOf(openSlots(plan, query))
  const some = slots.length > 0 ? [oneOf(g, slots), oneOf(g, slots)] : []
  const taken = plan.booked.slice(0, 4)
  return [...some, ...taken].flatMap(({ serviceId, providerId, start, end }) => {
    const shift = oneOf(g, [-3600, -300, 1, 60, 900, 1800, 86_400])
    return [
      { serviceId, providerId, start, end },
      { serviceId, providerId, start: start + shift, end: end + shift },
      { serviceId, providerId, start, end: end + shift },
      { serviceId, providerId: between(g, 1, 4), start, end },
    ]
  })
}

function agree({ plan, query: { now } }: GeneratedPlan, wanted: RequestedSlot): void {
  const around = slotsOf(openSlots(plan, { from: wanted.start, until: wanted.start + 1, now }))
  const listed = around.find((slot) => slot.bookable && gives(slot, wanted))
  const offer = offeredSlot(plan, wanted, now)
  const verdicts = explainSlot(plan, wanted, now)
  const refused = verdicts.find(({ ok }) => !ok)
  assert.equal('slot' in offer, listed !== undefined, JSON.stringify({ wanted, offer }))
  assert.equal(refused === undefined, listed !== undefined, JSON.stringify({ wanted, refused }))
  assert.equal(verdicts.length, 10)
  if (!('slot' in offer)) {
    assert.deepEqual(offer, { no: refused?.code, message: refused?.message })
    return
  }
  assert.equal(offer.picked, listed?.providerId)
  assert.equal(offer.slot.providerId, wanted.providerId)
  assert.deepEqual(offer.slot.eligibleProviderIds, listed?.eligibleProviderIds)
  if (wanted.providerId === listed?.providerId) assert.deepEqual(offer.slot, listed)
}

function gives(slot: Slot, wanted: RequestedSlot): boolean {
  const pool = slot.routingMode !== 'direct' && slot.routingMode !== 'collective'
  const ids = pool ? slot.eligibleProviderIds : [slot.providerId]
  return slot.serviceId === wanted.serviceId && slot.end === wanted.end && ids.includes(wanted.providerId)
}
