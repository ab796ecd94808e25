/** A private link that lets its holder book a service; only a hash of its secret is stored. */
export interface BookingLink {
  readonly id: string
  readonly serviceId: string
  /** Whether the link can be used for one booking only. */
  readonly singleUse: boolean
  /** When the private link expires (Unix seconds); null for never. */
  readonly expiresAt: number | null
  readonly createdAt: number
  /**
   * When a single-use link was used (Unix seconds); null while it is unused. A booking that was cancelled before the
   * customer confirmed the e-mail address does not count as a use.
   */
  readonly usedAt: number | null
  /** The id of the reservation that was booked with a single-use link; null when `usedAt` is null. */
  readonly reservationId: string | null
  readonly revokedAt: number | null
}

/** The state of a private link: `open`, or why it cannot be used. */
export type LinkState = 'open' | 'used' | 'expired' | 'revoked'

/** Returns the state of a private link at `now`. */
export function linkState({ revokedAt, usedAt, expiresAt }: BookingLink, now: number): LinkState {
  if (revokedAt !== null) return 'revoked'
  if (usedAt !== null) return 'used'
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'open'
}

/** Returns a private link as the event log records it, without the secret or its hash. */
export function shownLink({ id, serviceId, singleUse, expiresAt }: BookingLink) {
  return { id, serviceId, singleUse, expiresAt }
}
