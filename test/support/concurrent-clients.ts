import assert from 'node:assert/strict'
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { AnyBody, ServiceProcess } from './service.ts'

/** One write as a client sends it: path, query, JSON body and idempotency key. */
export interface ClientWrite {
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  /** The value of the header `Idempotency-Key`; the header is not sent when absent. */
  readonly key?: string
}

/** A completely received response to a write; `replayed` is true if it is the stored response to an earlier request. */
export interface WriteResponse {
  readonly status: number
  readonly body: AnyBody
  readonly replayed: boolean
}

/** The result of a write whose connection ended before or during the response. */
export interface LostResponse {
  readonly lost: 'no answer' | 'half an answer'
  readonly status?: never
}

interface PartialRequest {
  /**
   * Settles when the request has been sent except for its last byte, or when sending has failed; for a request without
   * a body, at once; with `begin`, when the service has answered `100 Continue`. `complete` sends the rest.
   */
  readonly sent: Promise<void>
  readonly answer: Promise<WriteResponse | LostResponse>
  complete(): void
}

/** Clients of the service, each with its own keep-alive connection to one of the nodes (service processes). */
export class ConcurrentClients {
  readonly #nodes: readonly ServiceProcess[]
  readonly #agents: readonly Agent[]
  /** How often a write was repeated after a 503. */
  retries = 0

  /** Creates `count` clients; client n connects to node n modulo the number of nodes. */
  constructor(nodes: readonly ServiceProcess[], count: number) {
    this.#nodes = nodes
    this.#agents = Array.from({ length: count }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  }

  /** The numbers of the clients, from 0. */
  get numbers(): readonly number[] {
    return this.#agents.map((_, client) => client)
  }

  /** Opens every connection, so that concurrent requests do not begin with handshakes. */
  async connect(): Promise<void> {
    await Promise.all(this.#agents.map((agent, client) => ready(this.#nodeOf(client), agent)))
  }

  /**
   * Sends one write per client concurrently: all but the last byte of each is sent before any is completed; a write
   * without a body is sent only then. Repeats writes that are answered 503. Fails when a write has no complete
   * response.
   */
  async sendConcurrently(writes: readonly ClientWrite[]): Promise<WriteResponse[]> {
    const held = writes.map((write, client) => this.#startRequest(client, write))
    await Promise.all(held.map((one) => one.sent))
    for (const one of held) one.complete()
    return Promise.all(
      held.map(async (one, client) => this.#retryIfUnavailable(client, writes[client], whole(await one.answer))),
    )
  }

  /** Sends one write, and repeats it while the service answers 503; fails when the write has no complete response. */
  async send(client: number, write: ClientWrite): Promise<WriteResponse> {
    return this.#retryIfUnavailable(client, write, whole(await this.attempt(client, write)))
  }

  /**
   * Sends one write to a service that may end meanwhile; calls `sent` after the last byte was passed to the connection,
   * even if the connection has failed.
   */
  async attempt(
    client: number,
    write: ClientWrite,
    sent: () => void = () => {},
  ): Promise<WriteResponse | LostResponse> {
    const held = this.#startRequest(client, write)
    await held.sent
    held.complete()
    sent()
    return held.answer
  }

  /**
   * Sends the headers of the writes with `Expect: 100-continue` and waits until the service has received all of them.
   * The returned function sends the bodies and returns the responses.
   */
  async begin(writes: readonly ClientWrite[]): Promise<() => Promise<WriteResponse[]>> {
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

  #nodeOf(client: number): ServiceProcess {
    const node = this.#nodes[client % this.#nodes.length]
    assert.ok(node)
    return node
  }

  async #retryIfUnavailable(
    client: number,
    write: ClientWrite | undefined,
    reply: WriteResponse,
  ): Promise<WriteResponse> {
    if (!write || reply.status !== 503) return reply
    this.retries += 1
    return this.send(client, write)
  }

  #startRequest(client: number, write: ClientWrite): PartialRequest {
    const bytes = bytesOf(write)
    const { asked, answer } = this.#request(client, write)
    const sent = new Promise<void>((resolve) => {
      asked.on('error', () => resolve())
      // A write without a body has no byte that could be sent before the last one.
      if (bytes.length === 0) resolve()
      else asked.write(bytes.subarray(0, -1), () => resolve())
    })
    return { sent, answer, complete: () => asked.end(bytes.subarray(-1)) }
  }

  #begin(client: number, write: ClientWrite): PartialRequest {
    const { asked, answer } = this.#request(client, write, { Expect: '100-continue' })
    const sent = new Promise<void>((resolve, reject) => asked.on('continue', resolve).on('error', reject))
    asked.flushHeaders()
    return { sent, answer, complete: () => asked.end(bytesOf(write)) }
  }

  #request(client: number, write: ClientWrite, headers: OutgoingHttpHeaders = {}) {
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
    const answer = new Promise<WriteResponse | LostResponse>((resolve) => {
      asked.on('error', () => resolve({ lost: 'no answer' }))
      asked.on('response', (response) => resolve(read(response)))
    })
    return { asked, answer }
  }
}

function bytesOf({ body }: ClientWrite): Buffer {
  return Buffer.from(body === undefined ? '' : JSON.stringify(body))
}

async function read(response: IncomingMessage): Promise<WriteResponse | LostResponse> {
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

function whole(answer: WriteResponse | LostResponse): WriteResponse {
  assert.ok(!('lost' in answer), `A request got ${'lost' in answer ? answer.lost : ''}.`)
  return answer
}

function ready(service: ServiceProcess, agent: Agent): Promise<unknown> {
  return new Promise((resolve, reject) => {
    request(`${service.url}/health/ready`, { agent }, (response) => resolve(text(response)))
      .on('error', reject)
      .end()
  })
}
