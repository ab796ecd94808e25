/** A time as a calendar file states it: a wall time in seconds since 1970-01-01T00:00, and its zone. */
export interface StatedTime {
  readonly wall: number
  /** The name of the time zone (see `CalendarZones.nameOf`); `UTC` for UTC, null for a floating time and for a date. */
  readonly zone: string | null
  /** Whether the value is a date without a time, as in all-day events. */
  readonly isDate: boolean
}

/** A recurrence rule: its end (`UNTIL`), and its other parts as ical.js parses them. */
export interface StatedRule {
  readonly parts: Readonly<Record<string, unknown>>
  readonly until: StatedTime | undefined
}

/** How a calendar shows its owner during an event: busy, free, perhaps busy, or out of office. */
export type Transparency = 'busy' | 'free' | 'tentative' | 'out_of_office'

/**
 * An event as a calendar file states it, without its title and description. For an event that opens time for booking,
 * `opening` contains the settings in its title.
 */
export interface StatedEvent {
  readonly uid: string
  readonly sequence: number
  readonly start: StatedTime
  readonly end: StatedTime | undefined
  /** The `DURATION` of the event, as days and additional seconds; undefined when the event has none. */
  readonly duration: { readonly days: number; readonly seconds: number } | undefined
  readonly rules: readonly StatedRule[]
  readonly dates: readonly { readonly start: StatedTime; readonly seconds: number | undefined }[]
  readonly exceptions: readonly StatedTime[]
  /** The start of the instance of a series that this event replaces; undefined when it replaces none. */
  readonly replaces: StatedTime | undefined
  /** Whether this event replaces all later instances of the series as well. */
  readonly andFollowing: boolean
  readonly isCancelled: boolean
  readonly transparency: Transparency
  /**
   * The settings in the title, such as `[price=60]`, of an event that opens time for booking instead of blocking it
   * (see `OpeningRule`); undefined for any other event, such as a tentative one.
   */
  readonly opening: string | undefined
}

/** Whether an event is a series, or replaces an instance of one. */
export function isRecurring({ rules, dates, replaces }: StatedEvent): boolean {
  return rules.length > 0 || dates.length > 0 || replaces !== undefined
}
