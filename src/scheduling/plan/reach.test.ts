import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PlanChange, plan, providerSettings, service } from '../../../test/support/plan.ts'
import { countsAllProviders } from '../rules/limits.ts'
import { planReach } from './reach.ts'

const day = 86_400
const buffers = { bufferBeforeMinutes: 10, bufferAfterMinutes: 20 }
const table: readonly (readonly [what: string, change: PlanChange, before: number, after: number, margin: number])[] = [
  ['an appointment of an hour', {}, 0, 60, 0],
  ['its buffers', { settings: buffers }, 10, 80, 0],
  [
    'longer buffers of one provider',
    { settings: buffers, second: providerSettings({ bufferBeforeMinutes: 30 }), providers: 2 },
    30,
    80,
    0,
  ],
  [
    'shorter ones of the only provider',
    { settings: buffers, own: providerSettings({ bufferBeforeMinutes: 0 }) },
    10,
    80,
    0,
  ],
  [
    'a shorter one after with the only provider',
    { settings: buffers, own: providerSettings({ bufferAfterMinutes: 0 }) },
    10,
    80,
    0,
  ],
  [
    'a longer appointment with one provider',
    { second: providerSettings({ durationMinutes: 90 }), providers: 2 },
    0,
    90,
    0,
  ],
  [
    'a buffer after with one provider',
    { second: providerSettings({ bufferAfterMinutes: 15 }), providers: 2 },
    0,
    75,
    0,
  ],
  ['a shorter one with the only provider', { own: providerSettings({ durationMinutes: 30 }) }, 0, 60, 0],
  ['a provider who does not give the service', { settings: buffers, own: { restrictServices: true } }, 10, 80, 0],
  ['a limit a day', { settings: { limits: { perServiceDay: 1 } } }, 0, 60, 2],
  ['a limit a day of each customer', { settings: { limits: { perCustomerDay: 1 } } }, 0, 60, 2],
  ['whoever is least busy that day', { settings: { routingMode: 'least_busy' } }, 0, 60, 2],
  ['a limit a week', { settings: { limits: { minutesPerProviderWeek: 1, perCustomerDay: 1 } } }, 0, 60, 9],
]
for (const [what, change, before, after, margin] of table)
  test(`the engine looks far enough for ${what}`, () =>
    assert.deepEqual(planReach({ ...plan(change), from: 1_000_000, until: 2_000_000 }), {
      occupied: { start: 1_000_000 - before * 60, end: 2_000_000 + after * 60 },
      booked: { start: 1_000_000 - margin * day, end: 2_000_000 + margin * day },
      counts: margin > 0,
    }))

test('of several services the widest decides', () => {
  const one = plan({ settings: { limits: { perServiceDay: 1 } } })
  const services = [...one.services, ...plan({ settings: buffers }).services]
  const { occupied, booked } = planReach({ ...one, services, from: 0, until: 1 })
  assert.deepEqual(
    [occupied, booked],
    [
      { start: -600, end: 4_801 },
      { start: -2 * day, end: 2 * day + 1 },
    ],
  )
})

for (const [what, settings, everybody] of [
  ['without limits', {}, false],
  ['with a limit a day of all providers', { limits: { perServiceDay: 1 } }, true],
  ['with a limit a day of each provider', { limits: { perProviderDay: 1 } }, false],
  ['of all together', { routingMode: 'collective' }, false],
  ['of all together with a limit a day', { routingMode: 'collective', limits: { perProviderDay: 1 } }, true],
  [
    'of all together with a limit of each customer',
    { routingMode: 'collective', limits: { perCustomerDay: 1 } },
    false,
  ],
] as const)
  test(`a service ${what} ${everybody ? 'counts' : 'does not count'} reservations with everybody`, () =>
    assert.equal(countsAllProviders(service(settings)), everybody))
