/** A private link to a service; only a hash of its secret is stored. */
export interface BookingLink {
  readonly id: string
  readonly serviceId: string
  /** Whether the link can be used for one booking only. */
  readonly singleUse: boolean
  /** When the link expires (Unix seconds); null for never. */
  readonly expiresAt: number | null
  readonly createdAt: number
  /**
   * When a single-use link was used (Unix seconds); null while it is unused, and again when its booking expired without
   * confirmation of the e-mail address.
   */
  readonly usedAt: number | null
  /** The id of the reservation that was booked with a single-use link. */
  readonly reservationId: string | null
  readonly revokedAt: number | null
}

/** The state of a link: `open`, or why it cannot be used. */
export type LinkState = 'open' | 'used' | 'expired' | 'revoked'

/** Returns the state of a link. */
export function linkState({ revokedAt, usedAt, expiresAt }: BookingLink, now: number): LinkState {
  if (revokedAt !== null) return 'revoked'
  if (usedAt !== null) return 'used'
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'open'
}

/** Returns a link for the event log, which never contains the secret or its hash. */
export function shownLink({ id, serviceId, singleUse, expiresAt }: BookingLink) {
  return { id, serviceId, singleUse, expiresAt }
}
