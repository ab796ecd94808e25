import assert from 'node:assert/strict'
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { AnyBody, Service } from './service.ts'

/** One write as a client sends it. */
export interface Write {
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  /** The Idempotency-Key. */
  readonly key?: string
}

/** A complete response. */
export interface Reply {
  readonly status: number
  readonly body: AnyBody
  readonly replayed: boolean
}

/** A lost response: the connection ended before or during it. */
export interface Lost {
  readonly lost: 'no answer' | 'half an answer'
}

interface Held {
  /** Resolves when everything except the withheld part has been sent, or sending failed. */
  readonly sent: Promise<void>
  readonly answer: Promise<Reply | Lost>
  complete(): void
}

/** Clients of the service, each with its own keep-alive connection to one of the nodes. */
export class Clients {
  readonly #nodes: readonly Service[]
  readonly #agents: readonly Agent[]
  /** How often a write was repeated after a 503. */
  retries = 0

  /** Creates `count` clients; each repeats a write after a 503. */
  constructor(nodes: readonly Service[], count: number) {
    this.#nodes = nodes
    this.#agents = Array.from({ length: count }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  }

  /** The clients by number. */
  get numbers(): readonly number[] {
    return this.#agents.map((_, client) => client)
  }

  /** Opens every connection, so that a race does not begin with handshakes. */
  async warm(): Promise<void> {
    await Promise.all(this.#agents.map((agent, client) => ready(this.#nodeOf(client), agent)))
  }

  /**
   * Sends one write per client concurrently: all but the last byte of each is sent before any is completed. Every one
   * must be answered.
   */
  async race(writes: readonly Write[]): Promise<Reply[]> {
    const held = writes.map((write, client) => this.#hold(client, write))
    await Promise.all(held.map((one) => one.sent))
    for (const one of held) one.complete()
    return Promise.all(held.map(async (one, client) => this.#orAgain(client, writes[client], whole(await one.answer))))
  }

  /** Sends one write, which must be answered. */
  async ask(client: number, write: Write): Promise<Reply> {
    return this.#orAgain(client, write, whole(await this.attempt(client, write)))
  }

  /** Sends one write to a service that may end meanwhile; calls `sent` when it has been sent. */
  async attempt(client: number, write: Write, sent: () => void = () => {}): Promise<Reply | Lost> {
    const held = this.#hold(client, write)
    await held.sent
    held.complete()
    sent()
    return held.answer
  }

  /**
   * Sends the heads of the writes and waits until the service has received all; the returned function sends the bodies
   * and waits for the responses.
   */
  async begin(writes: readonly Write[]): Promise<() => Promise<Reply[]>> {
    const begun = writes.map((write, client) => this.#begin(client, write))
    await Promise.all(begun.map((one) => one.sent))
    return async () => {
      for (const one of begun) one.complete()
      return (await Promise.all(begun.map((one) => one.answer))).map(whole)
    }
  }

  /** Closes the connections. */
  close(): void {
    for (const agent of this.#agents) agent.destroy()
  }

  #nodeOf(client: number): Service {
    const node = this.#nodes[client % this.#nodes.length]
    assert.ok(node)
    return node
  }

  async #orAgain(client: number, write: Write | undefined, reply: Reply): Promise<Reply> {
    if (!write || reply.status !== 503) return reply
    this.retries += 1
    return this.ask(client, write)
  }

  #hold(client: number, write: Write): Held {
    const bytes = bytesOf(write)
    const { asked, answer } = this.#request(client, write)
    const sent = new Promise<void>((resolve) => {
      asked.on('error', () => resolve())
      // A removal has no body of which to withhold a byte.
      if (bytes.length === 0) resolve()
      else asked.write(bytes.subarray(0, -1), () => resolve())
    })
    return { sent, answer, complete: () => asked.end(bytes.subarray(-1)) }
  }

  #begin(client: number, write: Write): Held {
    const { asked, answer } = this.#request(client, write, { Expect: '100-continue' })
    const sent = new Promise<void>((resolve, reject) => asked.on('continue', resolve).on('error', reject))
    asked.flushHeaders()
    return { sent, answer, complete: () => asked.end(bytesOf(write)) }
  }

  #request(client: number, write: Write, headers: OutgoingHttpHeaders = {}) {
    const { path, query, body, key } = write
    const { root, writeToken } = this.#nodeOf(client)
    const asked = request(`${root}${path}?${new URLSearchParams(query)}`, {
      method: 'POST',
      agent: this.#agents[client],
      headers: {
        Authorization: `Bearer ${writeToken}`,
        'Content-Length': bytesOf(write).length,
        ...(body && { 'Content-Type': 'application/json' }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
        ...headers,
      },
    })
    const answer = new Promise<Reply | Lost>((resolve) => {
      asked.on('error', () => resolve({ lost: 'no answer' }))
      asked.on('response', (response) => resolve(read(response)))
    })
    return { asked, answer }
  }
}

function bytesOf({ body }: Write): Buffer {
  return Buffer.from(body === undefined ? '' : JSON.stringify(body))
}

async function read(response: IncomingMessage): Promise<Reply | Lost> {
  try {
    const answer = await text(response)
    return {
      status: response.statusCode ?? 0,
      body: JSON.parse(answer),
      replayed: response.headers['idempotency-replayed'] === 'true',
    }
  } catch {
    return { lost: 'half an answer' }
  }
}

function whole(answer: Reply | Lost): Reply {
  assert.ok(!('lost' in answer), `A request got ${'lost' in answer ? answer.lost : ''}.`)
  return answer
}

function ready(service: Service, agent: Agent): Promise<unknown> {
  return new Promise((resolve, reject) => {
    request(`${service.url}/health/ready`, { agent }, (response) => resolve(text(response)))
      .on('error', reject)
      .end()
  })
}
