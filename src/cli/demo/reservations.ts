import { handles, type Provider } from '../../catalogue/providers/provider.ts'
import { formOf } from '../../catalogue/services/booking-form.ts'
import {
  defaultServiceSettings,
  type EffectiveSettings,
  effectiveSettings,
  type Service,
} from '../../catalogue/services/service.ts'
import type { Holiday } from '../../catalogue/site/site.ts'
import type { ReservationStatus } from '../../reservations/reservation.ts'
import { openWindows, sharedWindows, type Window } from '../../scheduling/opening-hours.ts'
import { type Interval, overlaps } from '../../scheduling/time/interval.ts'
import type { ReservationEntry } from '../../site-file/site-file.ts'
import type { DemoClinic, DemoProvider, DemoService } from './clinic.ts'
import type { DemoCustomer } from './customers.ts'
import type { Random } from './random.ts'
import { type DemoEntry, type DemoRouting, routedReservations } from './routing.ts'

/** The data from which the reservations of the demo are generated. */
export interface DemoDiary {
  readonly clinic: DemoClinic
  readonly customers: readonly DemoCustomer[]
  /**
   * The start of the period of the generated reservations, in Unix seconds; the period ends at `until`. Reservations
   * that begin before `now` are generated as past or under way.
   */
  readonly from: number
  readonly now: number
  readonly until: number
  readonly random: Random
}

/**
 * Providers that one appointment occupies at once (one provider, or all of a collective service), the services of such
 * appointments, and the common opening hours of the providers.
 */
interface DemoSlots {
  readonly providers: readonly Provider[]
  readonly services: readonly Service[]
  readonly windows: readonly Window[]
}

/** By service key, the probability that `filled` books a candidate slot in the past. */
const demand: Readonly<Record<string, number>> = {
  'check-up': 0.6,
  'first-visit': 0.5,
  vaccination: 0.2,
  'blood-test': 0.15,
  physiotherapy: 0.75,
  'back-class': 0.2,
  'rehabilitation-review': 0.12,
  'video-consultation': 0.3,
}

/**
 * Returns the reservations of the demo in the order of their starts, many in the past and fewer in the future, each
 * assigned by the routing of its service. The start of each reservation is a multiple of the slot interval after the
 * start of an opening window. No two uncancelled reservations of a provider overlap, except those that share a slot.
 */
export function demoReservations(diary: DemoDiary): ReservationEntry[] {
  const busy = new Map<number, Interval[]>(diary.clinic.providers.map(({ id }) => [id, []]))
  const seen = new Set<string>()
  const { clinic, from, now, until } = diary
  const services = clinic.services.map(serviceOf)
  const providers = clinic.providers.map(providerOf).map((provider) => ({
    provider,
    windows: windowsOf([provider], clinic.site.holidays, from, until),
  }))
  const entries = demoSlotsOf(providers, services, diary).flatMap((slotSource) =>
    slotSource.windows.flatMap((window) => filled(window, slotSource, { ...diary, busy, seen })),
  )
  return routedReservations(entries, {
    providers,
    services: new Map(services.map((service) => [service.id, service])),
    busy,
    now,
  })
}

/**
 * Returns the providers, services and opening hours to fill: those of collective services first, since they need
 * several providers at once, then those of each provider.
 */
function demoSlotsOf(
  providers: DemoRouting['providers'],
  services: readonly Service[],
  { clinic, from, until }: DemoDiary,
): DemoSlots[] {
  const isTogether = ({ settings }: Service) => settings.routingMode === 'collective'
  const together = services.filter(isTogether).map((service) => {
    const needed = providers.map(({ provider }) => provider).filter((provider) => handles(provider, service.id))
    return { providers: needed, services: [service], windows: windowsOf(needed, clinic.site.holidays, from, until) }
  })
  const alone = providers.map(({ provider, windows }) => ({
    providers: [provider],
    services: services.filter((service) => !isTogether(service) && handles(provider, service.id)),
    windows,
  }))
  return [...together, ...alone]
}

function windowsOf(providers: readonly Provider[], holidays: readonly Holiday[], from: number, until: number) {
  const windows = providers.map((provider) => openWindows(provider, holidays, from, until))
  return windows
    .reduce((shared, own) => sharedWindows(shared, own))
    .filter((window) => window.start >= from && window.end <= until)
}

interface Filling extends DemoDiary {
  readonly busy: ReadonlyMap<number, Interval[]>
  /** The pairs of customer and UTC day that have a reservation, so that no customer has two reservations on one day. */
  readonly seen: Set<string>
}

/** Fills one opening window with reservations from its start, with some gaps. */
function filled(window: Window, { providers, services }: DemoSlots, filling: Filling): DemoEntry[] {
  const { random, busy } = filling
  const made: DemoEntry[] = []
  const calendars = providers.map(({ id }) => busy.get(id) ?? [])
  for (let free = window.start; ; ) {
    const service = random.pick(services)
    const rule = ruleOf(service, providers)
    const start = gridAfter(window.start, rule.interval, free + rule.bufferBefore)
    const end = start + rule.duration
    if (end > window.end) return made
    const time = { start: start - rule.bufferBefore, end: end + rule.bufferAfter }
    const inTheWay = calendars.flat().find((other) => overlaps(other, time))
    free = inTheWay?.end ?? end
    if (inTheWay || !random.happens((demand[service.id] ?? 0) * share(start, filling))) continue
    const seats = seatsOf(service, rule, start, filling)
    made.push(...seats)
    if (!seats.some(({ status }) => status !== 'cancelled')) continue
    for (const calendar of calendars) calendar.push(time)
    free = time.end
  }
}

function gridAfter(origin: number, interval: number, earliest: number): number {
  return origin + Math.max(0, Math.ceil((earliest - origin) / interval)) * interval
}

/**
 * Returns the factor by which the demand for a slot is multiplied: 1 for a start in the past; for an upcoming start, a
 * value that decreases from 0.9 at `now` to 0 at `until`.
 */
function share(start: number, { now, until }: DemoDiary): number {
  return start < now ? 1 : 0.9 * ((until - start) / (until - now)) ** 1.5
}

function seatsOf(service: Service, rule: EffectiveSettings, start: number, filling: Filling): DemoEntry[] {
  const { random } = filling
  const count = rule.capacity === 1 ? 1 : random.between(3, rule.capacity)
  return Array.from({ length: count }, () => {
    const customer = customerFor(start, filling)
    const note = random.happens(0.08) ? { note: random.pick(notes) } : {}
    const status = statusOf(service, start, filling)
    const visit = visitOf(status, { start, end: start + rule.duration }, filling)
    return { service: service.id, provider: rule.providerId, customer: customer.key, start, status, ...visit, ...note }
  })
}

const notes = [
  'Asked for a room on the ground floor.',
  'Brings the letter from the hospital.',
  'Prefers to be called, not written to.',
  'Comes with an interpreter.',
  'Allergic to latex.',
  'Will be a few minutes late.',
]

function customerFor(start: number, { customers, seen, now, random }: Filling): DemoCustomer {
  const day = Math.floor(start / 86_400)
  const free = customers.filter(({ key, status }) => (start < now || status === 1) && !seen.has(`${key} ${day}`))
  const customer = random.pickEarly(free)
  seen.add(`${customer.key} ${day}`)
  return customer
}

function statusOf({ settings }: Service, start: number, { now, random }: DemoDiary): ReservationStatus {
  if (random.happens(0.11)) return 'cancelled'
  if (settings.approval === 'none') return 'confirmed'
  // Reservations of services that need approval: almost all past ones were confirmed, and half of the upcoming ones are
  // pending.
  return random.happens(start < now ? 0.03 : 0.5) ? 'pending' : 'confirmed'
}

/**
 * Returns the attendance of a confirmed reservation that has begun: in service, completed, or in few cases a no-show.
 * For a cancelled reservation, returns in most cases a reason; for any other, an empty object.
 */
function visitOf(
  status: ReservationStatus,
  { start, end }: Interval,
  { now, random }: DemoDiary,
): Pick<ReservationEntry, 'attendance' | 'cancelReason'> {
  if (status === 'cancelled') return random.happens(0.6) ? { cancelReason: random.pick(cancelReasons) } : {}
  if (status !== 'confirmed' || start > now) return {}
  if (random.happens(0.05)) return { attendance: { state: 'no_show', no_show: start + 900 } }
  const arrived = start - 60 * random.between(0, 10)
  if (end > now) return { attendance: { state: 'in_service', arrived, in_service: start } }
  return { attendance: { state: 'completed', arrived, in_service: start, completed: end } }
}

const cancelReasons = ['Customer is ill', 'Customer can’t come', 'Booked twice', 'Provider isn’t available']

function ruleOf(service: Service, [first, ...more]: readonly Provider[]): EffectiveSettings {
  const own = more.length === 0 ? first?.services.get(service.id) : undefined
  return effectiveSettings(service, first?.id ?? 0, own)
}

function providerOf(of: DemoProvider): Provider {
  return { ...of, services: new Map(Object.entries(of.services)) }
}

function serviceOf({ key, name, description, color, data = {}, form = [], ...settings }: DemoService): Service {
  return {
    id: key,
    name,
    description,
    color,
    data,
    form: formOf(form),
    settings: { ...defaultServiceSettings, ...settings },
  }
}
