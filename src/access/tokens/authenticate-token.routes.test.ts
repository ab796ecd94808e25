import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { startTestHttpServer, type TestHttpServer } from '../../../test/support/test-http-server.ts'
import { publicApi } from '../../contract/public-api.ts'
import { authenticateToken, cachedToken, type TokenAuthentication } from './authenticate-token.routes.ts'

let authentication: TestHttpServer
before(async () => {
  authentication = await startTestHttpServer({ wrongTokensPerMinute: 20 })
})
after(() => authentication.close())

const rows = Object.keys(publicApi).map((key) => key.split(' '))
const verify = (...headers: string[]) =>
  authentication.raw(
    `GET /api/v1/auth/verify/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers.join('\r\n')}\r\n\r\n`,
  )
const reasonOf = (response: string) => /"reason":"(\w+)"/.exec(response)?.[1] ?? response.split(' ')[1]

const credentials = [
  ['no header', [], 'missing_token'],
  ['an empty Authorization', ['Authorization:'], 'missing_token'],
  ['a scheme alone', ['Authorization: Bearer'], 'missing_token'],
  ['an empty key', ['X-SVC-API-Key: '], 'missing_token'],
  ['another scheme', ['Authorization: Basic d3JpdGVy'], 'invalid_token'],
  ['a bare secret', ['Authorization: writer'], 'invalid_token'],
  ['two words', ['Authorization: Bearer writer writer'], 'invalid_token'],
  ['an unknown secret', ['Authorization: Bearer nobody'], 'invalid_token'],
  ['an unknown key', ['X-SVC-API-Key: nobody'], 'invalid_token'],
  ['a scheme before a key', ['X-SVC-API-Key: Bearer writer'], 'invalid_token'],
  ['a scheme as a key', ['X-SVC-API-Key: Bearer'], 'invalid_token'],
  ['a word that ends like the scheme', ['Authorization: forbearer'], 'invalid_token'],
  ['a scheme that ends like it', ['Authorization: forbearer writer'], 'invalid_token'],
  ['a revoked token', ['Authorization: Bearer revoked'], 'revoked_token'],
  ['an expired token', ['X-SVC-API-Key: expired'], 'expired_token'],
  ['both headers', ['Authorization: Bearer writer', 'X-SVC-API-Key: writer'], 'ambiguous_credentials'],
  ['both headers, one empty', ['Authorization:', 'X-SVC-API-Key: writer'], 'ambiguous_credentials'],
  ['Authorization twice', ['Authorization: Bearer writer', 'authorization: Bearer writer'], 'ambiguous_credentials'],
  ['the key twice', ['X-SVC-API-Key: writer', 'x-svc-api-key: writer'], 'ambiguous_credentials'],
  ['a bearer token', ['Authorization: Bearer writer'], '200'],
  ['a scheme in small letters', ['authorization: bearer writer'], '200'],
  ['a scheme in capitals and blanks', ['AUTHORIZATION:   BEARER   writer  '], '200'],
  ['a key', ['x-svc-api-KEY: writer'], '200'],
] as const

for (const [what, headers, response] of credentials) {
  test(`${what} is answered ${response}`, async () => assert.equal(reasonOf(await verify(...headers)), response))
}

for (const [method = '', path = ''] of rows) {
  test(`${method} ${path} requires a token before anything else`, async () => {
    const response = await authentication.call(`${path}?min_timestamp=x`, { method, token: null })
    assert.equal(response.status, 401)
    assert.equal(response.headers.get('www-authenticate'), 'Bearer')
    assert.equal(response.body.code, 'rest_forbidden')
    assert.deepEqual(response.body.data, { status: 401, reason: 'missing_token' })
  })

  test(`${method} ${path} ${method === 'GET' ? 'accepts' : 'refuses'} a read token`, async () => {
    const response = await authentication.call(path, { method, token: 'reader' })
    if (method === 'GET') assert.notEqual(response.status, 403)
    else {
      assert.equal(response.status, 403)
      assert.equal(response.body.code, 'rest_forbidden')
      assert.deepEqual(response.body.data, { status: 403, requiredScope: 'write' })
    }
  })
}

for (const [token, message] of [
  [null, 'Send an API token in the header Authorization: Bearer <token> or X-SVC-API-Key.'],
  ['nobody', 'This API token is not valid; check that it was copied completely.'],
  ['revoked', 'This API token was revoked; use another one.'],
  ['expired', 'This API token has expired; use another one.'],
] as const)
  test(`a request with ${token ? `the token “${token}”` : 'no token'} is refused with an instruction`, async () =>
    assert.equal((await authentication.call('/auth/verify/', { token })).body.message, message))

test('a request with two tokens, or with an insufficient one, is refused with an instruction', async () => {
  const two = await authentication.call('/auth/verify/', { headers: { 'X-SVC-API-Key': 'writer' } })
  assert.equal(two.body.message, 'Send exactly one API token, in one header.')
  const { body } = await authentication.call('/customers/edit/', { token: 'reader', json: { id: 'c' } })
  assert.equal(body.message, 'This requires a token with the scope write.')
})

test('the secret of a single credential is looked up once, and a malformed one never', async () => {
  const looked: unknown[] = []
  const allowed = { allowed: true, remaining: 1, reset: 1 }
  const unlimited: TokenAuthentication = {
    tokens: {
      check: async (secret) => {
        looked.push(secret)
        return { token: { id: 't_1', name: 'Till', scope: 'read', rateLimit: null } }
      },
      remembered: () => undefined,
      recordUse: () => {},
      flush: async () => true,
    },
    wrongTokens: { count: () => allowed },
    requests: { count: () => allowed },
    wrongTokensPerMinute: 1,
  }
  const admit = (...rawHeaders: string[]) => {
    const request = Object.assign(new IncomingMessage(new Socket()), { rawHeaders })
    return authenticateToken(unlimited, { request, address: '192.0.2.1', scope: 'read', now: 0 })
  }
  const { caller, headers } = await admit('Host', 'a', 'X-SVC-API-Key', '  secret ')
  assert.deepEqual([caller, headers], [{ id: 't_1', name: 'Till', scopes: ['read'] }, {}])
  await admit('authorization', ' BEARER   secret ')
  assert.deepEqual(looked, ['secret', 'secret'])
  for (const broken of [[], ['Authorization', ''], ['Authorization', 'Bearer a b'], ['Authorization', 'Basic a']])
    await assert.rejects(admit(...broken))
  assert.deepEqual(looked, ['secret', 'secret'])
})

test('the cached look-up knows only valid tokens with sufficient scope and no limit, and counts nothing', () => {
  const no = () => assert.fail('nothing is counted or asked')
  const till = { id: 't_1', name: 'Till', scope: 'read', rateLimit: null } as const
  const known = new Map<string, ReturnType<TokenAuthentication['tokens']['remembered']>>([
    ['till', { token: till }],
    ['slow', { token: { ...till, rateLimit: 2 } }],
    ['gone', { reason: 'revoked_token' }],
  ])
  const remembering: TokenAuthentication = {
    tokens: { check: no, remembered: (secret) => known.get(secret), recordUse: no, flush: no },
    wrongTokens: { count: no },
    requests: { count: no },
    wrongTokensPerMinute: 1,
  }
  const atOnce = (scope: 'read' | 'write', ...rawHeaders: string[]) => {
    const request = Object.assign(new IncomingMessage(new Socket()), { rawHeaders })
    return cachedToken(remembering, { request, scope, now: 0 })?.id
  }
  assert.equal(atOnce('read', 'Authorization', 'Bearer till'), 't_1')
  assert.equal(atOnce('write', 'Authorization', 'Bearer till'), undefined)
  for (const unsure of ['slow', 'gone', 'nobody']) assert.equal(atOnce('read', 'X-SVC-API-Key', unsure), undefined)
  assert.equal(atOnce('read'), undefined)
})

test('a malformed credential counts as a failed token', async () => {
  authentication.clock.now += 60
  for (let count = 0; count < 20; count++)
    assert.equal(reasonOf(await verify('Authorization: Basic x')), 'invalid_token')
  assert.equal(reasonOf(await verify('Authorization: Basic x')), '429')
  assert.equal(reasonOf(await verify()), 'missing_token')
})

test('a token in the query string is ignored', async () => {
  for (const name of ['token', 'api_key', 'X-SVC-API-Key', 'Authorization', 'access_token']) {
    const response = await authentication.call(`/auth/verify/?${name}=writer`, { token: null })
    assert.equal(response.body.data.reason, 'missing_token')
  }
})

test('each use of a token is recorded with its address', async () => {
  authentication.uses.length = 0
  await authentication.call('/auth/verify/', { token: 'reader' })
  await authentication.call('/auth/verify/', { token: 'nobody' })
  assert.deepEqual(authentication.uses, [{ tokenId: 't_reader', address: '127.0.0.1' }])
})

test('too many failed tokens from one address are refused for a minute, while a valid one is served', async () => {
  authentication.clock.now += 60
  const ask = (token: string | null) => authentication.call('/auth/verify/', { token })
  for (let count = 0; count < 40; count++) assert.equal((await ask(null)).status, 401)
  for (let count = 0; count < 20; count++) assert.equal((await ask('nobody')).status, 401)
  const response = await ask('nobody')
  assert.equal(response.status, 429)
  assert.equal(response.body.code, 'rest_too_many_requests')
  assert.equal(response.body.message, 'Too many wrong tokens came from this address; wait, then send the right one.')
  assert.equal(response.body.data.status, 429)
  assert.equal(response.headers.get('retry-after'), String(60 - (authentication.clock.now % 60)))
  assert.equal((await ask(null)).status, 401)
  assert.equal((await ask('reader')).status, 200)
  authentication.clock.now += 60
  assert.equal((await ask('nobody')).status, 401)
})

test('a token with a limit receives its headers, then waits', async () => {
  authentication.clock.now += 60
  const ask = () => authentication.call('/auth/verify/', { token: 'slow' })
  const reset = 60 - (authentication.clock.now % 60)
  const first = await ask()
  assert.equal(first.headers.get('ratelimit-policy'), '"token";q=2;w=60')
  assert.equal(first.headers.get('ratelimit'), `"token";r=1;t=${reset}`)
  await ask()
  const third = await ask()
  assert.equal(third.status, 429)
  assert.equal(third.body.message, 'This token has reached its request limit for this minute; wait a little.')
  assert.equal(third.headers.get('retry-after'), String(reset))
  assert.equal(third.headers.get('ratelimit'), `"token";r=0;t=${reset}`)
  assert.equal((await authentication.call('/auth/verify/')).headers.get('ratelimit'), null)
})

test('no secret is ever logged', () => {
  assert.ok(authentication.logged.length > 0)
  assert.doesNotMatch(JSON.stringify(authentication.logged), /nobody|writer\b|revoked"/)
})
