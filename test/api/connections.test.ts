import assert from 'node:assert/strict'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { Agent, get, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { setInterval } from 'node:timers/promises'
import { hostileRequests } from '../support/hostile.ts'
import { proved } from '../support/proof.ts'
import { percentile, scale, scaled, suiteTimeout } from '../support/scale.ts'
import { type ServiceProcess, startService } from '../support/service.ts'
import { openSql, type Sql } from '../support/sql.ts'

const slowOfEach = scaled(20)
/**
 * Milliseconds by which a busy machine may delay the closing of a connection, in addition to the 2 seconds between two
 * checks of the connections by the service.
 */
const late = 6_000

describe('connections of all kinds', { timeout: suiteTimeout, concurrency: true }, () => {
  let service: ServiceProcess
  let sql: Sql
  before(async () => {
    service = await startService({ env: { DAYBOOK_LOG_LEVEL: 'error' } })
    sql = openSql(service)
  })
  after(async () => {
    await service.kill()
    await sql.close()
  })

  test('malformed requests are refused, and requests hidden in them have no effect', async (t) => {
    const { host } = new URL(service.url)
    const shapes = [...hostileRequests({ token: '', host, mark: '' }).keys()]
    for (const [n, shape] of shapes.entries()) {
      const all = hostileRequests({ token: service.writeToken, host, mark: `hidden${n}` })
      const answer = await exchanged(service, all.get(shape) ?? '')
      const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
      if (shape === 'nothing wrong') {
        assert.deepEqual(statuses, ['201', '201'], 'the request that hides is one that would be done')
      } else {
        assert.ok(statuses.length <= 1, `${shape}: ${statuses}`)
        assert.ok(
          statuses.every((status) => status === '400' || status === '431'),
          `${shape}: ${answer}`,
        )
      }
    }
    const done = await sql("select name from customer where name like 'hidden%'")
    assert.equal(done.length, 2, JSON.stringify(done))
    proved(t, 'A6 bytes', { requests: shapes.length - 1, accepted: 0, smuggled: 0 })
  })

  test('slow connections are closed in time, and others are not affected', async (t) => {
    const { host } = new URL(service.url)
    const authorized = `Host: ${host}\r\nAuthorization: Bearer ${service.writeToken}\r\n`
    const head = `POST /api/v1/customers/add/ HTTP/1.1\r\n${authorized}Content-Type: application/json\r\n`
    const slow = [
      { say: '', more: '', within: 10_000 },
      { say: '', more: `${head}${'X-Slow: y\r\n'.repeat(20)}`, within: 10_000 },
      { say: `${head}Content-Length: 100\r\n\r\n`, more: `{"name":"${'y'.repeat(90)}`, within: 30_000 },
      { say: `${head}Transfer-Encoding: chunked\r\n\r\n`, more: '1\r\n \r\n'.repeat(20), within: 30_000 },
    ]
    const quiet = await ordinary(service, { requests: 100, going: () => true })
    const cut = slow.flatMap((one) => Array.from({ length: slowOfEach }, () => drip(service, one)))
    let going = true
    const busy = ordinary(service, { requests: Infinity, going: () => going })
    const over = (await Promise.all(cut)).map(({ answer, took, within }) => {
      assert.match(answer, /^(HTTP\/1\.1 408 |$)/)
      assert.ok(took < within + 2_000 + late, `cut off after ${took} ms instead of ${within}`)
      return Math.round(took - within)
    })
    going = false
    const times = await busy
    const most = scale > 1 ? 500 : Math.max(500, 4 * percentile(quiet, 0.99))
    proved(t, 'A6 slow', {
      'slow connections': cut.length,
      'worst cut late ms': Math.max(...over),
      'ordinary requests': times.length,
      'worst ordinary ninety nine of a hundred ms': Math.ceil(percentile(times, 0.99)),
    })
    assert.ok(percentile(times, 0.99) < most, `99 of 100 ordinary requests within ${percentile(times, 0.99)} ms`)
  })

  test('an unread list is abandoned, and the WAL frames that it held are released', async (t) => {
    await sql(manyCustomers)
    const unread = await Promise.all([1, 2, 3].map(() => unreadList(service)))
    await write(service, scaled(100))
    assert.ok((await framesLeft()) > 0, 'a list that is being read holds the log')
    const log = statSync(join(service.dataDir, 'daybook.db-wal')).size
    // The checkpoint shows when the service has ended the reads of the lists. The sockets do not report that their
    // connections have ended, because the test does not read from them.
    for await (const _ of setInterval(500)) if ((await framesLeft()) === 0) break
    for (const socket of unread) socket.destroy()
    proved(t, 'S5 forgotten reader', { 'lists given up': unread.length, 'worst log MB': Math.ceil(log / 2 ** 20) })
  })

  /**
   * Returns the number of write-ahead log (WAL) frames that cannot be checkpointed because a reader still needs them.
   */
  async function framesLeft(): Promise<number> {
    const [row] = await sql('pragma wal_checkpoint(passive)')
    return Number(row?.log) - Number(row?.checkpointed)
  }
})

/**
 * Inserts 30,000 customers with names of 300 characters, so that a list of them is larger than the buffers of a
 * connection.
 */
const manyCustomers = `
  insert into customer (id, ordinal, name, email, email_key, phone, host_user_id, status, language, created_at, updated_at)
  with recursive number (i) as (select 1 union all select i + 1 from number where i < 30000)
  select 'many' || i, i, printf('%.*c', 300, 'n'), 'many@example.com', 'many@example.com', '', 0, 0, '', 0, 0 from number`

/** Opens a connection on which the service has begun to send a long response; the client does not read the response. */
async function unreadList(service: ServiceProcess): Promise<Socket> {
  const headers = { Authorization: `Bearer ${service.readToken}` }
  const asked = get(`${service.root}/customers/get/?full=true`, { headers, agent: false })
  const [response] = await once(asked, 'response')
  response.on('error', () => {})
  return response.socket
}

async function write(service: ServiceProcess, count: number): Promise<void> {
  const body = { name: 'Written', email: 'written@example.com' }
  for (let n = 0; n < count; n++) assert.equal((await service.call('POST', '/customers/add/', { body })).status, 201)
}

function connected(service: ServiceProcess): Socket {
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  // The service may reset the connection, which is no failure of the test.
  socket.on('error', () => {})
  return socket
}

/** Sends bytes and returns everything received until the connection is closed. */
async function exchanged(service: ServiceProcess, bytes: string): Promise<string> {
  const socket = connected(service)
  socket.write(Buffer.from(bytes, 'latin1'))
  let answer = ''
  socket.setEncoding('latin1').on('data', (part) => {
    answer += part
  })
  // After two successful responses the service keeps the connection open, so the client closes it.
  socket.on('data', () => answer.match(/HTTP\/1\.1 201/g)?.length === 2 && socket.end())
  await once(socket, 'close')
  return answer
}

interface Dripping {
  /** The bytes that are sent at once. */
  readonly say: string
  /** The bytes that are sent one at a time. */
  readonly more: string
  /** Milliseconds after which the service closes the connection. */
  readonly within: number
}

/**
 * Sends `say`, then a byte of `more` every third of a second until disconnected; returns the response and the elapsed
 * milliseconds.
 */
async function drip(service: ServiceProcess, { say, more, within }: Dripping) {
  const socket = connected(service)
  const since = performance.now()
  socket.write(say)
  let answer = ''
  socket.setEncoding('latin1').on('data', (part) => {
    answer += part
  })
  const bytes = more[Symbol.iterator]()
  const timer = globalThis.setInterval(() => socket.write(bytes.next().value ?? ''), 330)
  await once(socket, 'close')
  clearInterval(timer)
  return { answer, took: performance.now() - since, within }
}

/**
 * Sends sequential requests as an ordinary client, at most 50 per second, and returns their durations in milliseconds.
 */
async function ordinary(service: ServiceProcess, { requests, going }: { requests: number; going: () => boolean }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { Authorization: `Bearer ${service.readToken}` }
  const times: number[] = []
  for await (const _ of setInterval(20)) {
    if (times.length >= requests || !going()) break
    const since = performance.now()
    const [response] = await once(request(`${service.root}/services/get/`, { agent, headers }).end(), 'response')
    assert.equal(response.statusCode, 200, await text(response))
    times.push(performance.now() - since)
  }
  agent.destroy()
  return times
}
