/** A time as a calendar file states it: a wall time in seconds since 1970-01-01T00:00, and its zone. */
export interface StatedTime {
  readonly wall: number
  /** The `TZID`; `UTC` for UTC; null for a floating time. */
  readonly zone: string | null
  /** Whether the value is a date, as in all-day events. */
  readonly isDate: boolean
}

/** A recurrence rule: the parts that ical.js evaluates, and its end (`UNTIL`). */
export interface StatedRule {
  readonly parts: Readonly<Record<string, unknown>>
  readonly until: StatedTime | undefined
}

/** How an event affects the time of its owner. */
export type Transparency = 'busy' | 'free' | 'tentative' | 'out_of_office'

/** An event as a calendar file states it, without any text about its content. */
export interface StatedEvent {
  readonly uid: string
  readonly sequence: number
  readonly start: StatedTime
  readonly end: StatedTime | undefined
  /** The `DURATION`, in days and in seconds. */
  readonly duration: { readonly days: number; readonly seconds: number } | undefined
  readonly rules: readonly StatedRule[]
  readonly dates: readonly { readonly start: StatedTime; readonly seconds: number | undefined }[]
  readonly exceptions: readonly StatedTime[]
  /** The start of the instance that this event replaces; undefined for an event of its own. */
  readonly replaces: StatedTime | undefined
  /** Whether this event replaces all later instances as well. */
  readonly andFollowing: boolean
  readonly isCancelled: boolean
  readonly transparency: Transparency
  /** The settings of an event that opens time instead of blocking it (see `OpeningRule`); undefined for others. */
  readonly opening: string | undefined
}

/** Whether an event is a series, or replaces an instance of one. */
export function isRecurring({ rules, dates, replaces }: StatedEvent): boolean {
  return rules.length > 0 || dates.length > 0 || replaces !== undefined
}
