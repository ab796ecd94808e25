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

const openingHoursRule: Rule = { name: 'opening_hours', ...openingHours }

/** Every rule, in the order in which a booking and an explanation ask for its verdict. */
export const rules: readonly Rule[] = [
  { name: 'service_active', ...serviceActive },
  { name: 'provider_eligible', ...providerEligible },
  { name: 'lead_time', ...leadTime },
  { name: 'horizon', ...horizon },
  openingHoursRule,
  { name: 'time_off', ...timeOff },
  { name: 'calendar', ...connectedCalendar },
  { name: 'occupancy', ...occupancy },
  { name: 'capacity', ...capacity },
  { name: 'limits', ...limits },
]

/** The names of all rules, in the same order. */
export const ruleNames: readonly RuleName[] = rules.map(({ name }) => name)

/** The rules in the order of their filters: opening hours first, because that filter lists the starts. */
export const filterOrder: readonly Rule[] = [openingHoursRule, ...rules.filter((rule) => rule !== openingHoursRule)]
