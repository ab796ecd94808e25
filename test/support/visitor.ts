import assert from 'node:assert/strict'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { type BookingRequest, listed, type Place, starts } from './booking-rules.ts'
import type { Call } from './linear.ts'
import type { AnyBody, Service } from './service.ts'

/** A period of providers who share appointments, independent of everything outside of it. */
export interface Ground {
  /**
   * The node whose clients make all calls. Undefined: clients of every node do, and list no slots, because the cached
   * slots of one node are behind the commits of another by up to 100 ms.
   */
  readonly node: number | undefined
  /** Every place of the ground, with the slot id under which it was listed. */
  readonly places: readonly (Place & { readonly availabilityId: string })[]
  readonly customers: readonly string[]
  /** The id of the service whose new reservations are pending. */
  readonly asking: string
  readonly calls: Call<BookingRequest>[]
  /** Ids of reservations known to a client, by mark. */
  readonly ids: Map<string, string>
}

/** A counter of the begin and end of calls, shared by all visitors of one history. */
export interface Moments {
  last: number
}

/** The options of a visitor. */
export interface VisitorOptions {
  readonly node: Service
  readonly name: string
  readonly random: () => number
  readonly moments: Moments
}

interface Sent {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: object
}

/** When the connection is cut: before the request was sent completely, or so many milliseconds after it was sent. */
type Cut = 'half' | number | undefined

/** A client that sends random requests, records each call with its response, and sometimes cuts its connection. */
export class Visitor {
  readonly #node: Service
  readonly #name: string
  readonly #random: () => number
  readonly #moments: Moments
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  #marks = 0
  cuts = 0
  turnedAway = 0

  constructor({ node, name, random, moments }: VisitorOptions) {
    this.#node = node
    this.#name = name
    this.#random = random
    this.#moments = moments
  }

  /** Makes one random call. */
  async act(ground: Ground): Promise<void> {
    const mark = this.#pick([...ground.ids.keys()])
    const choice = this.#random()
    if (choice < 0.12) await this.list(ground)
    else if (choice < 0.25 && ground.node !== undefined) await this.#slots(ground)
    else if (choice < 0.6 || mark === undefined) await this.#add(ground)
    else if (choice < 0.68) await this.#remove(ground, mark)
    else await this.#edit(ground, mark)
  }

  /** Lists all reservations of the ground; false without a response. */
  async list(ground: Ground): Promise<boolean> {
    const query = { full: 'true', customers: ground.customers.join(',') }
    const path = '/reservations/get/'
    return this.#record(ground, { ask: 'list' }, { method: 'GET', path, query }, (body) => {
      const here = new Set(
        ground.places.map(({ serviceId, providerId, start }) => `${serviceId} ${providerId} ${start}`),
      )
      const rows = body.response
        .map((row) => ({
          mark: String(Object(row.data).mark),
          id: row.id,
          serviceId: String(row.serviceId),
          providerId: Number(row.providerId),
          start: Number(row.start),
          end: Number(row.end),
          status: statusOf(row.status),
        }))
        .filter(({ serviceId, providerId, start }) => here.has(`${serviceId} ${providerId} ${start}`))
      for (const { mark, id } of rows) ground.ids.set(mark, id)
      return listed(new Map(rows.map((row) => [row.mark, row])))
    })
  }

  close(): void {
    this.#agent.destroy()
  }

  async #slots(ground: Ground): Promise<void> {
    const any = this.#place(ground)
    const places = ground.places.filter(
      ({ serviceId, providerId }) => serviceId === any.serviceId && providerId === any.providerId,
    )
    const query = {
      services: any.serviceId,
      providers: any.providerId,
      min_timestamp: Math.min(...places.map(({ start }) => start)),
      max_timestamp: Math.max(...places.map(({ start }) => start)) + 1,
    }
    await this.#record(ground, { ask: 'slots', places }, { method: 'GET', path: '/availability/get/', query }, (body) =>
      starts(body.response.map((row) => ({ ...any, start: Number(row.start) }))),
    )
  }

  async #add(ground: Ground): Promise<void> {
    const { availabilityId, ...place } = this.#place(ground)
    const mark = `${this.#name}-${this.#marks++}`
    const customerId = this.#pick(ground.customers)
    const status = place.serviceId === ground.asking ? 'pending' : 'confirmed'
    const body = { ...place, availabilityId, customerId, data: { mark } }
    const sent = { method: 'POST', path: '/reservations/add/', body } as const
    await this.#record(ground, { ask: 'add', mark, place, status }, sent, ({ id }) => {
      ground.ids.set(mark, id)
      return 'done'
    })
  }

  async #remove(ground: Ground, mark: string): Promise<void> {
    const query = { id: ground.ids.get(mark) ?? '' }
    await this.#record(ground, { ask: 'remove', mark }, { method: 'POST', path: '/reservations/remove/', query })
  }

  async #edit(ground: Ground, mark: string): Promise<void> {
    const { availabilityId, ...place } = this.#place(ground)
    const status = this.#pick(['cancelled', 'confirmed', 'confirmed', 'pending'] as const)
    const choice = this.#random()
    const change = { ...(choice < 0.6 && status && { status }), ...(choice > 0.5 && place) }
    const body = { id: ground.ids.get(mark), ...change }
    await this.#record(ground, { ask: 'edit', mark, change }, { method: 'POST', path: '/reservations/edit/', body })
  }

  /** Sends a request and records it; `read` formats a successful response. */
  async #record(ground: Ground, asked: BookingRequest, sent: Sent, read: (body: AnyBody) => string = () => 'done') {
    const began = ++this.#moments.last
    const answer = await this.#send(sent)
    const said = answer && this.#said(answer, read)
    // A read without a response is irrelevant.
    if (said === undefined && sent.method === 'GET') return false
    ground.calls.push({ asked, began, answer: said === undefined ? undefined : { at: ++this.#moments.last, said } })
    return said !== undefined
  }

  #said({ status, body }: { status: number; body: AnyBody }, read: (body: AnyBody) => string): string | undefined {
    if (status === 200) return read(body)
    if (status === 404 && body.reason === 'reservation_not_found') return 'gone'
    if (status === 403 && /^slot_(full|provider_busy)$/.test(body.reason)) return 'no room'
    // A response of 503 does not imply that nothing happened.
    assert.equal(status, 503, JSON.stringify(body))
    this.turnedAway += 1
    return undefined
  }

  #send({ method, path, query, body }: Sent): Promise<{ status: number; body: AnyBody } | undefined> {
    const { root, writeToken } = this.#node
    const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body))
    const search = new URLSearchParams(Object.entries(query ?? {}).map(([name, value]) => [name, String(value)]))
    const asking = request(`${root}${path}?${search}`, {
      method,
      agent: this.#agent,
      headers: {
        Authorization: `Bearer ${writeToken}`,
        ...(method === 'POST' && { 'Content-Length': bytes.length }),
        ...(body && { 'Content-Type': 'application/json' }),
      },
    })
    const answer = new Promise<{ status: number; body: AnyBody } | undefined>((resolve) => {
      asking.on('error', () => resolve(undefined))
      asking.on('response', (response) => resolve(whole(response)))
    })
    const cut = this.#cut()
    if (cut !== undefined) this.cuts += 1
    if (cut === 'half') {
      asking.flushHeaders()
      if (bytes.length > 0) asking.write(bytes.subarray(0, bytes.length / 2))
      setImmediate(() => asking.destroy())
    } else asking.end(bytes)
    if (typeof cut === 'number') {
      const timer = setTimeout(() => asking.destroy(), cut)
      answer.then(() => clearTimeout(timer))
    }
    return answer
  }

  #cut(): Cut {
    const choice = this.#random()
    if (choice < 0.01) return 'half'
    return choice < 0.04 ? Math.floor(this.#random() * 20) : undefined
  }

  #place(ground: Ground): Ground['places'][number] {
    const place = this.#pick(ground.places)
    assert.ok(place)
    return place
  }

  #pick<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#random() * list.length)]
  }
}

async function whole(response: IncomingMessage): Promise<{ status: number; body: AnyBody } | undefined> {
  try {
    return { status: response.statusCode ?? 0, body: JSON.parse(await text(response)) }
  } catch {
    return undefined
  }
}

function statusOf(status: unknown): 'pending' | 'confirmed' | 'cancelled' {
  assert.ok(status === 'pending' || status === 'confirmed' || status === 'cancelled')
  return status
}
