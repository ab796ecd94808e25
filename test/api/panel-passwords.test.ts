import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { BrowserClient, insertSignedInUser, setUpSecret } from '../support/browser-client.ts'
import { now } from '../support/clinic.ts'
import { type ServiceProcess, startService } from '../support/service.ts'
import { openSql, type Sql } from '../support/sql.ts'

describe('new passwords', { timeout: 600_000 }, () => {
  let service: ServiceProcess
  let sql: Sql
  before(async () => {
    service = await startService({ now })
    sql = openSql(service)
  })
  after(async () => {
    sql.close()
    await service.kill()
  })

  test('are rated two at a time; of a burst, those beyond the queue are shed', async () => {
    const secret = setUpSecret(service)
    const body = { secret, name: 'Ann', email: 'ann@clinic.example', password: 'password12' }
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => new BrowserClient(service).post('/set-up/', body)),
    )
    const statuses = new Set(answers.map(({ status }) => status))
    assert.deepEqual([...statuses].toSorted(), [400, 503])
    const busy = answers.find(({ status }) => status === 503)
    assert.equal(busy?.headers.get('retry-after'), '1')
    assert.match(service.stderr, /Too many passwords wait to be rated/)
    const made = await new BrowserClient(service).post('/set-up/', { ...body, password: 'four words of my own' })
    assert.equal(made.status, 200, made.text)
  })

  test('count as attempts in the profile too', async () => {
    const { browser, userId } = await insertSignedInUser({ server: service, sql }, 'manager')
    const tries: number[] = []
    for (let at = 0; at < 12; at++)
      tries.push((await browser.post('/password/change/', { password: 'qwertyuiop1' })).status)
    assert.deepEqual(tries, [...Array(10).fill(400), 429, 429])
    const { browser: other } = await insertSignedInUser({ server: service, sql }, 'manager')
    assert.equal((await other.post('/password/change/', { password: 'qwertyuiop1' })).status, 400)
    assert.equal((await other.post('/password/change/', { password: 'four words of my own' })).status, 200)
    const [row] = await sql('select count from security_event where kind = ? and person_id = ?', ['locked', userId])
    assert.equal(Number(row?.count), 1)
  })
})
