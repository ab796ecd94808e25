import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, test } from 'node:test'
import { startTestHttpServer, type TestHttpServer } from '../../../test/support/test-http-server.ts'

let server: TestHttpServer
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await server.close()
})

/** Sends bytes on a new connection and returns its socket, possibly before the server has received them. */
async function sent(bytes: string): Promise<Socket> {
  const { port } = new URL(server.url)
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
  sockets.push(socket)
  socket.setEncoding('utf8')
  await once(socket, 'connect')
  socket.write(bytes)
  return socket
}

const head = [
  'POST /api/v1/customers/add/ HTTP/1.1',
  'Host: a',
  'Authorization: Bearer writer',
  'Content-Type: application/json',
  'Content-Length: 38',
  '',
  '{"name":"Ann","email":',
].join('\r\n')

test('a request holds no slot while its body arrives, and is served once the body is complete', async () => {
  server = await startTestHttpServer({ maxRequests: 1 })
  const slow = await Promise.all([sent(head), sent(head), sent(head)])
  assert.equal((await server.call('/services/get/')).status, 200)
  assert.equal(server.writes.length, 0)
  const [first] = slow
  first?.write('"a@example.com"}')
  const [response] = await once(first ?? slow[0], 'data')
  assert.match(String(response), /^HTTP\/1\.1 201 /)
})

test('health checks hold no slot, and concurrent ones share one check', async () => {
  const check = Promise.withResolvers<boolean>()
  let checks = 0
  const ready = (): Promise<boolean> => {
    checks += 1
    return check.promise
  }
  server = await startTestHttpServer({ maxRequests: 1, ready })
  // The server sends `100 Continue` when it starts to handle the request.
  const probe = 'GET /health/ready HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n'
  const probes = await Promise.all([sent(probe), sent(probe)])
  const received = () => Promise.all(probes.map(async (socket) => String(await once(socket, 'data')).slice(0, 12)))
  assert.deepEqual(await received(), ['HTTP/1.1 100', 'HTTP/1.1 100'])
  assert.equal((await server.call('/services/get/')).status, 200)
  assert.equal(checks, 1)
  const answered = received()
  check.resolve(true)
  assert.deepEqual(await answered, ['HTTP/1.1 200', 'HTTP/1.1 200'])
  assert.equal((await fetch(`${server.url}/health/ready`)).status, 200)
  assert.equal(checks, 2)
})

test('a stopping server answers requests that arrived while its event loop was stalled', async () => {
  server = await startTestHttpServer()
  const read = 'GET /api/v1/services/get/ HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer reader\r\n\r\n'
  const client = await sent(read)
  await once(client, 'data')
  const stopped = server.stop(10_000)
  client.write(read)
  const stalledUntil = performance.now() + 500
  while (performance.now() < stalledUntil);
  const [response] = await once(client, 'data')
  assert.match(String(response), /^HTTP\/1\.1 200 [\s\S]*connection: close\r\n/i)
  await stopped
})
