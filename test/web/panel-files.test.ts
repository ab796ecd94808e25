import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { after, before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type ServiceProcess, startService } from '../support/service.ts'

let service: ServiceProcess
before(async () => {
  service = await startService()
})
after(() => service.kill())

const built = readFileSync('dist/admin/index.html', 'utf8')

test('each page has a content policy with a fresh nonce, and is not cacheable', async () => {
  const nonces = new Set<string>()
  for (const path of ['/admin/', '/admin/settings/team', '/admin/nowhere']) {
    const answer = await fetch(service.url + path)
    const policy = answer.headers.get('content-security-policy') ?? ''
    const nonce = /style-src 'self' 'nonce-([\w-]{22})'/.exec(policy)?.[1] ?? ''
    nonces.add(nonce)
    assert.equal(answer.status, 200)
    assert.equal(await answer.text(), built.replaceAll('__NONCE__', nonce))
    assert.match(policy, /^default-src 'none'; script-src 'self';/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /unsafe/)
    const { headers } = answer
    assert.deepEqual(
      ['cache-control', 'referrer-policy', 'x-content-type-options'].map((name) => headers.get(name)),
      ['no-store', 'no-referrer', 'nosniff'],
    )
  }
  assert.equal(nonces.size, 3)
})

test('browser reports of the policy are counted, and not stored', async () => {
  const headers = { 'Content-Type': 'application/reports+json' }
  const body = JSON.stringify([{ type: 'csp-violation', body: { blockedURL: 'https://canary.example' } }])
  const answer = await fetch(`${service.url}/admin/reports/`, { method: 'POST', headers, body })
  assert.equal(answer.status, 204)
  const figures = await (await fetch(`${service.url}/metrics`)).text()
  assert.match(figures, /^daybook_http_requests_total\{route="\/admin\/reports\/",method="POST",status="2xx"\} 1$/m)
  assert.doesNotMatch(figures + service.stderr, /canary/)
})

test('a file is sent in an accepted encoding, and is immutable under its name', async () => {
  const path = /src="(\/admin\/assets\/[^"]+\.js)"/.exec(built)?.[1] ?? ''
  const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  const plain = digest(readFileSync(`dist${path}`))
  for (const [accepted, encoding, open] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['identity', undefined, (bytes: Uint8Array) => bytes],
  ] as const) {
    const { status, headers, bytes } = await raw(path, accepted)
    assert.equal(status, 200)
    assert.equal(headers['content-encoding'], encoding)
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
    assert.equal(digest(open(bytes)), plain)
  }
})

for (const path of [
  '/admin/assets/none.js',
  '/admin/..%2f..%2fpackage.json',
  '/admin/assets/..%2findex.html',
  '/admin/%2e%2e/%2e%2e/package.json',
  '/admin/.sources',
  '/admin/api/nothing/',
])
  test(`${path} is not a file of the panel`, async () => {
    const { status, bytes } = await raw(path, 'identity')
    const text = Buffer.from(bytes).toString()
    assert.ok(status === 404 || (status === 200 && text.startsWith('<!doctype html>')), `${status} ${text}`)
    assert.doesNotMatch(text, /"dependencies"/)
  })

interface Raw {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Uint8Array
}

/** Requests exactly this path, without normalising it, and returns the response. */
function raw(path: string, accepted: string): Promise<Raw> {
  const { hostname, port } = new URL(service.url)
  return new Promise((answered, failed) => {
    const asking = request(
      { hostname, port, path, headers: { 'Accept-Encoding': accepted }, agent: false },
      (response) => {
        const parts: Uint8Array[] = []
        response.on('data', (part: Uint8Array) => parts.push(part))
        response.on('end', () =>
          answered({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(parts) }),
        )
      },
    )
    asking.on('error', failed)
    asking.end()
  })
}
