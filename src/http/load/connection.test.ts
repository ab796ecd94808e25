import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { refuseConnection } from './connection.ts'

let server: Server
before(async () => {
  const limits = { headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 20 }
  server = createServer(limits, (_request, response) => response.end('Hello'))
  server.on('clientError', refuseConnection)
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
after(() => server.close())

/** Sends bytes on a new connection and returns everything received until the server closes the connection. */
async function answerTo(sent: string): Promise<string> {
  const address = server.address()
  assert.ok(typeof address === 'object' && address)
  const socket = connect(address.port, '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (part) => {
    text += part
  })
  socket.write(sent)
  await once(socket, 'close')
  return text
}

test('a connection without a request is closed without a response', async () => {
  assert.equal(await answerTo(''), '')
})

for (const [what, sent, status] of [
  ['half a request', 'GET / HTTP/1.1\r\nHost: a\r\n', 408],
  ['something else than HTTP', 'EHLO me\r\n\r\n', 400],
] as const)
  test(`a connection that sends ${what} is answered ${status} and closed`, async () => {
    const text = await answerTo(sent)
    assert.match(text, new RegExp(`^HTTP/1.1 ${status} .*"code":"rest_bad_request".*$`, 's'))
  })

test('a client that keeps sending after its 408 is disconnected', async () => {
  const address = server.address()
  assert.ok(typeof address === 'object' && address)
  const socket = connect({ port: address.port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
  socket.resume().write('GET / HTTP/1.1\r\nHost: a\r\n')
  const [connection] = await once(server, 'connection')
  const gone = once(connection, 'close')
  await once(socket, 'data')
  const dripping = setInterval(() => socket.write('X'), 5)
  await gone
  clearInterval(dripping)
  socket.destroy()
})
