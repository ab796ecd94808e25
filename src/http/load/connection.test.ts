import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { after, afterEach, before, test } from 'node:test'
import { refuseConnection } from './connection.ts'

let server: Server
before(async () => {
  const limits = { headersTimeout: 0, requestTimeout: 0, connectionsCheckingInterval: 20 }
  server = createServer(limits, (_request, response) => response.end('Hello'))
  server.on('clientError', refuseConnection)
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterEach(() => setTimeouts(0))
after(() => server.close())

/** Sets the milliseconds after which a request must have arrived; 0 for no limit. */
function setTimeouts(milliseconds: number): void {
  server.headersTimeout = milliseconds
  server.requestTimeout = milliseconds
}

/**
 * Sends bytes over a new connection; resolves to the server's end of it once the server has received them. Only then
 * does a test limit the time of the request: the limit counts from the start of the connection, and might be over
 * before a busy machine has passed the bytes on.
 */
async function received(bytes: string, socket: Socket): Promise<Socket> {
  const connecting = once(server, 'connection')
  socket.write(bytes)
  const [connection]: Socket[] = await connecting
  assert.ok(connection)
  while (connection.bytesRead < bytes.length) await new Promise(setImmediate)
  return connection
}

function address(): { readonly port: number; readonly host: string } {
  const bound = server.address()
  assert.ok(typeof bound === 'object' && bound)
  return { port: bound.port, host: '127.0.0.1' }
}

/** Sends bytes on a new connection and returns everything received until the server closes the connection. */
async function answerTo(bytes: string): Promise<string> {
  const socket = connect(address())
  let text = ''
  socket.setEncoding('utf8').on('data', (part) => {
    text += part
  })
  const closed = once(socket, 'close')
  await received(bytes, socket)
  setTimeouts(50)
  await closed
  return text
}

test('a connection without a request is closed without a response', async () => {
  assert.equal(await answerTo(''), '')
})

for (const [what, bytes, status] of [
  ['half a request', 'GET / HTTP/1.1\r\nHost: a\r\n', 408],
  ['something else than HTTP', 'EHLO me\r\n\r\n', 400],
] as const)
  test(`a connection that sends ${what} is answered ${status} and closed`, async () => {
    const text = await answerTo(bytes)
    assert.match(text, new RegExp(`^HTTP/1.1 ${status} .*"code":"rest_bad_request".*$`, 's'))
  })

test('a client that keeps sending after its 408 is disconnected', async () => {
  const socket = connect({ ...address(), allowHalfOpen: true }).on('error', () => {})
  const answered = once(socket.resume(), 'data')
  const connection = await received('GET / HTTP/1.1\r\nHost: a\r\n', socket)
  const gone = once(connection, 'close')
  setTimeouts(50)
  await answered
  const dripping = setInterval(() => socket.write('X'), 5)
  await gone
  clearInterval(dripping)
  socket.destroy()
})
