import type { RequestedSlot } from '../../scheduling/plan/plan.ts'

/** The duration of a hold in seconds. */
export const holdSeconds = 600

/** The most holds that one address may have at the same time. */
export const maxHoldsPerAddress = 10

/** A slot that is held for a booking form. */
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
  /** When the slot was chosen (Unix seconds): the moment for which lead time and horizon are checked. */
  readonly placedAt: number
  readonly expiresAt: number
}
