import assert from 'node:assert/strict'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { TestSite } from './test-site.ts'

/** An HTML form of a page, as a browser without JavaScript sees it. */
export interface HtmlForm {
  readonly action: string
  readonly method: string
  /** The names and values of the fields, which the form sends whichever button is clicked. */
  readonly fields: readonly (readonly [string, string])[]
  readonly buttons: readonly { readonly name: string; readonly value: string; readonly text: string }[]
}

/** An HTML page that the service returned, with its forms. */
export interface HtmlPage {
  readonly path: string
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly html: string
  readonly forms: readonly HtmlForm[]
}

/** A simulated visitor of the booking page and the manage page, whose browser does not run JavaScript. */
export class BookingVisitor {
  readonly #url: string
  readonly #language: string
  readonly #localAddress: string | undefined
  #cookie = ''
  /** The number of requests that the service answered 503. */
  refusedCount = 0

  /** Creates a visitor without cookies; `localAddress` is the loopback address from which the visitor connects. */
  constructor(url: string, options: { readonly language?: string; readonly localAddress?: string } = {}) {
    this.#url = url
    this.#language = options.language ?? 'en-GB'
    this.#localAddress = options.localAddress
  }

  /** Opens a page, following redirects. */
  async open(path: string, headers: Readonly<Record<string, string>> = {}): Promise<HtmlPage> {
    const page = await this.#ask('GET', path, headers)
    const { location } = page.headers
    return page.status > 300 && page.status < 309 ? this.open(String(location), headers) : page
  }

  /** Submits a form with a button and with changed fields; a field changed to `undefined` is not sent. */
  async send(
    form: HtmlForm,
    button: { readonly name: string; readonly value: string } | undefined,
    change: Readonly<Record<string, string | undefined>> = {},
  ): Promise<HtmlPage> {
    const fields = new URLSearchParams(form.fields.filter(([name]) => !(name in change)).map(([...entry]) => entry))
    for (const [name, value] of Object.entries(change)) if (value !== undefined) fields.append(name, value)
    if (button?.name) fields.append(button.name, button.value)
    return this.post(form.action, fields)
  }

  /** Posts URL-encoded fields to a path, as an HTML form does. */
  post(path: string, fields: URLSearchParams): Promise<HtmlPage> {
    return this.#ask('POST', path, { 'Content-Type': 'application/x-www-form-urlencoded' }, fields.toString())
  }

  /** Submits the button of one of the times that the page shows, by its position from 0. */
  async choose(page: HtmlPage, nth = 0): Promise<HtmlPage> {
    const form = present(page.forms.find(({ buttons }) => buttons.some(({ name }) => name === 'slot')))
    const times = form.buttons.filter(({ name }) => name === 'slot')
    return this.send(form, present(times[nth]))
  }

  /** Fills in the form for the customer's details and continues to the summary. */
  fillIn(page: HtmlPage, details: Readonly<Record<string, string>>): Promise<HtmlPage> {
    return this.send(
      detailsForm(page),
      { name: 'step', value: 'details' },
      { phone: undefined, country: undefined, ...details },
    )
  }

  /** Submits the summary, which books the slot. */
  confirm(page: HtmlPage): Promise<HtmlPage> {
    const form = present(page.forms.find(({ buttons }) => buttons.some(({ value }) => value === 'book')))
    return this.send(form, { name: 'step', value: 'book' })
  }

  /**
   * Sends a request, and repeats it while the service is overloaded and answers 503, each time after the seconds in
   * `Retry-After`.
   */
  async #ask(method: string, path: string, headers: Readonly<Record<string, string>>, body = ''): Promise<HtmlPage> {
    const page = await this.#askOnce(method, path, headers, body)
    if (page.status !== 503) return page
    this.refusedCount += 1
    assert.match(page.html, /Please try again in a few seconds/)
    assert.match(String(page.headers['retry-after']), /^\d+$/)
    await pause(Number(page.headers['retry-after']) * 1000)
    return this.#ask(method, path, headers, body)
  }

  #askOnce(method: string, path: string, headers: Readonly<Record<string, string>>, body: string): Promise<HtmlPage> {
    const url = new URL(path, this.#url)
    const options = {
      method,
      headers: {
        'Accept-Language': this.#language,
        ...(this.#cookie && { Cookie: this.#cookie }),
        ...headers,
        ...(body && { 'Content-Length': Buffer.byteLength(body) }),
      },
      ...(this.#localAddress !== undefined && { localAddress: this.#localAddress }),
    }
    return new Promise((resolve, reject) => {
      const sent = request(url, options, (response) => {
        this.#cookie = response.headers['set-cookie']?.[0]?.split(';')[0] ?? this.#cookie
        let html = ''
        response.setEncoding('utf8')
        response.on('data', (part: string) => (html += part))
        response.on('end', () =>
          resolve({
            path: url.pathname + url.search,
            status: response.statusCode ?? 0,
            headers: response.headers,
            html,
            forms: formsOf(html),
          }),
        )
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }
}

/**
 * Returns a function that books a service with provider 1 on the booking page of a site, each time as a new visitor
 * with an address in `network`, such as `127.0.4`. The function returns the visitor, the path of the page on which the
 * customer manages the reservation, and the reservation's id.
 */
export function guestsOf(site: () => Pick<TestSite, 'server' | 'nextDay'>, network: string) {
  let guests = 0
  return async (service: string, more = '', details: Readonly<Record<string, string>> = {}) => {
    guests += 1
    const visitor = new BookingVisitor(site().server.url, { localAddress: `${network}.${guests}` })
    const month = await visitor.open(`/book/${service}/?with=1&date=${site().nextDay()}${more}`)
    const entered = { name: `Guest ${guests}`, email: `guest${guests}@example.org`, ...details }
    const done = await visitor.confirm(await visitor.fillIn(await visitor.choose(month), entered))
    const link = new URL(/href="([^"]*\/manage\/[^"]*\/)"/.exec(done.html)?.[1] ?? '').pathname
    return { visitor, link, id: link.split('/')[2]?.split('.')[0] ?? '' }
  }
}

/** Returns the first form of a page whose action begins with `path`. */
export function formAt(page: HtmlPage, path: string): HtmlForm {
  const form = page.forms.find(({ action }) => action.startsWith(path))
  assert.ok(form, `${path}: ${textOf(page)}`)
  return form
}

/** Returns the form of a page for the customer's details; fails when the page has none. */
export function detailsForm(page: HtmlPage): HtmlForm {
  return present(page.forms.find(({ buttons }) => buttons.some(({ value }) => value === 'details')))
}

/** Returns the value of the first field of this name in the page's forms; fails when there is none. */
export function fieldOf(page: HtmlPage, wanted: string): string {
  const entries = page.forms.flatMap(({ fields }) => fields)
  return present(entries.find(([name]) => name === wanted))[1]
}

/** Returns the text of a page from its element `main` on, without tags, each run of white space as one space. */
export function textOf({ html }: HtmlPage): string {
  const main = html.slice(html.indexOf('<main'))
  return decoded(main.replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ')
}

function formsOf(html: string): HtmlForm[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, attributes = '', content = '']) => ({
    action: attribute(attributes, 'action') ?? '',
    method: attribute(attributes, 'method') ?? 'get',
    fields: [...inputsOf(content), ...selectsOf(content), ...textareasOf(content)],
    buttons: [...content.matchAll(/<button\b([^>]*)>([\s\S]*?)<\/button>/g)].map(([, own = '', text = '']) => ({
      name: attribute(own, 'name') ?? '',
      value: attribute(own, 'value') ?? '',
      text: decoded(text.replace(/<[^>]*>/g, ' ')).trim(),
    })),
  }))
}

function inputsOf(content: string): (readonly [string, string])[] {
  return [...content.matchAll(/<input\b([^>]*)>/g)].flatMap(([, own = '']) => {
    const name = attribute(own, 'name')
    const isBox = /type="(?:checkbox|radio)"/.test(own)
    if (name === undefined || (isBox && !/\schecked/.test(own))) return []
    return [[name, attribute(own, 'value') ?? (isBox ? 'on' : '')] as const]
  })
}

function selectsOf(content: string): (readonly [string, string])[] {
  return [...content.matchAll(/<select\b([^>]*)>([\s\S]*?)<\/select>/g)].map(([, own = '', options = '']) => {
    const chosen = /<option\b([^>]*\sselected[^>]*)>([^<]*)/.exec(options) ?? /<option\b([^>]*)>([^<]*)/.exec(options)
    return [attribute(own, 'name') ?? '', attribute(chosen?.[1] ?? '', 'value') ?? decoded(chosen?.[2] ?? '')] as const
  })
}

function textareasOf(content: string): (readonly [string, string])[] {
  return [...content.matchAll(/<textarea\b([^>]*)>([\s\S]*?)<\/textarea>/g)].map(
    ([, own = '', text = '']) => [attribute(own, 'name') ?? '', decoded(text)] as const,
  )
}

function attribute(attributes: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(` ${attributes}`)?.[1]
  return value === undefined ? undefined : decoded(value)
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

function decoded(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => entities[name] ?? whole)
}

function present<T>(value: T | undefined): T {
  assert.ok(value !== undefined, 'The page lacks what a visitor needs.')
  return value
}
