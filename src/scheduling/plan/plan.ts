import type { Provider, SlotOverrides } from '../../catalogue/providers/provider.ts'
import type { EffectiveSettings, RoutingMode, Service } from '../../catalogue/services/service.ts'
import type { Holiday } from '../../catalogue/site/site.ts'
import type { Message } from '../../messages/message.ts'
import type { SlotRefusal } from '../../messages/refusal.ts'
import type { BlockedTimes, TakenTimes } from './occupancy.ts'
import type { ResourceName } from './resource.ts'

/**
 * A pending or confirmed reservation with the fields that the service's limits, the value `Slot.reservationsCount` and
 * the choice of the `least_busy` provider need.
 */
export interface Booked {
  readonly serviceId: string
  readonly providerId: number
  readonly customerId: string
  readonly start: number
  readonly end: number
}

/**
 * The number of times a provider was assigned to a service, and the time of the last assignment (Unix seconds; 0 for
 * never).
 */
export interface Assigned {
  readonly count: number
  readonly lastAt: number
  /** The sequence number of the last assignment, which orders assignments within one second. */
  readonly turn: number
}

/**
 * All data from which the slots of some services in one window are computed. When a reservation is moved, the plan is
 * loaded without that reservation.
 */
export interface Plan {
  readonly holidays: readonly Holiday[]
  readonly listFullSlots: boolean
  readonly services: readonly Service[]
  /** Every provider of the site, ascending by id. */
  readonly providers: readonly Provider[]
  /** Occupied time by resource; absent for a resource that is not occupied or on which no slot depends. */
  readonly occupied: ReadonlyMap<ResourceName, TakenTimes>
  readonly blocked: ReadonlyMap<ResourceName, BlockedTimes>
  /**
   * The pending and confirmed reservations near the window, from which `Slot.reservationsCount`, the services' limits
   * and the `least_busy` provider are computed; may be empty when none of them is needed.
   */
  readonly booked: readonly Booked[]
  /**
   * The collective reservations (with several providers together) near the window, once for each provider that they
   * occupy besides the one under which they are stored, with that provider's id. Only the `least_busy` choice counts
   * them; empty unless a service has this routing mode.
   */
  readonly shared: readonly Booked[]
  /**
   * How often each provider was assigned to each service, by service id and provider id, loaded for the `round_robin`
   * and `weighted` choice of providers; absent when never assigned.
   */
  readonly assigned: ReadonlyMap<string, ReadonlyMap<number, Assigned>>
  /**
   * The seed with which `random` routing picks a provider: the number of the current period of 15 minutes, so that the
   * pick for a slot stays the same within it.
   */
  readonly bucket: number
}

/** The parameters of `openSlots`: the window in which slots are listed, the present time, and the providers. */
export interface SlotWindow {
  /** The window in Unix seconds: slots whose start lies in [from, until) are listed. */
  readonly from: number
  readonly until: number
  readonly now: number
  /** The ids of the providers whose slots are listed; undefined to list the slots of all providers. */
  readonly providerIds?: ReadonlySet<number>
}

/** A slot of a service, listed under one provider. */
export interface Slot {
  readonly serviceId: string
  readonly providerId: number
  readonly start: number
  readonly end: number
  readonly bookable: boolean
  readonly routingMode: RoutingMode
  readonly eligibleProviderIds: readonly number[]
  readonly reservationsCount: number
  readonly overrides: SlotOverrides
}

/** The service, the provider and the time of a requested slot. */
export interface RequestedSlot {
  readonly serviceId: string
  readonly providerId: number
  readonly start: number
  readonly end: number
}

/** A slot that can be booked, with the data from which the reservation and its seats are stored. */
export interface Offer {
  readonly slot: Slot
  /** The settings of the slot's provider, with the capacity that the slot's overrides set, if any. */
  readonly rule: EffectiveSettings
  /** The settings of each provider that the reservation occupies: one, or all of a collective service. */
  readonly occupies: readonly EffectiveSettings[]
  /** The id of the provider that the service's routing mode picks now for the slot; `because` says why. */
  readonly picked: number
  readonly because: Message
}

/** The name of a rule that decides whether a slot can be booked. */
export type RuleName =
  | 'service_active'
  | 'provider_eligible'
  | 'lead_time'
  | 'horizon'
  | 'opening_hours'
  | 'time_off'
  | 'calendar'
  | 'occupancy'
  | 'capacity'
  | 'limits'

/** The verdict of one rule on one slot: whether the rule allows booking it, and why. */
export interface RuleVerdict {
  readonly rule: RuleName
  readonly ok: boolean
  /** The refusal code; present when `ok` is false. */
  readonly code?: SlotRefusal
  /** Why the rule allows or refuses the slot, as a message for the user. */
  readonly message: Message
  /**
   * The value on which the rule's decision is based, such as the opening windows of the day, the earliest start or the
   * seats taken.
   */
  readonly value: unknown
  /**
   * The path of the setting that decided whether the rule allows the slot, such as `service.leadTimeMinutes` or
   * `provider.weekly.mon`.
   */
  readonly setting: string
}

/** The status and reservations of a customer, against which one booking by that customer is checked. */
export interface CustomerLoad {
  readonly id: string
  readonly blocked: boolean
  /**
   * The customer's pending and confirmed reservations of the service near the slot, without the reservation that is
   * being moved; empty when the service has no limit per customer and day.
   */
  readonly booked: readonly Booked[]
}
