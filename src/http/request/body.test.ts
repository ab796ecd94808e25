import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import {
  type HttpCallOptions,
  startTestHttpServer,
  type TestHttpServer,
} from '../../../test/support/test-http-server.ts'
import { readBody } from './body.ts'

let testServer: TestHttpServer
before(async () => {
  testServer = await startTestHttpServer()
})
after(() => testServer.close())

const edit = (options: HttpCallOptions) => testServer.call('/customers/edit/', { method: 'POST', ...options })
const lastBody = () => testServer.writes.at(-1)?.body
const reservation = { serviceId: 's', customerId: 'c', providerId: 3, availabilityId: 'a', start: 10, end: 20 }

const contentTypes = [
  ['application/json', 200],
  ['Application/JSON; charset=UTF-8', 200],
  ['application/json;charset="utf-8"', 200],
  ['application/json; charset=latin1', 400],
  ['text/plain', 400],
  ['application/x-www-form-urlencoded', 400],
  ['application/jsonp', 400],
  ['garbage', 400],
  [';;', 400],
] as const

for (const [type, status] of contentTypes) {
  test(`a body of type ${type} is answered ${status}`, async () => {
    const answer = await edit({ body: '{"id":"c"}', headers: { 'Content-Type': type } })
    assert.equal(answer.status, status)
    if (status === 400) assert.deepEqual([answer.body.status, answer.body.reason], ['KO', 'invalid_json'])
  })
}

test('a body without a type, an empty body and a missing body are 400', async () => {
  const head =
    'POST /api/v1/customers/edit/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer writer\r\n'
  assert.match(
    await testServer.raw(`${head}Content-Length: 10\r\n\r\n{"id":"c"}`),
    /^HTTP\/1.1 400 (?:.|\r?\n)*invalid_json/,
  )
  assert.match(await testServer.raw(`${head}\r\n`), /^HTTP\/1.1 400 (?:.|\r?\n)*invalid_json/)
  const json = 'Content-Type: application/json\r\n'
  assert.match(
    await testServer.raw(`${head}${json}Content-Length: 0\r\n\r\n`),
    /^HTTP\/1.1 400 (?:.|\r?\n)*invalid_json/,
  )
  assert.match(await testServer.raw(`${head}${json}\r\n`), /^HTTP\/1.1 400 (?:.|\r?\n)*invalid_json/)
})

test('a body that arrives in parts while its request is queued is read completely', async () => {
  const bodies: unknown[] = []
  const server = createServer(async (request, response) => {
    while (!request.complete) await pause(1)
    bodies.push(await readBody(request))
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1')
  socket.setNoDelay(true)
  const head = 'POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n'
  for (const part of [`${head}Content-Length: 10\r\n\r\n`, '{"id":', '"c"', '}']) {
    socket.write(part)
    await pause(10)
  }
  await once(socket.resume(), 'close')
  server.close()
  assert.deepEqual(bodies, [{ id: 'c' }])
})

test('a compressed body is 400', async () => {
  const answer = await edit({ body: gzipSync('{"id":"c"}'), headers: { 'Content-Encoding': 'gzip' } })
  assert.deepEqual([answer.status, answer.body.reason], [400, 'invalid_json'])
  assert.equal((await edit({ body: '{"id":"c"}', headers: { 'Content-Encoding': 'Identity' } })).status, 200)
})

test('a body may have 256 KB and no more, with a declared or a counted length', async () => {
  const of = (bytes: number) => `{"id":"c","x":"${'x'.repeat(bytes - 17)}"}`
  assert.equal((await edit({ body: of(262_144) })).status, 200)
  const declaredLength = await edit({ body: of(262_145) })
  assert.equal(declaredLength.status, 413)
  assert.deepEqual(
    [declaredLength.body.status, declaredLength.body.code, declaredLength.body.reason],
    ['KO', 413, 'body_too_large'],
  )
  const counted = await fetch(`${testServer.url}/api/v1/customers/edit/`, {
    method: 'POST',
    headers: { Authorization: 'Bearer writer', 'Content-Type': 'application/json' },
    body: new Blob([of(300_000)]).stream(),
    duplex: 'half',
  })
  assert.equal(counted.status, 413)
})

test('an unread body does not end the connection', async () => {
  const head = (path: string, more: string) =>
    `POST /api/v1/${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${more}\r\n`
  const large = `${head('customers/edit/', 'writer\r\nContent-Type: application/json')}Content-Length: 300000\r\n\r\n${'x'.repeat(300_000)}`
  const last = `${head('customers/remove/?id=c', 'writer\r\nConnection: close')}\r\n`
  const answers = await testServer.raw(large + large + last)
  assert.deepEqual(answers.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 413', 'HTTP/1.1 413', 'HTTP/1.1 200'])
})

test('a removal does not read its body', async () => {
  const remove = (options: HttpCallOptions) =>
    testServer.call('/services/remove/?id=s_1', { method: 'POST', ...options })
  for (const options of [
    {},
    { headers: { 'Content-Type': 'application/json' } },
    { headers: { 'Content-Type': 'garbage' } },
    { body: '' },
    { body: '{"broken' },
    { body: 'x'.repeat(300_000), headers: { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' } },
  ]) {
    assert.equal((await remove(options)).status, 200)
    assert.deepEqual(testServer.writes.at(-1)?.query, { id: 's_1' })
  }
})

test('a removal without an id finds nothing', async () => {
  for (const path of ['/reservations/remove/', '/customers/remove/?ID=c', '/services/remove/?x=1']) {
    const answer = await testServer.call(path, { method: 'POST' })
    assert.equal(answer.status, 404)
    assert.deepEqual([answer.body.status, answer.body.code, answer.body.reason], ['KO', 404, 'missing_parameter'])
  }
  assert.equal((await testServer.call('/services/remove/?id=', { method: 'POST' })).status, 200)
  assert.deepEqual(testServer.writes.at(-1)?.query, { id: '' })
})

test('all invalid fields are reported at once, each with the expected value', async () => {
  const json = { ...reservation, start: '10', end: 1.5, providerId: true, data: [], serviceId: undefined }
  const { status, body } = await testServer.call('/reservations/add/', { json })
  assert.equal(status, 400)
  assert.deepEqual(Object.keys(body), ['status', 'code', 'error', 'reason', 'details'])
  assert.deepEqual([body.status, body.code, body.reason], ['KO', 400, 'invalid_parameter'])
  assert.deepEqual(Object.keys(body.details).toSorted(), ['data', 'end', 'providerId', 'serviceId', 'start'])
  for (const sentence of Object.values(body.details)) assert.match(String(sentence), /^(Must be|Missing: send) .+\.$/)
})

test('fields that are only missing are reported as missing', async () => {
  const { body } = await testServer.call('/reservations/add/', {
    json: { ...reservation, start: undefined, end: undefined },
  })
  assert.equal(body.reason, 'missing_parameter')
  assert.deepEqual(Object.keys(body.details), ['start', 'end'])
})

test('a field that is not in the contract is ignored and reported', async () => {
  const json = { id: 'c', ünï: 1, 'a,b': 2, created: 3, __proto__: null, constructor: 4 }
  const answer = await edit({ json })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('x-svc-ignored-fields'), '%C3%BCn%C3%AF, a%2Cb, created, constructor')
  assert.deepEqual(lastBody(), { id: 'c' })
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`field${at}`, at]))
  const list = (await edit({ json: { id: 'c', ...many } })).headers.get('x-svc-ignored-fields') ?? ''
  assert.ok(list.length <= 1010 && list.endsWith(', ...'), list.slice(-20))
  assert.equal((await edit({ json: { id: 'c' } })).headers.has('x-svc-ignored-fields'), false)
})

test('a customer of a list response can be sent back', async () => {
  const shown = { id: 'c', name: 'Jo', email: 'Jo@Example.com', phone: '', host_user: 0, timezone: null, language: '' }
  const answer = await edit({ json: shown })
  assert.equal(answer.headers.has('x-svc-ignored-fields'), false)
  const { host_user, ...same } = shown
  assert.deepEqual(lastBody(), { ...same, hostUserId: host_user })
})

test('host_user next to hostUserId is ignored', async () => {
  const answer = await edit({ json: { id: 'c', host_user: 4, hostUserId: 5 } })
  assert.equal(answer.headers.get('x-svc-ignored-fields'), 'host_user')
  assert.deepEqual(lastBody(), { id: 'c', hostUserId: 5 })
})

test('a service and a reservation of a list response can be sent back', async () => {
  const service = { id: 's', name: 'Cut', description: '', class: 'appointment', color: null, data: { own: [1] } }
  assert.equal((await testServer.call('/services/edit/', { json: service })).headers.has('x-svc-ignored-fields'), false)
  assert.deepEqual(lastBody(), service)
  const shown = { id: 'r', ...reservation, status: 'pending', data: { a: null } }
  const answer = await testServer.call('/reservations/edit/', { json: { ...shown, created: 1, updated: 1 } })
  assert.equal(answer.headers.get('x-svc-ignored-fields'), 'created, updated')
  assert.deepEqual(lastBody(), shown)
})

test('provider settings are validated, other keys are stored unchanged', async () => {
  const put = (json: unknown) => testServer.call('/providers/edit/service/?serviceId=s&providerId=7', { json })
  const settings = { durationMinutes: 45, price: null, participate: false, priority: -2, mine: { a: [1, null] } }
  assert.equal((await put(settings)).status, 200)
  assert.deepEqual(lastBody(), settings)
  assert.deepEqual(testServer.writes.at(-1)?.query, { serviceId: 's', providerId: 7 })
  const wrong = { durationMinutes: 0, capacity: 1.5, participate: 'yes', bufferBeforeMinutes: 1441, horizonDays: '5' }
  const { status, body } = await put({ ...wrong, mine: 1 })
  assert.equal(status, 400)
  assert.deepEqual(Object.keys(body.details).toSorted(), Object.keys(wrong).toSorted())
  const unnamed = await testServer.call('/providers/edit/service/?serviceId=s', { json: {} })
  assert.deepEqual([unnamed.status, unnamed.body.reason], [400, 'missing_parameter'])
})

test('__proto__ in data arrives as a plain key', async () => {
  const body = `{"id":"r","data":{"__proto__":{"admin":true},"constructor":{"prototype":1}}}`
  assert.equal((await testServer.call('/reservations/edit/', { body })).status, 200)
  assert.equal(JSON.stringify(lastBody()), body)
  assert.equal('admin' in {}, false)
})
