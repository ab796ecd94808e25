import type { RequestedSlot } from '../../scheduling/plan/plan.ts'

/** The duration of a hold in seconds. */
export const holdSeconds = 600

/** The maximum number of holds that one client address may have at the same time. */
export const maxHoldsPerAddress = 10

/** A slot that is reserved for a limited time while a customer fills in the booking form. */
export interface Hold extends RequestedSlot {
  readonly id: string
  /** The SHA-256 hash of the form's secret. */
  readonly formHash: string
  /** A keyed hash of the client's address. */
  readonly addressHash: string
  /** The number of seats held. */
  readonly seats: number
  /** Whether the hold has been extended; it can be extended once. */
  readonly extended: boolean
  /** When the slot was chosen (Unix seconds); minimum notice and booking horizon are checked for this time. */
  readonly placedAt: number
  readonly expiresAt: number
}
