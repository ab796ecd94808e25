import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { insertSignedInUser } from '../support/browser-client.ts'
import { ana, standardSite } from '../support/clinic.ts'
import { databasesHere, type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { proved } from '../support/proof.ts'
import { hasRadicale, password, Radicale, user } from '../support/radicale.ts'
import { scaled, seed, seededRandom, suiteTimeout } from '../support/scale.ts'
import { type AnyBody, type ServiceProcess, startService } from '../support/service.ts'
import { openSql, type Sql } from '../support/sql.ts'

const kills = { sqlite: scaled(8), postgres: scaled(2) }
const missing = hasRadicale() ? false : 'Radicale is not installed'
const day = 86_400

for (const { kind, skip } of await databasesHere()) {
  describe(`a calendar to which a service on ${kind} writes that is killed`, {
    skip: skip || missing,
    timeout: 3 * suiteTimeout,
  }, () => {
    let fresh: FreshDatabase
    let service: ServiceProcess
    let sql: Sql
    let server: Radicale
    before(async () => {
      fresh = await freshDatabase(kind)
      server = await Radicale.start()
      const place = 'databaseUrl' in fresh.at ? { databaseUrl: fresh.at.databaseUrl } : fresh.at
      const env = { DAYBOOK_OUTBOUND_NETWORKS: '127.0.0.0/8', DAYBOOK_SECRET_KEY: '5e'.repeat(32) }
      service = await startService({ ...place, site: standardSite, env })
      sql = openSql(service)
      const now = Math.floor(Date.now() / 1000)
      const session = { lastSeenAt: now, expiresAt: now + 40_000, authenticatedAt: now }
      const { browser } = await insertSignedInUser({ server: service, sql }, 'admin', session)
      const account = { providerId: ana, url: server.url, user, password }
      const { id } = (await browser.post('/calendar-accounts/connect/', account)).body as unknown as AnyBody
      const ref = server.calendar('work')
      const choice = { id, calendar: ref, policy: 'restore', names: false }
      // The service refuses the destination (the calendar to which it writes reservations) until a job has listed the
      // calendars of the account, so the request is repeated.
      while ((await browser.post('/calendar-accounts/destination/', choice)).status !== 200) await setTimeout(50)
    })
    after(async () => {
      await sql?.close()
      await service?.kill()
      await server?.close()
      await fresh?.remove()
    })

    test(`has exactly one event of each reservation after ${kills[kind]} kills around writing`, async (t) => {
      const random = seededRandom(seed)
      const today = Math.floor(Date.now() / 1000 / day)
      const [plain] = await sql(`select id from service where name = 'plain'`)
      const [jo] = await sql(`select id from customer where name = 'Jo'`)
      const booked: string[] = []
      let taken = 0
      /**
       * Sends a request that adds, moves, cancels or removes a reservation, which the service then writes to the
       * calendar; rejects when the service has been killed.
       */
      const change = async (): Promise<void> => {
        const choice = random()
        const id = booked[Math.floor(random() * booked.length)]
        taken += 1
        // The start is a full or half hour from 8:00 to 14:30 UTC on one of 50 days. A time that is taken is not listed
        // for a booking, and a move to it is refused.
        const start = (today + 2 + (Math.floor(taken / 14) % 50)) * day + 8 * 3_600 + (taken % 14) * 1_800
        const named = { serviceId: plain?.id, customerId: jo?.id, providerId: ana, start, end: start + 1_800 }
        const slots = {
          query: { services: String(plain?.id), providers: ana, min_timestamp: start, max_timestamp: start + 1 },
        }
        if (id === undefined || choice < 0.5) {
          const { body: list } = await service.call('GET', '/availability/get/', slots)
          const availabilityId = list.response[0]?.availabilityId
          if (availabilityId === undefined) return
          const { status, body } = await service.call('POST', '/reservations/add/', {
            body: { ...named, availabilityId },
          })
          if (status < 300) booked.push(body.id)
        } else if (choice < 0.8) await service.call('POST', '/reservations/edit/', { body: { id, start } })
        else if (choice < 0.9) await service.call('POST', '/reservations/edit/', { body: { id, status: 'cancelled' } })
        else {
          const { status, text } = await service.call('POST', '/reservations/remove/', { query: { id } })
          assert.ok(status === 200 || /reservation_not_found/.test(text), text)
        }
      }
      let killed = 0
      while (killed < kills[kind]) {
        // The service is killed at one of its next four write requests (PUT or DELETE): either before Radicale receives
        // the request, or after Radicale has performed it and before the service receives the response.
        const before = random() < 0.4
        let left = 1 + Math.floor(random() * 4)
        const struck = new Promise<void>((strike) => {
          const isIt = (method: string | undefined): boolean => {
            if (method !== 'PUT' && method !== 'DELETE') return false
            left -= 1
            if (left === 0) strike()
            return left === 0
          }
          server.intercept = ({ method }) => before && isIt(method)
          server.onResponse = ({ method }) => before || !isIt(method)
        })
        sql.rest()
        let working = true
        const work = (async () => {
          while (working)
            await change().then(
              () => setTimeout(20),
              () => setTimeout(20),
            )
        })()
        await struck
        await service.kill()
        working = false
        await work
        killed += 1
        server.intercept = () => false
        server.onResponse = () => true
        await service.restart()
        // On PostgreSQL, the leases of a killed process on its jobs would expire only after 30 seconds, so the test
        // ends the leases; the tests of the queue check that leases expire.
        await sql(`update job set lease_until = 0 where state = 'running'`)
      }
      // The service would retry unfinished jobs only after seconds, so the loop makes them due.
      for (;;) {
        // The events are read first: the transaction that reads an event also queues its jobs, so that no job is missed.
        const unread = await sql(
          `select 1 from event where tx > (select tx from event_consumer where name = 'calendars')`,
        )
        const waiting = await sql(`select state from job where kind in ('calendar-event', 'calendar-compare')`)
        if (waiting.length === 0 && unread.length === 0) break
        // A job whose process was killed too often is parked until a user retries it; this statement retries such jobs
        // as well.
        await sql(
          `update job set state = 'due', attempts = 0, run_at = 0 where kind = 'calendar-event' and state in ('due', 'parked')`,
        )
        await setTimeout(200)
      }
      const wanted = await sql(
        `select id, start_at from reservation where status <> 'cancelled' and provider_id = ${ana}`,
      )
      const found = [...server.events('work').values()].map((file) => [
        ...[/^UID:(r_\w+)@/m.exec(file)?.[1], /^DTSTART:(\w+)/m.exec(file)?.[1]],
      ])
      const expected = wanted.map(({ id, start_at }) => {
        const text = new Date(Number(start_at) * 1000).toISOString()
        return [id, `${text.slice(0, 19).replaceAll(/[-:]/g, '')}Z`]
      })
      assert.deepEqual(found.toSorted(), expected.toSorted())
      assert.ok(found.length > 0)
      proved(t, `W9 ${kind}`, {
        kills: killed,
        reservations: found.length,
        missing: 0,
        'written twice': 0,
        'left behind': 0,
      })
    })
  })
}
