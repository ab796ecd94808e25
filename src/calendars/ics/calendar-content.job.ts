import { createHash } from 'node:crypto'
import { createContext, Script } from 'node:vm'
import type { Interval } from '../../scheduling/time/interval.ts'
import { CalendarFault } from '../calendar-fault.ts'
import { maxCalendarEvents } from '../calendar-limits.ts'
import { type OpeningRule, openingOf } from '../openings/opening-rule.ts'
import { busyTimes, isOutside, type OpenTime, openTimes } from '../recurrence/busy-times.ts'
import { CalendarZones } from '../recurrence/calendar-zones.ts'
import type { StatedEvent, Transparency } from '../recurrence/event.ts'
import { parseEvent } from '../recurrence/parse-event.ts'
import { type IcsComponent, IcsReader } from './ics-reader.ts'

/**
 * The maximum total length of one calendar's stored content lines, in characters; lines of titles and attachments are
 * not stored.
 */
const maxKept = 32_000_000

/** The events and time zones of one calendar, read from one file or from several. */
export class CalendarContent {
  readonly #components: (IcsComponent & { readonly file: number })[] = []
  readonly #digest = createHash('sha256')
  #kept = 0
  #files = 0

  /** Returns a parser for one iCalendar file that adds the file's components to this calendar. */
  reader(opening?: OpeningRule): IcsReader {
    const file = this.#files++
    return new IcsReader((component) => this.#add(component, file), opening)
  }

  /**
   * Adds the components of one iCalendar file to the calendar; throws a `CalendarFault` when the calendar becomes too
   * large.
   */
  addFile(components: readonly IcsComponent[]): void {
    const file = this.#files++
    for (const component of components) this.#add(component, file)
  }

  /**
   * Returns the digest of the content that determines the calendar's busy times and openings (times that its events
   * open for booking). Changes of time stamps, and of titles that affect no opening, do not change the digest.
   */
  digest(): string {
    return this.#digest.copy().digest('base64url')
  }

  /**
   * Returns the busy times within the window, without the events for whose `UID` `isOwn` returns true. Throws a
   * `CalendarFault` if this takes over three seconds, since it blocks the thread, which also delivers webhooks.
   */
  busyTimes({ blocks, ...options }: BusyTimesOptions): Interval[] {
    return bounded(() => {
      const { events, zones } = this.#expand(options)
      return busyTimes(events, { zones, window: options.window, blocks })
    })
  }

  /**
   * Returns the times within the window that events open for booking (see `OpeningRule`), with the same limits as
   * `busyTimes`.
   */
  openTimes(options: ContentOptions): OpenTime[] {
    if (!this.#opensTime()) return []
    return bounded(() => {
      const { events, zones } = this.#expand(options)
      return openTimes(events, { zones, window: options.window })
    })
  }

  /** Returns the `UID`s of the calendar's events. */
  uids(): string[] {
    const uid = /^UID(?:;[^:]*)?:(.*)$/i
    return this.#components.flatMap(({ lines }) => lines.flatMap((line) => uid.exec(line)?.[1] ?? []))
  }

  #add(component: IcsComponent, file: number): void {
    this.#kept += component.lines.reduce((sum, line) => sum + line.length + 1, 0)
    if (this.#components.length >= maxCalendarEvents || this.#kept > maxKept) throw new CalendarFault('too_many_events')
    for (const line of component.lines) this.#digest.update(line).update('\n')
    this.#components.push({ ...component, file })
  }

  #opensTime(): boolean {
    return this.#components.some(({ lines }) => openingOf(lines) !== undefined)
  }

  /**
   * Returns the calendar's time zones, and those of its events that may overlap the window and for whose `UID` `isOwn`
   * returns false.
   */
  #expand({ home, window, isOwn }: ContentOptions): { readonly events: StatedEvent[]; readonly zones: CalendarZones } {
    const zones = new CalendarZones(home)
    for (const { kind, lines, file } of this.#components) if (kind === 'VTIMEZONE') zones.define(lines, file)
    const events: StatedEvent[] = []
    for (const { kind, lines, file } of this.#components) {
      if (kind !== 'VEVENT') continue
      const event = parseEvent(lines, (tzid) => zones.nameOf(tzid, file))
      if (event && !isOutside(event, window) && !isOwn(event.uid)) events.push(event)
    }
    return { events, zones }
  }
}

/**
 * The parameters of `openTimes`: the time zone and the interval in which events are expanded, and the events to ignore.
 */
export interface ContentOptions {
  /** The IANA time zone in which floating times and all-day events are interpreted. */
  readonly home: string
  readonly window: Interval
  readonly isOwn: (uid: string) => boolean
}

/** The parameters of `busyTimes`; `blocks` returns whether an event with the given transparency blocks time. */
export interface BusyTimesOptions extends ContentOptions {
  readonly blocks: (transparency: Transparency) => boolean
}

const maxMilliseconds = 3_000
const context: { work?: () => void } = createContext({})
const call = new Script('work()')

/**
 * Runs a computation, and stops it with a `CalendarFault` after `maxMilliseconds`. Thousands of time zones, or of rules
 * whose dates do not exist, can take longer.
 */
function bounded<T>(work: () => T): T {
  let result: { readonly of: T } | undefined
  context.work = () => {
    result = { of: work() }
  }
  try {
    call.runInContext(context, { timeout: maxMilliseconds })
  } catch (error) {
    if (error instanceof CalendarFault) throw error
    // An error other than a `CalendarFault` is the timeout, or an error of ical.js about an invalid time zone
    // definition.
    const isInterrupted = Object(error).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
    throw new CalendarFault(isInterrupted ? 'too_complex' : 'malformed')
  } finally {
    delete context.work
  }
  if (!result) throw new CalendarFault('too_complex')
  return result.of
}
