import { sentence } from '../messages/sentence.ts'
import type { RequestedSlot, RuleVerdict } from '../scheduling/plan/plan.ts'

/**
 * A slot with the verdict of every booking rule (whether the rule allows it, and why not), in the order of the rules.
 * `bookable` is true when all rules allow the slot.
 */
export interface Explanation extends RequestedSlot {
  readonly bookable: boolean
  readonly rules: readonly RuleVerdict[]
}

/** Returns an explanation of a slot in the format of the API and the command line, with English messages. */
export function shownExplanation({ rules, ...explained }: Explanation) {
  return {
    ...explained,
    rules: rules.map(({ rule, ok, code, message, value, setting }) => {
      return { rule, ok, ...(code && { code }), sentence: sentence(message), value, setting }
    }),
  }
}
