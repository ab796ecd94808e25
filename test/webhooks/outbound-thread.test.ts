import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { insertSignedInUser } from '../support/browser-client.ts'
import { connectedDatabase } from '../support/connected-database.ts'
import { databasesHere } from '../support/databases.ts'
import { type ServiceProcess, startService } from '../support/service.ts'
import { openSql, type Sql } from '../support/sql.ts'
import { type Receiver, startReceiver } from './receiver.ts'

const skip = existsSync('/proc/self/task') ? false : 'threads are read from /proc'
const [, { skip: withoutPostgres = false } = {}] = await databasesHere()

describe('the outbound thread', { skip }, () => {
  let service: ServiceProcess
  let sql: Sql
  let receiver: Receiver
  before(async () => {
    receiver = await startReceiver()
    service = await startService({ env: { DAYBOOK_OUTBOUND_NETWORKS: '127.0.0.0/8' } })
    sql = openSql(service)
  })
  after(async () => {
    await sql?.close()
    await service?.kill()
    await receiver?.close()
  })

  test('starts with the first event that is to be delivered, and stays', async () => {
    const [own] = await sql(`select count(*) as n from event_consumer`)
    assert.equal(Number(own?.n), 0)
    await addCustomer(service, 'before')
    const atRest = threads(service)
    await addWebhook({ service, sql, receiver })
    await addCustomer(service, 'first')
    await receiver.atLeast(1)
    assert.equal(threads(service), atRest + 1)
    await addCustomer(service, 'second')
    await receiver.atLeast(2)
    assert.equal(threads(service), atRest + 1)
    assert.deepEqual(
      receiver.received.map(({ body }) => JSON.parse(body).data.object.name),
      ['first', 'second'],
    )
  })

  test('ends with the service', async () => {
    assert.equal(await service.stop(), 0)
  })
})

test('the outbound thread starts on a node whose database a newer version has migrated', {
  skip: withoutPostgres,
}, async (t) => {
  const { databaseUrl } = await connectedDatabase(t)
  const receiver = await startReceiver()
  const service = await startService({
    databaseUrl,
    env: { DAYBOOK_OUTBOUND_NETWORKS: '127.0.0.0/8', DAYBOOK_SECRET_KEY: '5e'.repeat(32) },
  })
  const sql = openSql(service)
  t.after(async () => {
    await sql.close()
    await service.kill()
    await receiver.close()
  })
  await sql(`insert into migration (name, applied_at) values ('9999', 0)`)
  await addWebhook({ service, sql, receiver })
  await addCustomer(service, 'first')
  await receiver.atLeast(1)
  assert.doesNotMatch(service.stderr, /newer version/)
})

async function addCustomer(service: ServiceProcess, name: string): Promise<void> {
  const body = { name, email: `${name}@x.example` }
  const { status, text } = await service.call('POST', '/customers/add/', { body })
  assert.equal(status, 201, text)
}

/** Adds a webhook for events of customers to a service. */
async function addWebhook(to: { readonly service: ServiceProcess; readonly sql: Sql; readonly receiver: Receiver }) {
  const now = Math.floor(Date.now() / 1000)
  const session = { lastSeenAt: now, expiresAt: now + 40_000, authenticatedAt: now }
  const { browser } = await insertSignedInUser({ server: to.service, sql: to.sql }, 'admin', session)
  const added = await browser.post('/webhooks/add/', { url: to.receiver.url, events: ['customer.*'] })
  assert.equal(added.status, 200, added.text)
}

/** Returns the number of worker threads of a service process, from the thread names in /proc. */
function threads({ pid }: ServiceProcess): number {
  const names = globSync(`/proc/${pid}/task/*/comm`).map((file) => readFileSync(file, 'utf8').trim())
  return names.filter((name) => name === 'WorkerThread').length
}
