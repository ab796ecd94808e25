import sax, { type SAXParser } from 'sax'
import { CalendarFault } from '../calendar-fault.ts'

/** A property of a resource in a multistatus response (RFC 4918). */
export interface DavProperty {
  readonly text: string
  /** The names of the XML elements in the property, without their prefixes. */
  readonly elements: readonly string[]
  /** The contents of the `href` elements in the property, which are URLs or paths. */
  readonly hrefs: readonly string[]
  /** The values of `name` attributes in the property, such as the component types that a calendar supports. */
  readonly names: readonly string[]
}

/** One resource of a multistatus response (RFC 4918). */
export interface DavResource {
  readonly href: string
  /** The HTTP status of the resource as a whole; 0 when its properties have statuses of their own. */
  readonly status: number
  /** The properties of the resource that the server found, by name without prefix. */
  readonly properties: ReadonlyMap<string, DavProperty>
}

/** The functions to which a `MultistatusReader` passes what it reads. */
export interface MultistatusHandlers {
  /** Receives each resource when its description is complete. */
  readonly resource: (resource: DavResource) => void
  /**
   * Receives the content of `calendar-data` in pieces. The content belongs to the resource that is passed to `resource`
   * next.
   */
  readonly calendarData?: (piece: string) => void
}

const maxDepth = 40
const maxAttributes = 50
const maxResources = 60_000
const maxText = 8_192
const maxElements = 200

interface OpenProperty {
  readonly name: string
  text: string
  readonly elements: string[]
  readonly hrefs: string[]
  readonly names: string[]
}

/**
 * Reads a multistatus response (RFC 4918) piece by piece and holds at most one resource in memory. Prefixes of XML
 * names are ignored, because the names of the requested properties are unique without them. Entities that XML itself
 * does not define are refused.
 */
export class MultistatusReader {
  readonly #handlers: MultistatusHandlers
  readonly #parser: SAXParser
  readonly #path: string[] = []
  #attributes = 0
  #resources = 0
  #isMultistatus = false
  #syncToken = ''
  #href = ''
  #status = ''
  #found = new Map<string, DavProperty>()
  /** The properties in the `propstat` element that is being read, and its status. */
  #properties: OpenProperty[] = []
  #propertiesStatus = ''
  #property: OpenProperty | undefined

  constructor(handlers: MultistatusHandlers) {
    this.#handlers = handlers
    const parser = sax.parser(true, { trim: false, normalize: false })
    parser.onerror = () => malformed()
    parser.onopentagstart = ({ name }) => this.#begin(localName(name))
    parser.onattribute = ({ name, value }) => this.#attribute(localName(name), value)
    parser.ontext = (text) => this.#text(text)
    parser.oncdata = (text) => this.#text(text)
    parser.onclosetag = () => this.#end()
    this.#parser = parser
  }

  /** The sync token in the response to a `sync-collection` report; empty when there is none. */
  get syncToken(): string {
    return this.#syncToken
  }

  /** Parses the next piece of the response body. */
  push(piece: string): void {
    // NUL is never part of XML, and PostgreSQL cannot store it.
    this.#parser.write(piece.replaceAll('\0', ''))
  }

  /** Ends the parsing; throws a `CalendarFault` when the pieces are not a complete multistatus response. */
  end(): void {
    if (!this.#isMultistatus || this.#path.length > 0) malformed()
  }

  #begin(name: string): void {
    if (this.#path.length === 0) {
      if (name !== 'multistatus') throw new CalendarFault('not_a_calendar')
      this.#isMultistatus = true
    }
    if (this.#path.length >= maxDepth) malformed()
    const parent = this.#path.at(-1)
    this.#path.push(name)
    this.#attributes = 0
    if (name === 'response' && this.#path.length === 2) this.#beginResource()
    else if (name === 'propstat') {
      this.#properties = []
      this.#propertiesStatus = ''
    } else if (this.#property) {
      if (this.#property.elements.length < maxElements) this.#property.elements.push(name)
      if (name === 'href' && this.#property.hrefs.length < maxElements) this.#property.hrefs.push('')
    } else if (parent === 'prop' && this.#properties.length < maxElements) {
      this.#property = { name, text: '', elements: [], hrefs: [], names: [] }
      this.#properties.push(this.#property)
    }
  }

  #beginResource(): void {
    this.#resources += 1
    if (this.#resources > maxResources) throw new CalendarFault('too_many_events')
    this.#href = ''
    this.#status = ''
    this.#found = new Map()
  }

  #attribute(name: string, value: string): void {
    this.#attributes += 1
    if (this.#attributes > maxAttributes) malformed()
    if (name === 'name' && this.#property && this.#property.names.length < maxElements) this.#property.names.push(value)
  }

  #text(text: string): void {
    const name = this.#path.at(-1)
    const property = this.#property
    if (property) {
      if (property.name === 'calendar-data') this.#handlers.calendarData?.(text)
      else if (property.text.length + text.length > maxText) malformed()
      else if (name === 'href') property.hrefs[property.hrefs.length - 1] += text.trim()
      else property.text += text
    } else if (name === 'sync-token' && this.#path.length === 2) this.#syncToken = joined(this.#syncToken, text)
    else if (name === 'href' && this.#path.length === 3) this.#href = joined(this.#href, text)
    else if (name === 'status' && this.#path.length === 3) this.#status = joined(this.#status, text)
    else if (name === 'status' && this.#path.at(-2) === 'propstat')
      this.#propertiesStatus = joined(this.#propertiesStatus, text)
  }

  #end(): void {
    const name = this.#path.pop()
    if (this.#property && this.#path.at(-1) === 'prop') this.#property = undefined
    else if (name === 'propstat' && statusOf(this.#propertiesStatus) === 200)
      for (const { name: of, ...property } of this.#properties)
        this.#found.set(of, { ...property, text: property.text.trim() })
    else if (name === 'response' && this.#path.length === 1)
      this.#handlers.resource({
        ...{ href: this.#href.trim(), status: statusOf(this.#status), properties: this.#found },
      })
  }
}

function joined(text: string, more: string): string {
  if (text.length + more.length > maxText) malformed()
  return text + more
}

/** Returns the status code in a status line such as `HTTP/1.1 200 OK`; 0 for none. */
function statusOf(line: string): number {
  return Number(/^\s*HTTP\/\S+\s+(\d{3})/.exec(line)?.[1] ?? 0)
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function malformed(): never {
  throw new CalendarFault('malformed')
}
