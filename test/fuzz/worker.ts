import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { tokenSecret } from '../../src/access/tokens/token.ts'
import { publicApi } from '../../src/contract/public-api.ts'
import type { ServiceProcess } from '../support/service.ts'
import type { FuzzCall } from './calls.ts'
import { assertDocumented, assertExpected, type FuzzResponse } from './checks.ts'
import { type Pool, Ref } from './values.ts'

/** A request whose references are resolved, as it is sent. */
interface Sent {
  readonly method: string
  /** The path with the query string. */
  readonly path: string
  readonly body: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

type Row = Readonly<Record<string, unknown>>

const unknownToken = tokenSecret('0'.repeat(34))
const maxPool: Readonly<Record<string, number>> = { customer: 12, service: 4, reservation: 12, gone: 20 }
const listOf = { customer: 'customers', service: 'services', reservation: 'reservations' } as const
type Made = keyof typeof listOf

/** A client that sends generated requests, tracks the objects it created and removed, and checks every response. */
export class FuzzWorker {
  readonly #service: ServiceProcess
  readonly #random: () => number
  readonly #patient: boolean
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #pools: Record<Exclude<Pool, 'slot'>, unknown[]> = {
    customer: [],
    service: [],
    provider: [1, 2],
    reservation: [],
    event: [],
    gone: [],
  }
  #slots: readonly Row[] = []
  readonly figures = { requests: 0, made: 0, removed: 0, broken: 0, fits: 0, unauthorised: 0, methods: 0, busy: 0 }
  readonly statuses = new Map<number, number>()
  /** The ids of the requests that were answered 503 and therefore repeated. */
  readonly repeated = new Set<string>()

  constructor(service: ServiceProcess, random: () => number) {
    this.#service = service
    // On PostgreSQL a request that is answered 503 is repeated, because all database connections may be busy; on SQLite
    // a 503 is a failure.
    this.#patient = service.databaseUrl !== undefined
    this.#random = random
  }

  close(): void {
    this.#agent.destroy()
  }

  /** Sends the request and checks its response and effects; an error shows the request and the response. */
  async run(call: FuzzCall): Promise<void> {
    const sent = this.#filled(call)
    const answer = await this.#ask(sent, this.#service.writeToken)
    try {
      assertDocumented(call.row, answer)
      assertExpected(call.expectation, answer)
      if (call.expectation !== 'either') this.figures[call.expectation] += 1
      this.#assertGone(call, answer)
      if (answer.status < 300) await this.#follow(call, answer)
      if (this.#random() < 1 / 16) await this.#assertAuthentication(sent)
      if (this.#random() < 1 / 32) await this.#assertMethods(call.row, sent)
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      throw new Error(`The answer ${problem}\n${shown(sent)}\n→ ${answer.status} ${answer.text.slice(0, 2000)}`)
    }
    await this.#tidy()
  }

  #filled({ row, query, body, raw, headers }: FuzzCall): Sent {
    const [method = '', path = ''] = row.split(' ')
    const values = query.map(([name, value]): [string, string] => {
      const filled = this.#fill(value)
      return [name, Array.isArray(filled) ? filled.join(',') : String(filled)]
    })
    const search = values.length === 0 ? '' : `?${new URLSearchParams(values)}`
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(this.#fill(body)))
    return { method, path: path + search, body: content, headers }
  }

  #fill(value: unknown): unknown {
    if (value instanceof Ref) return this.#refer(value)
    if (Array.isArray(value)) return value.map((item) => this.#fill(item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.#fill(one)]))
  }

  #refer({ pool, nth, field }: Ref): unknown {
    if (pool === 'slot') {
      const slot = this.#slots[nth % this.#slots.length]
      return slot ? slot[field] : ({ providerId: 1, start: 1, end: 2 }[field] ?? 'none')
    }
    const known = this.#pools[pool]
    return known[nth % known.length] ?? `${pool}_none`
  }

  async #ask({ method, path, body, headers }: Sent, token: string | undefined): Promise<FuzzResponse> {
    this.figures.requests += 1
    const answer = await new Promise<FuzzResponse>((resolve, reject) => {
      const asked = request(
        `${this.#service.root}${path}`,
        {
          method,
          agent: this.#agent,
          headers: {
            ...(token !== undefined && { Authorization: `Bearer ${token}` }),
            ...(body !== undefined && {
              'Content-Type': 'application/json',
              'Content-Length': Buffer.byteLength(body),
            }),
            ...headers,
          },
        },
        (response) => {
          const { statusCode: status = 0, headers: received } = response
          const type = received['content-type']
          text(response)
            .then((content) => resolve({ status, type, text: content, body: JSON.parse(content) }))
            .catch(reject)
        },
      )
      asked.on('error', reject)
      asked.end(body)
    })
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1)
    if (answer.status === 503 && this.#patient) {
      this.figures.busy += 1
      this.repeated.add(String(Object(answer.body.data).requestId))
      return this.#ask({ method, path, body, headers }, token)
    }
    return answer
  }

  /**
   * Fails if a valid POST request that refers to a removed object (by `id` or a field such as `serviceId`) is not
   * answered 404. Where the schema alone does not decide whether a request is valid, 400 is allowed as well. Requests
   * with an idempotency key are not checked.
   */
  #assertGone({ row, query, body, expectation, headers }: FuzzCall, { status }: FuzzResponse): void {
    if (!row.startsWith('POST') || expectation === 'broken' || headers['Idempotency-Key'] !== undefined) return
    const named = [...query, ...Object.entries(body ?? {})].filter(([name]) => name === 'id' || name.endsWith('Id'))
    const gone = named.some(([, value]) => value instanceof Ref && value.pool === 'gone')
    if (gone) assert.ok(status === 404 || (expectation === 'either' && status === 400), 'finds what was removed')
  }

  async #follow({ row, query, headers }: FuzzCall, { body }: FuzzResponse): Promise<void> {
    if (Object.keys(headers).length > 0) return
    const [, resource = '', action] = row.split('/')
    const rows = Array.isArray(body.response) ? body.response : []
    if (row === 'GET /availability/get/' && rows.length > 0) this.#slots = rows.slice(-40)
    if (row === 'GET /events/get/' && rows.length > 0) this.#pools.event = rows.slice(-5).map(({ seq }) => seq)
    const kind = kindOf(resource)
    if (!kind) return
    if (action === 'add') {
      this.figures.made += 1
      this.#pools[kind].push(body.id)
      assert.ok(await this.#isListed(kind, body.id), 'says that something was made which is not in its list')
    }
    const [, id] = query.find(([name]) => name === 'id') ?? []
    if (action === 'remove') await this.#assertRemoved(kind, this.#fill(id))
  }

  async #isListed(kind: Made, id: unknown): Promise<boolean> {
    const query = kind === 'reservation' ? '?past=true' : ''
    const row = `GET /${listOf[kind]}/get/`
    const answer = await this.#ask(
      { method: 'GET', path: `/${listOf[kind]}/get/${query}`, body: undefined, headers: {} },
      this.#service.writeToken,
    )
    assertDocumented(row, answer)
    const rows = Array.isArray(answer.body.response) ? answer.body.response : []
    return rows.some((one: Row) => one.id === id)
  }

  async #assertRemoved(kind: Made, id: unknown): Promise<void> {
    this.figures.removed += 1
    this.#pools[kind] = this.#pools[kind].filter((one) => one !== id)
    this.#pools.gone.push(id)
    const { writeToken } = this.#service
    const path = `/${listOf[kind]}`
    const edit = { method: 'POST', path: `${path}/edit/`, body: JSON.stringify({ id }), headers: {} }
    assert.equal((await this.#ask(edit, writeToken)).status, 404, 'lets what was removed be edited')
    const again = { method: 'POST', path: `${path}/remove/?id=${id}`, body: undefined, headers: {} }
    assert.equal((await this.#ask(again, writeToken)).status, 404, 'lets what was removed be removed')
    assert.ok(!(await this.#isListed(kind, id)), 'says that something was removed which is in its list')
  }

  async #assertAuthentication(sent: Sent): Promise<void> {
    this.figures.unauthorised += 2
    for (const token of [undefined, unknownToken]) {
      const { status, body } = await this.#ask(sent, token)
      assert.deepEqual([status, body.code], [401, 'rest_forbidden'], 'is given without a good token')
    }
  }

  async #assertMethods(row: string, sent: Sent): Promise<void> {
    this.figures.methods += 1
    const [right = '', path = ''] = row.split(' ')
    const known = Object.keys(publicApi)
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
      (method) => method !== right && !known.includes(`${method} ${path}`),
    )
    const method = others[Math.floor(this.#random() * others.length)] ?? 'PUT'
    const { status, body } = await this.#ask({ ...sent, method }, this.#service.writeToken)
    assert.deepEqual([status, body.code], [404, 'rest_no_route'], `is given to ${method}`)
  }

  /** Removes objects when a pool has grown too large, so that lists stay short. */
  async #tidy(): Promise<void> {
    for (const kind of ['reservation', 'customer', 'service'] as const) {
      const pool = this.#pools[kind]
      const [oldest] = pool
      if (pool.length <= (maxPool[kind] ?? 0)) continue
      // A removal may be refused because of reservations, so the object moves to the end and is tried again after the
      // others.
      this.#pools[kind] = [...pool.slice(1), oldest]
      await this.run(removal(kind, pool.indexOf(oldest) + pool.length - 1))
    }
    this.#pools.gone = this.#pools.gone.slice(-(maxPool.gone ?? 0))
  }
}

function removal(kind: Made, nth: number): FuzzCall {
  const query = [['id', new Ref(kind, nth)]] as const
  return {
    row: `POST /${listOf[kind]}/remove/`,
    query,
    body: undefined,
    raw: undefined,
    headers: {},
    expectation: 'fits',
  }
}

function kindOf(resource: string): Made | undefined {
  return (['customer', 'service', 'reservation'] as const).find((kind) => listOf[kind] === resource)
}

/** Formats a request with its headers and the first 4,000 characters of its body, for an error message. */
function shown({ method, path, body, headers }: Sent): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path}`, ...lines, ...(body === undefined ? [] : [body.slice(0, 4000)])].join('\n')
}
