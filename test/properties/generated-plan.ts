import fc from 'fast-check'
import type {
  CalendarOpening,
  DateOverride,
  Provider,
  SlotOverrides,
  Weekly,
} from '../../src/catalogue/providers/provider.ts'
import { weekdays } from '../../src/catalogue/providers/provider.ts'
import {
  defaultServiceSettings,
  type ProviderServiceSettings,
  routingModes,
  type Service,
} from '../../src/catalogue/services/service.ts'
import { slotsOf } from '../../src/scheduling/listing/slot-list.ts'
import { type Blocked, type Occupied, slotKey } from '../../src/scheduling/plan/occupancy.ts'
import type { Booked, Plan, SlotWindow } from '../../src/scheduling/plan/plan.ts'
import { providerResource } from '../../src/scheduling/plan/resource.ts'
import { openSlots } from '../../src/scheduling/slots.ts'
import type { Interval } from '../../src/scheduling/time/interval.ts'
import { blockedTimes, takenTimes } from '../support/times.ts'

/**
 * A generated plan (the input of the scheduling engine), in which reservations cause all occupied times, and a query
 * for 1 to 26 hours of the plan.
 */
export interface GeneratedPlan {
  readonly plan: Plan
  readonly query: SlotWindow
}

type Draw = fc.GeneratorValue

/** Every time zone that Intl lists, followed by aliases and other names that the list may lack. */
export const zones = [
  ...Intl.supportedValuesOf('timeZone'),
  ...[
    'Asia/Calcutta',
    'Europe/Kiev',
    'US/Eastern',
    'Etc/GMT+12',
    'Asia/Katmandu',
    'Pacific/Enderbury',
    'EST5EDT',
    'UTC',
  ],
]

const awkward = [
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Asia/Beirut',
  'Africa/Cairo',
  'America/Santiago',
  'America/Havana',
  'Africa/Casablanca',
  'Antarctica/Troll',
  'Pacific/Chatham',
  'America/Vancouver',
]
const hour = 3600
// The midnight between 2011-12-29 and 2011-12-31 in Apia, which skipped a date, in Unix seconds.
const skippedDate = 1_325_239_200

/**
 * Draws a plan and a query from `g`; about half of the queries begin shortly before a clock change (see `drawFrom`).
 */
export function generatePlan(g: Draw): GeneratedPlan {
  const zone = drawZone(g)
  const from = drawFrom(g, zone)
  const span = oneOf(g, [1, 6, 14, 24, 26]) * hour
  const now = from + oneOf(g, [-12 * hour, -12 * hour, -12 * hour, -2 * hour, -60, 0, 5 * hour])
  const services = times(g, 1, 2, (index) => drawService(g, `s_${index}`))
  const providers = times(g, 1, 3, (index) => drawProvider(g, index + 1, zone, services, from))
  const empty: Plan = {
    holidays: chance(g, 8) ? [{ from: dateAt(from, zone, 0), to: dateAt(from, zone, 1) }] : [],
    listFullSlots: chance(g, 2),
    services,
    providers,
    occupied: new Map(),
    blocked: new Map(),
    booked: [],
    shared: [],
    assigned: drawAssigned(g, services, providers),
    bucket: between(g, 0, 1000),
  }
  const filter = chance(g, 4) ? { providerIds: new Set(times(g, chance(g, 8) ? 0 : 1, 2, () => between(g, 1, 3))) } : {}
  const query = { from, until: from + span, now, ...filter }
  return { plan: { ...empty, ...drawTaken(g, empty, query) }, query }
}

function times<Value>(g: Draw, min: number, max: number, make: (index: number) => Value): Value[] {
  return Array.from({ length: between(g, min, max) }, (_, index) => make(index))
}

// All numbers use one arbitrary, because fast-check caches it; `noBias` prevents a preference for the ends of its
// range.
const anyNumber = () => fc.noBias(fc.nat(2 ** 30))

/** Draws an integer from `min` to `max`, both included. */
export function between(g: Draw, min: number, max: number): number {
  return min + (g(anyNumber) % (max - min + 1))
}

function chance(g: Draw, oneIn: number): boolean {
  return between(g, 1, oneIn) === 1
}

/** Draws one of the values; fails when there is none. */
export function oneOf<Value>(g: Draw, values: readonly Value[]): Value {
  const [first] = values
  const found = values[between(g, 0, values.length - 1)] ?? first
  if (found === undefined) throw new Error('nothing to choose from')
  return found
}

function drawZone(g: Draw): string {
  return chance(g, 3) ? oneOf(g, [...awkward]) : oneOf(g, [...zones])
}

/**
 * Draws an instant between 1980 and 2039; in half of the cases, moves it to at most 22 hours before the zone's next
 * clock change. In half of those cases in Apia, returns instead an instant up to 40 hours before the date that Apia
 * skipped.
 */
function drawFrom(g: Draw, zone: string): number {
  const instant = between(g, 5_300_000, 36_700_000) * 60
  if (chance(g, 2)) return instant
  if (zone === 'Pacific/Apia' && chance(g, 2)) return skippedDate - between(g, 0, 40) * hour
  const change = new Temporal.ZonedDateTime(BigInt(instant) * 1_000_000_000n, zone).getTimeZoneTransition('next')
  const at = change ? change.epochMilliseconds / 1000 : instant
  return Math.floor(at / 60) * 60 - between(g, 0, 22 * 4) * 900
}

function drawService(g: Draw, id: string): Service {
  const limit = (value: number) => (chance(g, 8) ? value : undefined)
  const limits = {
    perProviderDay: limit(between(g, 1, 3)),
    perServiceDay: limit(between(g, 1, 5)),
    minutesPerProviderWeek: limit(between(g, 30, 600)),
  }
  return {
    id,
    name: id,
    description: '',
    color: null,
    data: {},
    form: [],
    settings: {
      ...defaultServiceSettings,
      durationMinutes: oneOf(g, [15, 20, 30, 45, 60, 90, 240]),
      intervalMinutes: oneOf(g, [null, null, 10, 15, 30, 75]),
      bufferBeforeMinutes: oneOf(g, [0, 0, 5, 30]),
      bufferAfterMinutes: oneOf(g, [0, 0, 10, 60]),
      capacity: oneOf(g, [1, 1, 2, 3]),
      leadTimeMinutes: chance(g, 12) ? 1440 : oneOf(g, [0, 0, 60]),
      horizonDays: chance(g, 15) ? 0 : oneOf(g, [1, 3, 60, 60, 60]),
      limits: Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined)),
      routingMode: oneOf(g, [...routingModes]),
      active: !chance(g, 20),
    },
  }
}

function drawProvider(g: Draw, id: number, zone: string, services: readonly Service[], from: number): Provider {
  const own = services.flatMap((service) => (chance(g, 3) ? [[service.id, drawOwn(g)] as const] : []))
  const usual = drawHours(g)
  const weekly: Weekly = Object.fromEntries(
    weekdays.filter(() => !chance(g, 7)).map((weekday) => [weekday, chance(g, 4) ? drawHours(g) : usual]),
  )
  const theirs = chance(g, 4) ? drawZone(g) : zone
  return {
    id,
    name: `Provider ${id}`,
    email: `p${id}@clinic.example`,
    timezone: theirs,
    restrictServices: chance(g, 6),
    allowedServices: ['s_0'],
    weekly,
    overrides: times(g, 0, 2, () => drawOverride(g, theirs, from)),
    ...(chance(g, 3) && { openings: drawOpenings(g, from) }),
    services: new Map(own),
  }
}

function drawOwn(g: Draw): ProviderServiceSettings {
  return {
    participate: !chance(g, 8),
    priority: between(g, 0, 2),
    weight: between(g, 0, 3),
    ...(chance(g, 2) ? { durationMinutes: oneOf(g, [15, 30, 50]) } : {}),
    ...(chance(g, 3) ? { intervalMinutes: oneOf(g, [10, 25]) } : {}),
    ...(chance(g, 3) ? { bufferAfterMinutes: oneOf(g, [0, 15]) } : {}),
    ...(chance(g, 3) ? { capacity: oneOf(g, [1, 2, 4]) } : {}),
    ...(chance(g, 4) ? { leadTimeMinutes: oneOf(g, [0, 120]) } : {}),
    ...(chance(g, 4) ? { horizonDays: oneOf(g, [1, 30]) } : {}),
  }
}

function drawHours(g: Draw): string[] {
  return oneOf(g, [
    ['09:00-12:00', '13:00-17:00'],
    ['00:00-24:00'],
    ['22:00-02:00'],
    ['00:00-02:30', '02:30-05:00', '18:00-24:00'],
    ['01:15-03:45', '23:30-01:00'],
    ['02:15-02:45', '02:30-04:00'],
    ['20:00-19:00'],
    [],
    [drawWindow(g), drawWindow(g)],
  ])
}

function drawWindow(g: Draw): string {
  const time = () => {
    const minute = between(g, 0, 95) * 15
    return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
  }
  const [opens, closes] = [time(), time()]
  return `${opens}-${closes === opens ? '24:00' : closes}`
}

function drawOverride(g: Draw, zone: string, from: number): DateOverride {
  const first = between(g, -2, 2)
  const slot: SlotOverrides = chance(g, 2)
    ? { capacity: chance(g, 6) ? 0 : between(g, 1, 3) }
    : { price: 1200, note: 'x' }
  return {
    from: dateAt(from, zone, first),
    to: dateAt(from, zone, first + between(g, 0, 2)),
    ...(chance(g, 2) ? { hours: drawHours(g) } : {}),
    ...(chance(g, 2) ? { slot } : {}),
  }
}

function drawOpenings(g: Draw, from: number): CalendarOpening[] {
  const openings = times(g, 1, 3, () => {
    const start = Math.floor(from / 900) * 900 + between(g, -8, 104) * 900
    const slot = oneOf<SlotOverrides>(g, [{}, { price: 900 }, { capacity: between(g, 1, 3), location: 'y' }])
    return { start, end: start + between(g, 1, 24) * 900, overrides: slot }
  })
  return openings.sort((one, other) => one.start - other.start || one.end - other.end)
}

function drawAssigned(g: Draw, services: readonly Service[], providers: readonly Provider[]): Plan['assigned'] {
  const drawTurns = () => ({ count: between(g, 1, 5), lastAt: between(g, 1, 3), turn: between(g, 0, 3) })
  return new Map(
    services.map((service) => [
      service.id,
      new Map(providers.filter(() => chance(g, 2)).map(({ id }) => [id, drawTurns()])),
    ]),
  )
}

/**
 * Draws the occupied times of a plan, at listed slots or at any minute, with the reservations that occupy them; also
 * reservations without occupancy (see `drawElsewhere`) and blocked times.
 */
function drawTaken(g: Draw, plan: Plan, question: SlotWindow): Taken {
  const offered = slotsOf(openSlots(plan, { from: question.from - 6 * hour, until: question.until, now: question.now }))
  const occupied = new Map<number, Occupied[]>()
  const booked: Booked[] = []
  const shared: Booked[] = []
  for (let left = between(g, 0, 8); left > 0; left -= 1) {
    const slot = offered.length > 0 && !chance(g, 4) ? oneOf(g, [...offered]) : undefined
    const service = plan.services.find(({ id }) => id === slot?.serviceId) ?? plan.services[0]
    const start = slot?.start ?? question.from + between(g, -60, 1500) * 60
    const end = slot?.end ?? start + oneOf(g, [900, 1800, 7200])
    if (!service) continue
    const seats = between(g, 1, 3)
    const everyone: readonly number[] | undefined =
      slot?.routingMode === 'collective' ? slot.eligibleProviderIds : undefined
    const ids: readonly number[] = everyone ?? [slot ? oneOf(g, [slot.providerId, ...slot.eligibleProviderIds]) : 1]
    const taken = {
      start: start - service.settings.bufferBeforeMinutes * 60,
      end: end + service.settings.bufferAfterMinutes * 60,
      slot: slotKey(service.id, start, end),
      taken: seats,
    }
    if (ids.some((id) => occupied.get(id)?.some((one) => meets(one, taken)))) continue
    for (const id of ids)
      occupied.set(
        id,
        [...(occupied.get(id) ?? []), taken].sort((a, b) => a.start - b.start),
      )
    const [providerId = 1, ...others] = ids
    for (let seat = 0; seat < seats; seat += 1) {
      const reservation = { serviceId: service.id, providerId, customerId: `c_${seat}`, start, end }
      booked.push(reservation)
      for (const other of others) shared.push({ ...reservation, providerId: other })
    }
  }
  return {
    occupied: new Map([...occupied].map(([id, times]) => [providerResource(id), takenTimes(times)])),
    booked: [...booked, ...drawElsewhere(g, plan, question)],
    shared,
    blocked: drawBlocked(g, plan, question),
  }
}

type Taken = Partial<Plan>

/**
 * Draws reservations without occupancy that start at most eight days before or after the start of the query; they count
 * towards the limits of days and weeks.
 */
function drawElsewhere(g: Draw, plan: Plan, question: SlotWindow): Booked[] {
  return times(g, 0, 4, () => {
    const start = question.from + between(g, -8 * 24 * 4, 8 * 24 * 4) * 900
    const serviceId = oneOf(g, [...plan.services.map(({ id }) => id)])
    const providerId = oneOf(g, [...plan.providers.map(({ id }) => id)])
    return { serviceId, providerId, customerId: 'c_0', start, end: start + 1800 }
  })
}

function drawBlocked(g: Draw, plan: Plan, question: SlotWindow): Plan['blocked'] {
  const blockedOf = () =>
    times(g, 0, 3, (): Blocked => {
      const start = question.from + between(g, -120, 1560) * 60 + (chance(g, 5) ? 7 : 0)
      const source = oneOf(g, ['time_off' as const, 'calendar' as const])
      return { start, end: start + oneOf(g, [60, 1800, 5 * hour]), source }
    }).sort((a, b) => a.start - b.start)
  return new Map(
    plan.providers.filter(() => chance(g, 2)).map(({ id }) => [providerResource(id), blockedTimes(blockedOf())]),
  )
}

function meets(one: Interval, other: Interval): boolean {
  return one.start < other.end && one.end > other.start
}

function dateAt(instant: number, zone: string, days: number): string {
  const date = Temporal.Instant.fromEpochMilliseconds(instant * 1000)
    .toZonedDateTimeISO(zone)
    .toPlainDate()
  return date.add({ days }).toString()
}
