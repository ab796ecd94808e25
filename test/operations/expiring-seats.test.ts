import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Outcome } from '../../src/db/perform/app.ts'
import { findReservation } from '../../src/reservations/reservations.sql.ts'
import type { OpenStorage } from '../../src/server/open.ts'
import { contextWith, type DatabaseKind, databasesHere, withStorage } from '../support/databases.ts'
import type { operations } from '../support/expiring-seat-operations.ts'
import { present, resultOf } from '../support/in-process-site.ts'
import { everyDay } from '../support/pages-site.ts'

const context = contextWith()
const expiresAt = context.now + 1_800
const hour = 3_600
const visit = { service: 'visit', provider: 1, customer: 'jo', start: '2027-01-20T10:00' }
const siteFile = {
  site: { name: 'Harbour Clinic', timezone: 'Europe/Berlin' },
  services: [{ key: 'visit', name: 'Visit', durationMinutes: 60 }],
  providers: [{ id: 1, name: 'Ana Ruiz', weekly: everyDay('08:00-18:00') }],
  customers: [{ key: 'jo', name: 'Jo Park', email: 'jo@example.com' }],
  reservations: [visit],
}

type Storage = OpenStorage<typeof operations>

/** Calls `work` with the id of a pending reservation whose customer has until `expiresAt` to pay. */
function onUnpaid(kind: DatabaseKind, work: (storage: Storage, id: string) => Promise<void>): Promise<void> {
  const table = new URL('../support/expiring-seat-operations.ts', import.meta.url)
  return withStorage<typeof operations>(kind, table, async (storage) => {
    resultOf(await storage.perform('site.prepare', { siteUrl: '' }, context))
    resultOf(await storage.perform('site.apply', siteFile, context))
    const { id } = await storage.db.build.selectFrom('reservation').select('id').executeTakeFirstOrThrow()
    const awaiting = { awaits: 'payment', expiresAt } as const
    resultOf(await storage.perform('reservations.edit', { id, status: 'pending', awaiting }, context))
    await work(storage, id)
  })
}

const seatsOf = ({ db }: Storage, id: string) =>
  db.build.selectFrom('occupancy').select(['start_at', 'expires_at']).where('reservation_id', '=', id).execute()

const moves: readonly [string, (storage: Storage, id: string, start: number) => Promise<Outcome<unknown>>][] = [
  ['an edit', (storage, id, start) => storage.perform('reservations.edit', { id, start: start + hour }, context)],
  [
    'a site file',
    (storage, id) =>
      storage.perform('site.apply', { reservations: [{ ...visit, id, start: '2027-01-20T11:00' }] }, context),
  ],
  [
    'a change of the time zone',
    async (storage, id) => {
      resultOf(await storage.perform('displace', { id, localStart: '2027-01-20T11:00' }, context))
      return storage.perform('zones.follow', { ids: [id] }, context)
    },
  ],
]

for (const { kind, skip } of await databasesHere())
  describe(`seats that expire, on ${kind}`, { skip, timeout: 60_000 }, () => {
    for (const [by, move] of moves)
      test(`a seat that outlasts its reservation while the customer pays does so after a move by ${by}`, () =>
        onUnpaid(kind, async (storage, id) => {
          resultOf(await storage.perform('extendSeat', { id, expiresAt: expiresAt + 600 }, context))
          const { start } = present(await findReservation(storage.db, id))
          resultOf(await move(storage, id, start))
          assert.deepEqual(await seatsOf(storage, id), [{ start_at: start + hour, expires_at: expiresAt + 600 }])
          assert.equal((await findReservation(storage.db, id))?.expiresAt, expiresAt)
        }))
  })
