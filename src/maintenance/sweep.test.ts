import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contextWith, databasesHere, withStorage } from '../../test/support/databases.ts'
import { openSql } from '../../test/support/sql.ts'
import type { operations } from '../operations.ts'
import type { OpenStorage } from '../server/open.ts'

const table = new URL('../operations.ts', import.meta.url)
const now = 1_800_000_000
const day = 86_400

async function sweep(storage: OpenStorage<typeof operations>) {
  const outcome = await storage.perform('sweep', {}, contextWith({ now }))
  assert.ok('ok' in outcome, JSON.stringify(outcome))
  return outcome.ok
}

for (const { kind, skip } of await databasesHere()) {
  describe(`the sweep on ${kind}`, { skip, timeout: 600_000 }, () => {
    test('deletes the occupancy of appointments that ended over a day ago, and keeps the appointments', () =>
      withStorage<typeof operations>(kind, table, async (storage) => {
        await storage.perform('site.prepare', { siteUrl: '' }, contextWith({ now }))
        const start = { old: now - day - 3_601, recent: now - day - 3_600 }
        const file = {
          services: [{ key: 'cut', name: 'Cut', durationMinutes: 60 }],
          providers: [
            { id: 1, name: 'Ana' },
            { id: 2, name: 'Ben' },
          ],
          customers: [{ key: 'jo', name: 'Jo' }],
          reservations: [
            { service: 'cut', provider: 1, customer: 'jo', start: start.old },
            { service: 'cut', provider: 2, customer: 'jo', start: start.recent },
          ],
        }
        await storage.perform('site.apply', file, contextWith({ now: start.old }))
        assert.deepEqual(await sweep(storage), { deleted: 1, more: false })
        const left = await storage.db.build.selectFrom('occupancy').select('resource').execute()
        assert.deepEqual(
          left.map(({ resource }) => resource),
          ['p2'],
        )
        assert.equal((await storage.db.build.selectFrom('reservation').select('id').execute()).length, 2)
      }))

    test('deletes a link 90 days after its use, unless the booking was cancelled before its address was confirmed', () =>
      withStorage<typeof operations>(kind, table, async (storage, { at }) => {
        await storage.perform('site.prepare', { siteUrl: '' }, contextWith({ now }))
        const file = {
          services: [{ key: 'cut', name: 'Cut', durationMinutes: 60 }],
          providers: [{ id: 1, name: 'Ana' }],
          customers: [{ key: 'jo', name: 'Jo' }],
          reservations: [now + day, now + 2 * day].map((start) => ({
            ...{ service: 'cut', provider: 1, customer: 'jo', start },
          })),
        }
        await storage.perform('site.apply', file, contextWith({ now }))
        const sql = openSql({ dataDir: '', ...at })
        const [kept, unconfirmed] = await sql('select id, service_id from reservation')
        assert.ok(kept && unconfirmed)
        await sql("update reservation set status = 'cancelled', awaits = 'email' where id = ?", [unconfirmed.id ?? ''])
        for (const [id, reservation] of Object.entries({ used: kept, open: unconfirmed }))
          await sql(
            `insert into booking_link (id, hash, service_id, single_use, created_at, used_at, reservation_id)
              values (?, ?, ?, 1, ?, ?, ?)`,
            [id, id, reservation.service_id ?? '', now - 92 * day, now - 91 * day, reservation.id ?? ''],
          )
        await sql.close()
        await sweep(storage)
        assert.deepEqual(await storage.db.build.selectFrom('booking_link').select('id').execute(), [{ id: 'open' }])
      }))

    test('deletes idempotency outcomes after a day', () =>
      withStorage<typeof operations>(kind, table, async (storage) => {
        await storage.perform('site.prepare', { siteUrl: '' }, contextWith({ now }))
        for (const [key, at] of Object.entries({ old: now - day, recent: now - day + 1 })) {
          const idempotency = { scope: 'test', key, hash: 'same' }
          await storage.perform('services.add', { name: key }, contextWith({ now: at, idempotency }))
        }
        assert.deepEqual(await sweep(storage), { deleted: 1, more: false })
        const left = await storage.db.build.selectFrom('idempotency').select('key').execute()
        assert.deepEqual(
          left.map(({ key }) => key),
          ['recent'],
        )
      }))

    test('deletes at most 2,000 rows of all tables together in one transaction', () =>
      withStorage<typeof operations>(kind, table, async (storage, { at }) => {
        await storage.perform('site.prepare', { siteUrl: '' }, contextWith({ now }))
        const sql = openSql({ dataDir: '', ...at })
        const numbers = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 1500)'
        await sql(`insert into idempotency ${numbers} select 'test', 'k' || i, '', '', ${now} from n`)
        await sql(`insert into spent ${numbers} select 'h' || i, ${now} from n`)
        await sql.close()
        assert.deepEqual(await sweep(storage), { deleted: 2_000, more: true })
        assert.deepEqual(await sweep(storage), { deleted: 1_000, more: false })
      }))

    test('deletes security events after 400 days, and known browsers after 180 without use', () =>
      withStorage<typeof operations>(kind, table, async (storage) => {
        await storage.perform('site.prepare', { siteUrl: '' }, contextWith({ now }))
        const user = { email: 'a@x.example', role: 'admin', name: 'A', providerId: null } as const
        const entry = { passwordHash: 'hash' }
        const made = await storage.perform('users.create', { ...user, entry }, contextWith({ now }))
        assert.ok('ok' in made)
        const { id: userId } = made.ok
        for (const [name, ago] of [
          ['old', 401],
          ['recent', 399],
          ['last', 179],
        ] as const) {
          const place = { hash: name, device: '', address: '', deviceHash: name }
          const proof = { by: 'password', passwordHash: 'hash' } as const
          const context = contextWith({ now: now - ago * day })
          const started = await storage.perform('sessions.start', { userId, proof, place }, context)
          assert.ok('ok' in started, JSON.stringify(started))
        }
        // The sweep deletes three sessions, two known browsers and one event of the security history.
        assert.deepEqual(await sweep(storage), { deleted: 6, more: false })
        const events = await storage.db.build.selectFrom('security_event').select('created_at').execute()
        assert.deepEqual(events.map(({ created_at }) => now - created_at).toSorted(), [179 * day, 399 * day])
        const devices = await storage.db.build.selectFrom('known_device').select('hash').execute()
        assert.deepEqual(
          devices.map(({ hash }) => hash),
          ['last'],
        )
      }))
  })
}
