import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { insertSignedInUser } from '../support/browser-client.ts'
import { proved } from '../support/proof.ts'
import { percentile, scaled, suiteTimeout, timeLimitFactor } from '../support/scale.ts'
import { eachDatabase } from '../support/service.ts'
import { openSql } from '../support/sql.ts'
import { whenServed } from '../support/when-served.ts'
import { startReceiver } from './receiver.ts'

const rounds = scaled(8)
const endpoints = 100
const maxSeconds = 5

eachDatabase((kind, open) =>
  describe(`one dead endpoint among a hundred on ${kind}`, { timeout: 2 * suiteTimeout }, () => {
    test('delays none of the others', async (t) => {
      const env = { DAYBOOK_OUTBOUND_NETWORKS: '127.0.0.0/8', DAYBOOK_SECRET_KEY: '5e'.repeat(32) }
      const server = await open({ env })
      const sql = openSql(server)
      t.after(() => sql.close())
      const dead = await startReceiver(() => 'hang')
      t.after(() => dead.close())
      const receiver = await startReceiver()
      t.after(() => receiver.close())
      const now = Math.floor(Date.now() / 1000)
      const session = { lastSeenAt: now, expiresAt: now + 40_000, authenticatedAt: now }
      const { browser } = await insertSignedInUser({ server, sql }, 'admin', session)
      const urls = Array.from({ length: endpoints - 1 }, (_, at) => `${receiver.url}/${at}`)
      for (const url of [dead.url, ...urls]) {
        const added = await browser.post('/webhooks/add/', { url, events: ['customer.created'] })
        assert.equal(added.status, 200, added.text)
      }
      const committedAt = new Map<string, number>()
      for (let round = 0; round < rounds; round++) {
        const body = { name: `Round ${round}`, email: `r${round}@x.example` }
        const made = await whenServed(() => server.call('POST', '/customers/add/', { body }))
        assert.equal(made.status, 201, made.text)
        committedAt.set(made.body.id, performance.now())
        await setTimeout(1_000)
      }
      await receiver.atLeast(rounds * urls.length)
      const seconds = receiver.received.map(
        ({ at, body }) => (at - (committedAt.get(JSON.parse(body).data.object.id) ?? Number.NaN)) / 1000,
      )
      const p99 = percentile(seconds, 0.99)
      assert.ok(dead.received.length > 0)
      assert.ok(p99 < maxSeconds * timeLimitFactor, `p99 ${p99} s`)
      proved(t, `W4 ${kind}`, {
        deliveries: seconds.length,
        'worst p99 ms': Math.round(p99 * 1000),
        'worst median ms': Math.round(percentile(seconds, 0.5) * 1000),
      })
    })
  }),
)
