import { handles, type Provider } from '../../catalogue/providers/provider.ts'
import { effectiveSettings, type Service } from '../../catalogue/services/service.ts'
import { hidesSlots } from '../rules/limits.ts'
import type { Interval } from '../time/interval.ts'

/** What a plan is loaded for: slots of these services with these providers that start in [from, until). */
export interface PlanReach {
  readonly services: readonly Service[]
  readonly providers: readonly Provider[]
  readonly from: number
  readonly until: number
}

const day = 86_400

/**
 * How far the engine looks around: `occupied` is the stretch whose taken and blocked times (any that overlap it) may
 * matter, `booked` the one whose reservations (any that start in it) may; `counts` says whether any rule counts them.
 */
export function planReach({ services, providers, from, until }: PlanReach): {
  occupied: Interval
  booked: Interval
  counts: boolean
} {
  let before = 0
  let after = 0
  for (const service of services)
    for (const provider of providers) {
      const own = effectiveSettings(service, provider.id, provider.services.get(service.id))
      const usual = effectiveSettings(service, provider.id, undefined)
      if (!handles(provider, service.id)) continue
      before = Math.max(before, own.bufferBefore, usual.bufferBefore)
      after = Math.max(after, own.duration + own.bufferAfter, usual.duration + usual.bufferAfter)
    }
  const margin = Math.max(0, ...services.map(bookedMargin))
  return {
    occupied: { start: from - before, end: until + after },
    booked: { start: from - margin, end: until + margin },
    counts: margin > 0,
  }
}

/** Whether the service's limits count its reservations with all providers, even with those who no longer handle it. */
export function countsAllProviders({ settings: { limits, routingMode } }: Service): boolean {
  return limits.perServiceDay !== undefined || (routingMode === 'collective' && hidesSlots(limits))
}

/** A local day or week around an instant, a skipped or repeated date of its zone included. */
function bookedMargin({ settings: { limits, routingMode } }: Service): number {
  if (limits.minutesPerProviderWeek !== undefined) return 9 * day
  if (hidesSlots(limits) || limits.perCustomerDay !== undefined || routingMode === 'least_busy') return 2 * day
  return 0
}
