import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { zoneData } from '../../src/reservations/booking/reservations.operations.ts'
import { wallTime } from '../../src/scheduling/time/zone.ts'
import { insertSignedInUser } from '../support/browser-client.ts'
import { standardSite } from '../support/clinic.ts'
import { pause } from '../support/pause.ts'
import { proved } from '../support/proof.ts'
import { percentile, scaled, suiteTimeout } from '../support/scale.ts'
import { type ServiceProcess, startService } from '../support/service.ts'
import { openSql, type Sql } from '../support/sql.ts'

const reminders = scaled(200)
const kills = Math.min(20, scaled(2))
/** Seconds until the reminders would be due. The service creates no job for a reminder whose time has passed. */
const lead = 7_200
/** The number of messages that one node sends concurrently. */
const concurrency = 8
const day = 86_400
const zone = 'Europe/Berlin'

describe('reminders of a service that is killed', { timeout: 2 * suiteTimeout }, () => {
  let service: ServiceProcess
  let sql: Sql
  let post: Post
  before(async () => {
    post = await Post.open()
    service = await startService({ site: standardSite, env: { DAYBOOK_SECRET_KEY: '5e'.repeat(32) } })
    sql = openSql(service)
  })
  after(async () => {
    await sql?.close()
    await service?.kill()
    await post?.close()
  })

  test(`${reminders} reminders due at once are all sent, each repeated at most once, after ${kills} kills`, async (t) => {
    const body = { name: 'Mia', email: 'mia@list.example' }
    const customer = await service.call('POST', '/customers/add/', { body })
    assert.equal(customer.status, 201, customer.text)
    const now = Math.floor(Date.now() / 1000)
    const session = { lastSeenAt: now, expiresAt: now + 40_000, authenticatedAt: now }
    const { browser } = await insertSignedInUser({ server: service, sql }, 'admin', session)
    await book(String(customer.body.id), now + lead + day)
    const switchedOn = await browser.post('/notifications/settings/edit/', {
      ...{ enabled: true, reminders: [1_440], followUp: null, quietHours: null },
      smtp: { host: '127.0.0.1', port: post.port, security: 'none', user: '' },
      from: { name: 'The clinic', address: 'desk@clinic.example' },
    })
    assert.equal(switchedOn.status, 200, switchedOn.text)
    const planned = async () => (await sql(`select id from job where kind = 'timed-notification'`)).length
    while ((await planned()) < reminders) await pause()
    // Once all jobs exist, however long a busy machine took to create them, they are made due at one instant.
    const dueAt = Math.floor(Date.now() / 1000) + 5
    await sql(`update job set run_at = ? where kind = 'timed-notification'`, [dueAt])

    for (let kill = 1; kill <= kills; kill++) {
      await post.atLeast(Math.floor((reminders * kill) / (kills + 1)))
      sql.rest()
      await service.kill()
      await service.restart()
    }
    await post.atLeast(reminders)
    // The service deletes a job only after the SMTP server has accepted its message.
    while ((await sql(`select 1 from job where kind = 'timed-notification'`)).length > 0) await post.idle()

    const times = [...post.times.values()]
    const repeated = times.filter(({ length }) => length > 1)
    assert.equal(post.times.size, reminders)
    assert.ok(repeated.every(({ length }) => length === 2))
    assert.ok(repeated.length <= kills * concurrency, `${repeated.length} were repeated after ${kills} kills`)
    const delays = times.map(([first = Number.NaN]) => first / 1000 - dueAt)
    assert.ok(delays.every((delay) => delay > -1))
    proved(t, 'N1 sqlite', {
      ...{ reminders, kills, missing: 0, repeated: repeated.length },
      'worst median seconds late': Math.round(percentile(delays, 0.5)),
      'worst seconds late': Math.round(Math.max(...delays)),
    })
  })

  /**
   * Inserts reservations that begin at one instant into the database; booking them through the API would take most of
   * the test's time.
   */
  async function book(customerId: string, start: number): Promise<void> {
    const [offered] = await sql(`select id from service order by id limit 1`)
    const database = new DatabaseSync(join(service.dataDir, 'daybook.db'), { timeout: 60_000 })
    const insert = database.prepare(`
      insert into reservation (id, service_id, customer_id, provider_id, availability_id, start_at, end_at, status,
        data, local_start, zone, tz_version, version, created_at, updated_at)
      values (?, ?, ?, 1, '', ?, ?, 'confirmed', '{}', ?, ?, ?, 1, 0, 0)`)
    database.exec('begin immediate')
    for (let n = 0; n < reminders; n++) {
      const id = `r_${String(n).padStart(32, '0')}`
      const place = [wallTime(zone, start), zone, zoneData] as const
      insert.run(id, String(offered?.id), customerId, start, start + 1_800, ...place)
    }
    database.exec('commit')
    database.close()
  }
})

/** An SMTP server that stores only the times at which each message arrived. */
class Post {
  /** The arrival times of each message by Message-ID, in Unix milliseconds. */
  readonly times = new Map<string, number[]>()
  readonly #server: SMTPServer
  #arrived = Promise.withResolvers<void>()

  private constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData: (stream, _, callback) => {
        let text = ''
        stream.setEncoding('latin1').on('data', (part: string) => (text += part))
        stream.on('end', () => {
          const id = /^message-id:\s*(<[^>]+>)/im.exec(text)?.[1] ?? ''
          this.times.set(id, [...(this.times.get(id) ?? []), Date.now()])
          callback()
          this.#arrived.resolve()
          this.#arrived = Promise.withResolvers()
        })
      },
    })
    // A killed service resets its connections, which is no failure of the test.
    this.#server.on('error', () => {})
  }

  static async open(): Promise<Post> {
    const post = new Post()
    post.#server.listen(0, '127.0.0.1')
    await once(post.#server.server, 'listening')
    return post
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port
  }

  /** Resolves once at least `count` different messages have arrived. */
  async atLeast(count: number): Promise<void> {
    while (this.times.size < count) await this.#arrived.promise
  }

  /** Resolves when a message arrives, or after a short pause. */
  async idle(): Promise<void> {
    await Promise.race([this.#arrived.promise, pause()])
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(resolve))
  }
}
