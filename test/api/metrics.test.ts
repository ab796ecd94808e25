import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { askRaw } from '../support/raw.ts'
import { eachDatabase, type ServiceProcess, startService } from '../support/service.ts'

async function look(service: ServiceProcess, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${service.url}/metrics`, { headers })
}

/** Returns the value of the metric whose line starts with `start`. */
function figure(text: string, start: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${start} `))
  assert.ok(line, `${start} is among the figures`)
  return Number(line.slice(start.length + 1))
}

eachDatabase((kind, open) => {
  test('the metrics count requests by route and status, and commits, without personal data', async () => {
    const service = await open()
    const added = await service.call('POST', '/customers/add/', {
      body: { name: 'Sam Canary', email: 'sam@canary.example' },
    })
    assert.equal(added.status, 201)
    await service.call('POST', '/customers/add/', { body: { name: '' } })
    await service.call('GET', '/customers/get/', { token: null })
    await service.call('GET', '/nope/canary/')

    const response = await look(service)
    const text = await response.text()
    assert.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
    const requests = (labels: string) => figure(text, `daybook_http_requests_total{${labels}}`)
    assert.equal(requests('route="/customers/add/",method="POST",status="2xx"'), 1)
    assert.equal(requests('route="/customers/add/",method="POST",status="4xx"'), 1)
    assert.equal(requests('route="/customers/get/",method="GET",status="4xx"'), 1)
    assert.equal(requests('route="none",method="any",status="4xx"'), 1)
    assert.equal(figure(text, 'daybook_http_request_seconds_count{route="/customers/add/",method="POST"}'), 2)
    assert.ok(figure(text, 'daybook_commit_batch_writes_count') >= 1)
    assert.ok(figure(text, 'daybook_database_bytes') > 10_000)
    assert.equal(figure(text, 'daybook_database_up'), 1)
    assert.equal(figure(text, 'daybook_http_requests_in_flight'), 0, 'the request for the metrics does not count')
    assert.match(
      text,
      new RegExp(`daybook_build_info{version="[^"]+",node="26[^"]+",database="${kind} [^"]+",zones="20`),
    )
    assert.equal(text.includes('daybook_wal_bytes'), kind === 'sqlite')
    assert.doesNotMatch(text, /canary|\b[sct]_[0-9A-Za-z]{6}|dbk_/i, 'names nobody')
  })
})

const services: ServiceProcess[] = []
after(() => Promise.all(services.map((service) => service.kill())))

async function start(env: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
  const service = await startService({ env })
  services.push(service)
  return service
}

test('the metrics are available to programs on this machine, and not through a proxy', async () => {
  const service = await start()
  assert.equal((await look(service)).status, 200)
  for (const name of forwardingHeaders) {
    const response = await look(service, { [name]: '127.0.0.1' })
    assert.equal(response.status, 404, name)
    assert.match(await response.text(), /rest_no_route/)
  }
  const named = await askRaw(`${service.url}/metrics`, 'GET', [], '', 'booking.example')
  assert.equal(named.status, 404)
})

test('with a token configured, the metrics are available with that token only', async () => {
  const token = 'a-secret-for-figures'
  const service = await start({ DAYBOOK_METRICS_TOKEN: token })
  assert.equal((await look(service)).status, 404)
  assert.equal((await look(service, { Authorization: `Bearer ${token}x` })).status, 404)
  assert.equal((await look(service, { Authorization: `Bearer ${service.readToken}` })).status, 404)
  const headers = { Authorization: `Bearer ${token}`, 'X-Forwarded-For': '203.0.113.9' }
  assert.equal((await look(service, headers)).status, 200)
})

/** Headers that proxies, load balancers and CDNs add to forwarded requests. */
const forwardingHeaders = [
  'X-Forwarded-For',
  'Forwarded',
  'Via',
  'X-Real-IP',
  'X-Forwarded-Proto',
  'X-Forwarded-Host',
  'X-Forwarded',
  'X-Forwarded-Server',
  'X-Forwarded-Port',
  'X-Original-Forwarded-For',
  'X-Original-Host',
  'X-Client-IP',
  'X-Cluster-Client-IP',
  'X-Envoy-External-Address',
  'X-Azure-ClientIP',
  'X-Amzn-Trace-Id',
  'True-Client-IP',
  'Client-IP',
  'CF-Connecting-IP',
  'CDN-Loop',
  'Fastly-Client-IP',
  'Fly-Client-IP',
] as const
