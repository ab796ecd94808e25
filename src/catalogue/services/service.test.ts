import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultPolicies } from '../site/site.ts'
import {
  defaultServiceSettings,
  effectiveSettings,
  providerServiceKeys,
  routingModes,
  type Service,
  type ServiceSettings,
  shownService,
  shownServiceInFull,
} from './service.ts'

const settings: ServiceSettings = {
  ...defaultServiceSettings,
  durationMinutes: 30,
  intervalMinutes: 15,
  bufferBeforeMinutes: 5,
  bufferAfterMinutes: 10,
  capacity: 2,
  leadTimeMinutes: 60,
  horizonDays: 7,
  price: 4_500,
  currency: 'EUR',
}
const service: Service = {
  id: 's_1',
  name: 'Cut',
  description: 'Wash too',
  color: '#3366cc',
  settings,
  data: { a: 1 },
  form: [],
}

test('a new service can be booked at once', () =>
  assert.deepEqual(defaultServiceSettings, {
    durationMinutes: 60,
    intervalMinutes: null,
    bufferBeforeMinutes: 0,
    bufferAfterMinutes: 0,
    capacity: 1,
    leadTimeMinutes: 0,
    horizonDays: 60,
    limits: {},
    approval: 'none',
    pendingBlocks: true,
    online: false,
    routingMode: 'direct',
    price: null,
    currency: null,
    payment: null,
    notifications: null,
    active: true,
  }))

test('by default a site allows removals, reports zone changes and lists no full slots', () =>
  assert.deepEqual(defaultPolicies, {
    removal: 'any',
    zoneChanges: 'report',
    listFullSlots: false,
    cancelReasons: [],
    noShows: null,
    calendarPollMinutes: 5,
    calendarMaxAgeMinutes: 120,
  }))

test('lists describe a service, full ones with the settings among its data', () => {
  const shown = { id: 's_1', name: 'Cut', description: 'Wash too', class: 'appointment', color: '#3366cc' }
  assert.deepEqual(shownService(service), shown)
  assert.deepEqual(shownServiceInFull(service), { ...shown, data: { a: 1, ...settings } })
})

const rule = {
  serviceId: 's_1',
  providerId: 3,
  duration: 1_800,
  interval: 900,
  bufferBefore: 300,
  bufferAfter: 600,
  capacity: 2,
  leadTime: 3_600,
  horizon: 604_800,
  price: 4_500,
  currency: 'EUR',
  priority: 0,
  weight: 1,
}

test('the effective settings are those of the service in seconds', () => {
  assert.deepEqual(effectiveSettings(service, 3, undefined), rule)
  assert.deepEqual(effectiveSettings(service, 3, {}), rule)
})

for (const [key, value, change] of [
  ['durationMinutes', 45, { duration: 2_700 }],
  ['intervalMinutes', 20, { interval: 1_200 }],
  ['bufferBeforeMinutes', 0, { bufferBefore: 0 }],
  ['bufferAfterMinutes', 2, { bufferAfter: 120 }],
  ['leadTimeMinutes', 0, { leadTime: 0 }],
  ['horizonDays', 1, { horizon: 86_400 }],
  ['capacity', 5, { capacity: 5 }],
  ['price', 0, { price: 0 }],
  ['priority', 3, { priority: 3 }],
  ['weight', 0, { weight: 0 }],
] as const)
  test(`a provider's own ${key} takes precedence over the service's`, () =>
    assert.deepEqual(effectiveSettings(service, 3, { [key]: value }), { ...rule, ...change }))

test('without an interval, slots step by the effective duration', () => {
  const unset = { ...service, settings: { ...settings, intervalMinutes: null } }
  assert.equal(effectiveSettings(unset, 3, { durationMinutes: 45 }).interval, 2_700)
})

test('the enumerations are those of the contract', () => {
  assert.deepEqual(routingModes, [
    'direct',
    'round_robin',
    'least_busy',
    'priority',
    'weighted',
    'random',
    'collective',
  ])
  assert.deepEqual(providerServiceKeys, [
    'participate',
    'durationMinutes',
    'intervalMinutes',
    'bufferBeforeMinutes',
    'bufferAfterMinutes',
    'leadTimeMinutes',
    'horizonDays',
    'capacity',
    'price',
    'priority',
    'weight',
  ])
})
