import type { Provider, SlotOverrides } from '../../catalogue/providers/provider.ts'
import type { ProviderServiceSettings, Service } from '../../catalogue/services/service.ts'
import type { Message } from '../../messages/message.ts'
import type { SlotRefusal } from '../../messages/refusal.ts'
import type { SlotSource } from '../listing/slot-source.ts'
import type { Starts } from '../listing/starts.ts'
import type { Window } from '../opening-hours.ts'
import type { BookingIndex } from '../plan/booking-index.ts'
import type { Plan, RequestedSlot, RuleName, RuleVerdict } from '../plan/plan.ts'
import type { Interval } from '../time/interval.ts'

/** One condition on slots. `filter` and `verdict` state the same condition; test/properties/rules.test.ts compares them. */
export interface Rule {
  readonly name: RuleName
  /** Removes the starts that the rule refuses. Starts are in ascending order and lie in `question.within`. */
  filter(starts: Starts, question: RuleQuestion): Starts
  /** Answers for one slot, with the reason. */
  verdict(slot: RuleCase): Verdict
  /** What can change the rule's answer for slots of this source. */
  dependsOn(source: SlotSource): Dependencies
}

/** What can change the answer of a rule; absent members cannot. Every rule also depends on the catalogue. */
export interface Dependencies {
  /** The clock: the answer for a start changes when the current time exceeds `start - clock` (seconds). */
  readonly clock?: number
  /** Taken and blocked time of the source's members from `start - before` until `start + after` (seconds). */
  readonly time?: { readonly before: number; readonly after: number }
  /** Reservations that start within `margin` seconds of the slot: of the service, with all providers or its own. */
  readonly reservations?: { readonly margin: number; readonly ofAllProviders: boolean }
}

/** The slots that a filter looks at: those of one source that start within an interval. */
export interface RuleQuestion {
  readonly plan: Plan
  readonly bookingIndex: BookingIndex
  readonly slotSource: SlotSource
  readonly within: Interval
  readonly now: number
}

/** The slot that a verdict looks at. */
export interface RuleCase {
  readonly plan: Plan
  readonly bookingIndex: BookingIndex
  readonly service: Service
  readonly provider: Provider
  /** The providers that the slot occupies; all providers of a collective service, whichever one was named. */
  readonly slotSource: SlotSource
  readonly wanted: RequestedSlot
  readonly now: number
  /** The opening window whose grid has this start, if any, and the overrides of its date. */
  readonly window: Window | undefined
  readonly overrides: SlotOverrides
}

/** A rule's answer for one slot. */
export type Verdict = Omit<RuleVerdict, 'rule'>

/** The verdict of a rule that allows the slot. */
export function allowed(setting: string, value: unknown, message: Message): Verdict {
  return { ok: true, message, value, setting }
}

/** The verdict of a rule that refuses the slot. */
export function refused(setting: string, value: unknown, code: SlotRefusal, message: Message): Verdict {
  return { ok: false, code, message, value, setting }
}

/** The path of the setting that applies: the provider's own for this service, otherwise the service's. */
export function settingOf({ service, provider }: RuleCase, key: keyof ProviderServiceSettings): string {
  const own = provider.services.get(service.id)?.[key]
  return own === undefined ? `service.${key}` : `provider.services.${service.id}.${key}`
}
