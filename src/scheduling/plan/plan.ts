import type { Provider, SlotOverrides } from '../../catalogue/providers/provider.ts'
import type { EffectiveSettings, RoutingMode, Service } from '../../catalogue/services/service.ts'
import type { Holiday } from '../../catalogue/site/site.ts'
import type { Message } from '../../messages/message.ts'
import type { SlotRefusal } from '../../messages/refusal.ts'
import type { BlockedTimes, TakenTimes } from './occupancy.ts'
import type { ResourceName } from './resource.ts'

/** A pending or confirmed reservation, as limits, seat counts and `least_busy` need it. */
export interface Booked {
  readonly serviceId: string
  readonly providerId: number
  readonly customerId: string
  readonly start: number
  readonly end: number
}

/** How often one service was assigned to one provider, and when last (Unix seconds; 0 never). */
export interface Assigned {
  readonly count: number
  readonly lastAt: number
  /** Orders assignments made within one second. */
  readonly turn: number
}

/**
 * The data from which the slots of some services in one window are computed. When a reservation is moved, the plan is loaded
 * without its own rows in `occupied` and `booked`.
 */
export interface Plan {
  readonly holidays: readonly Holiday[]
  readonly listFullSlots: boolean
  readonly services: readonly Service[]
  /** Every provider of the site, ascending by id. */
  readonly providers: readonly Provider[]
  /** By resource; an absent resource is free. */
  readonly occupied: ReadonlyMap<ResourceName, TakenTimes>
  readonly blocked: ReadonlyMap<ResourceName, BlockedTimes>
  /** Pending and confirmed ones that matter for seat counts, limits and `least_busy` in the window. */
  readonly booked: readonly Booked[]
  /** By `${serviceId}:${providerId}`; absent means never. */
  readonly assigned: ReadonlyMap<string, Assigned>
  /** Keys the choice of `random`: the same for a slot within a bucket. */
  readonly bucket: number
}

export interface SlotWindow {
  /** Slots whose start lies in [from, until) are listed. */
  readonly from: number
  readonly until: number
  readonly now: number
  /** Providers to list for; undefined is all. */
  readonly providerIds?: ReadonlySet<number>
}

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

export interface RequestedSlot {
  readonly serviceId: string
  readonly providerId: number
  readonly start: number
  readonly end: number
}

/** A slot that may be taken, with what the booking needs to know of it. */
export interface Offer {
  readonly slot: Slot
  /** The rule of the provider named, its capacity already that of the slot's overrides. */
  readonly rule: EffectiveSettings
  /** Whom the reservation occupies, with which rule: one, or all of a collective service. */
  readonly occupies: readonly EffectiveSettings[]
  /** Whom the routing rule would pick now, and why. */
  readonly picked: number
  readonly because: Message
}

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

/** The verdict of one rule on one slot. */
export interface RuleVerdict {
  readonly rule: RuleName
  readonly ok: boolean
  /** Why not; present when `ok` is false. */
  readonly code?: SlotRefusal
  /** For the person who asks. */
  readonly message: Message
  /** The value that decided, e.g. the opening windows of the day, the earliest start, the seats taken. */
  readonly value: unknown
  /** Where it is set, e.g. `service.leadTimeMinutes`, `provider.weekly`. */
  readonly setting: string
}

/** The customer's side of the rules for one booking. */
export interface CustomerLoad {
  readonly id: string
  readonly blocked: boolean
  /** The customer's pending and confirmed reservations of the service near the slot, the moved one left out. */
  readonly booked: readonly Booked[]
}
