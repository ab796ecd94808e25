/** The scope of a feed: the reservations of one provider, of one service, or of the whole site. */
export interface FeedScope {
  readonly providerId: number | null
  readonly serviceId: string | null
}

/** A secret address under which calendar programs subscribe to reservations. */
export interface CalendarFeed extends FeedScope {
  readonly id: string
  /** Whether the titles of events contain the customers' names. */
  readonly names: boolean
  readonly createdAt: number
  /** The start of the UTC day on which the feed was last read (Unix seconds); null for never. */
  readonly readAt: number | null
}

/** The maximum number of events of a feed, which contains the earliest ones. */
export const maxFeedEvents = 10_000
/** The number of past days whose events a feed contains. */
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
  /** The customer's name; empty when the customer was removed. */
  readonly customer: string
}
