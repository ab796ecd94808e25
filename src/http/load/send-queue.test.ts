import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { send } from '../response/response.ts'
import { queuedBytes } from './send-queue.ts'

const megabyte = 1024 * 1024

test('unread responses queue at most 128 MB; beyond that the longest waiting ones are destroyed', async () => {
  const body = Buffer.alloc(50 * megabyte)
  const server = createServer((_request, response) => send(response, { status: 200, headers: {}, body }))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const connections: Socket[] = []
  server.on('connection', (socket) => connections.push(socket))
  const clients: Socket[] = []
  for (let count = 0; count < 4; count++) {
    const client = connect(port, '127.0.0.1').on('error', () => {})
    client.pause().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    clients.push(client)
    await once(server, 'request')
    assert.ok(queuedBytes() <= 128 * megabyte, `${queuedBytes()} bytes`)
  }
  assert.deepEqual(
    connections.map(({ destroyed }) => destroyed),
    [true, true, false, false],
  )
  const [, , , last] = clients
  last?.resume()
  let read = 0
  while (last && read < body.length) read += (await once(last, 'data'))[0].length
  for (const client of clients) client.destroy()
  server.closeAllConnections()
  await once(server.close(), 'close')
  // A response emits `close` slightly later than the server does.
  while (queuedBytes() > 0) await new Promise(setImmediate)
})
