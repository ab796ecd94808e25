import { sentence } from '../messages/sentence.ts'
import type { RequestedSlot, RuleVerdict } from '../scheduling/plan/plan.ts'

/** The explanation of a slot: the slot, the verdict of each rule in order, and whether all allow it. */
export interface Explanation extends RequestedSlot {
  readonly bookable: boolean
  readonly rules: readonly RuleVerdict[]
}

/** Returns an explanation as the API and the command line show it, with English messages. */
export function shownExplanation({ rules, ...explained }: Explanation) {
  return {
    ...explained,
    rules: rules.map(({ rule, ok, code, message, value, setting }) => {
      return { rule, ok, ...(code && { code }), sentence: sentence(message), value, setting }
    }),
  }
}
