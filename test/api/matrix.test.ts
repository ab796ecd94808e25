import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { tokenSecret } from '../../src/access/tokens/token.ts'
import { publicApi } from '../../src/contract/public-api.ts'
import { now } from '../support/clinic.ts'
import { proved } from '../support/proof.ts'
import { askRaw } from '../support/raw.ts'
import type { AnyBody, ApiResponse } from '../support/service.ts'
import { assertRestError, onEachDatabase, type TestSite } from '../support/test-site.ts'
import { makeToken, misspelt } from '../support/tokens.ts'

const rows = Object.entries(publicApi).map(([key, { scope }]) => {
  const [method = '', path = ''] = key.split(' ')
  return { key, method, path, scope }
})

const credentials = [
  'none',
  'malformed',
  'wrong checksum',
  'unknown',
  'revoked',
  'expired',
  'both headers',
  'twice',
  'read',
  'write',
] as const
type Credential = (typeof credentials)[number]

const reasons: Readonly<Record<Exclude<Credential, 'read' | 'write'>, string>> = {
  none: 'missing_token',
  malformed: 'invalid_token',
  'wrong checksum': 'invalid_token',
  unknown: 'invalid_token',
  revoked: 'revoked_token',
  expired: 'expired_token',
  'both headers': 'ambiguous_credentials',
  twice: 'ambiguous_credentials',
}

/** The response of each route to an authenticated request without parameters. */
const admitted: Readonly<Record<string, { status: number; code?: string; reason?: string }>> = {
  'GET /auth/verify/': { status: 200 },
  'GET /availability/get/': { status: 400, code: 'rest_missing_callback_param' },
  'GET /services/get/': { status: 200 },
  'GET /providers/get/': { status: 200 },
  'GET /customers/get/': { status: 200 },
  'GET /reservations/get/': { status: 200 },
  'POST /reservations/add/': { status: 400, reason: 'missing_parameter' },
  'POST /reservations/edit/': { status: 400, reason: 'missing_parameter' },
  'POST /reservations/remove/': { status: 404, reason: 'missing_parameter' },
  'POST /customers/add/': { status: 400, reason: 'missing_parameter' },
  'POST /customers/edit/': { status: 400, reason: 'missing_parameter' },
  'POST /customers/remove/': { status: 404, reason: 'missing_parameter' },
  'POST /services/add/': { status: 400, reason: 'missing_parameter' },
  'POST /services/edit/': { status: 400, reason: 'missing_parameter' },
  'POST /services/remove/': { status: 404, reason: 'missing_parameter' },
  'POST /providers/edit/': { status: 400, reason: 'missing_parameter' },
  'POST /providers/edit/service/': { status: 400, reason: 'missing_parameter' },
  'GET /availability/explain/': { status: 400, code: 'rest_missing_callback_param' },
  'GET /events/get/': { status: 200 },
}

onEachDatabase((open, kind) => {
  let site: TestSite
  let headers: Readonly<Record<Credential, readonly string[]>>
  before(async () => {
    site = await open()
    const { server } = site
    const [revoked, expired] = [await makeToken(site, 'revoked', 'write'), await makeToken(site, 'expired', 'write')]
    assert.equal((await server.daybook('token', 'revoke', revoked.id)).code, 0)
    await site.sql('update token set expires_at = ? where id = ?', [now, expired.id])
    const bearer = (secret: string) => ['Authorization', `Bearer ${secret}`]
    headers = {
      none: [],
      malformed: bearer('nonsense'),
      'wrong checksum': bearer(misspelt(server.writeToken)),
      unknown: bearer(tokenSecret('0'.repeat(34))),
      revoked: bearer(revoked.secret),
      expired: bearer(expired.secret),
      'both headers': [...bearer(server.writeToken), 'X-SVC-API-Key', server.writeToken],
      twice: [...bearer(server.writeToken), ...bearer(server.writeToken)],
      read: bearer(server.readToken),
      write: bearer(server.writeToken),
    }
  })
  after(() => site.close())

  const ask = (method: string, path: string, credential: Credential): Promise<ApiResponse<AnyBody>> =>
    method === 'POST'
      ? askRaw(site.server.root + path, method, [...headers[credential], 'Content-Type', 'application/json'], '{}')
      : askRaw(site.server.root + path, method, headers[credential])

  for (const { key, method, path, scope } of rows)
    for (const credential of credentials)
      test(`${key} with ${credential} as credentials`, async () => {
        const response = await ask(method, path, credential)
        assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
        if (credential !== 'read' && credential !== 'write') {
          assertRestError(response, 401, 'rest_forbidden', { reason: reasons[credential] })
          assert.equal(response.headers.get('www-authenticate'), 'Bearer')
        } else if (credential === 'read' && scope === 'write') {
          assertRestError(response, 403, 'rest_forbidden', { requiredScope: 'write' })
        } else {
          assertAdmitted(response, key)
        }
      })

  for (const { key, method, path } of rows)
    test(`${key} is served without its trailing slash too`, async () => {
      assertAdmitted(await ask(method, path.slice(0, -1), 'write'), key)
    })

  for (const path of new Set(rows.map((row) => row.path)))
    test(`${path} is an unknown route for other methods and spellings`, async () => {
      const right = rows.filter((row) => row.path === path).map((row) => row.method)
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((one) => !right.includes(one)))
        assertRestError(await ask(method, path, 'write'), 404, 'rest_no_route')
      const method = right[0] ?? ''
      for (const other of [path.toUpperCase(), `${path}more/`, `/${path}`, `/v1${path}`])
        assertRestError(await ask(method, other, 'write'), 404, 'rest_no_route')
    })

  test('other versions and unknown paths are unknown routes for every caller', async () => {
    const { url } = site.server
    for (const path of ['/api/v2/services/get/', '/api/services/get/', '/api/v1/', '/api/v1/%zz/', '/nothing/'])
      for (const credential of ['none', 'write'] as const)
        assertRestError(await askRaw(url + path, 'GET', headers[credential]), 404, 'rest_no_route')
  })

  test('every row of the contract is in this matrix', (t) => {
    assert.deepEqual(Object.keys(admitted), Object.keys(publicApi))
    proved(t, `A3 ${kind}`, { routes: rows.length, credentials: credentials.length })
  })
})

function assertAdmitted(response: ApiResponse<AnyBody>, key: string): void {
  const { status, code, reason } = admitted[key] ?? {}
  assert.equal(response.status, status, response.text)
  if (code !== undefined) assert.equal(response.body.code, code)
  if (reason !== undefined) assert.equal(response.body.reason, reason)
  if (status === 200) assert.deepEqual(Object.keys(response.body), ['status', 'response'])
}
