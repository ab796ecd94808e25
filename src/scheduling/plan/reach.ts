import { handles, type Provider } from '../../catalogue/providers/provider.ts'
import { effectiveSettings, type Service } from '../../catalogue/services/service.ts'
import { timeDependencies } from '../rules/conflicts.ts'
import { dependsOn as limitDependencies } from '../rules/limits.ts'
import type { Interval } from '../time/interval.ts'
import { providerResource } from './resource.ts'

/** What a plan is loaded for: the slots of these services with these providers that start in [from, until). */
export interface PlanReach {
  readonly services: readonly Service[]
  readonly providers: readonly Provider[]
  readonly from: number
  readonly until: number
}

// A local day around an instant, including a date that the zone skips or repeats, lies within this margin.
const leastBusyMargin = 2 * 86_400

/**
 * Returns the window of data that rules and routing need: occupied and blocked time that overlaps `occupied`, and
 * reservations that start in `booked`; `counts` is whether anything counts reservations.
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
      if (!handles(provider, service.id)) continue
      // A collective appointment follows the settings of the service alone; any other appointment follows those of
      // the provider.
      const members = [provider.services.get(service.id), undefined].map((own) => ({
        provider,
        resource: providerResource(provider.id),
        rule: effectiveSettings(service, provider.id, own),
      }))
      const { time } = timeDependencies({ members })
      before = Math.max(before, time.before)
      after = Math.max(after, time.after)
    }
  const margin = Math.max(0, ...services.map(reservationMargin))
  return {
    occupied: { start: from - before, end: until + after },
    booked: { start: from - margin, end: until + margin },
    counts: margin > 0,
  }
}

function reservationMargin(service: Service): number {
  const limited = limitDependencies({ service }).reservations?.margin ?? 0
  return service.settings.routingMode === 'least_busy' ? Math.max(limited, leastBusyMargin) : limited
}
