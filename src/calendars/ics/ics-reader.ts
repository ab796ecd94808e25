import { CalendarFault } from '../calendar-fault.ts'
import { isTitle, type OpeningRule, withoutTitle } from '../openings/opening-rule.ts'

/**
 * An event or a time zone of an iCalendar file as unfolded content lines, without its own `BEGIN` and `END` and without
 * lines that the reader drops.
 */
export interface IcsComponent {
  readonly kind: 'VEVENT' | 'VTIMEZONE'
  readonly lines: readonly string[]
}

// The iCalendar properties of an event that determine when it takes place and whether it blocks time. Descriptions and
// people are never read; the title and the categories are read only with an `OpeningRule`.
const eventProperties = new Set([
  'UID',
  'SEQUENCE',
  'DTSTART',
  'DTEND',
  'DURATION',
  'RRULE',
  'RDATE',
  'EXDATE',
  'RECURRENCE-ID',
  'STATUS',
  'TRANSP',
  'X-MICROSOFT-CDO-BUSYSTATUS',
])

/**
 * The maximum length of a content line that the parser reads, in characters; lines that it skips may have any length.
 */
const maxLine = 262_144
/**
 * The length of an incomplete line, in characters, above which its beginning is read before its end arrives. It exceeds
 * the length of any property name, so that the beginning determines whether the line is dropped.
 */
const maxPart = 4_096
/** The maximum number of content lines of one component, not counting the lines that the reader drops. */
const maxLines = 20_000

/**
 * Parses an iCalendar file incrementally and passes on its events and time zones. It holds at most one component in
 * memory, and drops lines that are not needed, such as attachments, as they arrive. Titles are always dropped; with an
 * `OpeningRule`, a matching event gets a content line with the settings in its title instead (see `withoutTitle`).
 * Throws a `CalendarFault` for a text that is not a complete iCalendar file, or that exceeds a limit.
 */
export class IcsReader {
  readonly #found: (component: IcsComponent) => void
  readonly #opening: OpeningRule | undefined
  readonly #open: string[] = []
  #rest = ''
  /** The unfolded content line being read, which the next line may continue; undefined while a line is dropped. */
  #line: string | undefined
  /** Whether the next call of `#read` continues a long line whose first part has been read. */
  #isWithinLine = false
  #component: { readonly kind: IcsComponent['kind']; readonly depth: number; readonly lines: string[] } | undefined
  #isCalendar = false

  constructor(found: (component: IcsComponent) => void, opening?: OpeningRule) {
    this.#found = found
    this.#opening = opening
  }

  /** Parses the next piece of the iCalendar file. */
  push(piece: string): void {
    // NUL is never part of an iCalendar file, and PostgreSQL cannot store it.
    const text = this.#rest + piece.replaceAll('\0', '')
    let from = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.#read(text.slice(from, text[end - 1] === '\r' && end > from ? end - 1 : end))
      this.#isWithinLine = false
      from = end + 1
    }
    this.#rest = text.slice(from)
    // The beginning of a long line is read before its end arrives, so that a line to be dropped does not fill the
    // memory.
    if (this.#rest.length <= maxPart) return
    this.#read(this.#rest.slice(0, -1))
    this.#isWithinLine = true
    this.#rest = this.#rest.slice(-1)
  }

  /** Ends the parsing; throws a `CalendarFault` when the pieces are not a complete iCalendar file. */
  end(): void {
    if (this.#rest !== '') this.#read(this.#rest)
    this.#endLine()
    if (!this.#isCalendar) throw new CalendarFault('not_a_calendar')
    if (this.#open.length > 0) throw new CalendarFault('malformed')
  }

  /** Reads a line of the iCalendar file, or the next part of a long line. */
  #read(text: string): void {
    const isFolded = !this.#isWithinLine && (text[0] === ' ' || text[0] === '\t')
    if (isFolded || this.#isWithinLine) {
      if (this.#line === undefined) return
      if (this.#line.length + text.length > maxLine) throw new CalendarFault('malformed')
      this.#line += isFolded ? text.slice(1) : text
      return
    }
    this.#endLine()
    this.#line = text !== '' && this.#isNeeded(text) ? text : undefined
  }

  #isNeeded(line: string): boolean {
    const name = /^[A-Za-z0-9-]+/.exec(line)?.[0].toUpperCase()
    if (name === 'BEGIN' || name === 'END') return true
    if (!this.#isCalendar) throw new CalendarFault('not_a_calendar')
    if (!this.#component || name === undefined) return false
    if (this.#component.kind === 'VTIMEZONE') return true
    if (this.#open.length !== this.#component.depth) return false
    return eventProperties.has(name) || (this.#opening !== undefined && isTitle(line))
  }

  #endLine(): void {
    const line = this.#line?.replace(/^\uFEFF/, '')
    this.#line = undefined
    if (line === undefined) return
    const [, word, of] = /^(BEGIN|END):([A-Z0-9-]+)\s*$/i.exec(line)?.map((part) => part.toUpperCase()) ?? []
    if (word === 'BEGIN' && of !== undefined) this.#begin(of, line)
    else if (word === 'END' && of !== undefined) this.#end(of, line)
    else this.#keep(line)
  }

  #begin(kind: string, line: string): void {
    if (this.#open.length === 0 && kind !== 'VCALENDAR') throw new CalendarFault('not_a_calendar')
    this.#isCalendar = true
    this.#open.push(kind)
    if (this.#open.length > 10) throw new CalendarFault('malformed')
    if (this.#component) {
      if (this.#component.kind === 'VTIMEZONE') this.#keep(line)
    } else if (kind === 'VEVENT' || kind === 'VTIMEZONE') {
      this.#component = { kind, depth: this.#open.length, lines: [] }
    }
  }

  #end(kind: string, line: string): void {
    if (this.#open.pop() !== kind) throw new CalendarFault('malformed')
    const component = this.#component
    if (!component) return
    if (this.#open.length >= component.depth) {
      if (component.kind === 'VTIMEZONE') this.#keep(line)
      return
    }
    this.#component = undefined
    const { lines } = component
    const isEvent = component.kind === 'VEVENT'
    this.#found({ kind: component.kind, lines: this.#opening && isEvent ? withoutTitle(lines, this.#opening) : lines })
  }

  #keep(line: string): void {
    const lines = this.#component?.lines
    if (!lines) return
    if (lines.length >= maxLines) throw new CalendarFault('malformed')
    lines.push(line)
  }
}
