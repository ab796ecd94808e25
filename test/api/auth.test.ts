import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { tokenSecret } from '../../src/access/tokens/token.ts'
import { ana, hour, now } from '../support/clinic.ts'
import { askInHalves, askRaw } from '../support/raw.ts'
import type { AnyBody, ApiResponse } from '../support/service.ts'
import { assertRefused, assertRestError, onEachDatabase, type TestSite } from '../support/test-site.ts'
import { listedToken, type MadeToken, makeToken, misspelt } from '../support/tokens.ts'
import { untilRefused } from '../support/until-refused.ts'
import { whenServed } from '../support/when-served.ts'

const unknown = tokenSecret('0'.repeat(34))

onEachDatabase((open) => {
  let site: TestSite
  before(async () => {
    site = await open()
  })
  after(() => site.close())

  const verify = (headers: readonly string[], search = ''): Promise<ApiResponse<AnyBody>> =>
    askRaw(`${site.server.root}/auth/verify/${search}`, 'GET', headers)
  const assertUnauthorized = (answer: ApiResponse<AnyBody>, reason: string): void => {
    assertRestError(answer, 401, 'rest_forbidden', { reason })
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
  }

  test('verifying a token returns its name, its scopes and the site’s address', async () => {
    for (const [secret, response] of [
      [site.server.readToken, { name: 'test read', scopes: ['read'], siteUrl: 'https://clinic.example' }],
      [site.server.writeToken, { name: 'test write', scopes: ['read', 'write'], siteUrl: 'https://clinic.example' }],
    ] as const) {
      const answer = await verify(['Authorization', `Bearer ${secret}`])
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(answer.body, { status: 'OK', response })
    }
  })

  for (const name of ['X-SVC-API-Key', 'x-svc-api-key'])
    test(`the header ${name} carries a token as well`, async () => {
      assert.equal((await verify([name, site.server.readToken])).status, 200)
    })

  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR'])
    test(`the scheme may be spelt ${scheme}`, async () => {
      assert.equal((await verify(['Authorization', `${scheme} ${site.server.readToken}`])).status, 200)
    })

  test('a request without a token is refused', async () => {
    for (const headers of [
      [],
      ['Authorization', ''],
      ['Authorization', 'Bearer'],
      ['X-SVC-API-Key', ''],
      ['X-API-Key', 'x'],
    ])
      assertUnauthorized(await verify(headers), 'missing_token')
  })

  test('a token in the query string is ignored', async () => {
    for (const name of ['token', 'api_key', 'access_token', 'X-SVC-API-Key', 'authorization'])
      assertUnauthorized(await verify([], `?${name}=${site.server.readToken}`), 'missing_token')
  })

  test('an unknown token is invalid, whatever its form', async () => {
    const good = site.server.readToken
    const wrong = [unknown, misspelt(good), good.slice(0, -1), `${good}x`, good.toLowerCase(), 'x', `"${good}"`]
    for (const secret of wrong) {
      assertUnauthorized(await verify(['Authorization', `Bearer ${secret}`]), 'invalid_token')
      assertUnauthorized(await verify(['X-SVC-API-Key', secret]), 'invalid_token')
    }
    for (const value of [good, `Basic ${good}`, `Token ${good}`, `Bearer ${good} ${good}`, `Bearer${good}`])
      assertUnauthorized(await verify(['Authorization', value]), 'invalid_token')
    assertUnauthorized(await verify(['X-SVC-API-Key', `Bearer ${good}`]), 'invalid_token')
  })

  test('two credentials are refused, even when they are equal', async () => {
    const [read, write] = [site.server.readToken, site.server.writeToken]
    const [bearer, key] = [['Authorization', `Bearer ${read}`] as const, ['X-SVC-API-Key', read] as const]
    for (const headers of [
      [...bearer, ...key],
      [...key, ...bearer],
      [...bearer, ...bearer],
      [...key, ...key],
      [...bearer, 'authorization', `Bearer ${write}`],
      [...key, 'x-svc-api-key', write],
      [...bearer, 'X-SVC-API-Key', 'x'],
      ['Authorization', 'Bearer x', ...key],
    ])
      assertUnauthorized(await verify(headers), 'ambiguous_credentials')
  })

  test('a read token may read everything and write nothing', async () => {
    const token = site.server.readToken
    for (const path of ['/services/get/', '/providers/get/', '/customers/get/', '/reservations/get/', '/events/get/'])
      assert.equal((await site.server.call('GET', path, { token })).status, 200)
    const slot = await site.slot({ service: 'plain', provider: 1 })
    const answer = await site.assertUnchanged(() =>
      site.server.call('POST', '/reservations/add/', { token, body: site.booking(slot) }),
    )
    assertRestError(answer, 403, 'rest_forbidden', { requiredScope: 'write' })
  })

  test('route, token, scope, form and existence are checked in this order', async () => {
    const { readToken } = site.server
    const ask = (path: string, token: string | null, body: unknown) => site.server.call('POST', path, { token, body })
    assertRestError(await ask('/reservations/change/', null, '{'), 404, 'rest_no_route')
    assertUnauthorized(await ask('/reservations/edit/', null, '{'), 'missing_token')
    assertRestError(await ask('/reservations/edit/', readToken, '{'), 403, 'rest_forbidden', { requiredScope: 'write' })
    const { writeToken } = site.server
    assertRefused(await ask('/reservations/edit/', writeToken, '{'), 400, 'invalid_json')
    const wrong = await ask('/reservations/edit/', writeToken, { id: 'r_unknown', start: 'soon' })
    assertRefused(wrong, 400, 'invalid_parameter', ['start'])
    const unknownOne = await ask('/reservations/edit/', writeToken, { id: 'r_unknown' })
    assertRefused(unknownOne, 404, 'reservation_not_found')
  })

  test('a refusal does not reveal the token', async () => {
    const answer = await verify(['Authorization', `Bearer ${misspelt(site.server.readToken)}`])
    assert.ok(!answer.text.includes('dbk_'))
  })

  test('a token revoked by the command is refused within a second', async () => {
    const made = await makeToken(site, 'to be revoked', 'write')
    const ask = () => verify(['Authorization', `Bearer ${made.secret}`])
    assert.equal((await ask()).status, 200)
    const { code, stderr } = await site.server.daybook('token', 'revoke', made.id)
    const revokedAt = performance.now()
    assert.equal(code, 0, stderr)
    const isRefused = async () => {
      const answer = await ask()
      if (answer.status === 200) return false
      assertUnauthorized(answer, 'revoked_token')
      return true
    }
    const late = 'The token was good for more than a second.'
    await untilRefused(isRefused, { since: revokedAt, within: 1000, late })
    assert.equal((await listedToken(site.server, made.name)).state, 'revoked')
  })

  test('a request whose token is revoked before its body is complete is refused', async () => {
    const slot = await site.slot({ service: 'plain', provider: ana, on: site.nextDay() })
    for (const [path, body] of [
      ['/customers/add/', { name: 'Late', email: 'late@example.org' }],
      ['/reservations/add/', site.booking(slot)],
    ] as const) {
      const made = await makeToken(site, `revoked during ${path}`, 'write')
      const authorization = ['Authorization', `Bearer ${made.secret}`]
      assert.equal((await verify(authorization)).status, 200)
      const revoke = async () => {
        assert.equal((await site.server.daybook('token', 'revoke', made.id)).code, 0)
        while ((await verify(authorization)).status === 200);
      }
      await site.assertUnchanged(async () => {
        const headers = [...authorization, 'Content-Type', 'application/json']
        const sent = { body: JSON.stringify(body), meanwhile: revoke }
        assertUnauthorized(await askInHalves(site.server.root + path, 'POST', headers, sent), 'revoked_token')
      })
    }
  })

  test('a new token works at once', async () => {
    const made = await makeToken(site, 'fresh', 'read')
    assert.equal((await verify(['X-SVC-API-Key', made.secret])).status, 200)
  })

  test('a token with a rate limit receives its headers, and 429 beyond it', async () => {
    const made = await makeToken(site, 'limited', 'read')
    await site.sql('update token set rate_limit = 3 where id = ?', [made.id])
    const left: string[] = []
    // The limit is three requests in each minute of the clock. If a new minute begins during the loop, the token may
    // send three more, so only the last three values are compared.
    let answer = await verify(['X-SVC-API-Key', made.secret])
    for (; answer.status === 200 && left.length < 6; answer = await verify(['X-SVC-API-Key', made.secret])) {
      left.push(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1] ?? '')
      assert.match(answer.headers.get('ratelimit-policy') ?? '', /q=3\b.*w=60\b/)
    }
    assert.deepEqual(left.slice(-3), ['2', '1', '0'])
    assertTooMany(answer)
    assert.equal((await verify(['X-SVC-API-Key', site.server.readToken])).headers.get('ratelimit'), null)
  })

  test('a thousand wrong tokens per minute are limited; a valid one is still served', async () => {
    const wrong = () => whenServed(() => site.server.call('GET', '/auth/verify/', { token: unknown }))
    let refused = 0
    let beyond: ApiResponse<AnyBody> | undefined
    while (!beyond && refused <= 2_000) {
      const answers = await Promise.all(Array.from({ length: 50 }, wrong))
      refused += answers.filter((answer) => answer.status === 401).length
      beyond = answers.find((answer) => answer.status !== 401)
    }
    assert.ok(refused > 800 && beyond, `${refused} were refused before ${beyond?.text}`)
    assertTooMany(beyond)
    assertUnauthorized(await verify([]), 'missing_token')
    assert.equal((await verify(['X-SVC-API-Key', site.server.readToken])).status, 200)
  })

  // This test and the next are the last of the file, because they stop the service and move its clock.
  let expiring: MadeToken
  test('the last use and its address are stored at the latest when the service stops', async () => {
    expiring = await makeToken(site, 'used', 'read', '--expires', '1h')
    assert.deepEqual(usesOf(await listedToken(site.server, 'used')), { lastUsed: '-', lastAddress: '-' })
    assert.equal((await verify(['X-SVC-API-Key', expiring.secret])).status, 200)
    assert.equal(await site.server.stop(), 0)
    const { lastUsed, lastAddress } = await listedToken(site.server, 'used')
    const at = Date.parse(lastUsed) / 1000
    assert.ok(at >= now && at < now + hour, lastUsed)
    assert.equal(lastAddress, '127.0.0.1')
  })

  test('a token past its expiry is refused', async () => {
    await site.server.restart({ now: now + 2 * hour })
    assertUnauthorized(await verify(['Authorization', `Bearer ${expiring.secret}`]), 'expired_token')
    assert.equal((await listedToken(site.server, 'used')).state, 'expired')
    assert.equal((await verify(['X-SVC-API-Key', site.server.readToken])).status, 200)
  })
})

function assertTooMany(answer: ApiResponse<AnyBody>): void {
  assertRestError(answer, 429, 'rest_too_many_requests')
  const wait = Number(answer.headers.get('retry-after'))
  assert.ok(wait >= 1 && wait <= 60, `Retry-After is ${wait}.`)
}

function usesOf({ lastUsed, lastAddress }: { lastUsed: string; lastAddress: string }) {
  return { lastUsed, lastAddress }
}
