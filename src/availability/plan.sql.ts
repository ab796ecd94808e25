import { sql } from 'kysely'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { handles, type Provider } from '../catalogue/providers/provider.ts'
import type { Service } from '../catalogue/services/service.ts'
import { type OverlappingBusyValues, overlappingBusy } from '../catalogue/time-off/busy.sql.ts'
import type { Database } from '../db/database.ts'
import { prepared } from '../db/query/prepared.ts'
import { together } from '../db/together.ts'
import { type ReachingValues, reaching, type SeatRow, takenAt } from '../reservations/occupancy.sql.ts'
import { type BookedRow, toBooked } from '../reservations/reservations.sql.ts'
import { type Blocked, type BlockedTimes, TimeColumns } from '../scheduling/plan/occupancy.ts'
import type { Assigned, Booked, Plan } from '../scheduling/plan/plan.ts'
import { planReach } from '../scheduling/plan/reach.ts'
import { providerResource, type ResourceName } from '../scheduling/plan/resource.ts'
import { countsAllProviders } from '../scheduling/rules/limits.ts'
import { type Interval, intersection } from '../scheduling/time/interval.ts'

/** The input of `loadPlan`, which loads the data that determines the slots of `services` starting in [from, until). */
export interface PlanRequest {
  readonly catalogue: Catalogue
  readonly services: readonly Service[]
  readonly from: number
  readonly until: number
  readonly now: number
  readonly bucket: number
  /**
   * The ids of the providers whose reservations, holds (temporary reservations) and blocked time are loaded; absent for
   * all providers that give one of `services`. For a collective service, all its providers are loaded in any case.
   */
  readonly providerIds?: ReadonlySet<number>
  /** The id of the reservation that is being moved or restored, which is not loaded; absent if there is none. */
  readonly except?: string | undefined
  /** The id of a provider whose occupied and blocked time is loaded even if the provider gives none of `services`. */
  readonly named?: number
  /**
   * True to load no reservations unless a rule or a routing mode of `services` counts them. When none are loaded,
   * `reservationsCount` of every slot is 0.
   */
  readonly uncounted?: true
  /** True to load no routing counts (`Plan.assigned`), when no provider is chosen for a slot. */
  readonly unrouted?: true
}

const occupied = prepared<ReachingValues & { except: string }, SeatRow>(
  (_, p, dialect) => sql<SeatRow>`
    select resource, slot, start_at, end_at, expires_at
    from ${reaching(dialect, p)}
      and (reservation_id is null or reservation_id <> ${p.except})`,
)

/**
 * A row of `blockedTimes`: blocked time of a provider. A row with the source `read` instead describes the provider's
 * connected calendars: `start_at` is the earliest of their last reading times, and `end_at` is the time up to which all
 * of them were read.
 */
export interface BlockedRow {
  readonly provider_id: number
  readonly source: string
  readonly start_at: number
  readonly end_at: number
}

/**
 * Selects the blocked time of providers that overlaps [from, until), and one row with the source `read` for each
 * provider with connected calendars (see `BlockedRow`). A deliberate double booking that overlaps another slot occupies
 * a separate resource, the provider's overflow (`o7` for provider 7). As such bookings are few, those of all providers
 * are selected: the resources whose names begin with `o`.
 */
export const blockedTimes = prepared<OverlappingBusyValues & { except: string }, BlockedRow>(
  (_, p, dialect) => sql<BlockedRow>`
    select provider_id, source, start_at, end_at from ${overlappingBusy(dialect, p)}
    union all select provider_id, 'read' as source, min(read_at) as start_at, min(covered_until) as end_at
    from connected_calendar where ${dialect.listed(sql.ref('provider_id'), p.providers, 'bigint')}
    group by provider_id
    union all select cast(substr(resource, 2) as bigint) as provider_id, 'overflow' as source, start_at, end_at
    from occupancy where resource >= 'o' and resource < 'p'
      and end_at > ${p.from} and start_at < ${p.until} and reservation_id <> ${p.except}`,
)

const bookedOfServices = prepared<
  { services: readonly string[]; from: number; until: number; except: string },
  BookedRow
>((db, p, dialect) =>
  db
    .selectFrom('reservation')
    .select(['service_id', 'provider_id', 'customer_id', 'start_at', 'end_at'])
    .where(dialect.listed(sql.ref('service_id'), p.services, 'text'))
    .where('start_at', '>=', p.from)
    .where('start_at', '<', p.until)
    .where('status', '!=', 'cancelled')
    .where('id', '!=', p.except),
)

/**
 * Selects the pending and confirmed reservations of providers that start in [from, until), except those of the given
 * services and the reservation with the id `except`.
 */
export const bookedOfProviders = prepared<
  { providers: readonly number[]; services: readonly string[]; from: number; until: number; except: string },
  BookedRow
>((db, p, dialect) =>
  db
    .selectFrom('reservation')
    .select(['service_id', 'provider_id', 'customer_id', 'start_at', 'end_at'])
    .where(dialect.listed(sql.ref('provider_id'), p.providers, 'bigint'))
    .where((e) => e.not(dialect.listed(sql.ref('service_id'), p.services, 'text')))
    .where('start_at', '>=', p.from)
    .where('start_at', '<', p.until)
    .where('status', '!=', 'cancelled')
    .where('id', '!=', p.except),
)

/**
 * Selects the pending and confirmed reservations of collective services (with several providers together) that start in
 * [from, until), except the reservation with the id `except`: one row for each provider that a reservation occupies
 * besides the one under which it is stored, with that provider's id.
 */
export const sharedOfServices = prepared<
  { services: readonly string[]; from: number; until: number; except: string },
  BookedRow
>(
  (_, p, dialect) => sql<BookedRow>`
    select service_id, cast(substr(resource, 2) as bigint) as provider_id, customer_id, reservation.start_at,
      reservation.end_at
    from reservation join occupancy on occupancy.reservation_id = reservation.id
    where ${dialect.listed(sql.ref('service_id'), p.services, 'text')}
      and reservation.start_at >= ${p.from} and reservation.start_at < ${p.until}
      and status <> 'cancelled' and reservation.id <> ${p.except} and resource <> 'p' || provider_id`,
)

const assignedOf = prepared<
  { services: readonly string[] },
  { service_id: string; provider_id: number; count: number; last_at: number; turn: number }
>((db, p, dialect) =>
  db
    .selectFrom('assignment')
    .select(['service_id', 'provider_id', 'count', 'last_at', 'turn'])
    .where(dialect.listed(sql.ref('service_id'), p.services, 'text')),
)

/**
 * The data from which slots are computed (a plan), with the intervals in which it stays valid as long as the database
 * does not change.
 */
export interface LoadedPlan extends Plan {
  /**
   * For each resource (such as a provider) with temporarily occupied seats (of holds and pending reservations) or
   * connected calendars, the interval around `now` in which no seat expires and no calendar becomes too old.
   */
  readonly validity: ReadonlyMap<ResourceName, Interval>
}

/**
 * Loads the data from which the requested slots are computed, with at most six queries. The caller must pass a
 * snapshot or transaction, so that all queries read the same state.
 */
export async function loadPlan(db: Database, request: PlanRequest): Promise<LoadedPlan> {
  const { catalogue, services, from, until, now, bucket, except = '', named } = request
  const counting = countedProviders(request)
  const own = counting.some(({ id }) => id === named) ? undefined : catalogue.provider(named ?? 0)
  const providers = own ? [...counting, own] : counting
  const providerIds = providers.map((provider) => provider.id)
  const serviceIds = services.map((service) => service.id)
  const reach = planReach({ services, providers, from, until })
  const near = { from: reach.booked.start, until: reach.booked.end, except }
  const occupying = { from: reach.occupied.start, until: reach.occupied.end, except }
  const isRanked = !request.unrouted && services.some(({ settings }) => rankedServices.has(settings.routingMode))
  const [booked, shared, taken, closed, assigned] = await together([
    request.uncounted && !reach.counts ? [] : listBooked(db, request, providerIds, near),
    listShared(db, request, near),
    db.run(occupied, { resources: providerIds.map(providerResource), ...occupying }),
    db.run(blockedTimes, { providers: providerIds, ...occupying }),
    isRanked ? loadAssigned(db, serviceIds) : new Map<string, Map<number, Assigned>>(),
  ])
  const { holidays, policies } = catalogue.site
  const { occupied: occupiedTimes, holds } = takenAt(taken, now)
  const read = closed.filter(({ source }) => source === 'read')
  const calendars = calendarsAt(read, { now, maxAge: policies.calendarMaxAgeMinutes * 60, reach: reach.occupied })
  return {
    holidays,
    listFullSlots: policies.listFullSlots,
    services,
    providers: catalogue.providers,
    occupied: occupiedTimes,
    blocked: blockedBy(
      read.length === 0 ? closed : [...closed.filter(({ source }) => source !== 'read'), ...calendars.blocked],
    ),
    validity: merged(holds, calendars.validity),
    booked,
    shared,
    assigned,
    bucket,
  }
}

/**
 * The routing modes (ways to choose the provider of a slot) that compare how often, or how recently, each provider was
 * assigned.
 */
export const rankedServices: ReadonlySet<string> = new Set(['round_robin', 'weighted'])

/**
 * Returns the providers whose free time determines the slots: the requested providers that give one of the services,
 * and every provider of a collective service.
 */
function countedProviders({
  catalogue,
  services,
  providerIds,
}: Pick<PlanRequest, 'catalogue' | 'services' | 'providerIds'>): Provider[] {
  const named = (provider: Provider): boolean => !providerIds || providerIds.has(provider.id)
  return catalogue.providers.filter((provider) =>
    services.some(
      ({ id, settings }) => (named(provider) || settings.routingMode === 'collective') && handles(provider, id),
    ),
  )
}

/**
 * Returns the reservations that rules and routing count. If `providerIds` is present and no rule counts the
 * reservations of all providers, these are the reservations of `providerIds` and `providers`. Otherwise they are the
 * reservations of the services and, for the routing mode `least_busy`, the other reservations of `providers`.
 */
async function listBooked(
  db: Database,
  { services, providerIds }: PlanRequest,
  providers: readonly number[],
  near: { readonly from: number; readonly until: number; readonly except: string },
): Promise<Booked[]> {
  if (providerIds && !services.some(countsAllProviders)) {
    const named = [...new Set([...providerIds, ...providers])]
    return (await db.run(bookedOfProviders, { ...near, providers: named, services: [] })).map(toBooked)
  }
  const ids = services.map((service) => service.id)
  const booked = await db.run(bookedOfServices, { ...near, services: ids })
  if (services.some((service) => service.settings.routingMode === 'least_busy'))
    booked.push(...(await db.run(bookedOfProviders, { ...near, providers, services: ids })))
  return booked.map(toBooked)
}

/** Returns the reservations that `Plan.shared` contains. */
async function listShared(
  db: Database,
  { catalogue, services }: PlanRequest,
  near: { readonly from: number; readonly until: number; readonly except: string },
): Promise<Booked[]> {
  if (!services.some(({ settings }) => settings.routingMode === 'least_busy')) return []
  const collective = catalogue.services.filter(({ settings }) => settings.routingMode === 'collective')
  if (collective.length === 0) return []
  return (await db.run(sharedOfServices, { ...near, services: collective.map(({ id }) => id) })).map(toBooked)
}

/**
 * Loads how many reservations of each given service were assigned to each provider, and the time of the last
 * assignment, by service id and provider id.
 */
export async function loadAssigned(
  db: Database,
  services: readonly string[],
): Promise<Map<string, Map<number, Assigned>>> {
  const assigned = new Map<string, Map<number, Assigned>>()
  for (const { service_id, provider_id, count, last_at: lastAt, turn } of await db.run(assignedOf, { services })) {
    const ofService = assigned.get(service_id) ?? new Map<number, Assigned>()
    assigned.set(service_id, ofService.set(provider_id, { count, lastAt, turn }))
  }
  return assigned
}

/**
 * Returns the time that is blocked because a provider's connected calendars have not been read recently. `blocked`
 * contains the time after the period that all last readings cover, or all of `reach` once the oldest reading is
 * `maxAge` seconds old. `validity` contains, for each provider, the interval around `now` in which this age limit stays
 * met, or stays exceeded.
 */
function calendarsAt(
  read: readonly BlockedRow[],
  { now, maxAge, reach }: { readonly now: number; readonly maxAge: number; readonly reach: Interval },
): { readonly blocked: readonly BlockedRow[]; readonly validity: Map<ResourceName, Interval> } {
  const blocked: BlockedRow[] = []
  const validity = new Map<ResourceName, Interval>()
  for (const { provider_id, start_at: readAt, end_at: coveredUntil } of read) {
    const until = readAt + maxAge
    const isFresh = now < until
    const from = isFresh ? Math.max(coveredUntil, reach.start) : reach.start
    if (from < reach.end) blocked.push({ provider_id, source: 'calendar_unread', start_at: from, end_at: reach.end })
    validity.set(
      providerResource(provider_id),
      isFresh ? { start: Number.NEGATIVE_INFINITY, end: until } : { start: until, end: Number.POSITIVE_INFINITY },
    )
  }
  return { blocked, validity }
}

function merged(one: ReadonlyMap<ResourceName, Interval>, other: ReadonlyMap<ResourceName, Interval>) {
  const all = new Map(one)
  for (const [resource, interval] of other) {
    const known = all.get(resource)
    all.set(resource, known ? intersection(known, interval) : interval)
  }
  return all
}

function blockedBy(rows: readonly BlockedRow[]): Map<ResourceName, BlockedTimes> {
  const found = new Map<ResourceName, BlockedTimes>()
  if (rows.length === 0) return found
  const columns = new TimeColumns<Blocked['source']>(rows.length)
  for (const [provider, own] of blocksByProvider(rows)) {
    const first = columns.length
    for (const { start, end, source } of own) columns.add(start, end, source)
    found.set(providerResource(provider), columns.since(first))
  }
  return found
}

/** Groups rows of blocked time by provider, each group sorted by start. */
function blocksByProvider(rows: readonly BlockedRow[]): Map<number, readonly Blocked[]> {
  const found = new Map<number, readonly Blocked[]>()
  for (const [provider, own] of Map.groupBy(rows, (row) => row.provider_id))
    found.set(provider, own.sort((one, other) => one.start_at - other.start_at).map(toBlocked))
  return found
}

/** Converts a row of `blockedTimes` to blocked time. */
function toBlocked(row: BlockedRow): Blocked {
  return { start: row.start_at, end: row.end_at, source: row.source as Blocked['source'] }
}
