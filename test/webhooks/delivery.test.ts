import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { encrypt } from '../../src/encryption.ts'
import { relayEvents } from '../../src/jobs/event-relay.ts'
import { listAttempts } from '../../src/webhooks/attempts.sql.ts'
import type { Redelivered } from '../../src/webhooks/deliveries.operations.ts'
import type { DeliveryPosition } from '../../src/webhooks/deliveries.sql.ts'
import { secretPlace } from '../../src/webhooks/delivery.job.ts'
import { newWebhookSecret } from '../../src/webhooks/signature.ts'
import { databasesHere } from '../support/databases.ts'
import { proved } from '../support/proof.ts'
import { type Receiver, type ReceiverResponse, startReceiver } from './receiver.ts'
import { keys, WebhookTestSite } from './webhook-test-site.ts'

const hour = 3_600
const day = 24 * hour

for (const { kind, skip } of await databasesHere()) {
  describe(`webhooks on ${kind}`, { skip, timeout: 600_000 }, () => {
    let site: WebhookTestSite
    let receiver: Receiver
    let answer: ReceiverResponse
    beforeEach(async () => {
      // The clock starts at the current time, because a receiver compares the timestamp of a delivery with the
      // current time.
      site = await WebhookTestSite.open(kind, Math.floor(Date.now() / 1000))
      answer = { status: 204 }
      receiver = await startReceiver(() => answer)
    })
    afterEach(async () => {
      await receiver.close()
      await site.close()
    })

    const sent = () => receiver.received.map(({ body }) => JSON.parse(body))

    test('an event is delivered once, signed as Standard Webhooks says, in the format of the feed', async () => {
      const { secret } = await site.endpoint(receiver.url, { headers: { authorization: 'Basic abc' } })
      const id = await site.customer('Jo Park')
      await site.runDueJobs()
      await site.runDueJobs()
      const [one, ...more] = receiver.received
      assert.ok(one && more.length === 0)
      const payload = JSON.parse(one.body)
      assert.deepEqual(new Webhook(secret).verify(one.body, { ...one.headers } as Record<string, string>), payload)
      assert.deepEqual(
        [payload.type, payload.apiVersion, payload.data.object.id, payload.data.object.name, payload.data.previous],
        ['customer.created', 'v1', id, 'Jo Park', null],
      )
      assert.equal(one.headers['webhook-id'], payload.id)
      assert.equal(one.headers['content-type'], 'application/json')
      assert.equal(one.headers['user-agent'], 'Daybook/test')
      assert.equal(one.headers.authorization, 'Basic abc')
      const altered = one.body.replace('Jo Park', 'Jo Pork')
      assert.throws(() => new Webhook(secret).verify(altered, { ...one.headers } as Record<string, string>))
      const delivery = await site.delivery()
      assert.deepEqual([delivery.state, delivery.attempts, delivery.lastStatus], ['delivered', 1, 204])
      const [attempt] = await listAttempts(site.storage.db, delivery.id)
      assert.deepEqual([attempt?.status, attempt?.requestHeaders.authorization], [204, '…'])
    })

    test('an endpoint receives what it subscribes to, from its creation on', async () => {
      await site.customer()
      await site.endpoint(receiver.url, { events: ['service.*', 'token.revoked'] })
      await site.customer()
      const { id } = (await site.perform('tokens.create', {
        ...{ name: 'Shop', scope: 'read', hash: 'h', expiresAt: null },
      })) as { readonly id: string }
      await site.perform('services.add', { name: 'Cut' })
      await site.perform('tokens.revoke', { id })
      await site.runDueJobs()
      assert.deepEqual(
        sent()
          .map(({ type }) => type)
          .toSorted(),
        ['service.created', 'token.revoked'],
      )
    })

    test('concurrent relays make one delivery of each event', async () => {
      await site.endpoint(receiver.url)
      for (let count = 0; count < 20; count++) await site.customer()
      await Promise.all([site.runDueJobs(), site.runDueJobs(), relayEvents(site.app), relayEvents(site.app)])
      await site.runDueJobs()
      const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
      assert.equal(ids.length, 20)
      assert.equal(new Set(ids).size, 20)
    })

    test('a failing delivery is retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h', async (t) => {
      answer = { status: 500, body: 'out of order' }
      await site.endpoint(receiver.url)
      await site.customer()
      await site.runDueJobs()
      for (const delay of [5, 300, 1_800, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]) {
        const { state, nextAt } = await site.delivery()
        assert.equal(state, 'waiting')
        const after = (nextAt ?? 0) - site.now
        assert.ok(after >= delay && after <= Math.ceil(delay * 1.1), `${after} for ${delay}`)
        site.now = (nextAt ?? 0) - 1
        const before = receiver.received.length
        await site.runDueJobs()
        assert.equal(receiver.received.length, before)
        site.now += 1
        await site.runDueJobs()
        assert.equal(receiver.received.length, before + 1)
      }
      const { state, attempts, nextAt, lastError } = await site.delivery()
      assert.deepEqual([state, attempts, nextAt, lastError], ['failed', 10, null, 'HTTP 500'])
      assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
      const tries = await listAttempts(site.storage.db, (await site.delivery()).id)
      assert.deepEqual([tries.length, tries[0]?.response], [10, 'out of order'])
      proved(t, `W3 ${kind}`, { attempts: tries.length, 'outside the schedule': 0 })
    })

    test('Retry-After is obeyed where it is longer, and a redirect is a failure', async () => {
      answer = { status: 503, headers: { 'Retry-After': '900' } }
      await site.endpoint(receiver.url)
      await site.customer()
      await site.runDueJobs()
      assert.equal((await site.delivery()).nextAt, site.now + 900)
      site.now += 900
      answer = { status: 302, headers: { Location: receiver.url } }
      await site.runDueJobs()
      assert.equal(receiver.received.length, 2)
      assert.deepEqual([(await site.delivery()).state, (await site.delivery()).lastError], ['waiting', 'HTTP 302'])
    })

    test('an answer 410 disables the endpoint and cancels what waits', async () => {
      answer = { status: 500 }
      const { id } = await site.endpoint(receiver.url)
      await site.customer()
      await site.runDueJobs()
      answer = { status: 410 }
      await site.customer()
      await site.runDueJobs()
      const { enabled, disabledBecause } = await site.endpointNamed(id)
      assert.deepEqual([enabled, disabledBecause], [false, 'gone'])
      assert.deepEqual((await site.deliveries()).map(({ state }) => state).toSorted(), ['cancelled', 'failed'])
      site.now += 10 * day
      await site.customer()
      await site.runDueJobs()
      assert.equal(receiver.received.length, 2)
    })

    test('an endpoint without success is reported once after a day and disabled after five; a success in between prevents that', async () => {
      answer = { status: 500 }
      const { id } = await site.endpoint(receiver.url)
      const fail = async (after: number) => {
        site.now += after
        await site.customer()
        await site.runDueJobs()
        return (await site.endpointNamed(id)).enabled
      }
      assert.equal(await fail(0), true)
      assert.equal(await fail(4 * day), true)
      answer = { status: 200 }
      await fail(hour)
      answer = { status: 500 }
      assert.equal(await fail(2 * day), true)
      assert.equal(await fail(5 * day - 1), true)
      assert.equal(await fail(1), false)
      assert.equal((await site.endpointNamed(id)).disabledBecause, 'failing')
      const types = await site.storage.db.build
        .selectFrom('event')
        .select('type')
        .where('kind', '=', 'webhook')
        .orderBy('tx')
        .orderBy('n')
        .execute()
      assert.deepEqual(
        types.map(({ type }) => type),
        ['webhook.created', 'webhook.failing', 'webhook.failing', 'webhook.disabled'],
      )
    })

    test('an endpoint with another URL has five days again', async () => {
      answer = { status: 500 }
      const { id } = await site.endpoint(receiver.url)
      const stateAfter = async (seconds: number) => {
        site.now += seconds
        await site.customer()
        await site.runDueJobs()
        const { enabled, failingSince } = await site.endpointNamed(id)
        return [enabled, failingSince]
      }
      const since = site.now
      assert.deepEqual(await stateAfter(0), [true, since])
      await site.perform('webhooks.edit', { id, description: 'Shop' })
      assert.deepEqual(await stateAfter(4 * day), [true, since])
      await site.perform('webhooks.edit', { id, url: `${receiver.url}/correct` })
      assert.deepEqual(await stateAfter(2 * day), [true, since + 6 * day])
      assert.deepEqual(await stateAfter(5 * day), [false, since + 6 * day])
    })

    test('after a rotation both secrets sign for a day, then the new one alone', async () => {
      const { id, secret } = await site.endpoint(receiver.url)
      const next = newWebhookSecret()
      await site.perform('webhooks.rotate', { id, secret: encrypt(keys, next, secretPlace(id)) })
      await site.customer()
      await site.runDueJobs()
      const [one] = receiver.received
      assert.ok(one)
      const headers = { ...one.headers } as Record<string, string>
      for (const by of [secret, next]) assert.ok(new Webhook(by).verify(one.body, headers))
      site.now += day
      await site.customer()
      await site.runDueJobs()
      const later = receiver.received[1]
      assert.ok(later)
      const { 'webhook-id': sentId, 'webhook-timestamp': at, 'webhook-signature': signature } = later.headers
      assert.equal(signature, new Webhook(next).sign(String(sentId), new Date(Number(at) * 1_000), later.body))
    })

    test('a template shapes the body; one that fails for an event is a failed attempt', async () => {
      await site.endpoint(receiver.url, {
        template:
          '{% if data.object == nil %}{{ gone }}{% endif %}{"text": {{ data.object.name | json }}, "kind": "{{ type }}"}',
        events: ['customer.created', 'customer.removed'],
      })
      const id = await site.customer('A "quoted" name')
      await site.runDueJobs()
      assert.deepEqual(sent(), [{ text: 'A "quoted" name', kind: 'customer.created' }])
      await site.perform('customers.remove', { id, removeUser: false } as never)
      await site.runDueJobs()
      const failed = (await site.deliveries()).find(({ type }) => type === 'customer.removed')
      assert.match(failed?.lastError ?? '', /^template: .*gone/)
    })

    test('a template has limits, and reads no file', async () => {
      for (const template of [
        '{% for a in (1..100000000) %}x{% endfor %}',
        "{% include '/etc/passwd' %}",
        "{% render '../package.json' %}",
        '{{ data.object.constructor.constructor }}',
        '{{ type | unknown_filter }}',
      ]) {
        const { renderTemplate } = await import('../../src/webhooks/template.ts')
        const { samplePayload } = await import('../../src/webhooks/samples.ts')
        await assert.rejects(renderTemplate(template, samplePayload('customer.created')), template)
      }
    })

    test('changed availability is reported once for changes within five seconds', async () => {
      await site.endpoint(receiver.url, { events: ['availability.changed'] })
      await site.perform('services.add', { name: 'Cut' })
      await site.runDueJobs()
      site.now += 2
      await site.perform('services.add', { name: 'Wash' })
      await site.runDueJobs()
      assert.deepEqual(sent(), [])
      site.now += 3
      await site.runDueJobs()
      const everything = { providerIds: null, serviceIds: null, from: null, until: null }
      assert.deepEqual(
        sent().map(({ type, data }) => [type, data.object]),
        [['availability.changed', everything]],
      )
      site.now += 60
      await site.runDueJobs()
      assert.equal(sent().length, 1)
      await site.perform('services.add', { name: 'Dry' })
      await site.runDueJobs()
      site.now += 5
      await site.runDueJobs()
      assert.equal(sent().length, 2)
    })

    test('a delivery that is sent again during its last attempt is attempted again', async () => {
      answer = { status: 500 }
      await site.endpoint(receiver.url)
      await site.customer()
      await site.runDueJobs()
      for (let made = 1; made < 9; made += 1) {
        site.now = (await site.delivery()).nextAt ?? 0
        await site.runDueJobs()
      }
      const { id, nextAt } = await site.delivery()
      site.now = nextAt ?? 0
      answer = 'hang'
      const count = receiver.received.length
      const run = site.runDueJobs()
      await receiver.atLeast(count + 1)
      await site.perform('webhooks.redeliver', { ids: [id] })
      answer = { status: 204 }
      receiver.drop()
      await run
      await site.runDueJobs()
      const { state, attempts } = await site.delivery()
      assert.deepEqual([state, attempts, receiver.received.length], ['delivered', 1, count + 2])
    })

    test('deliveries are sent again by id, by filter and from an instant on, with the same id', async () => {
      answer = { status: 410 }
      const { id } = await site.endpoint(receiver.url)
      await site.customer()
      await site.runDueJobs()
      site.now += 100
      const whileDisabled = await site.customer('While disabled')
      await site.runDueJobs()
      answer = { status: 200 }
      const refused = await site.storage.perform(
        'webhooks.redeliver',
        { endpointId: id },
        { now: site.now, actor: { kind: 'command', id: 'x' }, requestId: null, dryRun: false, idempotency: null },
      )
      assert.equal('refused' in refused && refused.refused.code, 'webhook_disabled')
      await site.perform('webhooks.edit', { id, enabled: true })
      const first = await site.delivery()
      await site.perform('webhooks.redeliver', { ids: [first.id] })
      await site.runner.runDue()
      await site.perform('webhooks.redeliver', { endpointId: id, state: 'delivered' })
      await site.runner.runDue()
      assert.equal(receiver.received.length, 3)
      assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
      const { findCursorBefore } = await import('../../src/webhooks/deliveries.sql.ts')
      const after = await findCursorBefore(site.storage.db, site.now)
      await site.perform('webhooks.replay.begin', { endpointId: id, after })
      await site.runDueJobs()
      assert.equal(sent().at(-1).data.object.id, whileDisabled)
      assert.equal(receiver.received.length, 4)
    })

    test('a filter sends each delivery again once, even one that is delivered before the next batch', async () => {
      const { id } = await site.endpoint(receiver.url)
      await site.customer()
      await site.runDueJobs()
      const sql = site.openSql()
      const columns = 'seq, type, object_id, payload, state, attempts, created_at, finished_at'
      await sql(`insert into webhook_delivery (id, endpoint_id, event_id, ${columns})
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 1100)
        select 'd_' || i, endpoint_id, 'e_' || i, ${columns} from webhook_delivery cross join n`)
      const counts: number[] = []
      let after: DeliveryPosition | undefined
      do {
        const filter = { endpointId: id, state: 'delivered', ...(after && { after }) } as const
        const { count, next }: Redelivered = await site.perform('webhooks.redeliver', filter)
        counts.push(count)
        after = next ?? undefined
        await sql("update webhook_delivery set state = 'delivered'")
      } while (after && counts.length < 9)
      await sql.close()
      assert.deepEqual(counts, [500, 500, 101])
    })

    test('erasing a customer empties waiting payloads and kept responses', async () => {
      answer = { status: 500, body: 'unknown customer Jo Park' }
      await site.endpoint(receiver.url, { events: ['customer.created'] })
      const id = await site.customer('Jo Park')
      await site.runDueJobs()
      await site.perform('customers.erase', { id })
      site.now += hour
      await site.runDueJobs()
      const delivery = await site.delivery()
      const tries = await listAttempts(site.storage.db, delivery.id)
      assert.equal(tries.at(-1)?.response, null)
      assert.equal(sent().at(-1).data.object, null)
    })

    test('deliveries are deleted after 30 days', async () => {
      await site.endpoint(receiver.url)
      await site.customer()
      await site.runDueJobs()
      site.now += 30 * day
      await site.perform('sweep', {})
      assert.equal((await site.deliveries()).length, 1)
      site.now += 1
      await site.perform('sweep', {})
      assert.deepEqual(await site.deliveries(), [])
      assert.deepEqual(await site.storage.db.build.selectFrom('webhook_attempt').select('id').execute(), [])
    })

    test('while outbound work is paused, deliveries wait', async () => {
      await site.endpoint(receiver.url)
      await site.perform('access.reset', { linkHash: 'x' })
      await site.customer()
      await site.runDueJobs()
      assert.equal(receiver.received.length, 0)
      await site.perform('jobs.resume-outbound', {})
      await site.runDueJobs()
      assert.equal(receiver.received.length, 1)
    })

    test('a removed endpoint leaves nothing behind', async () => {
      answer = { status: 500 }
      const { id } = await site.endpoint(receiver.url)
      await site.customer()
      await site.runDueJobs()
      await site.perform('webhooks.remove', { id })
      assert.deepEqual(await site.deliveries(), [])
      await site.perform('sweep', {})
      for (const table of ['webhook_delivery', 'webhook_attempt', 'webhook_endpoint', 'job'] as const)
        assert.deepEqual(await site.storage.db.build.selectFrom(table).select('id').execute(), [], table)
    })
  })
}
