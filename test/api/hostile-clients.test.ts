import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { setInterval } from 'node:timers/promises'
import { proved } from '../support/proof.ts'
import { percentile, suiteTimeout, timeLimitFactor } from '../support/scale.ts'
import { type ServiceProcess, startService } from '../support/service.ts'

/**
 * Milliseconds within which the service closes every slow connection; the test of slow sign-ins allows more on a busy
 * machine.
 */
const deadline = 40_000
/** The milliseconds within which 99 of 100 requests of an ordinary client are served during the attack. */
const ordinaryLimit = 500 * Math.min(timeLimitFactor, 4)

describe('while a client takes all resources that it can get', { timeout: suiteTimeout, concurrency: true }, () => {
  for (const [attackers, connections] of [
    [1, 1_005],
    [100, 1_005],
  ] as const)
    test(`an ordinary client is served: ${connections} slow sign-ins from ${attackers} addresses`, async (t) => {
      const service = await startService({ env: { DAYBOOK_LOG_LEVEL: 'error' } })
      const since = performance.now()
      const slow = Array.from({ length: connections }, (_, index) => {
        const socket = attacker(service, index % attackers)
        socket.write(signInHead)
        return socket.resume()
      })
      const gone = Promise.all(slow.map((socket) => new Promise((resolve) => socket.once('close', resolve))))
      let going = true
      const dripping = (async () => {
        for await (const _ of setInterval(10_000)) {
          if (!going) return
          for (const socket of slow) if (!socket.destroyed) socket.write(' ')
        }
      })()
      const times = ordinary(service, () => going)
      await gone
      going = false
      const took = performance.now() - since
      const slowest = percentile(await times, 0.99)
      await service.kill()
      await dripping
      proved(t, `A6 slow sign-ins from ${attackers}`, {
        connections,
        'worst ordinary ninety nine of a hundred ms': Math.ceil(slowest),
        'worst closed after ms': Math.ceil(took),
      })
      assert.ok(took < deadline + 1_000 * (timeLimitFactor - 1), `the last one was closed after ${Math.round(took)} ms`)
      assert.ok(slowest < ordinaryLimit, `99 of 100 ordinary requests within ${slowest} ms`)
    })

  describe('and never reads', () => {
    let service: ServiceProcess
    before(async () => {
      service = await startService({ env: { DAYBOOK_LOG_LEVEL: 'error' } })
    })
    after(() => service.kill())

    test('pipelined responses are never read: other clients are served, memory is bounded, the connections end', async (t) => {
      const { host } = new URL(service.url)
      const page = await (await fetch(`${service.url}/admin/`)).text()
      const path = /src="(\/admin\/assets\/[^"]+\.js)"/.exec(page)?.[1]
      assert.ok(path, page)
      await (await fetch(service.url + path)).text()
      const rest = await figure(service, 'process_resident_memory_bytes')
      const since = performance.now()
      const unread = Array.from({ length: 34 }, () => {
        const socket = attacker(service, 0)
        socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(60))
        socket.pause()
        return socket
      })
      let going = true
      const times = ordinary(service, () => going)
      let peak = 0
      let allOpen = false
      // The metric of open connections shows when the service has closed a connection; a paused socket does not report
      // that.
      for await (const _ of setInterval(500)) {
        peak = Math.max(peak, await figure(service, 'process_resident_memory_bytes'))
        const open = await figure(service, 'daybook_http_connections')
        allOpen ||= open >= unread.length
        if ((allOpen && open < unread.length) || performance.now() - since > deadline) break
      }
      const took = performance.now() - since
      going = false
      const slowest = percentile(await times, 0.99)
      for (const socket of unread) socket.destroy()
      proved(t, 'A6 unread', {
        connections: unread.length,
        'worst ordinary ninety nine of a hundred ms': Math.ceil(slowest),
        'worst closed after ms': Math.ceil(took),
        'worst memory MB': Math.ceil((peak - rest) / 2 ** 20),
      })
      assert.ok(allOpen, 'the service accepted all connections')
      assert.ok(took < deadline, `the connections are still open after ${Math.round(took)} ms`)
      assert.ok(slowest < ordinaryLimit, `99 of 100 ordinary requests within ${slowest} ms`)
      assert.ok(peak - rest < 128 * 2 ** 20, `memory grew by ${(peak - rest) / 2 ** 20} MB`)
    })
  })

  test('sign-ins that all arrive at once leave slots to a client with a token', async () => {
    const service = await startService({ env: { DAYBOOK_LOG_LEVEL: 'error' }, serve: ['--max-requests', '500'] })
    assert.ok(service.pid)
    const sockets = Array.from({ length: 1_005 }, (_, index) => attacker(service, index % 100))
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    const { agent, ask } = ordinaryClient(service)
    // The service accepts connections in order, so it has accepted all when it answers on this one.
    const [first] = await once(ask().end(), 'response')
    await text(first)
    // While the process is stopped the requests arrive; afterwards it reads them in this order in one turn of its event
    // loop.
    process.kill(service.pid, 'SIGSTOP')
    await Promise.all(sockets.map((socket) => new Promise((written) => socket.write(signInHead, written))))
    const ordinary = ask()
    const answered = once(ordinary, 'response')
    await new Promise<void>((written) => ordinary.end(written))
    process.kill(service.pid, 'SIGCONT')
    const [response] = await answered
    assert.equal(response.statusCode, 200, await text(response))
    for (const socket of sockets) socket.destroy()
    agent.destroy()
    await service.kill()
  })

  test('one address has at most 64 unauthenticated requests in flight, and so has each of its neighbours', async () => {
    const service = await startService({ env: { DAYBOOK_LOG_LEVEL: 'error' } })
    for (const index of [0, 1]) {
      const sockets: Socket[] = []
      const refused = Promise.withResolvers<void>()
      let limited = 0
      let answered = 0
      const send = (): void => {
        const socket = attacker(service, index)
        sockets.push(socket)
        socket.write(signInHead)
        socket.once('data', (answer) => {
          answered += 1
          // The busy service shed the request, so another request takes its place.
          if (String(answer).startsWith('HTTP/1.1 503')) return send()
          assert.match(String(answer), /^HTTP\/1\.1 429/)
          limited += 1
          if (limited === 6) refused.resolve()
        })
      }
      for (let count = 0; count < 70; count++) send()
      await refused.promise
      assert.equal((await service.call('GET', '/services/get/')).status, 200)
      assert.equal(sockets.length - answered, 64)
      for (const socket of sockets) socket.destroy()
    }
    await service.kill()
  })

  test('one address has at most 512 connections, a trusted proxy any number', async () => {
    for (const [serve, most] of [
      [[], 512],
      [['--max-connections', '7'], 7],
      [['--max-connections', '7', '--trust-proxy', '127.0.2.0/24'], 600],
    ] as const) {
      const service = await startService({ env: { DAYBOOK_LOG_LEVEL: 'error' }, serve })
      const { host } = new URL(service.url)
      const sockets = Array.from({ length: 600 }, () => attacker(service, 0))
      const answered = await Promise.all(
        sockets.map(async (socket) => {
          socket.write(`GET /health/live HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
          const first = await new Promise<unknown>((resolve) => socket.once('data', resolve).once('close', resolve))
          return String(first).startsWith('HTTP/1.1 200')
        }),
      )
      assert.equal(answered.filter(Boolean).length, most)
      for (const socket of sockets) socket.destroy()
      assert.equal((await service.call('GET', '/services/get/')).status, 200)
      await service.kill()
    }
  })
})

const signInHead = [
  'POST /admin/api/session/sign-in/ HTTP/1.1',
  'Host: 127.0.0.1',
  'Sec-Fetch-Site: same-origin',
  'Content-Type: application/json',
  'Content-Length: 200',
  '',
  '{',
].join('\r\n')

/** Opens a connection from one of the addresses 127.0.2.1 to 127.0.2.254 and ignores its errors. */
function attacker(service: ServiceProcess, index: number): Socket {
  const { hostname, port } = new URL(service.url)
  const socket = connect({ host: hostname, port: Number(port), localAddress: `127.0.2.${1 + (index % 254)}` })
  return socket.on('error', () => {})
}

/** A client at 127.0.0.1 with a token and one connection; `ask` begins a request, which the caller must end. */
function ordinaryClient(service: ServiceProcess) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { Authorization: `Bearer ${service.readToken}` }
  return { agent, ask: () => request(`${service.root}/services/get/`, { agent, headers }) }
}

/** Returns the durations in milliseconds of sequential requests from 127.0.0.1, on average at most 50 per second. */
async function ordinary(service: ServiceProcess, going: () => boolean): Promise<number[]> {
  const { agent, ask } = ordinaryClient(service)
  const times: number[] = []
  for await (const _ of setInterval(20)) {
    if (!going()) break
    const since = performance.now()
    const [response] = await once(ask().end(), 'response')
    assert.equal(response.statusCode, 200, await text(response))
    times.push(performance.now() - since)
  }
  agent.destroy()
  return times
}

async function figure(service: ServiceProcess, name: string): Promise<number> {
  const page = await (await fetch(`${service.url}/metrics`)).text()
  const line = page.split('\n').find((one) => one.startsWith(`${name} `))
  assert.ok(line, `no figure ${name}`)
  return Number(line.split(' ')[1])
}
