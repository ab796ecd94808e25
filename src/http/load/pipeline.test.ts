import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, beforeEach, test } from 'node:test'
import { serializeRequests } from './pipeline.ts'

interface Started {
  readonly url: string
  readonly response: ServerResponse
}

/** The requests that the server has started and the test must answer. */
let started: Started[]
let server: Server
let starting: PromiseWithResolvers<void>

beforeEach(async () => {
  started = []
  starting = Promise.withResolvers()
  server = createServer(
    serializeRequests((request, response) => {
      started.push({ url: request.url ?? '', response })
      starting.resolve()
      starting = Promise.withResolvers()
    }),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/** Resolves with the next started request; fails if the server has started another one at the same time. */
async function nextStart(): Promise<Started> {
  if (started.length === 0) await starting.promise
  await new Promise(setImmediate)
  const [first, ...more] = started.splice(0)
  assert.ok(first && more.length === 0, 'requests start one at a time')
  return first
}

async function connected() {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (part) => {
    text += part
  })
  const ended = once(socket, 'close')
  socket.on('error', () => {})
  return { socket, ended, text: () => text }
}

const get = (path: string, header = 'X-A: b') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n`

test('pipelined requests run one at a time and are answered in order', async () => {
  const { socket, text } = await connected()
  socket.write(['/1', '/2', '/3'].map((path) => get(path)).join(''))
  for (const path of ['/1', '/2', '/3']) {
    const { url, response } = await nextStart()
    assert.equal(url, path)
    response.end(`answer to ${path}`)
  }
  while (!text().includes('answer to /3')) await once(socket, 'data')
  assert.match(text(), /answer to \/1[\s\S]*answer to \/2[\s\S]*answer to \/3/)
})

for (const [what, bytes] of [
  ['65 requests', get('/').repeat(66)],
  ['64 KB of heads', get('/', `X-Long: ${'y'.repeat(10_000)}`).repeat(8)],
] as const)
  test(`a connection with ${what} queued is destroyed`, async () => {
    const { socket, ended, text } = await connected()
    socket.write(bytes)
    await ended
    assert.equal(started.length, 1)
    assert.equal(text(), '')
  })

test('a request after a response that closes the connection never starts', async () => {
  const { socket, ended } = await connected()
  socket.write(get('/1') + get('/2'))
  const { response } = await nextStart()
  response.writeHead(200, { Connection: 'close' }).end()
  await ended
  assert.equal(started.length, 0)
})
