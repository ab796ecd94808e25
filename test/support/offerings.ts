/**
 * One service of the contended site (a test site whose slots many clients book concurrently), from which both the site
 * file and the test's expectations derive. Lengths are in minutes; slots start every `every` minutes, and `before` and
 * `after` are the buffers.
 */
export interface Offering {
  readonly key: string
  readonly minutes: number
  readonly every: number
  readonly before: number
  readonly after: number
  readonly seats: number
  readonly providers: readonly number[]
  readonly mode: 'direct' | 'round_robin' | 'collective'
  /** Whether new reservations of the service are pending until they are approved; if so, pending ones take no seat. */
  readonly needsApproval: boolean
}

const plain = { minutes: 30, every: 30, before: 0, after: 0, seats: 1, mode: 'direct', needsApproval: false } as const

/** The services of the contended site, whose slots many clients book concurrently. */
export const offerings: readonly Offering[] = [
  { ...plain, key: 'single', providers: [1, 2] },
  { ...plain, key: 'trio', seats: 3, providers: [2] },
  { ...plain, key: 'pair', seats: 2, providers: [11] },
  { ...plain, key: 'ten', minutes: 45, every: 20, before: 5, after: 10, seats: 10, providers: [11] },
  { ...plain, key: 'long', minutes: 60, every: 15, before: 10, after: 15, providers: [3] },
  { ...plain, key: 'short', minutes: 20, every: 10, after: 5, providers: [3] },
  { ...plain, key: 'pool', mode: 'round_robin', providers: [4, 5, 6] },
  { ...plain, key: 'together', minutes: 45, every: 15, after: 10, mode: 'collective', providers: [7, 8, 9] },
  { ...plain, key: 'alone', every: 10, providers: [7, 8, 9] },
  { ...plain, key: 'asking', needsApproval: true, providers: [10] },
]

/**
 * How one reservation of a service with a provider occupies the time of that provider or of another one; buffers in
 * seconds.
 */
export interface OccupancyRule {
  readonly serviceId: string
  readonly providerId: number
  /**
   * The id of the occupied provider; a reservation of a `collective` service occupies all providers of the service, and
   * has one `OccupancyRule` for each.
   */
  readonly occupiedProviderId: number
  readonly before: number
  readonly after: number
  readonly seats: number
  readonly pendingOccupies: boolean
}

/**
 * Returns every `OccupancyRule` of the contended site; `ids` contains the id of each service by the key of its
 * offering.
 */
export function occupancyRulesOf(ids: ReadonlyMap<string, string>): OccupancyRule[] {
  return offerings.flatMap((offering) =>
    offering.providers.flatMap((providerId) =>
      (offering.mode === 'collective' ? offering.providers : [providerId]).map((at) => ({
        serviceId: ids.get(offering.key) ?? '',
        providerId,
        occupiedProviderId: at,
        before: offering.before * 60,
        after: offering.after * 60,
        seats: offering.seats,
        pendingOccupies: !offering.needsApproval,
      })),
    ),
  )
}

const always = ['00:00-24:00']
const weekly = { mon: always, tue: always, wed: always, thu: always, fri: always, sat: always, sun: always }

/**
 * Returns the site file of the contended site, whose slots many clients book concurrently, with this number of
 * customers. The site is open day and night in UTC, so that no slot is refused because of opening hours.
 */
export function contendedSiteFile(customers: number, horizonDays = 60): object {
  const providers = [...new Set(offerings.flatMap((offering) => offering.providers))]
  return {
    site: { name: 'Contested', timezone: 'UTC' },
    services: offerings.map((offering) => ({
      key: offering.key,
      name: offering.key,
      durationMinutes: offering.minutes,
      intervalMinutes: offering.every,
      bufferBeforeMinutes: offering.before,
      bufferAfterMinutes: offering.after,
      capacity: offering.seats,
      routingMode: offering.mode,
      horizonDays,
      ...(offering.needsApproval && { approval: 'admin', pendingBlocks: false }),
    })),
    providers: providers.map((id) => ({
      id,
      name: `Provider ${id}`,
      email: `p${id}@clinic.example`,
      timezone: 'UTC',
      weekly,
      restrictServices: true,
      allowedServices: offerings.filter((offering) => offering.providers.includes(id)).map((offering) => offering.key),
    })),
    customers: Array.from({ length: customers }, (_, n) => ({
      key: `c${n}`,
      name: `Customer ${n}`,
      email: `c${n}@example.com`,
    })),
  }
}
