import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { databasesHere } from '../support/databases.ts'
import { proved } from '../support/proof.ts'
import { scaled, suiteTimeout } from '../support/scale.ts'
import { startReceiver } from './receiver.ts'
import { WebhookTestSite } from './webhook-test-site.ts'

const verified = scaled(200)

for (const { kind, skip } of await databasesHere()) {
  describe(`deliveries on ${kind}`, { skip, timeout: suiteTimeout }, () => {
    test(`${verified} deliveries verify with the standardwebhooks package, and no altered one`, async (t) => {
      const site = await WebhookTestSite.open(kind, Math.floor(Date.now() / 1000))
      t.after(() => site.close())
      const receiver = await startReceiver()
      t.after(() => receiver.close())
      const { secret } = await site.endpoint(receiver.url)
      for (let made = 0; made < verified; made += 100) {
        site.now = Math.floor(Date.now() / 1000)
        await Promise.all(Array.from({ length: Math.min(100, verified - made) }, () => site.customer()))
        await site.runDueJobs()
      }
      // On a busy machine a connection may time out; the delivery is retried after five seconds.
      for (let more = 0; more < 3 && (await countDelivered(site)) < verified; more++) {
        site.now += 6
        await site.runDueJobs()
      }
      assert.equal(await countDelivered(site), verified)
      const webhook = new Webhook(secret)
      for (const [at, { body, headers }] of receiver.received.entries()) {
        const sent = { ...headers } as Record<string, string>
        assert.ok(webhook.verify(body, sent))
        const cut = at % body.length
        const altered = `${body.slice(0, cut)}${body[cut] === '0' ? '1' : '0'}${body.slice(cut + 1)}`
        assert.throws(() => webhook.verify(altered, sent))
        assert.throws(() => webhook.verify(body, { ...sent, 'webhook-id': `${sent['webhook-id']}x` }))
      }
      proved(t, `W2 ${kind}`, { deliveries: verified, 'altered accepted': 0 })
    })
  })
}

async function countDelivered({ storage }: WebhookTestSite): Promise<number> {
  const delivered = storage.db.build.selectFrom('webhook_delivery').where('state', '=', 'delivered')
  const counted = await delivered.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow()
  return Number(counted.count)
}
