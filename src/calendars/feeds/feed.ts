/** What a feed contains: the reservations of one provider, of one service, or of the whole site. */
export interface FeedScope {
  readonly providerId: number | null
  readonly serviceId: string | null
}

/** A secret address under which calendar programs subscribe to reservations. */
export interface CalendarFeed extends FeedScope {
  readonly id: string
  /** Whether the events name the customers. */
  readonly names: boolean
  readonly createdAt: number
  /** The day on which the feed was last read, as its first second in UTC; null for never. */
  readonly readAt: number | null
}

/** The maximum number of events of a feed, the earliest first. */
export const maxFeedEvents = 10_000
/** Days before today whose events a feed still contains. */
export const feedDaysBack = 30

/** A reservation as a feed shows it. */
export interface FeedEvent {
  readonly id: string
  readonly start: number
  readonly end: number
  readonly isPending: boolean
  readonly version: number
  readonly updatedAt: number
  readonly service: string
  readonly provider: string
  /** The address of an online appointment; empty for none. */
  readonly meeting: string
  /** Empty when the customer was removed. */
  readonly customer: string
}
