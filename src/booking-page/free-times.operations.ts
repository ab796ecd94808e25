import { type IdentifiedSlot, listAvailability } from '../availability/availability.operations.ts'
import type { AvailabilityCache } from '../availability/cache/availability-cache.ts'
import type { AvailabilityQuery } from '../availability/cache/question.ts'
import { findNextStart } from '../availability/free-times.operations.ts'
import { loadPlan } from '../availability/plan.sql.ts'
import { bucketSeconds } from '../availability/slot-id.ts'
import { loadCatalogue } from '../catalogue/catalogue.sql.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { handles } from '../catalogue/providers/provider.ts'
import { type EffectiveSettings, effectiveSettings, type Service } from '../catalogue/services/service.ts'
import type { ReadDatabase } from '../db/database.ts'
import { priceOf } from '../reservations/booking/slot-price.ts'
import type { Reservation } from '../reservations/reservation.ts'
import { explainGrid } from '../scheduling/explain.ts'
import type { RuleName, Slot } from '../scheduling/plan/plan.ts'
import type { BookableTime, NoTimesReason } from './calendar.ts'

/** A query for the free times of a service that start in [from, until), in Unix seconds. */
export interface FreeTimesRequest {
  readonly catalogue: Catalogue
  readonly service: Service
  /** The id of the only provider whose free times are listed; undefined for all providers. */
  readonly providerId: number | undefined
  /** The number of seats that must be free at a time. */
  readonly seats: number
  readonly from: number
  readonly until: number
  readonly now: number
  /**
   * The reservation that is being moved; undefined for a booking. The time that it occupies counts as free, and its
   * present place is not listed.
   */
  readonly moved: MovedReservation | undefined
}

/** The reservation that is being moved, with its present place. */
export type MovedReservation = Pick<Reservation, 'id' | 'providerId' | 'start'>

const maxCached = 500

/**
 * Lists the free times that the booking page shows. `list` reads them from the cache of availability, unless a
 * reservation is moved; `next` reads from the database.
 */
export class BookableTimes {
  readonly #db: ReadDatabase
  readonly #availability: AvailabilityCache
  /**
   * A cache of parsed free times. Each key contains the tag of the list in the availability cache and the version of
   * the catalogue; the key changes whenever the list changes.
   */
  readonly #parsed = new Map<string, readonly BookableTime[]>()

  constructor(db: ReadDatabase, availability: AvailabilityCache) {
    this.#db = db
    this.#availability = availability
  }

  /** Returns the free times that start in [from, until), ordered by start. */
  async list(request: FreeTimesRequest): Promise<readonly BookableTime[]> {
    const times = await this.#list(request)
    return request.seats > 1 ? times.filter(({ seatsLeft }) => (seatsLeft ?? 1) >= request.seats) : times
  }

  async #list(request: Omit<FreeTimesRequest, 'seats'>): Promise<readonly BookableTime[]> {
    const { service, providerId, from, until, now, moved } = request
    if (until <= now) return []
    const query: AvailabilityQuery = {
      serviceIds: [service.id],
      from: Math.max(from, now),
      until,
      now,
      ...(providerId !== undefined && { providerIds: [providerId] }),
    }
    // The times for a move are those of one reservation, so they are neither read from the caches nor stored in them.
    if (moved) {
      const slots = await listAvailability(this.#db, { ...query, except: moved.id })
      return withoutPlace(timesOf(request, slots), moved)
    }
    const listed = this.#availability.find(query) ?? (await this.#availability.list(query))
    if ('items' in listed) {
      const parts: Uint8Array[] = []
      for await (const part of listed.items) parts.push(part)
      return timesOf(request, slotsIn(Buffer.concat(parts).subarray(1)))
    }
    const tag = listed.tag && `${listed.tag} ${request.catalogue.version}`
    const known = tag && this.#parsed.get(tag)
    if (known) return known
    const times = timesOf(request, slotsIn(Buffer.concat(listed.pieces)))
    if (this.#parsed.size >= maxCached) this.#parsed.clear()
    if (tag) this.#parsed.set(tag, times)
    return times
  }

  /** Returns the start of the first free time at or after `from` (Unix seconds); undefined when there is none. */
  next({
    catalogue,
    service,
    providerId,
    seats,
    from,
    now,
    moved,
  }: Omit<FreeTimesRequest, 'until'>): Promise<number | undefined> {
    const fits = (slot: Slot) =>
      capacityOf(catalogue, service, slot) - slot.reservationsCount >= seats &&
      (slot.start !== moved?.start || slot.providerId !== moved.providerId)
    return findNextStart(this.#db, { serviceId: service.id, providerId, from, now, except: moved?.id, fits })
  }
}

/**
 * Merges bookable slots that have the same start, end and price; their providers stay in order of preference. Each
 * start occurs once in the result, so a slot whose end or price differs from that of an earlier slot with the same
 * start is left out.
 */
function timesOf(
  { catalogue, service }: Pick<FreeTimesRequest, 'catalogue' | 'service'>,
  slots: readonly IdentifiedSlot[],
): readonly BookableTime[] {
  const times = new Map<number, BookableTime>()
  for (const { start, end, providerId, bookable, eligibleProviderIds, reservationsCount, overrides } of slots) {
    if (!bookable) continue
    const rule = ruleOf(catalogue, service, providerId)
    const capacity = capacityOf(catalogue, service, { providerId, overrides })
    const { price, currency } = priceOf(catalogue, rule, overrides)
    const pool = service.settings.routingMode === 'collective' ? [] : eligibleProviderIds
    const known = times.get(start)
    if (known && (known.end !== end || known.price !== price || known.currency !== currency)) continue
    const seatsLeft = capacity > 1 ? Math.max(capacity - reservationsCount, known?.seatsLeft ?? 0) : null
    const providerIds = [...new Set([...(known?.providerIds ?? []), providerId, ...pool])]
    times.set(start, { start, end, providerIds, seatsLeft, price, currency })
  }
  return [...times.values()]
}

function slotsIn(json: Uint8Array): readonly IdentifiedSlot[] {
  return JSON.parse(`[${Buffer.from(json).toString()}]`) as readonly IdentifiedSlot[]
}

/** Leaves out the place of a reservation, which counts as free for its move; the start remains with other providers. */
function withoutPlace(times: readonly BookableTime[], place: MovedReservation): readonly BookableTime[] {
  return times.flatMap((time) => {
    if (time.start !== place.start) return [time]
    const providerIds = time.providerIds.filter((id) => id !== place.providerId)
    return providerIds.length === 0 ? [] : [{ ...time, providerIds }]
  })
}

function capacityOf(catalogue: Catalogue, service: Service, slot: Pick<Slot, 'providerId' | 'overrides'>): number {
  return slot.overrides.capacity ?? ruleOf(catalogue, service, slot.providerId).capacity
}

function ruleOf(catalogue: Catalogue, service: Service, providerId: number): EffectiveSettings {
  return effectiveSettings(service, providerId, catalogue.provider(providerId)?.services.get(service.id))
}

const daysExplained = 14
const providersExplained = 3

/**
 * Returns why there are no free times in [from, until). Only the first two weeks of this interval and the first three
 * providers of the service are examined, to limit the work.
 */
export function whyNoTimes(
  db: ReadDatabase,
  { service: { id }, providerId, from, until, now, moved }: Omit<FreeTimesRequest, 'seats'>,
): Promise<NoTimesReason> {
  return db.snapshot(async (at) => {
    const catalogue = await loadCatalogue(at)
    const service = catalogue.service(id)
    const start = Math.max(from, now)
    const within = { start, end: Math.min(until, start + daysExplained * 86_400) }
    if (!service || within.end <= within.start) return 'none'
    const plan = await loadPlan(at, {
      catalogue,
      services: [service],
      from: within.start,
      until: within.end,
      now,
      bucket: Math.floor(now / bucketSeconds),
      except: moved?.id,
    })
    const counts = new Map<RuleName, number>()
    const providers = catalogue.providers.filter(
      (one) => handles(one, id) && (providerId === undefined || one.id === providerId),
    )
    for (const provider of providers.slice(0, providersExplained))
      for (const { rules } of explainGrid(plan, { service, provider }, within, now)) {
        const no = rules.find(({ ok }) => !ok)
        if (no && no.rule !== 'provider_eligible') counts.set(no.rule, (counts.get(no.rule) ?? 0) + 1)
      }
    const [most] = [...counts].sort(([, one], [, other]) => other - one)
    return most?.[0] ?? 'none'
  })
}
