import { type Tally, tally } from './limits.ts'
import type { Booked } from './plan.ts'

/** The reservations of a plan, sorted out as they are asked for. */
export interface Ledger {
  ofService(serviceId: string): Tally
  /** Of this service with this provider. */
  ofSlots(serviceId: string, providerId: number): Tally
  /** Of any service with this provider. */
  ofProvider(providerId: number): Tally
}

const empty = tally([])

/** A ledger over reservations in any order; each part is sorted once, when first asked for. */
export function ledgerOf(booked: readonly Booked[]): Ledger {
  if (booked.length === 0) return { ofService: () => empty, ofSlots: () => empty, ofProvider: () => empty }
  const services = new Map<string, Tally>()
  const providers = new Map<number, Tally>()
  const slots = new Map<string, Map<number, readonly Booked[]>>()
  const talliedSlots = new Map<readonly Booked[], Tally>()
  return {
    ofService: (id) => kept(services, id, () => tally(booked.filter((one) => one.serviceId === id))),
    ofProvider: (id) => kept(providers, id, () => tally(booked.filter((one) => one.providerId === id))),
    ofSlots: (serviceId, providerId) => {
      const ofService = kept(slots, serviceId, () => byProvider(booked, serviceId))
      const list = ofService.get(providerId)
      return list ? kept(talliedSlots, list, () => tally(list)) : empty
    },
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
  return lists
}

function kept<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = known.get(key)
  if (found !== undefined) return found
  const made = make()
  known.set(key, made)
  return made
}
