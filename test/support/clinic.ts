/**
 * Monday 2026-10-05, 06:00 UTC, 08:00 in Berlin, in Unix seconds: the time at which tests with the site `standardSite`
 * start their clock.
 */
export const now = 1_791_180_000

/** The length of an hour in seconds. */
export const hour = 3_600
/** The length of a day in seconds. */
export const dayLong = 86_400

/** The id of provider Ana, who works in Berlin every day from nine to five, except on `holiday`. */
export const ana = 1
/** The id of provider Ben, who works in Berlin every day from nine to five, except on `awayDate` and `holiday`. */
export const ben = 2
/**
 * The id of provider Cleo, who works in New York every day from nine to five, except on `holiday`, and offers only the
 * services `plain` and `group`.
 */
export const cleo = 3
/** The id of provider Dan, who offers no service. */
export const dan = 4
/**
 * The id of provider Eve, who works in Berlin every day from nine to five, except on `holiday`. She offers only the
 * services that are named after a routing mode (how a slot gets one or all of several providers).
 */
export const eve = 5

/**
 * The date on which an override (settings of a provider for one date) gives Ana's slots their own price, currency,
 * location, note, two seats and approval.
 */
export const specialDate = '2026-11-25'
/** The date on which Ben does not work. */
export const awayDate = '2026-11-26'
/** A holiday of the site, on which Ana works from ten to eleven nevertheless. */
export const holiday = '2026-11-27'

const pools = ['priority', 'round_robin', 'weighted', 'least_busy', 'random', 'collective'] as const
const everyDay = (hours: string): object =>
  Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, [hours]]))
const special = {
  price: 6000,
  currency: 'CHF',
  capacity: 2,
  location: 'Room 2',
  note: 'Ring twice',
  approval: 'provider',
}

/** The services by key, each with the settings in which it differs from `plain`. */
const services = {
  plain: {},
  long: { durationMinutes: 60 },
  buffered: { bufferBeforeMinutes: 10, bufferAfterMinutes: 20 },
  group: { durationMinutes: 60, capacity: 3 },
  approved: { approval: 'admin' },
  approvedByProvider: { approval: 'provider' },
  paid: { price: 4500, payment: { mode: 'online' } },
  hopeful: { approval: 'admin', pendingBlocks: false },
  lead: { leadTimeMinutes: 1440 },
  horizon: { horizonDays: 3 },
  twoAProvider: { limits: { perProviderDay: 2 } },
  twoADay: { limits: { perServiceDay: 2 } },
  hourAWeek: { limits: { minutesPerProviderWeek: 60 } },
  onceACustomer: { limits: { perCustomerDay: 1 } },
  inactive: { active: false },
  own: { price: 4500 },
  ...Object.fromEntries(pools.map((routingMode) => [routingMode, { routingMode }])),
}
const customers = ['Jo', 'Mia', 'Max', 'Kim', 'Bo']

/**
 * The site file (a description of a site in JSON) of the clinic that tests use unless they need a site of their own.
 */
export const standardSite = {
  site: {
    name: 'Harbour Clinic',
    timezone: 'Europe/Berlin',
    siteUrl: 'https://clinic.example',
    currency: 'EUR',
    holidays: [{ from: holiday, to: holiday, name: 'Founders’ day' }],
  },
  services: Object.entries(services).map(([key, settings]) => ({ key, name: key, durationMinutes: 30, ...settings })),
  providers: [
    {
      id: ana,
      name: 'Ana',
      email: 'ana@clinic.example',
      timezone: 'Europe/Berlin',
      weekly: everyDay('09:00-17:00'),
      overrides: [
        { date: specialDate, slot: special },
        { date: holiday, hours: ['10:00-11:00'] },
      ],
      services: { own: { durationMinutes: 45, price: 5000 }, weighted: { weight: 2 } },
    },
    {
      id: ben,
      name: 'Ben',
      email: 'ben@clinic.example',
      timezone: 'Europe/Berlin',
      weekly: everyDay('09:00-17:00'),
      overrides: [{ date: awayDate, hours: [] }],
      services: { own: { participate: false }, priority: { priority: 5 } },
    },
    {
      id: cleo,
      name: 'Cleo',
      email: 'cleo@clinic.example',
      timezone: 'America/New_York',
      weekly: everyDay('09:00-17:00'),
      restrictServices: true,
      allowedServices: ['plain', 'group'],
    },
    {
      id: dan,
      name: 'Dan',
      email: 'dan@clinic.example',
      timezone: 'Europe/Berlin',
      restrictServices: true,
      allowedServices: [],
    },
    {
      id: eve,
      name: 'Eve',
      email: 'eve@clinic.example',
      timezone: 'Europe/Berlin',
      weekly: everyDay('09:00-17:00'),
      restrictServices: true,
      allowedServices: pools,
    },
  ],
  customers: customers.map((name) => ({
    key: name,
    name,
    email: `${name.toLowerCase()}@example.com`,
    status: name === 'Bo' ? 2 : 1,
  })),
}
