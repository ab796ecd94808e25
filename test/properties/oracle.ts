import type { Provider, SlotOverrides } from '../../src/catalogue/providers/provider.ts'
import type { Service } from '../../src/catalogue/services/service.ts'
import type { Booked, Plan, Slot, SlotWindow } from '../../src/scheduling/plan/plan.ts'
import { blockedIn, occupiedIn } from '../support/times.ts'
import { dayOf, epoch } from './oracle-days.ts'

/**
 * Returns the slots of a plan, as a reference for the scheduling engine: every minute of the window is tried as a
 * start, every rule is evaluated over all data of the plan, and Temporal computes windows and dates. Apart from the
 * format of occupied times, the code shares only types with the engine. Settings, windows and dates are cached, for
 * speed.
 */
export function naiveSlots(plan: Plan, question: SlotWindow, draw: Draw): Slot[] {
  const found: Slot[] = []
  for (const service of plan.services) {
    if (!service.settings.active) continue
    const providers = plan.providers.filter((one) => takesPart(one, service))
    for (let minute = Math.ceil(question.from / 60); minute * 60 < question.until; minute += 1)
      found.push(...slotsAt(plan, question, service, providers, minute * 60, draw))
  }
  return found.sort((a, b) => a.start - b.start || compareText(a.serviceId, b.serviceId) || a.providerId - b.providerId)
}

/** Chooses one of the eligible providers of a slot in the routing mode `random`; returns the provider's id. */
export type Draw = (serviceId: string, start: number, end: number, eligible: readonly number[]) => number

interface Seat {
  provider: Provider
  end: number
  overrides: SlotOverrides
  full: boolean
}

function slotsAt(
  plan: Plan,
  question: SlotWindow,
  service: Service,
  providers: readonly Provider[],
  start: number,
  draw: Draw,
): Slot[] {
  const named = (id: number) => question.providerIds === undefined || question.providerIds.has(id)
  const mode = service.settings.routingMode
  if (mode === 'collective') {
    if (!providers.some((one) => named(one.id))) return []
    const seat = seatOf(plan, question.now, service, providers, start, true)
    return seat
      ? [
          slot(
            plan,
            service,
            seat,
            start,
            !seat.full,
            providers.map((one) => one.id),
          ),
        ]
      : []
  }
  const seats: Seat[] = []
  for (const provider of providers) {
    const seat = named(provider.id) && seatOf(plan, question.now, service, [provider], start, false)
    if (seat) seats.push(seat)
  }
  if (seats.length === 0) return []
  if (mode === 'direct') return seats.map((seat) => slot(plan, service, seat, start, !seat.full, [seat.provider.id]))
  const slots: Slot[] = []
  for (const end of new Set(seats.map((seat) => seat.end))) {
    const together = seats.filter((seat) => seat.end === end)
    const free = together.filter((seat) => !seat.full)
    const eligible = free.map((seat) => seat.provider.id)
    const pick = free.length === 0 ? together[0]?.provider.id : pickOf(plan, service, free, start, end, draw)
    for (const seat of together)
      if (seat.provider.id === pick) slots.push(slot(plan, service, seat, start, free.length > 0, eligible))
  }
  return slots
}

/** Returns the slot that starts at `start` with all of these providers; undefined when a rule refuses it. */
function seatOf(
  plan: Plan,
  now: number,
  service: Service,
  providers: readonly Provider[],
  start: number,
  collective: boolean,
): Seat | undefined {
  const [first] = providers
  if (!first) return undefined
  const lead = settingsOf(service, first, collective)
  const end = start + lead.duration
  for (const provider of providers) {
    const { leadTime, horizon } = settingsOf(service, provider, collective)
    if (start < now + leadTime || start > now + horizon) return undefined
  }
  const overrides = overridesAt(plan, providers, start, end, lead.interval)
  if (!overrides) return undefined
  let full = false
  let fewest = Number.POSITIVE_INFINITY
  for (const provider of providers) {
    const { before, after, capacity } = settingsOf(service, provider, collective)
    const meets = (one: { start: number; end: number }) => one.start < end + after && one.end > start - before
    if (blockedIn(plan.blocked.get(`p${provider.id}`)).some(meets)) return undefined
    const taken = occupiedIn(plan.occupied.get(`p${provider.id}`)).filter(meets)
    const own = taken.find((one) => one.slot === [service.id, start, end].join(':'))
    if (taken.length > 0 && !own) return undefined
    const seats = overrides.capacity ?? capacity
    full ||= (own?.taken ?? 0) >= seats
    fewest = Math.min(fewest, seats)
  }
  if (full && !(plan.listFullSlots && fewest > 1)) return undefined
  if (overLimit(plan, service, first, start, lead.duration, collective)) return undefined
  return { provider: first, end, overrides, full }
}

function slot(plan: Plan, service: Service, seat: Seat, start: number, bookable: boolean, eligible: number[]): Slot {
  const same = (one: Booked) =>
    one.serviceId === service.id && one.providerId === seat.provider.id && one.start === start && one.end === seat.end
  return {
    serviceId: service.id,
    providerId: seat.provider.id,
    start,
    end: seat.end,
    bookable,
    routingMode: service.settings.routingMode,
    eligibleProviderIds: eligible,
    reservationsCount: plan.booked.filter(same).length,
    overrides: seat.overrides,
  }
}

function takesPart(provider: Provider, service: Service): boolean {
  const listed = !provider.restrictServices || provider.allowedServices.some((id) => id === service.id)
  return listed && provider.services.get(service.id)?.participate !== false
}

type Settings = ReturnType<typeof readSettings>

const rememberedSettings = new WeakMap<Service, { together: Map<Provider, Settings>; alone: Map<Provider, Settings> }>()

function settingsOf(service: Service, provider: Provider, collective: boolean): Settings {
  let kinds = rememberedSettings.get(service)
  if (!kinds) {
    kinds = { together: new Map(), alone: new Map() }
    rememberedSettings.set(service, kinds)
  }
  const known = collective ? kinds.together : kinds.alone
  const found = known.get(provider) ?? readSettings(service, provider, collective)
  known.set(provider, found)
  return found
}

function readSettings(service: Service, provider: Provider, collective: boolean) {
  const own = provider.services.get(service.id) ?? {}
  const all = service.settings
  const shape = collective ? {} : own
  const minutes = shape.durationMinutes ?? all.durationMinutes
  return {
    duration: minutes * 60,
    interval: (shape.intervalMinutes ?? all.intervalMinutes ?? minutes) * 60,
    before: (shape.bufferBeforeMinutes ?? all.bufferBeforeMinutes) * 60,
    after: (shape.bufferAfterMinutes ?? all.bufferAfterMinutes) * 60,
    capacity: own.capacity ?? all.capacity,
    leadTime: (own.leadTimeMinutes ?? all.leadTimeMinutes) * 60,
    horizon: (own.horizonDays ?? all.horizonDays) * 24 * 60 * 60,
    priority: own.priority ?? 0,
    weight: own.weight ?? 1,
  }
}

interface Open {
  start: number
  end: number
  slot: SlotOverrides
  /** Whether an event of a connected calendar opens the window. */
  byEvent?: boolean
}

/**
 * Returns the overrides of a slot; undefined unless [start, end) is on the grid of a window common to all providers.
 * The overrides are those of the earliest calendar event that contains the slot, or, without an event, those of the
 * window on whose grid the slot is (of several, the one that begins first).
 */
function overridesAt(
  plan: Plan,
  providers: readonly Provider[],
  start: number,
  end: number,
  interval: number,
): SlotOverrides | undefined {
  let shared: readonly Open[] | undefined
  for (const provider of providers) {
    const open = openAround(plan, provider, start)
    shared = shared ? common(shared, open) : open
  }
  let first: Open | undefined
  for (const one of shared ?? []) {
    if (one.start > start || end > one.end || (start - one.start) % interval !== 0) continue
    if (!first || one.start < first.start) first = one
  }
  if (!first) return undefined
  let event: Open | undefined
  for (const one of shared ?? [])
    if (one.byEvent && one.start <= start && end <= one.end && (!event || one.start < event.start)) event = one
  return (event ?? first).slot
}

function common(some: readonly Open[], others: readonly Open[]): Open[] {
  return some.flatMap((one) =>
    others.map((other) => ({
      start: Math.max(one.start, other.start),
      end: Math.min(one.end, other.end),
      slot: one.slot,
      byEvent: one.byEvent === true,
    })),
  )
}

const remembered = new WeakMap<Provider, Map<number, Open[]>>()

/**
 * Returns the opening windows of a provider around an instant: those of the local dates from two days before to one day
 * after, and those of all calendar events. The result is cached by provider and date.
 */
function openAround(plan: Plan, provider: Provider, instant: number): readonly Open[] {
  const zone = provider.timezone
  const today = dayOf(instant, zone)
  let known = remembered.get(provider)
  if (!known) {
    known = new Map()
    remembered.set(provider, known)
  }
  const found = known.get(today)
  if (found) return found
  const open = [-2, -1, 0, 1].flatMap((days) => windowsOn(plan, provider, zone, epoch.add({ days: today + days })))
  for (const { start, end, overrides } of provider.openings ?? [])
    open.push({ start, end, slot: overrides, byEvent: true })
  known.set(today, open)
  return open
}

function windowsOn(plan: Plan, provider: Provider, zone: string, date: Temporal.PlainDate): Open[] {
  const noon = date.toZonedDateTime({ timeZone: zone, plainTime: '12:00' })
  if (!noon.toPlainDate().equals(date)) return []
  const text = date.toString()
  const weekday = (['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const)[date.dayOfWeek - 1]
  let hours = weekday ? (provider.weekly[weekday] ?? []) : []
  if (plan.holidays.some((one) => one.from <= text && text <= one.to)) hours = []
  let slot: SlotOverrides = {}
  for (const entry of provider.overrides) {
    if (text < entry.from || text > entry.to) continue
    if (entry.hours) {
      hours = entry.hours
      slot = {}
    }
    if (entry.slot) slot = entry.slot
  }
  return hours
    .map((window) => {
      const [opens = '', closes = ''] = window.split('-')
      const next = closes === '24:00' || closes <= opens
      const closing = next ? date.add({ days: 1 }) : date
      return {
        start: at(date, opens, zone),
        end: at(closing, closes === '24:00' ? '00:00' : closes, zone),
        slot,
      }
    })
    .sort((a, b) => a.start - b.start)
}

function at(date: Temporal.PlainDate, time: string, zone: string): number {
  return date.toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds / 1000
}

function mondayOf(day: number): number {
  // 1970-01-01 was a Thursday.
  return day - ((((day + 3) % 7) + 7) % 7)
}

function overLimit(
  plan: Plan,
  service: Service,
  provider: Provider,
  start: number,
  duration: number,
  collective: boolean,
): boolean {
  const { perProviderDay, perServiceDay, minutesPerProviderWeek } = service.settings.limits
  if (perProviderDay === undefined && perServiceDay === undefined && minutesPerProviderWeek === undefined) return false
  const zone = provider.timezone
  const date = dayOf(start, zone)
  const ours = plan.booked.filter((one) => one.serviceId === service.id)
  const theirs = ours.filter((one) => collective || one.providerId === provider.id)
  const sameDay = (one: Booked) => dayOf(one.start, zone) === date
  const sameWeek = (one: Booked) => mondayOf(dayOf(one.start, zone)) === mondayOf(date)
  if (perProviderDay !== undefined && theirs.filter(sameDay).length >= perProviderDay) return true
  if (perServiceDay !== undefined && ours.filter(sameDay).length >= perServiceDay) return true
  if (minutesPerProviderWeek === undefined) return false
  const minutes = theirs.filter(sameWeek).reduce((sum, one) => sum + (one.end - one.start) / 60, duration / 60)
  return minutes > minutesPerProviderWeek
}

function pickOf(
  plan: Plan,
  service: Service,
  free: readonly Seat[],
  start: number,
  end: number,
  draw: Draw,
): number | undefined {
  const lowest = (ids: number[]) => Math.min(...ids)
  const ids = free.map((seat) => seat.provider.id)
  const assigned = (id: number) => plan.assigned.get(service.id)?.get(id) ?? { count: 0, lastAt: 0, turn: 0 }
  const settings = new Map(free.map(({ provider }) => [provider.id, settingsOf(service, provider, false)]))
  const best = (score: (id: number) => number) => {
    const most = Math.max(...ids.map(score))
    return lowest(ids.filter((id) => score(id) === most))
  }
  switch (service.settings.routingMode) {
    case 'round_robin': {
      const longest = Math.min(...ids.map((id) => assigned(id).lastAt))
      const waiting = ids.filter((id) => assigned(id).lastAt === longest)
      const first = Math.min(...waiting.map((id) => assigned(id).turn))
      return lowest(waiting.filter((id) => assigned(id).turn === first))
    }
    case 'least_busy':
      return best((id) => -reservedThatDay(plan, free, id, start))
    case 'priority':
      return best((id) => settings.get(id)?.priority ?? 0)
    case 'weighted': {
      const weight = (id: number) => settings.get(id)?.weight ?? 1
      const counted = ids.some((id) => weight(id) > 0) ? weight : () => 1
      const weights = ids.reduce((sum, id) => sum + counted(id), 0)
      const counts = Math.max(
        1,
        ids.reduce((sum, id) => sum + assigned(id).count, 0),
      )
      return best((id) =>
        counted(id) === 0 ? Number.NEGATIVE_INFINITY : counted(id) * counts - assigned(id).count * weights,
      )
    }
    case 'random':
      return draw(service.id, start, end, ids)
    default:
      return undefined
  }
}

function reservedThatDay(plan: Plan, free: readonly Seat[], id: number, start: number): number {
  const zone = free.find(({ provider }) => provider.id === id)?.provider.timezone ?? 'UTC'
  return [...plan.booked, ...plan.shared]
    .filter((one) => one.providerId === id && dayOf(one.start, zone) === dayOf(start, zone))
    .reduce((sum, one) => sum + one.end - one.start, 0)
}

function compareText(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
