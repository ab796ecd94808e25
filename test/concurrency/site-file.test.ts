import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import type { operations } from '../../src/operations.ts'
import { findReservation } from '../../src/reservations/reservations.sql.ts'
import type { SiteFile } from '../../src/site-file/site-file.ts'
import { contextWith, databasesHere, withStorage } from '../support/databases.ts'
import { waitingForLocks } from '../support/lock-waits.ts'
import { pause } from '../support/pause.ts'

const skip = (await databasesHere()).find(({ kind }) => kind === 'postgres')?.skip ?? false
const table = new URL('../../src/operations.ts', import.meta.url)
const booked = { key: 'first', service: 'checkup', provider: 4, customer: 'jo', start: '2026-12-01T09:00' }
const site: SiteFile = {
  site: { name: 'Harbour Clinic', timezone: 'Europe/Berlin' },
  services: [{ key: 'checkup', name: 'Check-up', durationMinutes: 30 }],
  providers: [{ id: 4, name: 'Ana Ruiz', restrictServices: true, allowedServices: ['checkup'] }],
  customers: [{ key: 'jo', name: 'Jo Park', email: 'jo@example.com' }],
  reservations: [booked],
}

test('a mark of attendance survives a site file that is applied at the same time', { skip }, () =>
  withStorage<typeof operations>('postgres', table, async ({ perform, db }, { at }) => {
    const done = async (outcome: Promise<object>) => assert.ok('ok' in (await outcome), JSON.stringify(await outcome))
    await done(perform('site.prepare', { siteUrl: '' }, contextWith()))
    await done(perform('site.apply', site, contextWith()))
    const { id } = await db.build.selectFrom('reservation').select('id').executeTakeFirstOrThrow()
    const connect = async () => {
      const client = new pg.Client({ connectionString: String(Object(at).databaseUrl) })
      await client.connect()
      return client
    }
    const [holder, watcher] = [await connect(), await connect()]
    // The row is locked, so that the site file has been read but cannot be written yet.
    await holder.query('begin')
    await holder.query('select from reservation for update')
    const reservations = [{ ...booked, data: { room: 'blue' } }]
    const applied = done(perform('site.apply', { reservations }, contextWith()))
    while ((await waitingForLocks(watcher)) < 1) await pause()
    const marked = done(perform('reservations.staff.attendance', { id, state: 'arrived' }, contextWith()))
    while ((await waitingForLocks(watcher)) < 2) await pause()
    await holder.query('commit')
    await Promise.all([applied, marked])
    await Promise.all([holder.end(), watcher.end()])
    const after = await findReservation(db, id)
    assert.deepEqual([after?.data, after?.attendance.state], [{ room: 'blue' }, 'arrived'])
  }),
)
