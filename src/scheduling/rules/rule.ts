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

/**
 * One condition on slots. `filter` and `verdict` state the same condition; test/properties/rules.test.ts compares them.
 */
export interface Rule {
  readonly name: RuleName
  /** Returns the starts that the rule allows and those of listed full slots, ascending and within `question.within`. */
  filter(starts: Starts, question: RuleQuestion): Starts
  /** Returns whether the rule allows booking one slot, and why. */
  verdict(slot: RuleCase): Verdict
  /**
   * Returns what can change whether the rule allows the slots of one provider, or of all providers of a collective
   * service.
   */
  dependsOn(source: SlotSource): Dependencies
}

/**
 * The data, besides services, providers and settings, that can change whether a rule allows a slot. A field is absent
 * when its data cannot change this.
 */
export interface Dependencies {
  /**
   * Seconds before a start: whether the rule allows the start can change when the current time passes `start - clock`.
   */
  readonly clock?: number
  /**
   * The occupied and blocked time, from `start - before` until `start + after` (seconds), of the providers whose time a
   * slot occupies.
   */
  readonly time?: { readonly before: number; readonly after: number }
  /**
   * Reservations of the service that start within `margin` seconds of the slot, either with all providers or with the
   * slot's provider only.
   */
  readonly reservations?: { readonly margin: number; readonly ofAllProviders: boolean }
}

/**
 * The input of `Rule.filter` besides the starts: the provider, or all providers of a collective service, whose slots
 * are filtered, the interval in which the slots start, and the data from which every rule decides.
 */
export interface RuleQuestion {
  readonly plan: Plan
  readonly bookingIndex: BookingIndex
  readonly slotSource: SlotSource
  readonly within: Interval
  readonly now: number
}

/** One requested slot with the data from which every rule decides whether the slot can be booked. */
export interface RuleCase {
  readonly plan: Plan
  readonly bookingIndex: BookingIndex
  readonly service: Service
  readonly provider: Provider
  /**
   * The providers whose time the slot occupies; for a collective service all its providers, whichever of them was
   * requested.
   */
  readonly slotSource: SlotSource
  readonly wanted: RequestedSlot
  readonly now: number
  /**
   * The opening window that has the slot on its grid; undefined if there is none or the slot has the wrong duration.
   */
  readonly window: Window | undefined
  readonly overrides: SlotOverrides
}

/** The verdict of a rule on one slot: whether the rule allows booking it, and why; without the rule's name. */
export type Verdict = Omit<RuleVerdict, 'rule'>

/** Returns the answer of a rule that allows the slot, with the setting and the value that decided. */
export function allowed(setting: string, value: unknown, message: Message): Verdict {
  return { ok: true, message, value, setting }
}

/** Returns the answer of a rule that refuses the slot, with the setting and the value that decided. */
export function refused(setting: string, value: unknown, code: SlotRefusal, message: Message): Verdict {
  return { ok: false, code, message, value, setting }
}

/** Returns the path of a setting: the provider's own for this service if it is set, otherwise the service's. */
export function settingOf({ service, provider }: RuleCase, key: keyof ProviderServiceSettings): string {
  const own = provider.services.get(service.id)?.[key]
  return own === undefined ? `service.${key}` : `provider.services.${service.id}.${key}`
}
