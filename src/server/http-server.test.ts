import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestHttpServer, type TestHttpServer } from '../../test/support/test-http-server.ts'

let server: TestHttpServer
before(async () => {
  server = await startTestHttpServer()
})
after(() => server.close())

test('every response is JSON, not cacheable and not sniffable', async () => {
  for (const path of ['/auth/verify/', '/nope/', '/availability/get/', '/openapi.json']) {
    const { headers } = await server.call(path)
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
  }
})

test('a path is served with and without its trailing slash', async () => {
  assert.equal((await server.call('/auth/verify/')).status, 200)
  assert.equal((await server.call('/auth/verify')).status, 200)
  assert.equal((await server.call('/auth/verify?full=1')).status, 200)
})

const noRoutes = [
  ['GET', '/nope/'],
  ['GET', '/'],
  ['GET', '/Auth/verify/'],
  ['GET', '/auth//verify/'],
  ['GET', '/auth/%zz'],
  ['GET', '/%'],
  ['POST', '/auth/verify/'],
  ['GET', '/reservations/add/'],
  ['HEAD', '/auth/verify/'],
  ['OPTIONS', '/auth/verify/'],
  ['PUT', '/reservations/edit/'],
  ['DELETE', '/reservations/remove/?id=r_1'],
  ['PATCH', '/customers/edit/'],
  ['QUERY', '/services/get/'],
] as const

for (const [method, path] of noRoutes) {
  test(`${method} ${path} is an unknown route, whatever its token or body`, async () => {
    const head = `${method} /api/v1${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n`
    const answer = await server.raw(`${head}Content-Type: x;;/\r\nContent-Length: 1\r\n\r\n{`)
    assert.match(answer, /^HTTP\/1.1 404 /)
    if (method !== 'HEAD') assert.match(answer, /{"code":"rest_no_route","message":"[^"]+","data":{"status":404}}$/)
  })
}

test('an unknown API version is an unknown route', async () => {
  const response = await fetch(`${server.url}/api/v2/auth/verify/`, { headers: { Authorization: 'Bearer writer' } })
  assert.equal(response.status, 404)
  assert.match(await response.text(), /rest_no_route/)
})

test('the OpenAPI document needs no token', async () => {
  const { status, body } = await server.call('/openapi.json', { token: null })
  assert.equal(status, 200)
  assert.equal(body.openapi, '3.1.0')
  assert.equal(body.servers[0].url, '/api/v1')
})

test('live reports that the process responds, ready that requests are served', async () => {
  const health = async (of: TestHttpServer, path: string) => (await fetch(`${of.url}/health/${path}`)).status
  assert.equal(await health(server, 'live'), 200)
  assert.equal(await health(server, 'ready'), 200)
  const starting = await startTestHttpServer({ ready: async () => false })
  assert.equal(await health(starting, 'live'), 200)
  assert.equal(await health(starting, 'ready'), 503)
  await starting.close()
})

test('checks run in order: scope, then JSON and parameters, then existence', async () => {
  const body = '{"broken'
  assert.equal((await server.call('/customers/edit/', { body, token: 'reader' })).status, 403)
  assert.equal((await server.call('/customers/edit/', { body })).body.reason, 'invalid_json')
  const remove = (token: string, headers = {}) => server.call('/customers/remove/', { method: 'POST', token, headers })
  assert.equal((await remove('reader')).status, 403)
  assert.equal((await remove('writer', { 'Idempotency-Key': 'two words' })).status, 400)
  assert.equal((await remove('writer')).status, 404)
})

const odd = [
  ['no HTTP at all', 'hello\r\n\r\n', 400],
  ['two hosts', 'GET /api/v1/auth/verify/ HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
  ['no host', 'GET /api/v1/auth/verify/ HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ['TRACE', 'TRACE /api/v1/auth/verify/ HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ['length and chunks', smuggled('Content-Length: 4\r\nTransfer-Encoding: chunked'), 400],
  ['two lengths', smuggled('Content-Length: 4\r\nContent-Length: 5'), 400],
  ['a folded header', smuggled('X-A: b\r\n c: d\r\nContent-Length : 4'), 400],
  ['an endless address', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
] as const

function smuggled(headers: string): string {
  return `POST /api/v1/customers/edit/ HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer writer\r\n${headers}\r\n\r\n0\r\n\r\n`
}

for (const [what, bytes, status] of odd) {
  test(`${what} is answered ${status} and the connection ends`, async () => {
    const answer = await server.raw(bytes)
    assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `))
    assert.equal(answer.match(/HTTP\/1\.1/g)?.length, 1)
  })
}
