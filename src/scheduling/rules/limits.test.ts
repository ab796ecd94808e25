import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { at, booking } from '../../../test/support/plan.ts'
import { defaultServiceSettings, effectiveSettings, type Limits } from '../../catalogue/services/service.ts'
import { countReservations, reservedSecondsWithin } from '../plan/reservation-counts.ts'
import { brokenCustomerLimit, brokenLimit, hidesSlots } from './limits.ts'

const day = 86_400
const today = { start: at('00:00'), end: at('00:00') + day }
const local = { ...today, date: '2026-11-23' }
const week = { start: at('00:00'), end: at('00:00') + 7 * day }
const settings = { ...defaultServiceSettings, durationMinutes: 60 }
const rule = effectiveSettings(
  { id: 's_1', name: '', description: '', color: null, settings, data: {}, form: [] },
  1,
  undefined,
)
/** Creates a reservation from each pair: its start in seconds after the start of `today`, and its length in minutes. */
const starting = (...starts: readonly (readonly [second: number, minutes: number])[]) =>
  starts.map(([second, minutes]) => booking({ start: today.start + second, end: today.start + second + minutes * 60 }))

test('reservations are counted by their start, in whatever order they come', () =>
  assert.deepEqual(countReservations(starting([7_200, 30], [0, 60], [3_600, 10])), {
    starts: [today.start, today.start + 3_600, today.start + 7_200],
    secondsBefore: [0, 3_600, 4_200, 6_000],
  }))

describe('seconds within a stretch are of those that start in it, each whole', () => {
  const counted = countReservations(starting([0, 60], [3_600, 10], [7_200, 30]))
  for (const [start, end, seconds] of [
    [0, 7_201, 6_000],
    [0, 7_200, 4_200],
    [1, 7_200, 600],
    [3_600, 3_601, 600],
    [3_601, 7_200, 0],
    [7_201, 9_000, 0],
    [-9_000, 0, 0],
  ] as const)
    test(`${seconds} from ${start} to ${end}`, () =>
      assert.equal(reservedSecondsWithin(counted, { start: today.start + start, end: today.start + end }), seconds))
})

for (const [limits, response] of [
  [{}, false],
  [{ perCustomerDay: 1 }, false],
  [{ perProviderDay: 0 }, true],
  [{ perServiceDay: 0 }, true],
  [{ minutesPerProviderWeek: 0 }, true],
] as const)
  test(`${JSON.stringify(limits)} ${response ? 'keeps' : 'does not keep'} slots from being listed`, () =>
    assert.equal(hidesSlots(limits), response))

describe('one more reservation', () => {
  const provider = countReservations(starting([-1, 60], [0, 60], [3_600, 30], [day, 45]))
  const all = countReservations(starting([0, 60], [3_600, 30], [7_200, 30], [day - 1, 30], [day, 30]))
  const broken = (limits: Limits) =>
    brokenLimit({ limits, zone: 'UTC', ofProvider: provider, ofService: all }, rule, at('09:00'))
  const table: readonly (readonly [limits: Limits, answer: ReturnType<typeof broken>])[] = [
    [{}, undefined],
    [{ perProviderDay: 3 }, undefined],
    [{ perProviderDay: 2 }, { limit: 'perProviderDay', allowed: 2, reserved: 2, within: local }],
    [{ perServiceDay: 5 }, undefined],
    [{ perServiceDay: 4 }, { limit: 'perServiceDay', allowed: 4, reserved: 4, within: local }],
    [
      { perProviderDay: 2, perServiceDay: 4 },
      { limit: 'perProviderDay', allowed: 2, reserved: 2, within: local },
    ],
    [
      { perProviderDay: 3, perServiceDay: 4 },
      { limit: 'perServiceDay', allowed: 4, reserved: 4, within: local },
    ],
    [{ minutesPerProviderWeek: 195 }, undefined],
    [{ minutesPerProviderWeek: 194 }, { limit: 'minutesPerProviderWeek', allowed: 194, reserved: 135, within: week }],
    [
      { perProviderDay: 3, minutesPerProviderWeek: 0 },
      { limit: 'minutesPerProviderWeek', allowed: 0, reserved: 135, within: week },
    ],
  ]
  for (const [limits, response] of table)
    test(`${response ? 'breaks' : 'keeps'} ${JSON.stringify(limits)}`, () => assert.deepEqual(broken(limits), response))
})

describe('one more of a customer', () => {
  const booked = [
    ...starting([0, 60], [day - 1, 60], [day, 60]),
    booking({ serviceId: 's_2' }),
    booking({ customerId: 'c_2' }),
  ]
  const asked = { serviceId: 's_1', start: at('09:00') }
  for (const [perCustomerDay, breaks] of [
    [undefined, false],
    [3, false],
    [2, true],
    [0, true],
  ] as const)
    test(`${breaks ? 'breaks' : 'keeps'} a limit of ${perCustomerDay}`, () => {
      const limits = perCustomerDay === undefined ? {} : { perCustomerDay }
      const response = brokenCustomerLimit(limits, 'UTC', asked, { id: 'c_1', blocked: false, booked })
      const expected = { limit: 'perCustomerDay', allowed: perCustomerDay, reserved: 2, within: local }
      assert.deepEqual(response, breaks ? expected : undefined)
    })
})
