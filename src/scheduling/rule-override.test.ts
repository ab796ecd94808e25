import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, blocked, booking, now, occupiedTime, plan, takenSeats, wanted } from '../../test/support/plan.ts'
import { withSentences } from '../../test/support/sentences.ts'
import { sentence } from '../messages/sentence.ts'
import {
  assignedByOverride,
  brokenRules,
  offerWithOverride,
  ruleOverrideOf,
  shownRuleOverride,
} from './rule-override.ts'

const welcome = { id: 'c_1', blocked: false, booked: [] }
const night = { ...wanted, start: at('20:00'), end: at('20:40') }

for (const [what, change, asked, expected] of [
  ['a slot breaks none', {}, wanted, ''],
  ['a time at night', {}, night, 'opening_hours'],
  ['one that lasts longer', {}, { ...wanted, end: at('10:30') }, 'opening_hours'],
  ['one in time off', { blocked: blocked('time_off', '09:30', '09:40') }, wanted, 'time_off'],
  [
    'several at once, in order',
    { settings: { active: false, leadTimeMinutes: 600 } },
    wanted,
    'service_active lead_time',
  ],
  ['another booking is in the way of all', { occupied: occupiedTime('09:30', '09:40') }, wanted, 'occupancy!'],
  ['a seat that is taken is too', { occupied: takenSeats(1) }, wanted, 'capacity!'],
  ['who does not handle it', { own: { restrictServices: true } }, wanted, 'provider_eligible'],
  [
    'all together are kept under one alone',
    { settings: { routingMode: 'collective' as const }, providers: 2 },
    { ...wanted, providerId: 2 },
    'provider_eligible!',
  ],
  [
    'one of all together is busy in the night',
    { settings: { routingMode: 'collective' as const }, providers: 2, occupied: occupiedTime('20:00', '20:40', 2) },
    night,
    'opening_hours occupancy!',
  ],
  ['who is not there', {}, { ...wanted, providerId: 9 }, 'all!'],
] as const)
  test(`rules that are broken: ${what}`, () => {
    const broken = brokenRules(plan(change), asked, now, welcome)
    const said = broken.map(({ rule, firm }) => (firm ? `${rule}!` : rule)).join(' ')
    if (expected === 'all!')
      assert.ok(broken.length > 1 && said.includes('occupancy!') && said.includes('provider_eligible!'))
    else assert.equal(said, expected)
  })

const single = { doubleBook: false }
const double = { doubleBook: true }

test('a customer who is blocked, or has enough of it that day, is a rule of its own', () => {
  const settings = { limits: { perCustomerDay: 1 } }
  for (const [customer, setting] of [
    [{ ...welcome, blocked: true }, 'customer.status'],
    [{ ...welcome, booked: [booking()] }, 'service.limits.perCustomerDay'],
  ] as const) {
    const [broken, ...more] = brokenRules(
      plan({ settings }),
      { ...wanted, start: at('11:00'), end: at('12:00') },
      now,
      customer,
    )
    assert.deepEqual([broken?.rule, broken?.setting, broken?.firm, more], ['customer', setting, false, []])
  }
})

test('a time with room is offered anyway, as long as it is wanted, with why', () => {
  const offered = offerWithOverride(plan({}), night, now, welcome, single)
  assert.ok('offer' in offered)
  const { offer, exception } = ruleOverrideOf(offered, 'A friend')
  assert.deepEqual([offer.slot.start, offer.slot.end], [night.start, night.end])
  assert.deepEqual(exception, { reason: 'A friend', rules: ['opening_hours'] })
  assert.ok(exception)
  assert.deepEqual(assignedByOverride(offer, exception), {
    mode: 'direct',
    eligible: [1],
    chosen: 1,
    picked: 1,
    because: { code: 'assigned_with_override', parameters: { rules: ['opening_hours'] } },
  })
})

test('a slot that breaks no rule is no exception, and one without room is none either', () => {
  const offered = offerWithOverride(plan({}), wanted, now, welcome, single)
  assert.ok('offer' in offered)
  assert.equal(ruleOverrideOf(offered, 'To be safe').exception, undefined)
  const refused = offerWithOverride(plan({ occupied: takenSeats(1) }), wanted, now, welcome, single)
  assert.ok('no' in refused && refused.no === 'slot_full')
})

test('an appointment against several rules names them all, and history shows them with the reason', () => {
  const offered = offerWithOverride(plan({ settings: { leadTimeMinutes: 6_000 } }), night, now, welcome, single)
  assert.ok('offer' in offered)
  const { offer, exception } = ruleOverrideOf(offered, 'A friend')
  assert.ok(exception)
  assert.equal(
    sentence(assignedByOverride(offer, exception).because),
    'Booked anyway, overriding: lead_time, opening_hours.',
  )
  assert.deepEqual(shownRuleOverride(exception), {
    override: { reason: 'A friend', rules: ['lead_time', 'opening_hours'] },
  })
  assert.deepEqual(shownRuleOverride(undefined), {})
})

test('of a service that is not there nothing is offered anyway, with why', () => {
  const unknown = { ...wanted, serviceId: 's_9' }
  assert.deepEqual(withSentences(offerWithOverride(plan({}), unknown, now, welcome, single)), {
    no: 'service_inactive',
    message: 'There is no such service.',
  })
})

const willing = (change: Parameters<typeof plan>[0] = {}) => plan({ own: { doubleBooking: true }, ...change })

test('the identical slot is double-booked above its capacity, only on purpose, and only where the provider allows it', () => {
  const offered = offerWithOverride(willing({ occupied: takenSeats(1) }), wanted, now, welcome, double)
  assert.ok('offer' in offered)
  assert.equal(offered.doubled, 'above_capacity')
  assert.deepEqual(ruleOverrideOf(offered, 'A twin').exception?.rules, ['capacity'])
  for (const refused of [
    offerWithOverride(willing({ occupied: takenSeats(1) }), wanted, now, welcome, single),
    offerWithOverride(plan({ occupied: takenSeats(1) }), wanted, now, welcome, double),
    offerWithOverride(
      willing({ occupied: takenSeats(1), settings: { routingMode: 'collective' } }),
      wanted,
      now,
      welcome,
      double,
    ),
  ])
    assert.ok('no' in refused && refused.no === 'slot_full')
})

test('a time with room is not doubled, although it was asked for', () => {
  const offered = offerWithOverride(willing(), wanted, now, welcome, double)
  assert.ok('offer' in offered)
  assert.deepEqual([offered.doubled, offered.broken], [undefined, []])
})

test('an overlapping time takes the overflow once, which is busy for every slot afterwards', () => {
  const occupied = occupiedTime('09:30', '10:30')
  const offered = offerWithOverride(willing({ occupied }), wanted, now, welcome, double)
  assert.ok('offer' in offered)
  assert.equal(offered.doubled, 'overflow')
  const doubled = blocked('overflow', '09:30', '10:30')
  const third = offerWithOverride(willing({ occupied, blocked: doubled }), wanted, now, welcome, double)
  assert.ok('no' in third && third.no === 'slot_provider_busy')
  const [broken] = brokenRules(plan({ blocked: doubled }), wanted, now, welcome)
  assert.deepEqual([broken?.rule, broken?.firm, broken?.doubles], ['occupancy', true, false])
})
