import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { databasesHere } from '../support/databases.ts'
import { inside } from '../support/panel-door.ts'
import { proved } from '../support/proof.ts'
import { late, patience, percentile, scaled } from '../support/scale.ts'
import { startService } from '../support/service.ts'
import { openSql } from '../support/sql.ts'
import { WebhookOffice } from './office.ts'
import { startReceiver } from './receiver.ts'

const verified = scaled(200)
const rounds = scaled(8)
const endpoints = 100
const maxSeconds = 5

for (const { kind, skip } of await databasesHere()) {
  describe(`deliveries on ${kind}`, { skip, timeout: patience }, () => {
    test(`${verified} deliveries verify with the standardwebhooks package, and no altered one`, async (t) => {
      const office = await WebhookOffice.open(kind, Math.floor(Date.now() / 1000))
      const receiver = await startReceiver()
      const { secret } = await office.endpoint(receiver.url)
      for (let made = 0; made < verified; made += 100) {
        office.now = Math.floor(Date.now() / 1000)
        await Promise.all(Array.from({ length: Math.min(100, verified - made) }, () => office.customer()))
        await office.work()
      }
      const webhook = new Webhook(secret)
      assert.equal(receiver.received.length, verified)
      for (const [at, { body, headers }] of receiver.received.entries()) {
        const sent = { ...headers } as Record<string, string>
        assert.ok(webhook.verify(body, sent))
        const cut = at % body.length
        const altered = `${body.slice(0, cut)}${body[cut] === '0' ? '1' : '0'}${body.slice(cut + 1)}`
        assert.throws(() => webhook.verify(altered, sent))
        assert.throws(() => webhook.verify(body, { ...sent, 'webhook-id': `${sent['webhook-id']}x` }))
      }
      proved(t, `W2 ${kind}`, { deliveries: verified, 'altered accepted': 0 })
      await receiver.close()
      await office.close()
    })
  })
}

describe('one dead endpoint among a hundred', { timeout: 2 * patience }, () => {
  test('delays none of the others', async (t) => {
    const server = await startService({ env: { DAYBOOK_OUTBOUND_NETWORKS: '127.0.0.0/8' } })
    const sql = openSql(server)
    const dead = await startReceiver(() => 'hang')
    const receiver = await startReceiver()
    const now = Math.floor(Date.now() / 1000)
    const session = { lastSeenAt: now, expiresAt: now + 40_000, authenticatedAt: now }
    const { browser } = await inside({ server, sql }, 'admin', session)
    const urls = Array.from({ length: endpoints - 1 }, (_, at) => `${receiver.url}/${at}`)
    for (const url of [dead.url, ...urls]) {
      const added = await browser.post('/webhooks/add/', { url, events: ['customer.created'] })
      assert.equal(added.status, 200, added.text)
    }
    const committedAt = new Map<string, number>()
    for (let round = 0; round < rounds; round++) {
      const made = await server.call('POST', '/customers/add/', {
        body: { name: `Round ${round}`, email: `r${round}@x.example` },
      })
      committedAt.set(made.body.id, performance.now())
      await setTimeout(1_000)
    }
    await receiver.atLeast(rounds * urls.length)
    const seconds = receiver.received.map(
      ({ at, body }) => (at - (committedAt.get(JSON.parse(body).data.object.id) ?? Number.NaN)) / 1000,
    )
    const p99 = percentile(seconds, 0.99)
    assert.ok(dead.received.length > 0)
    assert.ok(p99 < maxSeconds * late, `p99 ${p99} s`)
    proved(t, 'W4 sqlite', {
      deliveries: seconds.length,
      'worst p99 ms': Math.round(p99 * 1000),
      'worst median ms': Math.round(percentile(seconds, 0.5) * 1000),
    })
    await dead.close()
    await receiver.close()
    await sql.close()
    await server.kill()
  })
})
