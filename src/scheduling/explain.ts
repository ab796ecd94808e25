import type { Provider } from '../catalogue/providers/provider.ts'
import type { Service } from '../catalogue/services/service.ts'
import { message } from '../messages/message.ts'
import { windowsOf } from './listing/slot-source.ts'
import { bookingIndexOf } from './plan/booking-index.ts'
import type { Plan, RequestedSlot, RuleName, RuleVerdict } from './plan/plan.ts'
import { caseOf, sourceFor, verdictsOn } from './rules/rule-case.ts'
import { ruleNames } from './rules/rules.ts'
import type { Interval } from './time/interval.ts'

/**
 * Returns the verdict of every rule on one slot (whether the rule allows booking it, and why), in the order of `rules`.
 * An attempt to book a refused slot reports the first refusal in this list, except that a blocked customer takes
 * precedence over every rule but `service_active`. When the loaded data (`plan`) lacks the service or the provider,
 * every rule refuses the slot.
 */
export function explainSlot(plan: Plan, wanted: RequestedSlot, now: number): RuleVerdict[] {
  const about = caseOf(plan, bookingIndexOf(plan), wanted, now)
  if (about) return verdictsOn(about)
  const service = plan.services.some(({ id }) => id === wanted.serviceId)
  return ruleNames.map((rule) => unknown(rule, service ? 'provider' : 'service'))
}

/** One start of a grid with the verdict of every rule: whether the rule allows booking it, and why. */
export interface ExplainedStart extends Interval {
  readonly bookable: boolean
  readonly rules: readonly RuleVerdict[]
}

/** Returns every start of the opening hours' grid within an interval, ascending, whether or not it can be booked. */
export function explainGrid(
  plan: Plan,
  { service, provider }: { readonly service: Service; readonly provider: Provider },
  within: Interval,
  now: number,
): ExplainedStart[] {
  const bookingIndex = bookingIndexOf(plan)
  const slotSource = sourceFor(plan, service, provider)
  const { duration, interval } = slotSource.rule
  const starts = new Set<number>()
  for (const open of windowsOf(slotSource, plan, within.start, within.end))
    for (let start = open.start; start + duration <= open.end && start < within.end; start += interval)
      if (start >= within.start) starts.add(start)
  return [...starts]
    .sort((one, other) => one - other)
    .flatMap((start) => {
      const end = start + duration
      const about = caseOf(plan, bookingIndex, { serviceId: service.id, providerId: provider.id, start, end }, now)
      if (!about) return []
      const rules = verdictsOn(about)
      return [{ start, end, bookable: rules.every(({ ok }) => ok), rules }]
    })
}

function unknown(rule: RuleName, missing: 'service' | 'provider'): RuleVerdict {
  const answer =
    missing === 'service'
      ? ({ code: 'service_inactive', message: message('no_such_service') } as const)
      : ({ code: 'provider_not_eligible', message: message('no_such_provider') } as const)
  return { rule, ok: false, ...answer, value: null, setting: missing }
}
