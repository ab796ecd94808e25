import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { standardSite } from '../support/clinic.ts'
import { eachDatabase, type ServiceProcess } from '../support/service.ts'
import { present } from '../support/test-site.ts'

const deadline = 30_000

eachDatabase((_kind, open) => {
  describe('a service with two workers', { timeout: 120_000 }, () => {
    test('replaces a thread that ended, and answers in the meantime', async () => {
      const options = { site: standardSite, serve: ['--workers', '2'], env: { NODE_OPTIONS: '--inspect=127.0.0.1:0' } }
      const service = await open(options)
      const inspector = await Inspector.open(service)
      const [thread, ...others] = inspector.threads
      assert.equal(others.length, 0)
      await inspector.end(present(thread))
      const since = performance.now()
      let threads = 0
      // The metrics and the inspector tell of the new thread independently of each other, and the metrics may still
      // contain the ended one.
      while (threads < 2 || inspector.threads.length === 0) {
        assert.ok(performance.now() - since < deadline, 'the thread was not replaced')
        // Each request opens a new connection; a connection that the kernel assigned to the ended thread may be reset.
        const answer = await fetch(`${service.url}/health/ready`, { headers: { Connection: 'close' } }).catch(
          () => undefined,
        )
        assert.ok(!answer || answer.status === 200, `${answer?.status}`)
        threads = await answeringThreads(service)
        await pause(20)
      }
      const [next] = inspector.threads
      assert.notEqual(present(next).id, present(thread).id)
      inspector.close()
      assert.equal((await service.call('GET', '/services/get/')).status, 200)
      assert.equal(await service.stop(), 0)
    })
  })
})

async function answeringThreads({ url }: ServiceProcess): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { Connection: 'close' } }).catch(() => undefined)
  const text = (await answer?.text()) ?? ''
  return new Set([...text.matchAll(/^daybook_http_connections\{worker="(\d+)"\}/gm)].map(([, worker]) => worker)).size
}

/** A worker thread as Node's inspector lists it. */
interface Thread {
  readonly id: string
  readonly session: string
}

/** A connection to the Node.js inspector of a service, with which a test ends worker threads. */
class Inspector {
  readonly #socket: WebSocket
  readonly #threads = new Map<string, Thread>()
  readonly #answers = new Map<number, () => void>()
  readonly #ended = Promise.withResolvers<void>()

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => {
      const { id, method, params } = JSON.parse(String(data))
      if (method === 'NodeWorker.attachedToWorker' && params.workerInfo.url.endsWith('/serve/worker.ts'))
        this.#threads.set(params.sessionId, { id: params.workerInfo.workerId, session: params.sessionId })
      if (method === 'NodeWorker.detachedFromWorker' && this.#threads.delete(params.sessionId)) this.#ended.resolve()
      this.#answers.get(id)?.()
    })
  }

  /** Connects to the inspector of the service and attaches to every worker thread. */
  static async open(service: ServiceProcess): Promise<Inspector> {
    // `serve` replaces its program once and prints the address of the inspector again.
    const [address] = service.stderr.match(/ws:\/\/\S+/g)?.slice(-1) ?? []
    const socket = new WebSocket(present(address))
    await once(socket, 'open')
    const inspector = new Inspector(socket)
    // The inspector reports the existing worker threads before it responds to this call.
    await inspector.#call(1, 'NodeWorker.enable', { waitForDebuggerOnStart: false })
    return inspector
  }

  /** The worker threads that answer requests; the main thread, which answers requests too, is not listed. */
  get threads(): Thread[] {
    return [...this.#threads.values()]
  }

  /** Ends a worker thread with exit code 1; resolves when the thread has ended. */
  async end({ session: sessionId }: Thread): Promise<void> {
    const params = { expression: 'process.exit(1)' }
    const message = JSON.stringify({ id: 1, method: 'Runtime.evaluate', params })
    await Promise.all([this.#ended.promise, this.#call(2, 'NodeWorker.sendMessageToWorker', { sessionId, message })])
  }

  close(): void {
    this.#socket.close()
  }

  #call(id: number, method: string, params: object): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#answers.set(id, resolve)
    this.#socket.send(JSON.stringify({ id, method, params }))
    return promise
  }
}
