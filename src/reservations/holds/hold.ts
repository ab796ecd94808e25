import type { RequestedSlot } from '../../scheduling/plan/plan.ts'

/**
 * The number of seconds for which a slot is reserved for an open booking form, counted from when the hold was placed or
 * extended.
 */
export const holdSeconds = 600

/**
 * The maximum number of holds (slots reserved for open booking forms) that one client address may have at the same
 * time.
 */
export const maxHoldsPerAddress = 10

/** A slot that is reserved for a limited time while a customer fills in the booking form. */
export interface Hold extends RequestedSlot {
  readonly id: string
  /** The SHA-256 hash of the secret of the booking form for which the slot is held. */
  readonly formHash: string
  /**
   * A keyed hash of the client's IP address (IPv6: of its first 64 bits), by which the slots that a client reserves are
   * counted.
   */
  readonly addressHash: string
  /** The number of seats of the slot that are reserved for the form. */
  readonly seats: number
  /** Whether the expiry has been extended; it can be extended once. */
  readonly extended: boolean
  /** When the slot was chosen (Unix seconds); minimum notice and booking horizon are checked for this time. */
  readonly placedAt: number
  readonly expiresAt: number
}
