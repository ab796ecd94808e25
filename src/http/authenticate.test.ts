import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Door, openDoor } from '../../test/support/door.ts'
import { publicApi } from '../contract/public-api.ts'

let door: Door
before(async () => {
  door = await openDoor({ wrongTokensPerMinute: 20 })
})
after(() => door.close())

const rows = Object.keys(publicApi).map((key) => key.split(' '))
const verify = (...headers: string[]) =>
  door.raw(`GET /api/v1/auth/verify/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers.join('\r\n')}\r\n\r\n`)
const reasonOf = (answer: string) => /"reason":"(\w+)"/.exec(answer)?.[1] ?? answer.split(' ')[1]

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

for (const [what, headers, answer] of credentials) {
  test(`${what} is answered ${answer}`, async () => assert.equal(reasonOf(await verify(...headers)), answer))
}

for (const [method = '', path = ''] of rows) {
  test(`${method} ${path} asks for a token before anything else`, async () => {
    const answer = await door.call(`${path}?min_timestamp=x`, { method, token: null })
    assert.equal(answer.status, 401)
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
    assert.equal(answer.body.code, 'rest_forbidden')
    assert.deepEqual(answer.body.data, { status: 401, reason: 'missing_token' })
  })

  test(`${method} ${path} ${method === 'GET' ? 'is open to' : 'forbids'} a token that reads`, async () => {
    const answer = await door.call(path, { method, token: 'reader' })
    if (method === 'GET') assert.notEqual(answer.status, 403)
    else {
      assert.equal(answer.status, 403)
      assert.equal(answer.body.code, 'rest_forbidden')
      assert.deepEqual(answer.body.data, { status: 403, requiredScope: 'write' })
    }
  })
}

test('a token in the address is not looked at', async () => {
  for (const name of ['token', 'api_key', 'X-SVC-API-Key', 'Authorization', 'access_token']) {
    const answer = await door.call(`/auth/verify/?${name}=writer`, { token: null })
    assert.equal(answer.body.data.reason, 'missing_token')
  }
})

test('each use of a token is told with the address it came from', async () => {
  door.uses.length = 0
  await door.call('/auth/verify/', { token: 'reader' })
  await door.call('/auth/verify/', { token: 'nobody' })
  assert.deepEqual(door.uses, [{ tokenId: 't_reader', address: '127.0.0.1' }])
})

test('too many wrong tokens from one address wait a minute, while a good one is served', async () => {
  door.clock.now += 60
  const ask = (token: string | null) => door.call('/auth/verify/', { token })
  for (let count = 0; count < 40; count++) assert.equal((await ask(null)).status, 401)
  for (let count = 0; count < 20; count++) assert.equal((await ask('nobody')).status, 401)
  const answer = await ask('nobody')
  assert.equal(answer.status, 429)
  assert.equal(answer.body.code, 'rest_too_many_requests')
  assert.equal(answer.body.data.status, 429)
  assert.equal(answer.headers.get('retry-after'), String(60 - (door.clock.now % 60)))
  assert.equal((await ask(null)).status, 401)
  assert.equal((await ask('reader')).status, 200)
  door.clock.now += 60
  assert.equal((await ask('nobody')).status, 401)
})

test('a token with a limit says what is left, then waits', async () => {
  door.clock.now += 60
  const ask = () => door.call('/auth/verify/', { token: 'slow' })
  const reset = 60 - (door.clock.now % 60)
  const first = await ask()
  assert.equal(first.headers.get('ratelimit-policy'), '"token";q=2;w=60')
  assert.equal(first.headers.get('ratelimit'), `"token";r=1;t=${reset}`)
  await ask()
  const third = await ask()
  assert.equal(third.status, 429)
  assert.equal(third.headers.get('retry-after'), String(reset))
  assert.equal(third.headers.get('ratelimit'), `"token";r=0;t=${reset}`)
  assert.equal((await door.call('/auth/verify/')).headers.get('ratelimit'), null)
})

test('no secret is ever logged', () => {
  assert.ok(door.logged.length > 0)
  assert.doesNotMatch(JSON.stringify(door.logged), /nobody|writer\b|revoked"/)
})
