import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { proved } from '../support/proof.ts'
import { patience, scaled } from '../support/scale.ts'
import { type Service, startService } from '../support/service.ts'

const restarts = scaled(10)
const clients = 16
const longestStop = 3_000

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.kill())

test('stopped and started again under load, it loses no request it took, and no idle connection holds it up', {
  timeout: patience,
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
  assert.ok(slowest < longestStop, `a stop took ${slowest} ms`)
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

test('connections on which no whole request arrives do not hold it up either', async () => {
  const sockets = halves.map(([, bytes]) => {
    const socket = connected(service)
    socket.write(bytes)
    return socket
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  // The one that is refused for want of a token tells that the service has read what was sent.
  await once(sockets[2] ?? connected(service), 'data')
  const since = performance.now()
  assert.equal(await service.stop(), 0)
  const took = performance.now() - since
  assert.ok(took < longestStop, `a stop took ${took} ms`)
  for (const socket of sockets) socket.destroy()
  await service.restart()
})

/** Adds customers on one connection until the service says that it was the last; gives how many were added. */
async function addUntilStopped(at: Service, name: string, hear: () => void): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let added = 0; ; ) {
    const response = await addCustomer(at, agent, `${name}-${added}`)
    assert.equal(response.statusCode, 201, await text(response))
    added++
    hear()
    if (response.headers.connection !== 'close') continue
    agent.destroy()
    return added
  }
}

async function addCustomer(at: Service, agent: Agent, name: string): Promise<IncomingMessage> {
  const headers = { Authorization: `Bearer ${at.writeToken}`, 'Content-Type': 'application/json' }
  const asking = request(`${at.root}/customers/add/`, { method: 'POST', agent, headers })
  asking.end(JSON.stringify({ name, email: `c${name}@example.com` }))
  // A reset fails the test here.
  const [response] = await once(asking, 'response')
  return response
}

/** A connection that has had an answer and is kept open. */
async function idleConnection(at: Service): Promise<Socket> {
  const socket = connected(at)
  socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(socket, 'data')
  return socket
}

function connected(at: Service): Socket {
  const { hostname, port } = new URL(at.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  return socket
}
