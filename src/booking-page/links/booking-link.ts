/** A private link to a service; its secret is stored as a hash only. */
export interface BookingLink {
  readonly id: string
  readonly serviceId: string
  /** Whether the link books once. */
  readonly singleUse: boolean
  /** Null for a link without an end. */
  readonly expiresAt: number | null
  readonly createdAt: number
  /** When a one-time link was used; null again when that booking expired because the e-mail address was not confirmed. */
  readonly usedAt: number | null
  /** The reservation that was booked with a one-time link. */
  readonly reservationId: string | null
  readonly revokedAt: number | null
}

/** Whether a link can be used, or why not. */
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
