import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { type UserRole, userRoles } from '../../src/access/users/user.ts'
import type { PanelEndpoint } from '../../src/contract/endpoint.ts'
import { panelApi } from '../../src/contract/panel-api.ts'
import { BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { now } from '../support/clinic.ts'
import type { AnyBody, ApiResponse } from '../support/service.ts'
import { assertRestError, onEachDatabase, type TestSite } from '../support/test-site.ts'

const rows = Object.entries<PanelEndpoint>(panelApi).map(([key, { admits, envelope }]) => {
  const [method = '', path = ''] = key.split(' ')
  return { key, method, path, admits, live: envelope === 'live' }
})

/**
 * Every kind of caller: its name, the role whose rights it must have, and a function that returns the caller's browser
 * client.
 */
const callers: readonly (readonly [
  name: string,
  role: UserRole | 'nobody',
  come: (site: TestSite) => Promise<BrowserClient>,
])[] = [
  ['nobody', 'nobody', async ({ server }) => new BrowserClient(server)],
  ['an unknown cookie', 'nobody', async ({ server }) => new BrowserClient(server, 'A'.repeat(43))],
  [
    'an idle session',
    'nobody',
    async (site) => (await insertSignedInUser(site, 'admin', { lastSeenAt: now - 1_801 })).browser,
  ],
  ['an old session', 'nobody', async (site) => (await insertSignedInUser(site, 'admin', { expiresAt: now })).browser],
  [
    'a disabled person',
    'nobody',
    async (site) => (await insertSignedInUser(site, 'admin', { status: 'disabled' })).browser,
  ],
  ...userRoles.map(
    (role) => [role, role, async (site: TestSite) => (await insertSignedInUser(site, role)).browser] as const,
  ),
]

onEachDatabase((open) => {
  let site: TestSite
  before(async () => {
    site = await open()
  })
  after(() => site.close())

  const knock = (
    browser: BrowserClient,
    method: string,
    path: string,
    live: boolean,
  ): Promise<ApiResponse<unknown>> => {
    if (live && browser.cookie !== undefined) return head(`${site.server.url}/admin/api${path}`, browser.cookie)
    return method === 'GET' ? browser.get(path) : browser.post(path)
  }

  // The callers get new sessions for each route, because some routes end the session of the request.
  for (const { key, method, path, admits, live } of rows)
    test(`${key} is for ${admits === 'anyone' ? admits : admits.join(' and ')}, and for no other role`, async () => {
      const seen = callers.map(async ([name, role, come]) => {
        const browser = await come(site)
        const carried = browser.cookie !== undefined
        return { name, role, carried, answer: asAny(await knock(browser, method, path, live)) }
      })
      for (const { name, role, carried, answer } of await Promise.all(seen)) {
        if (admits === 'anyone' || (role !== 'nobody' && admits.includes(role))) assertAdmitted(answer, name)
        else if (role !== 'nobody') assertRestError(answer, 403, 'rest_forbidden', { admits: [...admits] })
        else assertRestError(answer, 401, 'rest_forbidden', { reason: carried ? 'session_ended' : 'no_session' })
      }
    })

  for (const { key, method, path } of rows)
    test(`${key} is refused to a page of another site, whatever its session`, async () => {
      const { browser } = await insertSignedInUser(site, 'admin')
      const json = method === 'POST' ? ['Content-Type', 'application/json'] : []
      const body = method === 'POST' ? '{}' : ''
      const strange: (readonly string[])[] = [
        ['Sec-Fetch-Site', 'cross-site'],
        ['Sec-Fetch-Site', 'same-site'],
        ['Origin', 'https://evil.example'],
        ['Origin', 'null'],
        ['Sec-Fetch-Site', 'same-origin', 'Origin', 'https://evil.example'],
        ...(method === 'POST' ? [[], ['Sec-Fetch-Site', 'none']] : []),
      ]
      const asked = strange.map((headers) => browser.ask(method, path, [...json, ...headers], body))
      for (const answer of await Promise.all(asked))
        assertRestError(asAny(answer), 403, 'rest_forbidden', { reason: 'cross_site' })
    })

  test('an API token opens nothing of the panel, and a session nothing of the API', async () => {
    const bearer = ['Authorization', `Bearer ${site.server.writeToken}`]
    const asToken = await new BrowserClient(site.server).get('/users/', bearer)
    assertRestError(asAny(asToken), 401, 'rest_forbidden', { reason: 'no_session' })
    const { browser } = await insertSignedInUser(site, 'admin')
    const { status } = await fetch(`${site.server.root}/services/get/`, {
      headers: { Cookie: `daybook-loopback=${browser.cookie}` },
    })
    assert.equal(status, 401)
  })
})

/**
 * Fails unless the route admits the caller; a refusal of the request for another reason than the caller's rights
 * passes.
 */
function assertAdmitted({ status, body, text }: ApiResponse<unknown>, name: string): void {
  assert.ok(status < 500 && status !== 401, `${name}: ${text}`)
  assert.notEqual(asObject(body).code, 'rest_forbidden', `${name}: ${text}`)
  assert.notEqual(asObject(body).code, 'rest_no_route', `${name}: ${text}`)
}

function asObject(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? { ...body } : {}
}

function asAny(answer: ApiResponse<unknown>): ApiResponse<AnyBody> {
  return answer as ApiResponse<AnyBody>
}

/**
 * Requests a route that streams: returns the status alone when the stream opens, or the complete response of a refusal.
 */
function head(url: string, cookie: string): Promise<ApiResponse<unknown>> {
  const headers = { Cookie: `daybook-loopback=${cookie}`, 'Sec-Fetch-Site': 'same-origin' }
  return new Promise((answered, failed) => {
    const asking = request(url, { headers, agent: false }, async (response) => {
      const status = response.statusCode ?? 0
      let text = ''
      if (status === 200) asking.destroy()
      else for await (const part of response) text += part
      answered({ status, headers: new Headers(), body: text === '' ? undefined : JSON.parse(text), text })
    })
    asking.on('error', failed)
    asking.end()
  })
}
