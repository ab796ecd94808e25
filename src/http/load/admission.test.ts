import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, test } from 'node:test'
import { type Door, openDoor } from '../../../test/support/door.ts'

let door: Door
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await door.close()
})

/** Sends bytes on a new connection and returns its socket once the server has received them. */
async function sent(bytes: string): Promise<Socket> {
  const { port } = new URL(door.url)
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
  door = await openDoor({ maxRequests: 1 })
  const slow = await Promise.all([sent(head), sent(head), sent(head)])
  assert.equal((await door.call('/services/get/')).status, 200)
  assert.equal(door.asked.length, 0)
  const [first] = slow
  first?.write('"a@example.com"}')
  const [response] = await once(first ?? slow[0], 'data')
  assert.match(String(response), /^HTTP\/1\.1 201 /)
})
