import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { publicApi } from '../../src/contract/public-api.ts'
import { proved } from '../support/proof.ts'
import { startTestHttpServer, type TestHttpServer } from '../support/test-http-server.ts'

let server: TestHttpServer
before(async () => {
  const nothing = { pieces: [], passing: [], size: 0, total: 0, tag: 'none' }
  server = await startTestHttpServer({ wrongTokensPerMinute: 1_000_000, findAvailability: () => nothing })
})
after(() => server.close())

/**
 * The expected response: the reason of a 401, or the status 400 or 431; `in` means that the request is authenticated.
 */
type Expectation =
  | 'missing_token'
  | 'invalid_token'
  | 'revoked_token'
  | 'expired_token'
  | 'ambiguous_credentials'
  | '400'
  | '431'
  | 'in'

const bearer = 'Authorization: Bearer writer'
const key = 'X-SVC-API-Key: writer'
const long = 'x'.repeat(8_000)
const tooLong = 'x'.repeat(20_000)

const oddities: readonly (readonly [what: string, headers: readonly string[], expectation: Expectation])[] = [
  ['nothing', [], 'missing_token'],
  ['an empty Authorization', ['Authorization:'], 'missing_token'],
  ['blanks for an Authorization', ['Authorization:  \t '], 'missing_token'],
  ['a scheme alone', ['Authorization: Bearer'], 'missing_token'],
  ['a scheme and blanks', ['Authorization: Bearer   '], 'missing_token'],
  ['an empty key', ['X-SVC-API-Key:'], 'missing_token'],
  ['a key in another header', ['X-API-Key: writer'], 'missing_token'],
  ['a key with underscores', ['X_SVC_API_KEY: writer'], 'missing_token'],
  ['a proxy’s Authorization', ['Proxy-Authorization: Bearer writer'], 'missing_token'],
  ['a cookie', ['Cookie: Authorization=Bearer%20writer; X-SVC-API-Key=writer'], 'missing_token'],
  ['a trailer', ['Transfer-Encoding: chunked', 'Trailer: X-SVC-API-Key', '', '0', key], 'missing_token'],
  ['another scheme', ['Authorization: Basic d3JpdGVyOg=='], 'invalid_token'],
  ['a bare token', ['Authorization: writer'], 'invalid_token'],
  ['a tab after the scheme', ['Authorization: Bearer\twriter'], 'invalid_token'],
  ['no blank after the scheme', ['Authorization: Bearerwriter'], 'invalid_token'],
  ['a colon after the scheme', ['Authorization: Bearer: writer'], 'invalid_token'],
  ['the scheme twice', ['Authorization: Bearer Bearer writer'], 'invalid_token'],
  ['a token twice with a comma', ['Authorization: Bearer writer, Bearer writer'], 'invalid_token'],
  ['a token twice with a comma and no blank', ['Authorization: Bearer writer,writer'], 'invalid_token'],
  ['a key twice with a comma', ['X-SVC-API-Key: writer, writer'], 'invalid_token'],
  ['a token in quotes', ['Authorization: Bearer "writer"'], 'invalid_token'],
  ['a parameter after the token', ['Authorization: Bearer writer; charset=utf-8'], 'invalid_token'],
  ['a token named', ['Authorization: Bearer token=writer'], 'invalid_token'],
  ['a token in capitals', ['Authorization: Bearer WRITER'], 'invalid_token'],
  ['a scheme before a key', ['X-SVC-API-Key: Bearer writer'], 'invalid_token'],
  ['two words of a key', ['X-SVC-API-Key: writer writer'], 'invalid_token'],
  ['letters that are not ASCII', ['Authorization: Bearer wr\u00efter'], 'invalid_token'],
  ['a blank that does not break after the token', ['X-SVC-API-Key: writer\u00a0x'], 'invalid_token'],
  ['the name of a property', ['Authorization: Bearer __proto__'], 'invalid_token'],
  ['the name of a method', ['X-SVC-API-Key: constructor'], 'invalid_token'],
  ['a long token', [`Authorization: Bearer ${long}`], 'invalid_token'],
  ['a long key', [`X-SVC-API-Key: ${long}`], 'invalid_token'],
  ['a revoked token', ['Authorization: Bearer revoked'], 'revoked_token'],
  ['an expired token', ['X-SVC-API-Key: expired'], 'expired_token'],
  ['both headers', [bearer, key], 'ambiguous_credentials'],
  ['both headers the other way round', [key, bearer], 'ambiguous_credentials'],
  ['both headers, the first empty', ['Authorization:', key], 'ambiguous_credentials'],
  ['both headers, the second empty', [bearer, 'X-SVC-API-Key:'], 'ambiguous_credentials'],
  ['both headers, one wrong', ['Authorization: Bearer nobody', key], 'ambiguous_credentials'],
  ['Authorization twice', [bearer, bearer], 'ambiguous_credentials'],
  ['Authorization twice in other cases', [bearer, 'AUTHORIZATION: Bearer writer'], 'ambiguous_credentials'],
  ['Authorization twice, the first empty', ['Authorization:', bearer], 'ambiguous_credentials'],
  [
    'Authorization twice, others between',
    [bearer, 'X-Other: 1', 'authorization: Bearer nobody'],
    'ambiguous_credentials',
  ],
  ['the key twice', [key, key], 'ambiguous_credentials'],
  ['the key twice in other cases', [key, 'x-svc-api-key: writer'], 'ambiguous_credentials'],
  ['three of them', [bearer, key, bearer], 'ambiguous_credentials'],
  ['a blank before the colon', ['Authorization : Bearer writer'], '400'],
  ['a blank before the name', [' Authorization: Bearer writer'], '400'],
  ['a value on the next line', ['X-Before: 1', 'Authorization: Bearer', ' writer'], '400'],
  ['no colon', ['Authorization Bearer writer'], '400'],
  ['no name', [': Bearer writer'], '400'],
  ['NUL', ['Authorization: Bearer wri\0ter'], '400'],
  ['a control character', ['Authorization: Bearer wri\u0001ter'], '400'],
  ['a line feed alone', ['Authorization: Bearer writer\nX-Other: 1'], '400'],
  ['a carriage return alone', ['Authorization: Bearer writer\rX-Other: 1'], '400'],
  ['a token beyond all measure', [`Authorization: Bearer ${tooLong}`], '431'],
  ['a key beyond all measure', [`X-SVC-API-Key: ${tooLong}`], '431'],
  ['a bearer token', [bearer], 'in'],
  ['a scheme in small letters', ['authorization: bearer writer'], 'in'],
  ['a scheme in odd letters and blanks', ['AUTHORIZATION:\t BEARER   writer \t'], 'in'],
  ['a key', [key], 'in'],
  ['a key in odd letters', ['x-SVC-api-KEY:writer'], 'in'],
]

// The query of the requests for availability. Only with a time window can such a request be answered on the fast path,
// which sends cached availability without the router.
const window = '?min_timestamp=1&max_timestamp=2'
const rows = Object.keys(publicApi).map((row) => row.replace('/availability/get/', `$&${window}`).split(' '))
let asked = 0

for (const [what, headers, expectation] of oddities)
  test(`credentials: ${what}: ${expectation} on every route`, async () => {
    for (const [method = '', path = ''] of rows) {
      const head = [`${method} /api/v1${path} HTTP/1.1`, 'Host: a', 'Connection: close', ...headers, '', '']
      const response = await server.raw(Buffer.from(head.join('\r\n'), 'latin1'))
      asked += 1
      const status = response.split(' ')[1] ?? ''
      const reason = status === '401' ? /"reason":"(\w+)"/.exec(response)?.[1] : status
      const admitted = ['200', '201', '400', '404'].includes(status) && !response.includes('rest_bad_request')
      if (expectation === 'in') assert.ok(admitted, response)
      else assert.equal(reason, expectation, `${method} ${path}\n${response}`)
      if (expectation === '400') assert.match(response, /"rest_bad_request"/)
      if (status === '401') assert.match(response, /^WWW-Authenticate: Bearer\r$/m)
      assert.doesNotMatch(response, /\bwriter\b/)
    }
  })

test('every case was tried on every route', (t) => {
  assert.equal(asked, oddities.length * rows.length)
  assert.equal(server.writes.filter(({ context }) => context.actor.id !== 't_writer').length, 0)
  proved(t, 'A2', { oddities: oddities.length, routes: rows.length, requests: asked })
})
