import { handles, type Provider } from '../../catalogue/providers/provider.ts'
import { type EffectiveSettings, effectiveSettings, type Service } from '../../catalogue/services/service.ts'
import { openWindows, sharedWindows, type Window } from '../opening-hours.ts'
import { type BlockedTimes, noTimes, type TakenTimes } from '../plan/occupancy.ts'
import type { Plan } from '../plan/plan.ts'
import { providerResource, type ResourceName } from '../plan/resource.ts'

/** Who a slot of one service takes at once: one provider, or every provider of a collective service. */
export interface SlotSource {
  readonly service: Service
  /** The provider that slots are listed under: the only one, or the lowest of a collective. */
  readonly provider: Provider
  /** That provider's rule; of a collective with the longest lead time and the shortest horizon of all. */
  readonly rule: EffectiveSettings
  readonly members: readonly SourceMember[]
  /** The members' provider ids, ascending. */
  readonly eligible: readonly number[]
}

export interface SourceMember {
  readonly provider: Provider
  readonly resource: ResourceName
  readonly rule: EffectiveSettings
}

/** The slot sources of a service: one for each provider that handles it, or one for all of them if it is collective. */
export function slotSourcesOf(plan: Pick<Plan, 'providers'>, service: Service): readonly SlotSource[] {
  const handling = plan.providers.filter((provider) => handles(provider, service.id))
  if (service.settings.routingMode !== 'collective') return handling.map((provider) => singleSource(service, provider))
  const [lowest] = handling
  return lowest ? [collectiveSource(service, lowest, handling)] : []
}

/** The slot source of one provider, whether or not it handles the service. */
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

/** Where slots of the slot source may lie: the provider's windows, or what the windows of all members share. */
export function windowsOf(slotSource: SlotSource, plan: Plan, from: number, until: number): readonly Window[] {
  const [first, ...others] = slotSource.members.map(({ provider }) => openWindows(provider, plan.holidays, from, until))
  return others.reduce(sharedWindows, first ?? [])
}

/** The taken and blocked time of one resource. */
export interface ResourceTimes {
  readonly occupied: TakenTimes
  readonly blocked: BlockedTimes
}

/** The taken and blocked time of one member. */
export function timesOf({ resource }: SourceMember, plan: Plan): ResourceTimes {
  return { occupied: plan.occupied.get(resource) ?? noTimes, blocked: plan.blocked.get(resource) ?? noTimes }
}

/** All at once: the service's own duration, interval and buffers; each member's own capacity; the strictest times. */
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
