import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { insertSignedInUser } from '../support/browser-client.ts'
import { databasesHere, type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { proved } from '../support/proof.ts'
import { scaled, seed, seededRandom, suiteTimeout } from '../support/scale.ts'
import { type ServiceProcess, startService } from '../support/service.ts'
import { openSql, type Sql } from '../support/sql.ts'
import { type Receiver, startReceiver } from '../webhooks/receiver.ts'

const kills = { sqlite: scaled(8), postgres: scaled(2) }
const writers = 4

for (const { kind, skip } of await databasesHere()) {
  describe(`webhooks of a service on ${kind} that is killed`, { skip, timeout: 2 * suiteTimeout }, () => {
    let fresh: FreshDatabase
    let server: ServiceProcess
    let sql: Sql
    let receiver: Receiver
    let secret: string
    before(async () => {
      fresh = await freshDatabase(kind)
      const place = 'databaseUrl' in fresh.at ? { databaseUrl: fresh.at.databaseUrl } : fresh.at
      const env = { DAYBOOK_OUTBOUND_NETWORKS: '127.0.0.0/8', DAYBOOK_SECRET_KEY: '5e'.repeat(32) }
      server = await startService({ ...place, env })
      sql = openSql(server)
      // The receiver answers one delivery in ten, chosen at random, with 500. The service retries these deliveries, so
      // that processes end during first and repeated attempts.
      const random = seededRandom(seed)
      receiver = await startReceiver(() => (random() < 0.1 ? { status: 500 } : { status: 204 }))
      const now = Math.floor(Date.now() / 1000)
      const session = { lastSeenAt: now, expiresAt: now + 40_000, authenticatedAt: now }
      const { browser } = await insertSignedInUser({ server, sql }, 'admin', session)
      const added = await browser.post('/webhooks/add/', { url: receiver.url, events: ['customer.*'] })
      assert.equal(added.status, 200, added.text)
      secret = String(added.body.response.secret)
    })
    after(async () => {
      await receiver?.close()
      await sql?.close()
      await server?.kill()
      await fresh?.remove()
    })

    test(`every committed event is delivered and no other, ${kills[kind]} times`, async (t) => {
      const random = seededRandom(seed)
      let writing = true
      let count = 0
      const write = async (writer: number): Promise<void> => {
        while (writing) {
          count += 1
          const body = { name: `Customer ${count}`, email: `w${writer}n${count}@x.example` }
          // A request to a killed service fails; its write may have been committed nevertheless.
          await server.call('POST', '/customers/add/', { body }).then(
            () => setTimeout(5),
            () => setTimeout(50),
          )
        }
      }
      const working = Array.from({ length: writers }, (_, writer) => write(writer))
      for (let kill = 0; kill < kills[kind]; kill++) {
        await setTimeout(50 + random() * 400)
        sql.rest()
        await server.kill()
        await server.restart()
      }
      writing = false
      await Promise.all(working)
      // On PostgreSQL, the leases of a killed process on its jobs would expire only after 30 seconds, so the test ends
      // the leases; the tests of the queue check that leases expire.
      sql.rest()
      await server.kill()
      await sql(`update job set lease_until = 0 where state = 'running'`)
      sql.rest()
      await server.restart()
      const committed = async () =>
        new Set((await sql(`select id from event where type like 'customer.%'`)).map(({ id }) => String(id)))
      const events = await committed()
      const delivered = () => new Set(receiver.received.map(({ headers }) => String(headers['webhook-id'])))
      while (delivered().size < events.size) await receiver.atLeast(receiver.received.length + 1)
      assert.deepEqual(
        [...delivered()].filter((id) => !events.has(id)),
        [],
        'a phantom was delivered',
      )
      assert.deepEqual(
        [...events].filter((id) => !delivered().has(id)),
        [],
        'an event is missing',
      )
      const webhook = new Webhook(secret)
      for (const { body, headers } of receiver.received)
        assert.ok(webhook.verify(body, { ...headers } as Record<string, string>))
      proved(t, `W1 ${kind}`, {
        kills: kills[kind],
        events: events.size,
        missing: 0,
        phantom: 0,
        'deliveries repeated': receiver.received.length - events.size,
      })
    })
  })
}
