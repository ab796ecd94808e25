import { setImmediate } from 'node:timers/promises'
import { loadCatalogue } from '../catalogue/catalogue.sql.ts'
import type { ReadDatabase } from '../db/database.ts'
import { type SlotList, slotsOf } from '../scheduling/listing/slot-list.ts'
import { slotSourcesOf } from '../scheduling/listing/slot-source.ts'
import type { Slot } from '../scheduling/plan/plan.ts'
import type { Interval } from '../scheduling/time/interval.ts'
import { findSlots } from './availability.operations.ts'

export interface FreeTimesQuery {
  readonly serviceId: string
  /** The id of the only provider whose free times are listed; absent for all providers. */
  readonly providerId?: number
  readonly from: number
  readonly now: number
  /** The only provider that the caller may see; undefined when the caller may see every provider. */
  readonly ofProvider: number | undefined
  /** The id of the reservation that is being moved, whose own time counts as free; absent if there is none. */
  readonly except?: string
}

/** An interval at which a service can be booked, with the providers that are free for it. */
export interface FreeTime extends Interval {
  /**
   * The ids of the providers who are free at this time. If routing picks one of several providers for each slot, the
   * provider that it picks now comes first.
   */
  readonly providerIds: readonly number[]
}

/** The result of `listFreeTimes`: the times at which a service can be booked within a week. */
export interface FreeTimes {
  readonly times: readonly FreeTime[]
  /** The end of the seven listed days, in Unix seconds. */
  readonly until: number
  /** The start of the first free time after the seven listed days, in Unix seconds; null when there is none. */
  readonly next: number | null
}

const dayLength = 86_400
const listed = 7 * dayLength
// The number of days, multiplied by the number of providers, that one turn of the event loop searches for a free time.
const providerDays = 100

/**
 * Lists the free times of a service for the seven days after `from` (or after now, if later), and the first free time
 * after these days. The same booking rules apply as for the list of slots. The result is empty when `providerId` is not
 * the provider that the caller may see.
 */
export async function listFreeTimes(db: ReadDatabase, asked: FreeTimesQuery): Promise<FreeTimes> {
  const { serviceId, providerId, from: wished, now, ofProvider = providerId, except } = asked
  const from = Math.max(wished, now)
  const until = from + listed
  const foreign = ofProvider !== providerId && providerId !== undefined
  if (foreign) return { times: [], until, next: null }
  const filter = {
    serviceIds: [serviceId],
    now,
    except,
    ...(ofProvider !== undefined && { providerIds: [ofProvider] }),
  }
  const { slots } = await findSlots(db, { ...filter, from, until })
  const times = new Map<string, { start: number; end: number; providerIds: Set<number> }>()
  for (const { start, end, providerId: picked, eligibleProviderIds, bookable } of slotsOf(slots)) {
    if (!bookable) continue
    const key = `${start} ${end}`
    const time = times.get(key) ?? { start, end, providerIds: new Set<number>() }
    for (const id of [picked, ...eligibleProviderIds]) time.providerIds.add(id)
    times.set(key, time)
  }
  const next = await findNextStart(db, { serviceId, providerId: ofProvider, from: until, now, except })
  return {
    times: [...times.values()].map(({ start, end, providerIds }) => ({ start, end, providerIds: [...providerIds] })),
    until,
    next: next ?? null,
  }
}

/**
 * Returns the start of a service's first slot at or after `from` that has a free seat and meets the condition `fits`,
 * with the given provider, or with any provider when `providerId` is undefined; undefined when there is no such slot.
 * The search yields to other requests every few days, because it reaches to the booking horizon when all slots are
 * full.
 */
export async function findNextStart(
  db: ReadDatabase,
  {
    serviceId,
    providerId,
    from,
    now,
    except,
    fits = () => true,
  }: {
    readonly serviceId: string
    readonly providerId: number | undefined
    readonly from: number
    readonly now: number
    /** The id of the reservation that is being moved, whose own time counts as free; absent if there is none. */
    readonly except?: string | undefined
    readonly fits?: (slot: Slot) => boolean
  },
): Promise<number | undefined> {
  const catalogue = await loadCatalogue(db)
  const service = catalogue.service(serviceId)
  const providers = service && providerId === undefined ? slotSourcesOf(catalogue, service).length : 1
  const length = Math.max(1, Math.floor(providerDays / Math.max(1, providers))) * dayLength
  const filter = {
    serviceIds: [serviceId],
    now,
    except,
    ...(providerId !== undefined && { providerIds: [providerId] }),
  }
  for (let start = from; ; start += length) {
    const { slots, continues } = await findSlots(db, { ...filter, from: start, until: start + length })
    const found = firstStart(slots, fits)
    if (found !== undefined || !continues) return found
    await setImmediate()
  }
}

// Returns the start of the first slot that is bookable (the list may contain full slots) and meets `fits`. Slots are
// created one by one, since usually one of the first slots is bookable.
function firstStart(slots: SlotList, fits: (slot: Slot) => boolean): number | undefined {
  for (let at = 0; at < slots.starts.length; at += 1) {
    const slot = slots.slotAt(at)
    if (slot.bookable && fits(slot)) return slot.start
  }
  return undefined
}
