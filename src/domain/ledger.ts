import { type Tally, tally } from './limits.ts'
import type { Booked } from './plan.ts'

/** The reservations of a plan, sorted out as they are asked for. */
export interface Ledger {
  ofService(serviceId: string): Tally
  /** Of any service with this provider. */
  ofProvider(providerId: number): Tally
  /** Of this service with this provider, by start. */
  ofBoth(serviceId: string, providerId: number): readonly Booked[]
}

const empty = tally([])

/** A ledger over reservations in any order; each part is sorted once, when first asked for. */
export function ledgerOf(booked: readonly Booked[]): Ledger {
  if (booked.length === 0) return { ofService: () => empty, ofProvider: () => empty, ofBoth: () => [] }
  const services = new Map<string, Tally>()
  const providers = new Map<number, Tally>()
  const both = new Map<string, Map<number, readonly Booked[]>>()
  return {
    ofService: (id) => kept(services, id, () => tally(booked.filter((one) => one.serviceId === id))),
    ofProvider: (id) => kept(providers, id, () => tally(booked.filter((one) => one.providerId === id))),
    ofBoth: (serviceId, providerId) => kept(both, serviceId, () => byProvider(booked, serviceId)).get(providerId) ?? [],
  }
}

/** Counts the reservations of exactly one slot; ask for starts that rise. */
export function slotCounter(sorted: readonly Booked[]): (start: number, end: number) => number {
  let next = 0
  return (start, end) => {
    while (next < sorted.length && (sorted[next]?.start ?? start) < start) next += 1
    let count = 0
    for (let index = next; index < sorted.length && sorted[index]?.start === start; index += 1)
      if (sorted[index]?.end === end) count += 1
    return count
  }
}

function byProvider(booked: readonly Booked[], serviceId: string): Map<number, readonly Booked[]> {
  const lists = new Map<number, Booked[]>()
  for (const one of booked) {
    if (one.serviceId !== serviceId) continue
    const list = lists.get(one.providerId)
    if (list) list.push(one)
    else lists.set(one.providerId, [one])
  }
  for (const list of lists.values()) list.sort((one, other) => one.start - other.start)
  return lists
}

function kept<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = known.get(key)
  if (found !== undefined) return found
  const made = make()
  known.set(key, made)
  return made
}
