import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { Connections } from './connections.ts'

// The size of the response. Half of it is more than the buffers of the operating system hold.
const bodyBytes = 64 * 2 ** 20

/** Starts a server that sends a large response, and a client that has read nothing of it. */
async function slowClient(t: TestContext) {
  const connections = new Connections({ perPeer: 10, isProxy: () => false, onExcess: () => {} })
  const server = createServer((_, response) => response.end(Buffer.alloc(bodyBytes)))
  connections.watch(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = connect(port, '127.0.0.1').pause()
  client.on('error', () => {})
  t.after(() => {
    client.destroy()
    server.close()
  })
  client.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n')
  const [, response] = await once(server, 'request')
  const socket: Socket = response.socket
  return { connections, client, response, socket }
}

/** Resolves when the client has read this many bytes, after which it reads no more. */
function read(client: Socket, bytes: number): Promise<void> {
  return new Promise((resolve) => {
    let count = 0
    client.on('data', (chunk) => {
      count += chunk.length
      if (count < bytes) return
      client.pause()
      resolve()
    })
    client.resume()
  })
}

test('a connection of which nothing is read for 30 seconds is destroyed', async (t) => {
  const { connections, socket } = await slowClient(t)
  connections.check(0)
  connections.check(29_999)
  assert.equal(socket.destroyed, false)
  connections.check(30_000)
  assert.equal(socket.destroyed, true)
})

test('the 30 seconds begin when the client stops reading, neither earlier nor later', async (t) => {
  const { connections, client, socket } = await slowClient(t)
  connections.check(0)
  await read(client, bodyBytes / 2)
  connections.check(4_000)
  connections.check(33_999)
  assert.equal(socket.destroyed, false)
  connections.check(34_000)
  assert.equal(socket.destroyed, true)
})

test('a connection without unsent bytes is not destroyed, however long nothing is sent', async (t) => {
  const { connections, client, response, socket } = await slowClient(t)
  connections.check(0)
  await read(client, bodyBytes)
  if (!response.writableFinished) await once(response, 'finish')
  connections.check(4_000)
  connections.check(100_000)
  assert.equal(socket.destroyed, false)
})
