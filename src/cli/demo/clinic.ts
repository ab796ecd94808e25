import { type DateOverride, type Provider, type Weekday, weekdays } from '../../catalogue/providers/provider.ts'
import type { FormFieldEntry } from '../../catalogue/services/booking-form.ts'
import type { ProviderServiceSettings, ServiceSettings } from '../../catalogue/services/service.ts'
import type { Holiday } from '../../catalogue/site/site.ts'
import { dateText, weekdayOf } from '../../scheduling/time/date.ts'

/** A service of the demo in the format of a site file (a JSON file that describes a site). */
export interface DemoService extends Partial<ServiceSettings> {
  readonly key: string
  readonly name: string
  readonly description: string
  readonly color: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly form?: readonly FormFieldEntry[]
}

/** A provider of the demo in the format of a site file, which refers to services by key. */
export interface DemoProvider extends Omit<Provider, 'services'> {
  readonly services: Readonly<Record<string, ProviderServiceSettings>>
}

/** The site of the demo, a clinic, without customers and reservations. */
export interface DemoClinic {
  readonly site: {
    readonly name: string
    readonly timezone: string
    readonly language: string
    readonly currency: string
    readonly holidays: readonly Holiday[]
  }
  readonly services: readonly DemoService[]
  readonly providers: readonly DemoProvider[]
}

/** The time zone of the demo clinic; two of its providers work by video from Lisbon. */
export const demoZone = 'Europe/Berlin'
const afar = 'Europe/Lisbon'

/**
 * Returns the demo clinic around the local date `today`, in days since 1970-01-01, with days off before and after this
 * date.
 */
export function demoClinic(today: number): DemoClinic {
  const site = {
    name: 'Kranich Clinic',
    timezone: demoZone,
    language: 'en',
    currency: 'EUR',
    holidays: holidays(today),
  }
  return { site, services, providers: [...unrestricted(today), ...restricted(today)] }
}

const firstVisitForm: readonly FormFieldEntry[] = [
  { key: 'reason', label: 'What brings you here?', kind: 'long_text', required: true },
  { key: 'insurance', label: 'Insurance', kind: 'choice', options: ['Statutory', 'Private', 'None'], required: true },
  {
    key: 'insurer',
    label: 'Name of the insurer',
    kind: 'text',
    help: 'As it stands on your card.',
    when: { field: 'insurance', is: 'Private' },
  },
  { key: 'papersKept', label: 'You may keep copies of the papers I bring', kind: 'checkbox' },
]

const services: readonly DemoService[] = [
  {
    key: 'check-up',
    name: 'Check-up',
    description: 'Half an hour with one of our doctors: what has changed since last time, and what to keep an eye on.',
    color: '#2f6fb3',
    durationMinutes: 30,
    leadTimeMinutes: 30,
    price: 4500,
    limits: { perCustomerDay: 1 },
    data: { department: 'General medicine' },
  },
  {
    key: 'first-visit',
    name: 'First visit',
    description: 'For new patients. Please bring the papers you have; we need a day to prepare.',
    color: '#123f6d',
    durationMinutes: 45,
    intervalMinutes: 60,
    bufferBeforeMinutes: 5,
    bufferAfterMinutes: 10,
    leadTimeMinutes: 1440,
    price: 7500,
    limits: { perProviderDay: 4 },
    data: { department: 'General medicine' },
    form: firstVisitForm,
  },
  {
    key: 'vaccination',
    name: 'Vaccination',
    description: 'Travel, flu and booster shots, by whoever had the longest break from giving them.',
    color: 'seagreen',
    durationMinutes: 15,
    routingMode: 'round_robin',
    price: 1900,
    data: { department: 'Nursing' },
  },
  {
    key: 'blood-test',
    name: 'Blood test',
    description: 'Come without breakfast. The nurse takes it; a doctor steps in when she is busy.',
    color: '#b3392f',
    durationMinutes: 10,
    intervalMinutes: 15,
    routingMode: 'priority',
    horizonDays: 42,
    data: { department: 'Nursing' },
  },
  {
    key: 'physiotherapy',
    name: 'Physiotherapy',
    description: 'Fifty minutes of treatment, with ten to get the room ready again.',
    color: '#c77f1a',
    durationMinutes: 50,
    intervalMinutes: 60,
    bufferAfterMinutes: 10,
    leadTimeMinutes: 120,
    price: 6800,
    limits: { minutesPerProviderWeek: 1500 },
    data: { department: 'Movement' },
  },
  {
    key: 'back-class',
    name: 'Back class',
    description: 'Exercises for up to eight people. Mats are there; wear something you can move in.',
    color: '#8a5a00',
    durationMinutes: 60,
    capacity: 8,
    price: 1400,
    data: { department: 'Movement' },
  },
  {
    key: 'rehabilitation-review',
    name: 'Rehabilitation review',
    description: 'Doctor and physiotherapist together look at how far you have come.',
    color: '#6b4fa3',
    durationMinutes: 40,
    bufferAfterMinutes: 5,
    leadTimeMinutes: 2880,
    routingMode: 'collective',
    price: 9800,
    data: { department: 'Movement' },
  },
  {
    key: 'video-consultation',
    name: 'Video consultation',
    description: 'From home. Your request is looked at first and confirmed within a day.',
    color: '#2a9d8f',
    durationMinutes: 25,
    intervalMinutes: 30,
    leadTimeMinutes: 240,
    approval: 'provider',
    price: 5200,
    data: { department: 'Video' },
  },
]

/**
 * Returns the providers with `restrictServices: false`. They give every service except those that they exclude, so a
 * service that is added later has slots at once.
 */
function unrestricted(today: number): DemoProvider[] {
  return [
    {
      id: 1,
      name: 'Dr Marta Kessler',
      email: 'marta.kessler@kranich.example',
      timezone: demoZone,
      restrictServices: false,
      allowedServices: [],
      weekly: {
        mon: ['08:00-12:00', '13:00-17:00'],
        tue: ['08:00-12:00', '13:00-17:00'],
        wed: ['08:00-12:00'],
        thu: ['08:00-12:00', '13:00-17:00'],
        fri: ['08:00-14:00'],
      },
      overrides: [
        daysOff(today - 45, 7),
        { ...one(weekdayFrom(today + 8, 'wed')), hours: ['08:00-12:00', '14:00-18:00'] },
      ],
      services: {
        ...leaves('vaccination', 'physiotherapy', 'back-class', 'video-consultation'),
        'first-visit': { durationMinutes: 60 },
        'blood-test': { priority: 1 },
      },
    },
    {
      id: 2,
      name: 'Dr Idris Holloway',
      email: 'idris.holloway@kranich.example',
      timezone: demoZone,
      restrictServices: false,
      allowedServices: [],
      weekly: {
        tue: ['10:00-13:00', '14:00-18:30'],
        wed: ['10:00-13:00', '14:00-18:30'],
        thu: ['10:00-13:00', '14:00-18:30'],
        fri: ['10:00-13:00', '14:00-17:00'],
        sat: ['09:00-13:00'],
      },
      overrides: [
        daysOff(today + 15, 5),
        {
          ...one(weekdayFrom(today + 10, 'sat')),
          slot: { price: 6000, note: 'Weekend opening', location: 'Side entrance' },
        },
      ],
      services: {
        ...leaves('blood-test', 'physiotherapy', 'back-class', 'rehabilitation-review', 'video-consultation'),
        'check-up': { price: 5000 },
      },
    },
    {
      id: 3,
      name: 'Joana Prates',
      email: 'joana.prates@kranich.example',
      timezone: afar,
      restrictServices: false,
      allowedServices: [],
      weekly: {
        mon: ['10:00-14:00', '15:00-18:00'],
        tue: ['10:00-14:00', '15:00-18:00'],
        wed: ['12:00-20:00'],
        thu: ['10:00-14:00'],
      },
      overrides: [daysOff(today - 20, 3)],
      services: leaves(
        'check-up',
        'first-visit',
        'vaccination',
        'blood-test',
        'physiotherapy',
        'back-class',
        'rehabilitation-review',
      ),
    },
  ]
}

function restricted(today: number): DemoProvider[] {
  return [
    {
      id: 4,
      name: 'Tomasz Wilk',
      email: 'tomasz.wilk@kranich.example',
      timezone: demoZone,
      restrictServices: true,
      allowedServices: ['physiotherapy', 'back-class', 'rehabilitation-review'],
      weekly: {
        mon: ['07:00-13:00'],
        tue: ['12:00-16:00', '17:00-20:00'],
        wed: ['07:00-13:00'],
        thu: ['12:00-16:00', '17:00-20:00'],
        fri: ['07:00-13:00'],
      },
      overrides: [daysOff(today - 66, 10), { ...one(weekdayFrom(today + 12, 'fri')), hours: ['07:00-10:00'] }],
      services: {},
    },
    {
      id: 5,
      name: 'Ling Auer',
      email: 'ling.auer@kranich.example',
      timezone: demoZone,
      restrictServices: true,
      allowedServices: ['vaccination', 'blood-test'],
      weekly: {
        mon: ['07:30-13:30'],
        tue: ['07:30-13:30'],
        wed: ['07:30-13:30'],
        thu: ['07:30-13:30', '15:00-18:00'],
        fri: ['07:30-12:00'],
        sat: ['08:00-11:00'],
      },
      overrides: [daysOff(today + 22, 4)],
      services: { 'blood-test': { priority: 2 } },
    },
    {
      id: 6,
      name: 'Rui Salgado',
      email: 'rui.salgado@kranich.example',
      timezone: afar,
      restrictServices: true,
      allowedServices: ['video-consultation'],
      weekly: { thu: ['20:00-00:30'], fri: ['20:00-00:30'], sun: ['16:00-20:00'] },
      overrides: [{ ...one(weekdayFrom(today + 5, 'sun')), hours: [] }],
      services: { 'video-consultation': { durationMinutes: 20 } },
    },
  ]
}

function leaves(...keys: readonly string[]): Record<string, ProviderServiceSettings> {
  return Object.fromEntries(keys.map((key) => [key, { participate: false }]))
}

function daysOff(first: number, days: number): DateOverride {
  return { from: dateText(first), to: dateText(first + days - 1), hours: [] }
}

function one(day: number): Pick<DateOverride, 'from' | 'to'> {
  return { from: dateText(day), to: dateText(day) }
}

/** Returns the first day from `day` on that falls on the given weekday. */
function weekdayFrom(day: number, weekday: Weekday): number {
  return day + ((weekdays.indexOf(weekday) - weekdayOf(day) + 7) % 7)
}

const fixedHolidays: readonly (readonly [from: string, to: string, name: string])[] = [
  ['01-01', '01-01', 'New Year'],
  ['05-01', '05-01', 'Labour Day'],
  ['10-03', '10-03', 'German Unity Day'],
  ['12-24', '12-26', 'Christmas'],
]

/** Returns the holidays of the years around `today`, and a day of a team meeting some weeks ahead. */
function holidays(today: number): Holiday[] {
  const year = Number(dateText(today).slice(0, 4))
  const meeting = one(weekdayFrom(today + 19, 'wed'))
  const fixed = [year - 1, year, year + 1].flatMap((of) =>
    fixedHolidays.map(([from, to, name]) => ({ from: `${of}-${from}`, to: `${of}-${to}`, name })),
  )
  return [...fixed, { ...meeting, name: 'Team day' }]
}
