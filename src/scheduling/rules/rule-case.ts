import type { Provider } from '../../catalogue/providers/provider.ts'
import type { Service } from '../../catalogue/services/service.ts'
import { type SlotSource, singleSource, slotSourcesOf, windowsOf } from '../listing/slot-source.ts'
import { noOverrides, overridesWithin } from '../opening-hours.ts'
import type { BookingIndex } from '../plan/booking-index.ts'
import type { Plan, RequestedSlot, RuleName, RuleVerdict } from '../plan/plan.ts'
import type { RuleCase } from './rule.ts'
import { rules } from './rules.ts'

/**
 * Returns the data from which every rule decides whether one requested slot can be booked; undefined when the service
 * or the provider of the slot is not among the loaded data (`plan`).
 */
export function caseOf(
  plan: Plan,
  bookingIndex: BookingIndex,
  wanted: RequestedSlot,
  now: number,
): RuleCase | undefined {
  const service = plan.services.find(({ id }) => id === wanted.serviceId)
  const provider = plan.providers.find(({ id }) => id === wanted.providerId)
  if (!service || !provider) return undefined
  const slotSource = sourceFor(plan, service, provider)
  const { start, end } = wanted
  const { duration, interval } = slotSource.rule
  const windows = end - start === duration ? windowsOf(slotSource, plan, start, start + 1) : []
  const window = windows.find((open) => open.start <= start && end <= open.end && (start - open.start) % interval === 0)
  const overrides = window ? overridesWithin(windows, wanted, window) : noOverrides
  return { plan, bookingIndex, service, provider, slotSource, wanted, now, window, overrides }
}

/**
 * Returns the providers whose time a slot occupies, as a slot source: the given provider or, for a collective service
 * that some provider gives, all providers who give it.
 */
export function sourceFor(plan: Pick<Plan, 'providers'>, service: Service, provider: Provider): SlotSource {
  const collective = service.settings.routingMode === 'collective' ? slotSourcesOf(plan, service)[0] : undefined
  return collective ?? singleSource(service, provider)
}

/**
 * Returns the verdict of every rule on the slot (whether the rule allows booking it, and why), in the order of `rules`.
 */
export function verdictsOn(slot: RuleCase): RuleVerdict[] {
  return rules.map((rule) => ({ rule: rule.name, ...rule.verdict(slot) }))
}

/**
 * Returns the first refusal by one of the rules in `names`, in the order of `rules`; undefined when all allow the slot.
 */
export function firstRefusal(slot: RuleCase, names: readonly RuleName[]): RuleVerdict | undefined {
  for (const rule of rules) {
    if (!names.includes(rule.name)) continue
    const answer = rule.verdict(slot)
    if (!answer.ok) return { rule: rule.name, ...answer }
  }
  return undefined
}
