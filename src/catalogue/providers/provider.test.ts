import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  defaultWeekly,
  handles,
  newProvider,
  type ProviderRecord,
  shownProvider,
  shownProviderInFull,
  weekdays,
} from './provider.ts'

const ana: ProviderRecord = {
  id: 3,
  name: 'Ana',
  email: 'ana@a.example',
  timezone: 'Europe/Berlin',
  restrictServices: false,
  allowedServices: ['s_1'],
  weekly: { mon: ['09:00-12:00'] },
  overrides: [{ from: '2026-12-24', to: '2026-12-24', hours: [] }],
  services: new Map([['s_1', { priority: 2 }]]),
  serviceData: new Map([['s_1', { desk: 4, priority: 'an old key' }]]),
}

test('lists have three fields of a provider', () =>
  assert.deepEqual(shownProvider(ana), { id: 3, name: 'Ana', email: 'ana@a.example' }))

test('the history has all fields of a provider, settings before integration keys of the same name', () =>
  assert.deepEqual(shownProviderInFull(ana), {
    id: 3,
    name: 'Ana',
    email: 'ana@a.example',
    allowedServices: ['s_1'],
    restrictServices: false,
    timezone: 'Europe/Berlin',
    weekly: { mon: ['09:00-12:00'] },
    overrides: [{ from: '2026-12-24', to: '2026-12-24', hours: [] }],
    services: { s_1: { desk: 4, priority: 2 } },
  }))

test('a week has seven days, of which a new provider works five by default', () => {
  assert.deepEqual(weekdays, ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'])
  const usual = ['09:00-17:00']
  assert.deepEqual(defaultWeekly, { mon: usual, tue: usual, wed: usual, thu: usual, fri: usual })
})

test("a new provider has no name, the site's hours and zone, and every service", () => {
  const provider = newProvider(7, { timezone: 'Asia/Tokyo', defaultWeekly: { sat: ['10:00-12:00'] } })
  assert.deepEqual(provider, {
    id: 7,
    name: '',
    email: '',
    timezone: 'Asia/Tokyo',
    restrictServices: false,
    allowedServices: [],
    weekly: { sat: ['10:00-12:00'] },
    overrides: [],
    services: new Map(),
    serviceData: new Map(),
  })
  assert.equal(handles(provider, 's_1'), true)
})

for (const [what, change, serviceId, does] of [
  ['not restricted', {}, 's_2', true],
  ['restricted to others', { restrictServices: true }, 's_2', false],
  ['restricted to this one', { restrictServices: true }, 's_1', true],
  ['not taking part', { services: new Map([['s_1', { participate: false }]]) }, 's_1', false],
  ['taking part', { services: new Map([['s_1', { participate: true }]]) }, 's_1', true],
] as const)
  test(`a provider ${what} ${does ? 'handles' : 'does not handle'} the service`, () =>
    assert.equal(handles({ ...ana, ...change }, serviceId), does))
