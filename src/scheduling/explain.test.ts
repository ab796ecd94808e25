import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, blocked, interval, now, type PlanChange, plan, wanted } from '../../test/support/plan.ts'
import { withSentences } from '../../test/support/sentences.ts'
import { explainGrid, explainSlot } from './explain.ts'
import { ruleNames } from './rules/rules.ts'
import { wallTime } from './time/zone.ts'

/**
 * Returns the starts of the first provider's grid in a part of Monday; starts that cannot be booked are in brackets.
 */
function grid(change: PlanChange, from = '00:00', until = '23:00'): string {
  const world = plan(change)
  const [[service], [provider]] = [world.services, world.providers]
  assert.ok(service && provider)
  return explainGrid(world, { service, provider }, interval(from, until), now)
    .map(({ start, bookable }) => [wallTime('UTC', start).slice(11), bookable] as const)
    .map(([text, bookable]) => (bookable ? text : `(${text})`))
    .join(' ')
}

const half = { settings: { durationMinutes: 30 } }
const weekly = (...mon: string[]) => ({ own: { weekly: { mon } } })
for (const [what, change, from, until, starts] of [
  ['of the whole day', {}, '00:00', '23:00', '09:00 10:00 11:00'],
  ['from a start on', {}, '10:00', '23:00', '10:00 11:00'],
  ['from between two on', {}, '09:01', '23:00', '10:00 11:00'],
  ['up to a start', {}, '00:00', '11:00', '09:00 10:00'],
  ['of a shorter service', half, '10:00', '11:00', '10:00 10:30'],
  [
    'that cannot be booked',
    { blocked: blocked('time_off', '10:20', '10:40') },
    '00:00',
    '23:00',
    '09:00 (10:00) 11:00',
  ],
  ['of two windows', weekly('09:00-10:00', '13:00-14:30'), '00:00', '23:00', '09:00 13:00'],
  ['that two windows share, once', weekly('09:00-12:00', '10:00-11:00'), '00:00', '23:00', '09:00 10:00 11:00'],
  [
    'of two windows that overlap, in order',
    weekly('09:00-11:00', '09:30-11:00'),
    '00:00',
    '23:00',
    '09:00 09:30 10:00',
  ],
  ['of a window that is too short', weekly('09:00-09:59'), '00:00', '23:00', ''],
] as const)
  test(`every start is explained: ${what}`, () => assert.equal(grid(change, from, until), starts))

test('a start comes with its end, and with what every rule says of it', () => {
  const world = plan({ blocked: blocked('time_off', '10:20', '10:40') })
  const [[service], [provider]] = [world.services, world.providers]
  assert.ok(service && provider)
  const [first, second] = explainGrid(world, { service, provider }, interval('00:00', '11:00'), now)
  assert.ok(first && second)
  assert.deepEqual([first.start, first.end, second.end], [at('09:00'), at('10:00'), at('11:00')])
  assert.deepEqual(first.rules, explainSlot(world, wanted, now))
  assert.deepEqual(
    second.rules.map(({ rule }) => rule),
    ruleNames,
  )
  assert.deepEqual(
    second.rules.filter(({ ok }) => !ok).map(({ rule }) => rule),
    ['time_off'],
  )
})

test('an unknown provider is explained by its absence alone', () => {
  const world = plan({})
  const [[service], [provider]] = [world.services, world.providers]
  assert.ok(service && provider)
  assert.deepEqual(explainGrid({ ...world, providers: [] }, { service, provider }, interval('00:00', '23:00'), now), [])
})

for (const [missing, change, code] of [
  ['service', { serviceId: 's_9' }, 'service_inactive'],
  ['provider', { providerId: 9 }, 'provider_not_eligible'],
] as const)
  test(`where there is no such ${missing}, every rule says so`, () => {
    const world = plan({})
    const services = world.services.flatMap((service) => [service, { ...service, id: 's_2' }])
    const verdicts = explainSlot({ ...world, services }, { ...wanted, ...change }, now)
    assert.deepEqual(
      verdicts.map(({ rule }) => rule),
      ruleNames,
    )
    const message = `There is no such ${missing}.`
    for (const { rule, ...said } of verdicts)
      assert.deepEqual(withSentences(said), { ok: false, code, message, value: null, setting: missing }, rule)
  })
