import { caseOf, judge, ruleNames } from './judge.ts'
import { ledgerOf } from './ledger.ts'
import type { Plan, RuleName, Verdict, Wanted } from './plan.ts'

/** What every rule says of one slot, in the order in which they are asked; the first no is why it cannot be booked. */
export function explainSlot(plan: Plan, wanted: Wanted, now: number): Verdict[] {
  const about = caseOf(plan, ledgerOf(plan.booked), wanted, now)
  if (about) return ruleNames.map((rule) => judge(rule, about))
  const service = plan.services.some(({ id }) => id === wanted.serviceId)
  return ruleNames.map((rule) => unknown(rule, service ? 'provider' : 'service'))
}

function unknown(rule: RuleName, missing: 'service' | 'provider'): Verdict {
  const code = missing === 'service' ? 'service_inactive' : 'provider_not_eligible'
  return { rule, ok: false, code, sentence: `There is no such ${missing}.`, value: null, setting: missing }
}
