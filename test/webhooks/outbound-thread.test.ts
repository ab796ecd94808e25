import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { insertSignedInUser } from '../support/browser-client.ts'
import { type ServiceProcess, startService } from '../support/service.ts'
import { openSql, type Sql } from '../support/sql.ts'
import { type Receiver, startReceiver } from './receiver.ts'

describe('the outbound thread', { skip: existsSync('/proc/self/task') ? false : 'threads are read from /proc' }, () => {
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

  const addCustomer = async (name: string): Promise<void> => {
    const body = { name, email: `${name}@x.example` }
    const { status, text } = await service.call('POST', '/customers/add/', { body })
    assert.equal(status, 201, text)
  }

  test('starts with the first event that is to be delivered, and stays', async () => {
    const [own] = await sql(`select count(*) as n from event_consumer`)
    assert.equal(Number(own?.n), 0)
    await addCustomer('before')
    const atRest = threads(service)
    const now = Math.floor(Date.now() / 1000)
    const session = { lastSeenAt: now, expiresAt: now + 40_000, authenticatedAt: now }
    const { browser } = await insertSignedInUser({ server: service, sql }, 'admin', session)
    const added = await browser.post('/webhooks/add/', { url: receiver.url, events: ['customer.*'] })
    assert.equal(added.status, 200, added.text)
    await addCustomer('first')
    await receiver.atLeast(1)
    assert.equal(threads(service), atRest + 1)
    await addCustomer('second')
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

/** Returns the number of worker threads of a service process, from the thread names in /proc. */
function threads({ pid }: ServiceProcess): number {
  const names = globSync(`/proc/${pid}/task/*/comm`).map((file) => readFileSync(file, 'utf8').trim())
  return names.filter((name) => name === 'WorkerThread').length
}
