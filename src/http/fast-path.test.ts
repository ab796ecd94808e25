import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startTestHttpServer, type TestHttpServer } from '../../test/support/test-http-server.ts'
import type { PreparedList } from '../contract/endpoint.ts'
import { message } from '../messages/message.ts'

const slots = Buffer.from(Array.from({ length: 200 }, (_, index) => `{"start":${index}}`).join(','))
const list: PreparedList = { pieces: [slots], size: slots.length, total: 200, tag: 'a.1' }
const path = '/availability/get/?min_timestamp=1&max_timestamp=2'

let ahead: TestHttpServer
let behind: TestHttpServer
let found = 0
let handled = 0

before(async () => {
  const handlers = {
    'GET /availability/get/': () => {
      handled += 1
      return list
    },
  }
  const trustProxy = '127.0.0.1, 192.0.2.0/24'
  behind = await startTestHttpServer({ handlers, trustProxy })
  ahead = await startTestHttpServer({
    handlers,
    trustProxy,
    findAvailability: ({ query }) => {
      found += 1
      return query.min_timestamp === 7 ? undefined : list
    },
  })
})
after(async () => {
  await ahead.close()
  await behind.close()
})
beforeEach(() => {
  found = 0
  handled = 0
})

const get = (target: string, headers: readonly string[] = [], body = ''): string =>
  [`GET /api/v1${target} HTTP/1.1`, 'Host: a', 'Connection: close', ...headers, '', body].join('\r\n')
const reader = 'Authorization: Bearer reader'

const ready: readonly (readonly [what: string, request: string])[] = [
  ['a plain question', get(path, [reader])],
  ['a token in the other header', get(path, ['X-SVC-API-Key: writer'])],
  ['a page of the list', get(`${path}&page=2&per_page=50`, [reader])],
  ['parameters that nobody knows', get(`${path}&other=%zz&other=1`, [reader])],
  ['services and providers', get(`${path}&services=a,b&providers=1`, [reader])],
  ['gzip', get(path, [reader, 'Accept-Encoding: gzip'])],
  ['what the client has', get(path, [reader, 'If-None-Match: W/"a.1"'])],
  ['a proxy that is trusted', get(path, [reader, 'X-Forwarded-For: 203.0.113.9, 192.0.2.7'])],
  ['a proxy that is not', get(path, [reader, 'X-Forwarded-For: 203.0.113.9, 198.51.100.1'])],
  ['HTTP/1.0', get(path, [reader]).replace('HTTP/1.1', 'HTTP/1.0')],
]

for (const [what, request] of ready)
  test(`the fast path sends the same response as the router: ${what}`, async () => {
    const [one, other] = [await ahead.raw(request), await behind.raw(request)]
    assert.equal(withoutDate(one), withoutDate(other))
    assert.deepEqual([found, handled], [1, 1])
    assert.deepEqual(ahead.uses.at(-1), behind.uses.at(-1))
  })

test("the address of a token's use is that of the client, as far as proxies are trusted", () => {
  assert.deepEqual(
    ahead.uses.map(({ address }) => address).filter((address) => address !== '127.0.0.1'),
    ['203.0.113.9', '198.51.100.1'],
  )
})

const unusual: readonly (readonly [what: string, request: string])[] = [
  ['no token', get(path)],
  ['a wrong token', get(path, ['Authorization: Bearer nobody'])],
  ['an expired token', get(path, ['Authorization: Bearer expired'])],
  ['two tokens', get(path, [reader, 'X-SVC-API-Key: reader'])],
  ['two hosts', get(path, [reader, 'Host: b'])],
  ['no host', get(path, [reader]).replace('Host: a\r\n', '')],
  ['another method', get(path, [reader]).replace('GET', 'HEAD')],
  ['another path', get('/availability/get?min_timestamp=1&max_timestamp=2', [reader])],
  ['a longer path', get('/availability/get/x?min_timestamp=1&max_timestamp=2', [reader])],
  ['a fragment', get(`${path}#x`, [reader])],
  ['a body', get(path, [reader, 'Content-Length: 2'], '{}')],
  ['a body in chunks', get(path, [reader, 'Transfer-Encoding: chunked'], '0\r\n\r\n')],
  ['a missing parameter', get('/availability/get/?min_timestamp=1', [reader])],
  ['a repeated parameter', get(`${path}&min_timestamp=1`, [reader])],
  ['a parameter of another form', get('/availability/get/?min_timestamp=1&max_timestamp=x', [reader])],
]

for (const [what, request] of unusual)
  test(`the fast path leaves unusual requests to the router: ${what}`, async () => {
    const [one, other] = [await ahead.raw(request), await behind.raw(request)]
    assert.equal(withoutDate(one), withoutDate(other))
    assert.equal(found, 0)
  })

test("a response that is not cached is the same as the router's", async () => {
  for (const request of ready.map(([, text]) => text.replace('min_timestamp=1', 'min_timestamp=7'))) {
    const [one, other] = [await ahead.raw(request), await behind.raw(request)]
    assert.equal(withoutDate(one), withoutDate(other))
  }
  assert.deepEqual([found, handled], [ready.length, 2 * ready.length])
})

test('a token with a rate limit is counted by the router', async () => {
  const limited = get(path, ['Authorization: Bearer slow'])
  const answers = [await ahead.raw(limited), await ahead.raw(limited), await ahead.raw(limited)]
  assert.deepEqual(
    answers.map((response) => response.split(' ')[1]),
    ['200', '200', '429'],
  )
  assert.match(answers[0] ?? '', /^RateLimit: "token";r=1;/m)
  assert.equal(found, 0)
})

test('a response that is not cached is computed', async () => {
  const response = await ahead.raw(get(path.replace('=1', '=7'), [reader]))
  assert.match(response, /^HTTP\/1.1 200 /)
  assert.deepEqual([found, handled], [1, 1])
})

const reservation = { serviceId: 's', customerId: 'c', providerId: 3, availabilityId: 'a', start: 10, end: 20 }
const writer = 'Authorization: Bearer writer'
const json = 'Content-Type: application/json'

/**
 * Returns a function that builds a booking request. With `?` (an empty query string) after the path, only the router
 * serves the request. Without it, the fast path serves the request without the router if it can.
 */
const book = (headers: readonly string[], body: string) => (afterPath: '' | '?') =>
  [
    `POST /api/v1/reservations/add/${afterPath} HTTP/1.1`,
    'Host: a',
    'Connection: close',
    ...headers,
    ...(headers.some((header) => header.startsWith('Transfer-Encoding')) ? [] : [`Content-Length: ${body.length}`]),
    '',
    body,
  ].join('\r\n')
const text = JSON.stringify(reservation)

const bookings: readonly (readonly [what: string, request: (afterPath: '' | '?') => string])[] = [
  ['a plain one', book([writer, json], text)],
  ['a token in the other header', book(['X-SVC-API-Key: writer', json], text)],
  ['fields that nobody knows', book([writer, json], JSON.stringify({ ...reservation, note: 1, other: 2 }))],
  ['data', book([writer, json], JSON.stringify({ ...reservation, data: { a: { b: [1] } } }))],
  ['a provider as text', book([writer, json], JSON.stringify({ ...reservation, providerId: '3' }))],
  ['one that is refused', book([writer, json], JSON.stringify({ ...reservation, customerId: 'late' }))],
  ['one that fails', book([writer, json], JSON.stringify({ ...reservation, customerId: 'broken' }))],
  ['a dry run', book([writer, json, 'X-SVC-Dry-Run: 1'], text)],
  ['a dry run of odd spelling', book([writer, json, 'X-SVC-Dry-Run: maybe'], text)],
  ['a key', book([writer, json, 'Idempotency-Key: k'], text)],
  ['a key sent twice', book([writer, json, 'Idempotency-Key: k', 'Idempotency-Key: l'], text)],
  ['a broken text', book([writer, json], '{"a":')],
  ['a key of an object twice', book([writer, json], '{"start":1,"start":1}')],
  ['nothing', book([writer, json], '')],
  ['missing and wrong fields', book([writer, json], '{"start":"x","customerId":"c"}')],
  ['another type', book([writer, 'Content-Type: text/plain'], text)],
  ['no type', book([writer], text)],
  ['a garbled type', book([writer, 'Content-Type: ;;'], text)],
  ['an encoding', book([writer, json, 'Content-Encoding: gzip'], text)],
  ['chunks', book([writer, json, 'Transfer-Encoding: chunked'], `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`)],
  ['more than is read', book([writer, json], JSON.stringify({ ...reservation, note: 'x'.repeat(300_000) }))],
  ['much, in several packets', book([writer, json], JSON.stringify({ ...reservation, note: 'x'.repeat(200_000) }))],
  ['no token', book([json], text)],
  ['a wrong token', book(['Authorization: Bearer nobody', json], text)],
  ['a token that only reads', book([reader, json], text)],
  ['two hosts', book([writer, json, 'Host: b'], text)],
]

for (const [what, request] of bookings)
  test(`a booking on the fast path has the same response as through the router: ${what}`, async () => {
    const server = await startTestHttpServer({
      perform: ({ body }) => {
        const late = JSON.stringify(body).includes('late')
        if (late) return { refused: { code: 'slot_full', message: message('slot_full'), lasting: true } }
        return JSON.stringify(body).includes('broken') ? { fault: 'internal', message: 'x' } : { ok: { id: 'r_1' } }
      },
    })
    const [one, other] = [await server.raw(request('')), await server.raw(request('?'))]
    await server.close()
    assert.match(one, /^HTTP\/1.1 \d/)
    assert.equal(withoutDate(one), withoutDate(other))
    const traces = [server.writes, server.logged, server.uses].map((each) => each.map(withoutRequest))
    for (const trace of traces) assert.deepEqual(trace.slice(0, trace.length / 2), trace.slice(trace.length / 2))
  })

test('each booking on the fast path has its own request id', async () => {
  const server = await startTestHttpServer()
  for (const afterPath of ['', '?', ''] as const) await server.raw(book([writer, json], text)(afterPath))
  await server.close()
  assert.equal(new Set(server.writes.map(({ context }) => context.requestId)).size, 3)
})

test('the fast path sheds load as the router does', async () => {
  const seen: unknown[] = []
  const observer = {
    answered: (route: string | undefined, status: number) => seen.push([route, status]),
    shed: () => seen.push('shed'),
  }
  const server = await startTestHttpServer({ maxRequests: 0, observer, findAvailability: () => list })
  for (const [usual, long] of [
    [get(path, [reader]), get(`${path}#`, [reader])],
    [book([writer, json], text)(''), book([writer, json], text)('?')],
    // A request without credentials is also refused by load shedding, before the attempt to authenticate it.
    [get(path), get(`${path}#`)],
  ] as const) {
    seen.length = 0
    const [one, other] = [await server.raw(usual), await server.raw(long)]
    assert.match(one, /^HTTP\/1.1 503 .*^Retry-After: 1\r$.*"requestId":"[\w-]{10,}"/ms)
    assert.equal(withoutDate(one), withoutDate(other))
    assert.deepEqual(seen.slice(0, 2), seen.slice(2))
  }
  await server.close()
})

/** Returns a recorded write, log record or token use without its request ids and the stack trace of a fault. */
function withoutRequest(record: object): unknown {
  return JSON.parse(
    JSON.stringify(record, (key, value) => (key === 'requestId' || key === 'fault' ? undefined : value)),
  )
}

/** Returns a response without its request id and its date, which may differ between two otherwise equal responses. */
function withoutDate(response: string): string {
  return response.replace(/^Date: .*$/m, '').replace(/"requestId":"[^"]*"/, '')
}
