import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Provider } from '../catalogue/providers/provider.ts'
import { type EffectiveSettings, effectiveSettings, type Service } from '../catalogue/services/service.ts'
import type { Database } from '../db/database.ts'
import type { Plan, RequestedSlot } from '../scheduling/plan/plan.ts'
import { loadPlan } from './plan.sql.ts'
import { bucketSeconds } from './slot-id.ts'

/** The service and the provider of a booking, with the catalogue (the services, providers and settings of the site). */
export interface Parties {
  readonly catalogue: Catalogue
  readonly service: Service
  readonly provider: Provider
}

/**
 * Loads the plan (the data that decides about slots) for one appointment with a provider. The appointment may have
 * another length than the service, and may start at a time at which no slot starts.
 */
export function wholePlan(
  db: Database,
  parties: Parties,
  asked: { readonly wanted: RequestedSlot; readonly now: number; readonly except?: string },
): Promise<Plan> {
  return loadSlotPlan(db, parties, { ...asked, until: asked.wanted.end, named: parties.provider.id })
}

/**
 * Loads the data that determines one slot (its plan). For a service with the routing mode `direct`, in which the
 * customer chooses the provider, the plan covers only the slot's provider; for any other service, every provider that
 * gives it.
 */
export function slotPlan(
  db: Database,
  { catalogue, service }: Pick<Parties, 'catalogue' | 'service'>,
  asked: { readonly wanted: RequestedSlot; readonly now: number; readonly except?: string },
): Promise<Plan> {
  return loadSlotPlan(db, { catalogue, service }, { ...asked, until: asked.wanted.start + 1 })
}

function loadSlotPlan(
  db: Database,
  { catalogue, service }: Pick<Parties, 'catalogue' | 'service'>,
  asked: {
    readonly wanted: RequestedSlot
    readonly until: number
    readonly now: number
    readonly except?: string
    readonly named?: number
  },
): Promise<Plan> {
  const { wanted, until, now, except, named } = asked
  return loadPlan(db, {
    catalogue,
    services: [service],
    from: wanted.start,
    until,
    now,
    bucket: Math.floor(now / bucketSeconds),
    uncounted: true,
    ...(service.settings.routingMode === 'direct' && { providerIds: new Set([wanted.providerId]) }),
    ...(except !== undefined && { except }),
    ...(named !== undefined && { named }),
  })
}

/** Returns the end of the slot that starts at `start` (Unix seconds), by the service's duration with the provider. */
export function resolvedEnd({ service, provider }: Pick<Parties, 'service' | 'provider'>, start: number): number {
  return start + ruleOf(service, provider).duration
}

// A provider's own duration for a service does not apply to a collective service, whose appointments have the duration
// of the service itself.
function ruleOf(service: Service, provider: Provider): EffectiveSettings {
  const own = service.settings.routingMode === 'collective' ? undefined : provider.services.get(service.id)
  return effectiveSettings(service, provider.id, own)
}
