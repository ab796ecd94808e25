import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { proved } from '../support/proof.ts'
import { scaled, suiteTimeout } from '../support/scale.ts'
import { type ServiceProcess, startService } from '../support/service.ts'

const restarts = scaled(10)
const clients = 16
const maxStop = 3_000

let service: ServiceProcess
before(async () => {
  service = await startService()
})
after(() => service.kill())

test('stopped and restarted under load, the service completes its requests, and idle connections do not delay it', {
  timeout: suiteTimeout,
}, async (t) => {
  let added = 0
  let slowest = 0
  for (let round = 0; round < restarts; round++) {
    const idle = await Promise.all([1, 2, 3].map(() => idleConnection(service)))
    const busy = Promise.withResolvers<void>()
    let answers = 0
    const load = Array.from({ length: clients }, (_, client) =>
      addUntilStopped(service, `${round}-${client}`, () => {
        if (++answers === 60) busy.resolve()
      }),
    )
    await busy.promise
    const since = performance.now()
    assert.equal(await service.stop(), 0)
    slowest = Math.max(slowest, performance.now() - since)
    for (const one of await Promise.all(load)) added += one
    for (const socket of idle) socket.destroy()
    await service.restart()
  }
  const { body } = await service.call('GET', '/customers/get/')
  assert.equal(body.response.length, added, 'what was answered, and nothing else, is there')
  assert.ok(slowest < maxStop, `a stop took ${slowest} ms`)
  proved(t, 'A8', {
    restarts,
    'writes answered': added,
    resets: 0,
    'worst stop ms': Math.round(slowest),
  })
})

const halves = [
  ['nothing', ''],
  ['half a head', 'GET /api/v1/auth/verify/ HTTP/1.1\r\nHo'],
  ['a head without its body', 'POST /api/v1/customers/add/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n'],
] as const

test('connections with incomplete requests do not delay it either', async () => {
  const sockets = halves.map(([, bytes]) => {
    const socket = connected(service)
    socket.write(bytes)
    return socket
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  // The response 401 on the third socket shows that the service has accepted the three connections and has read the
  // header section of the third request.
  await once(sockets[2] ?? connected(service), 'data')
  const since = performance.now()
  assert.equal(await service.stop(), 0)
  const took = performance.now() - since
  assert.ok(took < maxStop, `a stop took ${took} ms`)
  for (const socket of sockets) socket.destroy()
  await service.restart()
})

test('told to stop, a draining service says that it is not ready and answers until a second signal', async () => {
  const draining = await startService({ env: { DAYBOOK_DRAIN_SECONDS: '300' } })
  process.kill(draining.pid ?? 0, 'SIGTERM')
  let status = 200
  while (status === 200) ({ status } = await fetch(`${draining.url}/health/ready`))
  assert.equal(status, 503)
  assert.equal((await fetch(`${draining.url}/health/live`)).status, 200)
  assert.equal((await draining.call('GET', '/services/get/')).status, 200)
  // The service would serve requests for 300 seconds after the first SIGTERM (`DAYBOOK_DRAIN_SECONDS`); the second
  // SIGTERM stops it at once.
  assert.equal(await draining.stop(), 0)
})

/** Adds customers on one connection until the service closes it; returns the number added. */
async function addUntilStopped(at: ServiceProcess, name: string, onProgress: () => void): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let added = 0; ; ) {
    const response = await addCustomer(at, agent, `${name}-${added}`)
    assert.equal(response.statusCode, 201, await text(response))
    added++
    onProgress()
    if (response.headers.connection !== 'close') continue
    agent.destroy()
    return added
  }
}

async function addCustomer(at: ServiceProcess, agent: Agent, name: string): Promise<IncomingMessage> {
  const headers = { Authorization: `Bearer ${at.writeToken}`, 'Content-Type': 'application/json' }
  const asking = request(`${at.root}/customers/add/`, { method: 'POST', agent, headers })
  asking.end(JSON.stringify({ name, email: `c${name}@example.com` }))
  // A connection that the service resets makes `once` reject and fails the test.
  const [response] = await once(asking, 'response')
  return response
}

/** Opens a connection, receives a response on it, and leaves the connection open and idle. */
async function idleConnection(at: ServiceProcess): Promise<Socket> {
  const socket = connected(at)
  socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(socket, 'data')
  return socket
}

function connected(at: ServiceProcess): Socket {
  const { hostname, port } = new URL(at.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  return socket
}
