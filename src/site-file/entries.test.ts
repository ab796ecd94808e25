import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProviderRecord } from '../catalogue/providers/provider.ts'
import { defaultServiceSettings, type Service } from '../catalogue/services/service.ts'
import type { Site } from '../catalogue/site/site.ts'
import type { Customer } from '../customers/customer.ts'
import type { Reservation } from '../reservations/reservation.ts'
import { toInstant } from '../scheduling/time/zone.ts'
import { customerEntry, providerEntry, reservationEntry, serviceEntry, siteEntry } from './entries.ts'

/** Asserts that an entry serialises to exactly this JSON, including the order of its keys. */
function written(entry: object, expected: object): void {
  assert.equal(JSON.stringify(entry, null, 1), JSON.stringify(expected, null, 1))
}

const site: Site = {
  name: 'Clinic',
  timezone: 'Europe/Berlin',
  siteUrl: 'https://clinic.example',
  language: 'de',
  currency: 'EUR',
  holidays: [
    { from: '2026-12-25', to: '2026-12-26', name: 'Christmas' },
    { to: '2027-01-01', from: '2027-01-01' },
  ],
  policies: {
    listFullSlots: true,
    zoneChanges: 'keep_local_time',
    removal: 'never',
    cancelReasons: ['Ill'],
    noShows: null,
    calendarPollMinutes: 5,
    calendarMaxAgeMinutes: 120,
  },
  defaultWeekly: { sat: ['10:00-12:00'], mon: ['22:00-02:00'] },
  appearance: { color: '#1f5fbf', logo: `${'0a'.repeat(16)}.png` },
}

test('the site is written with all of its settings', () =>
  written(siteEntry(site), {
    name: 'Clinic',
    timezone: 'Europe/Berlin',
    siteUrl: 'https://clinic.example',
    language: 'de',
    currency: 'EUR',
    holidays: [
      { from: '2026-12-25', to: '2026-12-26', name: 'Christmas' },
      { from: '2027-01-01', to: '2027-01-01' },
    ],
    policies: {
      removal: 'never',
      zoneChanges: 'keep_local_time',
      listFullSlots: true,
      cancelReasons: ['Ill'],
      noShows: null,
      calendarPollMinutes: 5,
      calendarMaxAgeMinutes: 120,
    },
    defaultWeekly: { mon: ['22:00-02:00'], sat: ['10:00-12:00'] },
    appearance: { color: '#1f5fbf' },
  }))

test('a site without an address is written without one', () =>
  assert.equal('siteUrl' in siteEntry({ ...site, siteUrl: '' }), false))

const service: Service = {
  id: 's_1',
  name: 'Cut',
  description: 'Wash too',
  color: null,
  settings: {
    ...defaultServiceSettings,
    online: true,
    active: false,
    limits: { perCustomerDay: 1, minutesPerProviderWeek: 60, perServiceDay: 9, perProviderDay: 8 },
  },
  data: { b: 1, a: 2 },
  form: [],
}

test('a service is written with all of its settings in one order, its own keys as they came', () =>
  written(serviceEntry(service, 'cut'), {
    id: 's_1',
    key: 'cut',
    name: 'Cut',
    description: 'Wash too',
    color: null,
    durationMinutes: 60,
    intervalMinutes: null,
    bufferBeforeMinutes: 0,
    bufferAfterMinutes: 0,
    capacity: 1,
    leadTimeMinutes: 0,
    horizonDays: 60,
    approval: 'none',
    pendingBlocks: true,
    routingMode: 'direct',
    price: null,
    currency: null,
    payment: null,
    notifications: null,
    online: true,
    active: false,
    limits: { perProviderDay: 8, perServiceDay: 9, minutesPerProviderWeek: 60, perCustomerDay: 1 },
    data: { b: 1, a: 2 },
  }))

test('data under the name of a field or setting is left out, since the file would be refused', () => {
  const { data } = serviceEntry({ ...service, data: { name: 'x', capacity: 2, room: 'A' } }, undefined)
  const serviceData = new Map([['s_1', { weight: 'an old key', name: 'x' }]])
  const { services } = providerEntry({ ...provider, serviceData }, undefined, reference)
  assert.deepEqual([data, services?.cut?.data], [{ room: 'A' }, { name: 'x' }])
})

test('a service that nobody named and that keeps nothing has neither key nor data', () => {
  const entry = serviceEntry({ ...service, data: {} }, undefined)
  assert.deepEqual(['key' in entry, 'data' in entry], [false, false])
})

const provider: ProviderRecord = {
  id: 3,
  name: 'Ana',
  email: 'ana@a.example',
  timezone: 'Europe/Berlin',
  restrictServices: true,
  allowedServices: ['s_1', 's_gone'],
  weekly: { fri: ['22:00-02:00'], mon: ['09:00-12:00'] },
  overrides: [
    { from: '2026-12-24', to: '2026-12-24', hours: [] },
    {
      from: '2026-12-27',
      to: '2026-12-30',
      slot: {
        approval: 'admin',
        color: 'red',
        note: 'n',
        title: 't',
        location: 'l',
        capacity: 2,
        currency: 'EUR',
        price: 1,
      },
    },
  ],
  services: new Map([
    ['s_1', { weight: 2, priority: 1 }],
    ['s_gone', { priority: 9 }],
    ['s_2', {}],
  ]),
  serviceData: new Map([['s_1', { desk: 4 }]]),
}
const reference = (id: string) => ({ s_1: 'cut', s_2: 's_2' })[id]

test('a provider is written with its days from Monday on, naming only services there are', () =>
  written(providerEntry(provider, 'ana', reference), {
    id: 3,
    key: 'ana',
    name: 'Ana',
    email: 'ana@a.example',
    timezone: 'Europe/Berlin',
    restrictServices: true,
    allowedServices: ['cut'],
    weekly: { mon: ['09:00-12:00'], fri: ['22:00-02:00'] },
    overrides: [
      { date: '2026-12-24', hours: [] },
      {
        from: '2026-12-27',
        to: '2026-12-30',
        slot: {
          price: 1,
          currency: 'EUR',
          capacity: 2,
          location: 'l',
          title: 't',
          note: 'n',
          color: 'red',
          approval: 'admin',
        },
      },
    ],
    services: { cut: { priority: 1, weight: 2, data: { desk: 4 } }, s_2: {} },
  }))

test('a provider without key and address is written without them', () => {
  const entry = providerEntry({ ...provider, email: '' }, undefined, reference)
  assert.deepEqual(['key' in entry, 'email' in entry], [false, false])
})

const customer: Customer = {
  id: 'c_1',
  name: 'Jo',
  email: 'jo@a.example',
  phone: '1',
  hostUserId: 0,
  status: 1,
  timezone: null,
  language: '',
}

test('a customer is written whole, without key and address where there are none', () => {
  const rest = { phone: '1', hostUserId: 0, status: 1, timezone: null, language: '' }
  written(customerEntry(customer, 'jo'), { id: 'c_1', key: 'jo', name: 'Jo', email: 'jo@a.example', ...rest })
  written(customerEntry({ ...customer, email: '' }, null), { id: 'c_1', name: 'Jo', ...rest })
})

// In Berlin, 02:30 occurs twice on 25 October 2026.
const zone = 'Europe/Berlin'
const first = toInstant(zone, '2026-10-25T02:30') ?? 0
const reservation: Reservation = {
  id: 'r_1',
  serviceId: 's_1',
  customerId: 'c_1',
  providerId: 3,
  availabilityId: '',
  start: first,
  end: first + 3_600,
  status: 'confirmed',
  data: {},
  createdAt: 0,
  updatedAt: 0,
  price: null,
  currency: null,
  localStart: '',
  zone,
  zoneVersion: '',
  assignedBecause: null,
  groupId: null,
  expiresAt: null,
  awaits: null,
  source: null,
  attendance: { state: 'expected', times: {} },
  note: '',
  cancelReason: '',
  payment: null,
  meeting: null,
  linkVersion: 0,
  version: 1,
}

test('a reservation is written by the wall of its provider, in Unix seconds where the wall says a time again', () => {
  const of = { key: 'first', service: 'cut', customer: 'jo', zone }
  const entry = { service: 'cut', provider: 3, customer: 'jo', start: '2026-10-25T02:30', end: first + 3_600 }
  written(reservationEntry({ ...reservation, data: { a: 1 } }, of), {
    id: 'r_1',
    key: 'first',
    ...entry,
    status: 'confirmed',
    data: { a: 1 },
  })
  written(reservationEntry(reservation, { ...of, key: null }), { id: 'r_1', ...entry, status: 'confirmed' })
})
