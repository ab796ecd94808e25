import type { RuleName } from '../plan/plan.ts'
import * as capacity from './capacity.ts'
import * as connectedCalendar from './connected-calendar.ts'
import * as horizon from './horizon.ts'
import * as leadTime from './lead-time.ts'
import * as limits from './limits.ts'
import * as occupancy from './occupancy.ts'
import * as openingHours from './opening-hours.ts'
import * as providerEligible from './provider-eligible.ts'
import type { Rule } from './rule.ts'
import * as serviceActive from './service-active.ts'
import * as timeOff from './time-off.ts'

const openingHoursRule: Rule = rule('opening_hours', openingHours)

/**
 * Every rule, in order of precedence. A refused booking reports the first rule that refuses the slot, but a blocked
 * customer takes precedence over every rule except `service_active`.
 */
export const rules: readonly Rule[] = [
  rule('service_active', serviceActive),
  rule('provider_eligible', providerEligible),
  rule('lead_time', leadTime),
  rule('horizon', horizon),
  openingHoursRule,
  rule('time_off', timeOff),
  rule('calendar', connectedCalendar),
  rule('occupancy', occupancy),
  rule('capacity', capacity),
  rule('limits', limits),
]

/** The names of all rules, in the order of `rules`. */
export const ruleNames: readonly RuleName[] = rules.map(({ name }) => name)

/** The rules in the order of their filters: opening hours first, because that filter lists the starts. */
export const filterOrder: readonly Rule[] = [openingHoursRule, ...rules.filter((rule) => rule !== openingHoursRule)]

function rule(name: RuleName, { filter, verdict, dependsOn }: Omit<Rule, 'name'>): Rule {
  return { name, filter, verdict, dependsOn }
}
