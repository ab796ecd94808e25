import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { standardSite } from '../support/clinic.ts'
import { proved } from '../support/proof.ts'
import { scaled } from '../support/scale.ts'
import { type AnyBody, eachDatabase, type ServiceProcess } from '../support/service.ts'
import { type AvailableSlot, present } from '../support/test-site.ts'

const workers = 3
const rounds = scaled(60)
const day = 86_400

interface Reply {
  readonly status: number
  readonly body: AnyBody & { readonly response: readonly AvailableSlot[] }
}

/** Keep-alive connections to a service with several threads, one to each thread. */
class Connections {
  readonly #service: ServiceProcess
  readonly #agents: Agent[] = []

  constructor(service: ServiceProcess) {
    this.#service = service
  }

  /** Opens connections until each thread has answered a request on one of them; fails after 200 connections. */
  async open(): Promise<void> {
    const reached = new Map<number, Agent>()
    let before = await this.#counts()
    for (let tries = 0; reached.size < workers; tries += 1) {
      assert.ok(tries < 200, `only ${reached.size} threads answer`)
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      this.#agents.push(agent)
      await this.#send(agent, 'GET', '/services/get/')
      const counts = await this.#counts()
      const grown = counts.flatMap((count, at) => (count > (before[at] ?? 0) ? [at] : []))
      before = counts
      const [thread] = grown
      if (thread !== undefined && grown.length === 1 && !reached.has(thread)) reached.set(thread, agent)
    }
    this.#agents.unshift(...reached.values())
  }

  /**
   * Sends a request on the connection to a thread. Threads are numbered from 0 in the order in which `open` reached
   * them; the number is taken modulo the number of threads.
   */
  send(thread: number, method: string, path: string, body?: object): Promise<Reply> {
    return this.#send(present(this.#agents[thread % workers]), method, path, body)
  }

  close(): void {
    for (const agent of this.#agents) agent.destroy()
  }

  /** Returns the number of requests to `GET /services/get/` that each thread has answered, from the metrics. */
  async #counts(): Promise<number[]> {
    const answer = await fetch(`${this.#service.url}/metrics`, { headers: { Connection: 'close' } })
    const metrics = await answer.text()
    const found = [...metrics.matchAll(/^daybook_http_requests_total\{(.*)\} (\d+)/gm)].filter(([line]) =>
      line.includes('/services/get/'),
    )
    return Array.from({ length: workers }, (_, at) => {
      const own = found.find(([, labels = '']) => labels.includes(`worker="${at + 1}"`))
      return Number(own?.[2] ?? 0)
    })
  }

  /**
   * Sends the header section of a request. Resolves once the thread has read it, to a function that sends the body and
   * resolves to the response.
   */
  async begin(thread: number, method: string, path: string, body: object): Promise<() => Promise<Reply>> {
    const sending = this.#request(present(this.#agents[thread % workers]), method, path, { Expect: '100-continue' })
    const responding = once(sending, 'response')
    sending.flushHeaders()
    await once(sending, 'continue')
    return () => {
      sending.end(JSON.stringify(body))
      return replyOf(responding)
    }
  }

  #send(agent: Agent, method: string, path: string, body?: object): Promise<Reply> {
    const sending = this.#request(agent, method, path)
    sending.end(body && JSON.stringify(body))
    return replyOf(once(sending, 'response'))
  }

  #request(agent: Agent, method: string, path: string, more: Readonly<Record<string, string>> = {}) {
    const headers = { Authorization: `Bearer ${this.#service.writeToken}`, 'Content-Type': 'application/json', ...more }
    return request(`${this.#service.root}${path}`, { method, agent, headers })
  }
}

async function replyOf(responding: Promise<IncomingMessage[]>): Promise<Reply> {
  const response = present((await responding)[0])
  return { status: response.statusCode ?? 0, body: JSON.parse(await text(response)) }
}

eachDatabase((kind, open) => {
  describe(`a service with ${workers} workers`, { timeout: 600_000 }, () => {
    let service: ServiceProcess
    let connections: Connections
    const now = Date.UTC(2027, 2, 1, 6) / 1000
    before(async () => {
      service = await open({ site: standardSite, now, serve: ['--workers', String(workers)] })
      connections = new Connections(service)
      await connections.open()
    })
    after(() => connections?.close())

    const listed = async (
      thread: number,
      ids: { serviceId: string; providerId: number },
    ): Promise<readonly AvailableSlot[]> => {
      const window = `min_timestamp=${now + day}&max_timestamp=${now + 21 * day}`
      const path = `/availability/get/?${window}&services=${ids.serviceId}&providers=${ids.providerId}`
      return (await connections.send(thread, 'GET', path)).body.response
    }
    const bookingOf = ({ availabilityId, serviceId, providerId, start, end }: AvailableSlot, customerId: string) => {
      return { availabilityId, serviceId, providerId, start, end, customerId }
    }
    const booking = (thread: number, slot: AvailableSlot, customerId: string): Promise<Reply> =>
      connections.send(thread, 'POST', '/reservations/add/', bookingOf(slot, customerId))
    const ids = async () => {
      const [services, customers] = await Promise.all([
        service.call('GET', '/services/get/'),
        service.call('GET', '/customers/get/'),
      ])
      const named = (answer: { body: AnyBody }, name: string) =>
        present(answer.body.response.find((one) => one.name === name)).id
      return { serviceId: named(services, 'plain'), customerId: named(customers, 'Jo'), providerId: 1 }
    }

    test('lists a booking of one thread on every other, and sells no seat twice', async (t) => {
      const { customerId, ...wanted } = await ids()
      // Listing the slots on every thread puts them into the cache of each.
      for (let thread = 0; thread < workers; thread += 1) await listed(thread, wanted)
      const slots = await listed(0, wanted)
      let stale = 0
      for (let round = 0; round < rounds; round += 1) {
        const slot = present(slots[round])
        const replies = await Promise.all(
          Array.from({ length: workers }, (_, thread) => booking(thread + round, slot, customerId)),
        )
        assert.equal(replies.filter(({ status }) => status === 200).length, 1)
        const seen = await Promise.all(Array.from({ length: workers }, (_, thread) => listed(thread, wanted)))
        stale += seen.filter((found) => found.some(({ start }) => start === slot.start)).length
      }
      // On PostgreSQL the threads are separate nodes, which apply each other's commits to their caches a moment later.
      if (kind === 'sqlite') assert.equal(stale, 0)
      proved(t, `B3 workers ${kind}`, { rounds, workers, overbooked: 0, stale })
    })

    test('lists the metrics of all threads, whichever is asked', async () => {
      const answer = await (await fetch(`${service.url}/metrics`)).text()
      const of = (name: string) => [...answer.matchAll(new RegExp(`^${name}\\{worker="(\\d)"`, 'gm'))].map(([, n]) => n)
      assert.deepEqual([...new Set(of('daybook_http_requests_total'))], ['1', '2', '3'])
      assert.equal(answer.match(/^# HELP daybook_http_requests_total/gm)?.length, 1)
      assert.equal(answer.match(/^daybook_database_up /gm)?.length, 1)
    })

    test('stops after the requests of all threads', async () => {
      const { customerId, ...wanted } = await ids()
      const slots = (await listed(1, wanted)).slice(-workers)
      const ends = await Promise.all(
        slots.map((slot, thread) =>
          connections.begin(thread, 'POST', '/reservations/add/', bookingOf(slot, customerId)),
        ),
      )
      const stopping = service.stop()
      const answers = await Promise.all(ends.map((end) => end()))
      assert.deepEqual(
        answers.map(({ status }) => status),
        slots.map(() => 200),
      )
      assert.equal(await stopping, 0)
      await service.restart()
      const { body } = await service.call('GET', '/reservations/get/', {
        query: { min_timestamp: now, max_timestamp: now + 30 * day },
      })
      assert.equal(body.response.length, rounds + workers)
    })
  })
})
