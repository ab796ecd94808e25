import type { Viewer } from '../../access/users/user.ts'
import { resolvedEnd, wholePlan } from '../../availability/slot-plan.operations.ts'
import { requireProvider, requireService } from '../../catalogue/catalogue.operations.ts'
import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { Service } from '../../catalogue/services/service.ts'
import type { Customer } from '../../customers/customer.ts'
import { findCustomer } from '../../customers/customers.sql.ts'
import { isCustomerOf } from '../../customers/search/customer-search.sql.ts'
import type { Database, ReadDatabase } from '../../db/database.ts'
import { message } from '../../messages/message.ts'
import { Refusal } from '../../messages/refusal.ts'
import { openWindows } from '../../scheduling/opening-hours.ts'
import { type BrokenRule, brokenRoom, brokenRules } from '../../scheduling/rule-override.ts'
import { dateAt } from '../../scheduling/time/zone.ts'
import { findRepeatedNoShows, type RepeatedNoShows } from '../attendance/no-shows.operations.ts'
import { requireInterval } from '../booking/interval.ts'
import { customerLoad } from '../booking/offer.operations.ts'
import { unknownReservation } from '../booking/reservations.operations.ts'
import { usualEnd } from '../booking/staff.operations.ts'
import { movesSlot, type Reservation } from '../reservation.ts'
import { findReservation } from '../reservations.sql.ts'
import { listBusy, listHeld, listPlaced, listShared } from './calendar.sql.ts'

/**
 * The providers (the first 20 of the site when absent) and the period [from, until) of a calendar in Unix seconds.
 * `cancelled` is true to include cancelled reservations.
 */
export interface CalendarQuery {
  readonly from: number
  readonly until: number
  readonly providers?: readonly number[]
  readonly cancelled?: boolean
}

// The longest period of a calendar request, in seconds: enough for a month with the surrounding weeks and a clock
// change.
const maxPeriod = 46 * 86_400
const maxProviders = 50
const unlessNamed = 20
const maxShown = 5_000

/**
 * Returns the calendar of a period: providers with opening hours, reservations, blocked times, times reserved for open
 * booking forms, holidays, and all services. With `ofProvider`, only that provider is included. At most 5,000
 * reservations are returned; `cut` says whether there are more.
 */
export function showCalendar(
  db: ReadDatabase,
  asked: CalendarQuery,
  { ofProvider, now }: { readonly ofProvider: number | undefined; readonly now: number },
) {
  requireFitting(asked)
  const { from, until, cancelled = false } = asked
  return db.snapshot(async (read) => {
    const catalogue = await loadCatalogue(read)
    const providers = chosen(catalogue, asked, ofProvider)
    const reach = { providerIds: providers.map(({ id }) => id), from, until }
    const placed = await listPlaced(read, reach, { cancelled, limit: maxShown + 1 })
    return {
      providers: providers.map((provider) => ({
        id: provider.id,
        name: provider.name,
        zone: provider.timezone,
        open: openWindows(provider, catalogue.site.holidays, from, until).map(({ start, end }) => ({ start, end })),
      })),
      holidays: holidaysWithin(catalogue, from, until),
      services: catalogue.services.map(shownService),
      reservations: placed.slice(0, maxShown),
      shared: catalogue.services.some(isCollective) ? await listShared(read, reach) : [],
      busy: await listBusy(read, reach),
      held: await listHeld(read, reach, now),
      cut: placed.length > maxShown,
    }
  })
}

/** Returns the site's holidays that include a date of the period. */
function holidaysWithin({ site: { holidays, timezone } }: Catalogue, from: number, until: number) {
  const [first, last] = [dateAt(timezone, from), dateAt(timezone, until - 1)]
  return holidays
    .filter((holiday) => holiday.from <= last && holiday.to >= first)
    .map((holiday) => ({ from: holiday.from, to: holiday.to, name: holiday.name ?? '' }))
}

function requireFitting({ from, until, providers = [] }: CalendarQuery): void {
  if (until <= from || until - from > maxPeriod)
    throw new Refusal({
      code: 'invalid_parameter',
      message: message('calendar_too_long'),
      details: {
        until: message('until_out_of_range'),
      },
    })
  if (providers.length > maxProviders)
    throw new Refusal({
      code: 'invalid_parameter',
      message: message('too_many_calendar_providers', { count: maxProviders }),
      details: {
        providers: message('name_at_most', { count: maxProviders }),
      },
    })
}

function chosen({ providers }: Catalogue, asked: CalendarQuery, ofProvider: number | undefined) {
  if (ofProvider !== undefined) return providers.filter(({ id }) => id === ofProvider)
  return asked.providers ? providers.filter(({ id }) => asked.providers?.includes(id)) : providers.slice(0, unlessNamed)
}

function isCollective({ settings }: Service): boolean {
  return settings.routingMode === 'collective'
}

function shownService({ id, name, color, settings }: Service) {
  const { durationMinutes, intervalMinutes, capacity } = settings
  return {
    id,
    name,
    color,
    capacity,
    minutes: durationMinutes,
    step: commonStep(intervalMinutes ?? durationMinutes, 15),
  }
}

/** Returns the greatest common divisor of two numbers of minutes. */
function commonStep(one: number, other: number): number {
  return other === 0 ? one : commonStep(other, one % other)
}

/** A time to check for a new reservation, or for moving an existing one. */
export interface TimeQuery {
  /** The id of the reservation to move; absent for a new reservation, for which the service is required. */
  readonly id?: string
  readonly serviceId?: string
  readonly customerId?: string
  readonly providerId: number
  readonly start: number
  /**
   * The end of the appointment (Unix seconds). When absent, a new reservation has the usual length, and a move the end
   * that `usualEnd` returns.
   */
  readonly end?: number
}

/**
 * Returns the end of an appointment at this time and the rules that it would break; none when it can be booked. For a
 * new reservation, also returns the customer's no-shows if the site's policy warns of them, otherwise null.
 */
export function checkTime(
  db: ReadDatabase,
  asked: TimeQuery,
  { ofProvider, now }: Viewer,
): Promise<{ end: number; broken: readonly BrokenRule[]; noShows: RepeatedNoShows | null }> {
  return db.snapshot(async (read) => {
    const catalogue = await loadCatalogue(read)
    const moved = await reservationOf(read, asked, ofProvider)
    const service = requireService(catalogue, moved?.serviceId ?? asked.serviceId ?? '')
    const mine = ofProvider === undefined || ofProvider === asked.providerId
    const provider = requireProvider(catalogue, mine ? asked.providerId : 0)
    const parties = { catalogue, service, provider }
    const { start } = asked
    const end = asked.end ?? (moved ? usualEnd(catalogue, moved, asked) : resolvedEnd(parties, start))
    requireInterval(start, end)
    const wanted = { serviceId: service.id, providerId: provider.id, start, end }
    const except = moved ? { except: moved.id } : {}
    const customer = await customerOf(read, { ...asked, ...(moved && { customerId: moved.customerId }) }, ofProvider)
    const load = customer && (await customerLoad(read, parties, { wanted, customer, ...except }))
    const plan = await wholePlan(read, parties, { wanted, now, ...except })
    // A reservation that keeps its slot is checked for time off, blocked times of calendars, occupancy and capacity
    // only.
    const stays = moved && moved.status !== 'cancelled' && !movesSlot(moved, wanted)
    const broken = stays ? brokenRoom(plan, wanted, now) : brokenRules(plan, wanted, now, load)
    // Staff are warned of no-shows only for a new reservation. When a reservation moves, its customer has been accepted
    // before.
    const asks = customer && !moved
    const noShows = asks ? await findRepeatedNoShows(read, catalogue.site.policies, customer.id, now) : null
    return { end, broken, noShows }
  })
}

async function reservationOf(
  db: Database,
  { id }: TimeQuery,
  ofProvider: number | undefined,
): Promise<Reservation | undefined> {
  if (id === undefined) return undefined
  const found = await findReservation(db, id)
  if (!found || (ofProvider !== undefined && found.providerId !== ofProvider)) throw unknownReservation()
  return found
}

/**
 * Returns the customer of the query; undefined when the query contains no customer id or an unknown one, or when the
 * user is a provider without a reservation of that customer.
 */
async function customerOf(
  db: Database,
  { customerId }: TimeQuery,
  ofProvider: number | undefined,
): Promise<Customer | undefined> {
  if (customerId === undefined) return undefined
  if (ofProvider !== undefined && !(await isCustomerOf(db, customerId, ofProvider))) return undefined
  return findCustomer(db, customerId)
}
