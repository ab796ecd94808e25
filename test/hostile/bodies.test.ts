import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { deflateSync, gzipSync } from 'node:zlib'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { publicApi } from '../../src/contract/public-api.ts'
import { proved } from '../support/proof.ts'
import { startTestHttpServer, type TestHttpServer } from '../support/test-http-server.ts'

let server: TestHttpServer
const prototypes = [Object.prototype, Array.prototype, Function.prototype, String.prototype]
const shape = () => prototypes.map((one) => Object.getOwnPropertyNames(one).toSorted())
const untouched = shape()
before(async () => {
  server = await startTestHttpServer()
})
after(() => server.close())

const contract: Readonly<Record<string, Endpoint>> = publicApi
const rows = Object.entries(contract)
  .filter(([, { body }]) => body !== null)
  .map(([row]) => row.split(' ')[1] ?? '')
const query = '?serviceId=s&providerId=1'
const nested = (levels: number, open: string, close: string) => open.repeat(levels) + close.repeat(levels)
const megabytes = (count: number) => Buffer.alloc(count * 1_048_576, ' ')
const bomb = gzipSync(megabytes(100), { level: 1 })

interface Hostile {
  readonly what: string
  readonly body: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  readonly status?: number
  readonly reason?: string
}

/** Bodies that every route refuses, whichever fields the route has. */
const corpus: readonly Hostile[] = [
  { what: 'nothing', body: '' },
  { what: 'blanks', body: ' \n\t' },
  { what: 'half an object', body: '{"id":' },
  { what: 'two objects', body: '{}{}' },
  { what: 'a trailing comma', body: '{"id":"x",}' },
  { what: 'a comment', body: '{/* */"id":"x"}' },
  { what: 'single quotes', body: "{'id':'x'}" },
  { what: 'NaN', body: '{"id":NaN}' },
  { what: 'Infinity', body: '{"id":Infinity}' },
  { what: 'a number in hex', body: '{"id":0x10}' },
  { what: 'a number with a leading zero', body: '{"id":01}' },
  { what: 'a list', body: '[]' },
  { what: 'a text', body: '"x"' },
  { what: 'a number', body: '1' },
  { what: 'true', body: 'true' },
  { what: 'null', body: 'null' },
  { what: 'a byte order mark', body: '\ufeff{}' },
  { what: 'UTF-16', body: Buffer.from('{"id":"x"}', 'utf16le') },
  { what: 'Latin-1', body: Buffer.from('{"id":"é"}', 'latin1') },
  { what: 'an overlong NUL', body: Buffer.from([0x7b, 0x22, 0x69, 0x22, 0x3a, 0x22, 0xc0, 0x80, 0x22, 0x7d]) },
  {
    what: 'half a character in bytes',
    body: Buffer.from([0x7b, 0x22, 0x69, 0x22, 0x3a, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x7d]),
  },
  {
    what: 'a character cut off',
    body: Buffer.from([0x7b, 0x22, 0x69, 0x22, 0x3a, 0x22, 0xf0, 0x9f, 0x98, 0x22, 0x7d]),
  },
  { what: 'half a character', body: '{"id":"\\ud800"}' },
  { what: 'the other half of a character', body: '{"id":"\\udc00x"}' },
  { what: 'halves in the wrong order', body: '{"id":"\\ude00\\ud83d"}' },
  { what: 'half a character in a key', body: '{"\\udbff":1}' },
  { what: 'NUL', body: '{"id":"a\\u0000b"}' },
  { what: 'NUL in a key', body: '{"a\\u0000":1}' },
  { what: 'NUL as a byte', body: '{"id":"a\0b"}' },
  { what: 'a line break in a text', body: '{"id":"a\nb"}' },
  { what: 'a key twice', body: '{"id":"a","id":"b"}' },
  { what: 'a key twice, once escaped', body: '{"id":"a","\\u0069d":"b"}' },
  { what: '__proto__ twice', body: '{"__proto__":1,"__proto__":{"polluted":true}}' },
  { what: 'a key twice deep within', body: '{"data":{"a":[{"b":1,"b":2}]}}' },
  { what: '1e400', body: '{"start":1e400}' },
  { what: '-1e400', body: '{"start":-1e400}' },
  { what: '400 digits', body: `{"start":${'9'.repeat(400)}}` },
  { what: '33 levels of objects', body: `${'{"a":'.repeat(33)}1${'}'.repeat(33)}` },
  { what: '33 levels of lists', body: `{"a":${nested(32, '[', ']')}}` },
  { what: '100,000 levels of lists', body: `{"a":${nested(100_000, '[', ']')}}` },
  { what: '40,000 levels of objects', body: `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}` },
  { what: '250,000 brackets that are never closed', body: '['.repeat(250_000) },
  { what: 'text', body: '{}', headers: { 'Content-Type': 'text/plain' } },
  { what: 'no type', body: '{}', headers: { 'Content-Type': '' } },
  { what: 'a form', body: 'id=x', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
  { what: 'parts', body: '--x--', headers: { 'Content-Type': 'multipart/form-data; boundary=x' } },
  {
    what: 'XML',
    body: '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    headers: { 'Content-Type': 'application/xml' },
  },
  { what: 'a type like it', body: '{}', headers: { 'Content-Type': 'application/json-patch+json' } },
  { what: 'another charset', body: '{}', headers: { 'Content-Type': 'application/json; charset=utf-7' } },
  { what: 'gzip', body: gzipSync('{"id":"x"}'), headers: { 'Content-Encoding': 'gzip' } },
  {
    what: 'a gzip bomb of 100 MB',
    body: bomb,
    headers: { 'Content-Encoding': 'gzip' },
  },
  {
    what: 'a bomb within a bomb',
    body: gzipSync(bomb),
    headers: { 'Content-Encoding': 'gzip, gzip' },
  },
  { what: 'deflate', body: deflateSync('{"id":"x"}'), headers: { 'Content-Encoding': 'deflate' } },
  { what: 'brotli in name only', body: '{"id":"x"}', headers: { 'Content-Encoding': 'br' } },
  { what: 'gzip without saying so', body: gzipSync('{"id":"x"}') },
  { what: 'over 256 KB', body: `{"id":"${'x'.repeat(262_144)}"}`, status: 413, reason: 'body_too_large' },
  { what: '4 MB', body: megabytes(4), status: 413, reason: 'body_too_large' },
]

for (const { what, body, headers = {}, status = 400, reason = 'invalid_json' } of corpus)
  test(`a body of ${what} is ${status} on every route that takes one`, async () => {
    for (const path of rows) {
      const response = await server.call(path + query, { method: 'POST', body, headers })
      assert.deepEqual([response.status, response.body.status, response.body.reason], [status, 'KO', reason], path)
    }
    assert.equal(server.writes.length, 0)
  })

/** Values that are valid JSON but invalid for the field; each is reported in the response. */
const wrong: readonly (readonly [path: string, fields: string])[] = [
  [
    '/reservations/add/',
    '{"serviceId":1,"customerId":null,"providerId":true,"availabilityId":[],"start":"1","end":1.5,"data":[]}',
  ],
  [
    '/reservations/add/',
    '{"serviceId":{},"customerId":[],"providerId":1.5,"availabilityId":0,"start":9007199254740992,"end":-9007199254740992,"data":"x"}',
  ],
  ['/reservations/edit/', '{"id":7,"start":1e300,"end":null,"status":"CONFIRMED","data":null,"providerId":{}}'],
  ['/customers/add/', '{"name":"","email":"x","phone":5,"hostUserId":-1,"timezone":"+02:00","language":"no language"}'],
  [
    '/customers/add/',
    `{"name":"${'x'.repeat(201)}","email":"a@b.de\\nBcc: c@d.de","phone":"${'1'.repeat(51)}","hostUserId":9007199254740992,"timezone":7,"language":{}}`,
  ],
  ['/customers/edit/', '{"id":null,"status":3,"name":[]}'],
  ['/services/add/', `{"name":null,"description":"${'x'.repeat(10_001)}","class":"event","color":"red;"}`],
  ['/services/edit/', '{"id":[],"data":1,"name":" ","color":7}'],
  ['/providers/edit/', '{"id":null,"allowedServices":"all","restrictServices":"true"}'],
  [
    '/providers/edit/service/',
    '{"durationMinutes":10081,"capacity":0,"participate":"yes","weight":-1,"horizonDays":1e9}',
  ],
]

wrong.forEach(([path, body], index) => {
  test(`invalid values of ${path} are all reported, ${index + 1}`, async () => {
    const response = await server.call(path + query, { method: 'POST', body })
    assert.deepEqual([response.status, response.body.reason], [400, 'invalid_parameter'], response.text)
    assert.deepEqual(Object.keys(response.body.details).toSorted(), Object.keys(JSON.parse(body)).toSorted())
  })
})

/** Bodies with unusual but valid values, which reach the operation as `JSON.parse` reads them. */
const kept = [
  '{"id":"r","data":{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1}}',
  `{"id":"r","data":{"a":${nested(5, '[', ']')}}}`,
  '{"id":"r","data":{"":0,"big":9007199254740993,"small":1e-400}}',
]
for (const body of kept)
  test(`${body.slice(0, 50)}… is stored as sent`, async () => {
    const response = await server.call('/reservations/edit/', { method: 'POST', body })
    assert.equal(response.status, 200, response.text)
    assert.deepEqual(server.writes.at(-1)?.body, JSON.parse(body))
  })

test('a query with a duplicate known parameter is refused, with a duplicate unknown one it is not', async () => {
  for (const [path, twice] of [
    ['/services/get/', 'full=1&full=1'],
    ['/availability/get/', 'min_timestamp=1&max_timestamp=2&max_timestamp=3'],
    ['/reservations/get/', 'status=pending&status=confirmed'],
    ['/providers/edit/service/', 'serviceId=a&serviceId=b&providerId=1'],
  ] as const) {
    const post = !path.endsWith('/get/')
    const response = await server.call(`${path}?${twice}`, post ? { method: 'POST', body: '{}' } : {})
    assert.equal(response.status, 400, `${path}?${twice}: ${response.text}`)
  }
  for (const [path, twice] of [
    ['/reservations/remove/', 'id=a&id=b'],
    ['/customers/remove/', 'id=a&id=a'],
    ['/services/remove/', 'id=a&%69d=b'],
  ] as const) {
    // The API specification defines no 400 for the remove routes.
    const { status, body } = await server.call(`${path}?${twice}`, { method: 'POST', body: '{}' })
    assert.deepEqual([status, body.reason], [404, 'missing_parameter'], `${path}?${twice}`)
  }
  for (const fine of ['x=1&x=2', '__proto__=1&__proto__=2', 'full[]=1&full[]=2', 'constructor[prototype][a]=1'])
    assert.equal((await server.call(`/services/get/?${fine}`)).status, 200, fine)
})

test('no request has polluted Object.prototype', (t) => {
  assert.deepEqual(shape(), untouched)
  assert.equal('polluted' in {}, false)
  assert.deepEqual(
    server.logged.filter(({ level }) => level === 'error'),
    [],
  )
  proved(t, 'A5', { bodies: corpus.length, routes: rows.length, requests: corpus.length * rows.length })
})
