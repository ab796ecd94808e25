import type { ReadDatabase } from '../db/database.ts'
import { type SlotList, slotsOf } from '../scheduling/listing/slot-list.ts'
import type { Interval } from '../scheduling/time/interval.ts'
import { findSlots } from './availability.operations.ts'

export interface FreeTimesQuery {
  readonly serviceId: string
  /** Anyone when absent. */
  readonly providerId?: number
  readonly from: number
  readonly now: number
  /** The only provider that the caller may see; undefined allows every provider. */
  readonly ofProvider: number | undefined
}

/** A time at which a service can be booked, and with which providers. */
export interface FreeTime extends Interval {
  /** The one that routing picks comes first. */
  readonly providerIds: readonly number[]
}

/** The free times of some days. */
export interface FreeTimes {
  readonly times: readonly FreeTime[]
  /** Where the list ends. */
  readonly until: number
  /** The first free time after the list; null for none. */
  readonly next: number | null
}

const listed = 7 * 86_400
// No service can be booked further ahead.
const furthest = 3_660 * 86_400

/** The free times of a service for a week, by the engine that availability is listed with, and where they go on. */
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
  const rest = await findSlots(db, { ...filter, from: until, until: until + furthest })
  return {
    times: [...times.values()].map(({ start, end, providerIds }) => ({ start, end, providerIds: [...providerIds] })),
    until,
    next: firstStart(rest.slots),
  }
}

// Full slots may be listed too; they are made one by one, as few come before the first that is not.
function firstStart(slots: SlotList): number | null {
  for (let at = 0; at < slots.starts.length; at += 1) if (slots.slotAt(at).bookable) return slots.slotAt(at).start
  return null
}
