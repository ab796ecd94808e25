import type { Provider } from '../../catalogue/providers/provider.ts'
import { effectiveSettings, type Service } from '../../catalogue/services/service.ts'
import { timeDependencies } from '../rules/conflicts.ts'
import { dependsOn as limitDependencies } from '../rules/limits.ts'
import type { Interval } from '../time/interval.ts'
import { providerResource } from './resource.ts'

/**
 * The slots about which a plan (the loaded data) can decide: slots of `services` with `providers` that start in [from,
 * until).
 */
export interface PlanReach {
  readonly services: readonly Service[]
  readonly providers: readonly Provider[]
  readonly from: number
  readonly until: number
}

// Seconds around an instant that contain its whole local day, even where the zone skips or repeats a date.
const leastBusyMargin = 2 * 86_400

/**
 * Returns the intervals of the data that the rules and the choice among providers (routing) need: occupied and blocked
 * time that overlaps `occupied`, and reservations that start in `booked`. `counts` is false when no rule or routing
 * mode counts reservations, so that none need to be loaded.
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
      // A provider who does not give the service counts as well, because staff may book it with that provider.
      // An appointment of a collective service (with several providers together) has the duration and the buffers of
      // the service; any other appointment may have the provider's own instead. The interval covers both.
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
