/** The scope of a calendar feed: the reservations of one provider, of one service, or of the whole site (both null). */
export interface FeedScope {
  readonly providerId: number | null
  readonly serviceId: string | null
}

/** A calendar feed: a secret address under which calendar programs subscribe to reservations. */
export interface CalendarFeed extends FeedScope {
  readonly id: string
  /** Whether the titles of events contain the customers' names. */
  readonly names: boolean
  readonly createdAt: number
  /** The start of the UTC day on which the feed was last read (Unix seconds); null for never. */
  readonly readAt: number | null
}

/** The maximum number of events in a calendar feed; later events are left out. */
export const maxFeedEvents = 10_000
/** The number of past days whose events a calendar feed contains. */
export const feedDaysBack = 30

/** A reservation as a calendar feed shows it. */
export interface FeedEvent {
  readonly id: string
  readonly start: number
  readonly end: number
  readonly isPending: boolean
  readonly version: number
  readonly updatedAt: number
  readonly service: string
  readonly provider: string
  /** The URL of the reservation's online meeting; empty for none. */
  readonly meeting: string
  /** The customer's name; empty when the customer was removed. */
  readonly customer: string
}
