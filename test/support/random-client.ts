import assert from 'node:assert/strict'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { type BookedSlot, type BookingRequest, formatReservations, formatStarts } from './booking-specification.ts'
import type { RecordedCall } from './linearizability.ts'
import type { AnyBody, ServiceProcess } from './service.ts'

/**
 * A group of slots for which random clients compete, with the calls that the clients have made. Reservations of slots
 * outside the group cannot take seats of the group.
 */
export interface SlotGroup {
  /**
   * The number of the node whose clients make all calls. When undefined, clients of every node make calls but list no
   * slots, because the cached slots of one node are up to about 100 ms behind the commits of another.
   */
  readonly node: number | undefined
  /** The slots, each with the slot id under which availability listed it. */
  readonly slots: readonly (BookedSlot & { readonly availabilityId: string })[]
  readonly customers: readonly string[]
  /** The id of the service whose new reservations are pending. */
  readonly approvalServiceId: string
  readonly calls: RecordedCall<BookingRequest>[]
  /**
   * The ids of the reservations that clients have learned from responses, by the unique mark in the reservation's
   * data.
   */
  readonly ids: Map<string, string>
}

/** A counter that orders the beginnings and ends of calls, shared by all clients of one history. */
export interface CallCounter {
  last: number
}

/** The options of a random client: node, name, random numbers and the counter of calls. */
export interface RandomClientOptions {
  readonly node: ServiceProcess
  readonly name: string
  readonly random: () => number
  readonly counter: CallCounter
}

interface Sent {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: object
}

/**
 * When the connection is cut: after half of the body (`half`), a number of milliseconds after the request, or never
 * (undefined).
 */
type Cut = 'half' | number | undefined

/** A client that sends random requests, records each call with its response, and sometimes cuts its connection. */
export class RandomClient {
  readonly #node: ServiceProcess
  readonly #name: string
  readonly #random: () => number
  readonly #counter: CallCounter
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  #marks = 0
  cuts = 0
  overloads = 0

  constructor({ node, name, random, counter }: RandomClientOptions) {
    this.#node = node
    this.#name = name
    this.#random = random
    this.#counter = counter
  }

  /** Makes one random call about the slots of a group. */
  async makeRandomCall(group: SlotGroup): Promise<void> {
    const mark = this.#pick([...group.ids.keys()])
    const choice = this.#random()
    if (choice < 0.12) await this.list(group)
    else if (choice < 0.25 && group.node !== undefined) await this.#listSlots(group)
    else if (choice < 0.6 || mark === undefined) await this.#add(group)
    else if (choice < 0.68) await this.#remove(group, mark)
    else await this.#edit(group, mark)
  }

  /** Lists all reservations of a group of slots; resolves to false when the response was lost or had the status 503. */
  async list(group: SlotGroup): Promise<boolean> {
    const query = { full: 'true', customers: group.customers.join(',') }
    const path = '/reservations/get/'
    return this.#record(group, { kind: 'list' }, { method: 'GET', path, query }, (body) => {
      const here = new Set(group.slots.map(({ serviceId, providerId, start }) => `${serviceId} ${providerId} ${start}`))
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
      for (const { mark, id } of rows) group.ids.set(mark, id)
      return formatReservations(new Map(rows.map((row) => [row.mark, row])))
    })
  }

  close(): void {
    this.#agent.destroy()
  }

  async #listSlots(group: SlotGroup): Promise<void> {
    const any = this.#anySlot(group)
    const slots = group.slots.filter(
      ({ serviceId, providerId }) => serviceId === any.serviceId && providerId === any.providerId,
    )
    const query = {
      services: any.serviceId,
      providers: any.providerId,
      min_timestamp: Math.min(...slots.map(({ start }) => start)),
      max_timestamp: Math.max(...slots.map(({ start }) => start)) + 1,
    }
    await this.#record(group, { kind: 'slots', slots }, { method: 'GET', path: '/availability/get/', query }, (body) =>
      formatStarts(body.response.map((row) => ({ ...any, start: Number(row.start) }))),
    )
  }

  async #add(group: SlotGroup): Promise<void> {
    const { availabilityId, ...slot } = this.#anySlot(group)
    const mark = `${this.#name}-${this.#marks++}`
    const customerId = this.#pick(group.customers)
    const status = slot.serviceId === group.approvalServiceId ? 'pending' : 'confirmed'
    const body = { ...slot, availabilityId, customerId, data: { mark } }
    const sent = { method: 'POST', path: '/reservations/add/', body } as const
    await this.#record(group, { kind: 'add', mark, slot, status }, sent, ({ id }) => {
      group.ids.set(mark, id)
      return 'done'
    })
  }

  async #remove(group: SlotGroup, mark: string): Promise<void> {
    const query = { id: group.ids.get(mark) ?? '' }
    await this.#record(group, { kind: 'remove', mark }, { method: 'POST', path: '/reservations/remove/', query })
  }

  async #edit(group: SlotGroup, mark: string): Promise<void> {
    const { availabilityId, ...slot } = this.#anySlot(group)
    const status = this.#pick(['cancelled', 'confirmed', 'confirmed', 'pending'] as const)
    const choice = this.#random()
    const change = { ...(choice < 0.6 && status && { status }), ...(choice > 0.5 && slot) }
    const body = { id: group.ids.get(mark), ...change }
    await this.#record(group, { kind: 'edit', mark, change }, { method: 'POST', path: '/reservations/edit/', body })
  }

  /**
   * Sends a request and records the call; `read` formats a successful response. Resolves to false when the response was
   * lost or had the status 503.
   */
  async #record(group: SlotGroup, booking: BookingRequest, sent: Sent, read: (body: AnyBody) => string = () => 'done') {
    const began = ++this.#counter.last
    const answer = await this.#send(sent)
    const text = answer && this.#responseText(answer, read)
    // A read without a response changes nothing and shows nothing, so it is not recorded.
    if (text === undefined && sent.method === 'GET') return false
    group.calls.push({
      request: booking,
      began,
      response: text === undefined ? undefined : { at: ++this.#counter.last, text },
    })
    return text !== undefined
  }

  #responseText(
    { status, body }: { status: number; body: AnyBody },
    read: (body: AnyBody) => string,
  ): string | undefined {
    if (status === 200) return read(body)
    if (status === 404 && body.reason === 'reservation_not_found') return 'gone'
    if (status === 403 && /^slot_(full|provider_busy)$/.test(body.reason)) return 'no room'
    // A write answered 503 may have been committed, so its response counts as lost.
    assert.equal(status, 503, JSON.stringify(body))
    this.overloads += 1
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

  #anySlot(group: SlotGroup): SlotGroup['slots'][number] {
    const slot = this.#pick(group.slots)
    assert.ok(slot)
    return slot
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
