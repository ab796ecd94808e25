import type { ReadDatabase } from '../db/database.ts'
import { type SlotList, slotsOf } from '../scheduling/listing/slot-list.ts'
import type { Interval } from '../scheduling/time/interval.ts'
import { findSlots } from './availability.operations.ts'

export interface FreeTimesQuery {
  readonly serviceId: string
  /** The provider to book with; absent for any provider. */
  readonly providerId?: number
  readonly from: number
  readonly now: number
  /** The only provider that the caller may see; undefined allows every provider. */
  readonly ofProvider: number | undefined
}

/** An interval at which a service can be booked, with the providers that are free for it. */
export interface FreeTime extends Interval {
  /** The free providers; the provider that routing picks comes first. */
  readonly providerIds: readonly number[]
}

/** The times at which a service can be booked within a listed week. */
export interface FreeTimes {
  readonly times: readonly FreeTime[]
  /** The end of the listed days, in Unix seconds. */
  readonly until: number
  /** The start of the first free time after the listed days; null when there is none. */
  readonly next: number | null
}

const listed = 7 * 86_400
// The longest horizon that a service can have, in seconds.
const furthest = 3_660 * 86_400

/**
 * Lists the free times of a service for the seven days after `from` (or after now, if later), and the first one after them.
 * It applies the same rules as the availability list. The result is empty when the named provider is not the one that the
 * caller may see.
 */
export async function listFreeTimes(db: ReadDatabase, asked: FreeTimesQuery): Promise<FreeTimes> {
  const { serviceId, providerId, from: wished, now, ofProvider = providerId } = asked
  const from = Math.max(wished, now)
  const until = from + listed
  const foreign = ofProvider !== providerId && providerId !== undefined
  if (foreign) return { times: [], until, next: null }
  const filter = { serviceIds: [serviceId], now, ...(ofProvider !== undefined && { providerIds: [ofProvider] }) }
  const { slots } = await findSlots(db, { ...filter, from, until })
  const times = new Map<string, { start: number; end: number; providerIds: Set<number> }>()
  for (const { start, end, providerId: picked, eligibleProviderIds, bookable } of slotsOf(slots)) {
    if (!bookable) continue
    const key = `${start} ${end}`
    const time = times.get(key) ?? { start, end, providerIds: new Set<number>() }
    for (const id of [picked, ...eligibleProviderIds]) time.providerIds.add(id)
    times.set(key, time)
  }
  const next = await findNextStart(db, { serviceId, providerId: ofProvider, from: until, now })
  return {
    times: [...times.values()].map(({ start, end, providerIds }) => ({ start, end, providerIds: [...providerIds] })),
    until,
    next: next ?? null,
  }
}

/** Returns the start of the first slot at or after `from` that has a free seat; undefined when there is none. */
export async function findNextStart(
  db: ReadDatabase,
  {
    serviceId,
    providerId,
    from,
    now,
  }: {
    readonly serviceId: string
    readonly providerId: number | undefined
    readonly from: number
    readonly now: number
  },
): Promise<number | undefined> {
  const named = providerId !== undefined && { providerIds: [providerId] }
  const { slots } = await findSlots(db, { serviceIds: [serviceId], from, until: from + furthest, now, ...named })
  return firstStart(slots)
}

// The list may contain full slots. Slots are created one by one, since usually one of the first is bookable.
function firstStart(slots: SlotList): number | undefined {
  for (let at = 0; at < slots.starts.length; at += 1) if (slots.slotAt(at).bookable) return slots.slotAt(at).start
  return undefined
}
