import { handles, type Provider } from '../../catalogue/providers/provider.ts'
import { type EffectiveSettings, effectiveSettings, type Service } from '../../catalogue/services/service.ts'
import { openWindows, sharedWindows, type Window } from '../opening-hours.ts'
import { type BlockedTimes, noTimes, type TakenTimes } from '../plan/occupancy.ts'
import type { Plan } from '../plan/plan.ts'
import { providerResource, type ResourceName } from '../plan/resource.ts'

/**
 * A service with the providers whose time each of its slots occupies: one provider, or every provider of a collective
 * service.
 */
export interface SlotSource {
  readonly service: Service
  /**
   * The provider under which slots are listed: the only provider or, for a collective service (with several providers
   * together), the one with the lowest id.
   */
  readonly provider: Provider
  /**
   * The settings of `provider`. For a collective service, duration, interval and buffers are instead the service's own,
   * the lead time is the longest of all members, and the horizon is the shortest.
   */
  readonly rule: EffectiveSettings
  readonly members: readonly SourceMember[]
  /** The ids of the providers whose time a slot occupies (the members), ascending. */
  readonly eligible: readonly number[]
}

/** One provider of a slot source, with the settings that apply to the service with this provider. */
export interface SourceMember {
  readonly provider: Provider
  readonly resource: ResourceName
  readonly rule: EffectiveSettings
}

/**
 * Returns the slot sources of a service: one for each provider that gives it, or a single one for a collective service,
 * which occupies all providers that give it; none if no provider gives it.
 */
export function slotSourcesOf(plan: Pick<Plan, 'providers'>, service: Service): readonly SlotSource[] {
  const handling = plan.providers.filter((provider) => handles(provider, service.id))
  if (service.settings.routingMode !== 'collective') return handling.map((provider) => singleSource(service, provider))
  const [lowest] = handling
  return lowest ? [collectiveSource(service, lowest, handling)] : []
}

/** Returns the slot source of a service with one provider, whether or not the provider gives the service. */
export function singleSource(service: Service, provider: Provider): SlotSource {
  const rule = effectiveSettings(service, provider.id, provider.services.get(service.id))
  return {
    service,
    provider,
    rule,
    members: [{ provider, resource: providerResource(provider.id), rule }],
    eligible: [provider.id],
  }
}

/**
 * Returns the opening windows of a slot source that overlap [from, until): those of its provider, or for a collective
 * service the time at which all of its providers are open.
 */
export function windowsOf(slotSource: SlotSource, plan: Plan, from: number, until: number): readonly Window[] {
  const [first, ...others] = slotSource.members.map(({ provider }) => openWindows(provider, plan.holidays, from, until))
  return others.reduce(sharedWindows, first ?? [])
}

/**
 * The times at which one resource is not free: occupied by reservations and open booking forms, or blocked by time off,
 * calendars and double bookings.
 */
export interface ResourceTimes {
  readonly occupied: TakenTimes
  readonly blocked: BlockedTimes
}

/** Returns the occupied and blocked time of one provider whose time a slot occupies. */
export function timesOf({ resource }: SourceMember, plan: Plan): ResourceTimes {
  return { occupied: plan.occupied.get(resource) ?? noTimes, blocked: plan.blocked.get(resource) ?? noTimes }
}

/**
 * Builds the slot source of a collective service, whose slots occupy all of its providers. Duration, interval and
 * buffers are those of the service, the capacity is that of each provider, and lead time and horizon are the strictest
 * of all providers.
 */
function collectiveSource(service: Service, lowest: Provider, providers: readonly Provider[]): SlotSource {
  const members = providers.map((provider) => {
    const own = effectiveSettings(service, provider.id, provider.services.get(service.id))
    const { duration, interval, bufferBefore, bufferAfter } = effectiveSettings(service, provider.id, undefined)
    const resource = providerResource(provider.id)
    return { provider, resource, rule: { ...own, duration, interval, bufferBefore, bufferAfter } }
  })
  const rules = members.map(({ rule }) => rule)
  const strictest = {
    ...effectiveSettings(service, lowest.id, lowest.services.get(service.id)),
    ...rules[0],
    leadTime: Math.max(...rules.map((rule) => rule.leadTime)),
    horizon: Math.min(...rules.map((rule) => rule.horizon)),
  }
  return { service, provider: lowest, rule: strictest, members, eligible: providers.map(({ id }) => id) }
}
