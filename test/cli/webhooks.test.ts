import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { Check } from 'typebox/value'
import { Type } from '../../src/contract/schema.ts'
import { payloadSchema } from '../../src/contract/webhook-payload.ts'
import { webhookEventTypes } from '../../src/webhooks/event-types.ts'
import { insertSignedInUser } from '../support/browser-client.ts'
import { standardSite } from '../support/clinic.ts'
import { type ServiceProcess, startService } from '../support/service.ts'
import { openSql, type Sql } from '../support/sql.ts'
import { type Receiver, startReceiver } from '../webhooks/receiver.ts'

const program = fileURLToPath(new URL('../../bin/daybook.js', import.meta.url))

describe('webhooks on the command line', { timeout: 600_000 }, () => {
  let server: ServiceProcess
  let sql: Sql
  let receiver: Receiver
  let id: string
  before(async () => {
    server = await startService({ site: standardSite, env: { DAYBOOK_OUTBOUND_NETWORKS: '127.0.0.0/8' } })
    sql = openSql(server)
    receiver = await startReceiver()
    const now = Math.floor(Date.now() / 1000)
    const session = { lastSeenAt: now, expiresAt: now + 40_000, authenticatedAt: now }
    const { browser } = await insertSignedInUser({ server, sql }, 'admin', session)
    const added = await browser.post('/webhooks/add/', { url: receiver.url, description: 'Shop', events: ['*'] })
    assert.equal(added.status, 200, added.text)
    id = String(added.body.response.id)
  })
  after(async () => {
    await receiver.close()
    await sql.close()
    await server.kill()
  })

  test('the list shows their state, and a test event reaches the receiver', async () => {
    const { stdout } = await server.daybook('webhook', 'list')
    assert.equal(stdout, `${[id, 'enabled', receiver.url, '*', '-', 'Shop'].join('\t')}\n`)
    assert.equal((await server.daybook('webhook', 'test', id)).code, 0)
    await receiver.atLeast(1)
    assert.equal((await server.daybook('webhook', 'test', 'wh_none')).code, 1)
    const [one] = JSON.parse((await server.daybook('webhook', 'list', '--json')).stdout)
    assert.deepEqual([one.id, one.state], [id, 'enabled'])
  })

  test('a replay sends what happened before the webhook was added, in the published schema', async () => {
    const { code, stderr } = await server.daybook('webhook', 'replay', id, '--since', '24h')
    assert.equal(code, 0, stderr)
    await receiver.atLeast(1 + standardSite.services.length + standardSite.customers.length)
    for (const { body } of receiver.received) {
      const payload = JSON.parse(body)
      const type = webhookEventTypes.find((one) => one === payload.type)
      assert.ok(type, payload.type)
      assert.ok(Check(Type.Unsafe(payloadSchema(type)), payload), body)
    }
    assert.equal((await server.daybook('webhook', 'replay', id, '--since', 'yesterday')).code, 2)
  })

  test('listen forwards events to a program on this machine, signed with the secret that it prints', async () => {
    const local = await startReceiver()
    const args = ['listen', '--forward-to', local.url, '--events', 'customer.*', '--count', '1']
    const child = spawn(process.execPath, [program, ...args, '--data-dir', server.dataDir])
    let [printed, noise] = ['', '']
    child.stderr.setEncoding('utf8').on('data', (text) => (noise += text))
    child.stdout.setEncoding('utf8').on('data', (text) => (printed += text))
    await once(child.stdout, 'data')
    const secret = /^Secret: (whsec_\S+)$/m.exec(printed)?.[1] ?? ''
    await server.call('POST', '/services/add/', { body: { name: 'Not forwarded' } })
    await server.call('POST', '/customers/add/', { body: { name: 'Ina Berg', email: 'ina@x.example' } })
    // At the event `exit`, the last output may still be in the pipes.
    const [code] = await once(child, 'close')
    assert.deepEqual([code, noise], [0, ''])
    const [one, ...more] = local.received
    assert.ok(one && more.length === 0)
    const payload = Object(new Webhook(secret).verify(one.body, { ...one.headers } as Record<string, string>))
    assert.deepEqual([payload.type, payload.data.object.name], ['customer.created', 'Ina Berg'])
    assert.match(printed, /^customer\.created c_\S+: HTTP 204$/m)
    await local.close()
    const wrong = await server.daybook('listen', '--forward-to', 'http://10.0.0.1/')
    assert.equal(wrong.code, 2)
  })

  test('listen without --events forwards what a webhook with * receives, payments too and no new tokens', async () => {
    const local = await startReceiver()
    const args = ['listen', '--forward-to', local.url, '--count', '2']
    const child = spawn(process.execPath, [program, ...args, '--data-dir', server.dataDir])
    await once(child.stdout, 'data')
    assert.equal((await server.daybook('token', 'create', '--name', 'other', '--scope', 'read')).code, 0)
    const { body } = await server.call('POST', '/customers/add/', { body: { name: 'Jo Park', email: 'jo@x.example' } })
    await sql(
      `insert into event select tx, n + 1, 'e_paid', 'payment.paid', 'payment', 'p_1', '{"object":{},"previous":null}', body_version,
       actor_kind, actor_id, null, created_at, null, null, null from event where object_id = ? order by tx desc, n desc limit 1`,
      [String(body.id)],
    )
    await once(child, 'exit')
    assert.deepEqual(
      local.received.map(({ body: text }) => JSON.parse(text).type),
      ['customer.created', 'payment.paid'],
    )
    await local.close()
  })
})
