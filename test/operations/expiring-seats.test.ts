import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Outcome } from '../../src/db/perform/app.ts'
import { findReservation } from '../../src/reservations/reservations.sql.ts'
import type { OpenStorage } from '../../src/server/open.ts'
import type { SiteFile } from '../../src/site-file/site-file.ts'
import { contextWith, type DatabaseKind, databasesHere, withStorage } from '../support/databases.ts'
import type { operations } from '../support/expiring-seat-operations.ts'
import { present, resultOf } from '../support/in-process-site.ts'
import { everyDay } from '../support/pages-site.ts'

const context = contextWith()
const expiresAt = context.now + 1_800
const hour = 3_600
const visit = { service: 'visit', provider: 1, customer: 'jo', start: '2027-01-20T10:00' }
const siteFile: SiteFile = {
  site: { name: 'Harbour Clinic', timezone: 'Europe/Berlin' },
  services: [
    { key: 'visit', name: 'Visit', durationMinutes: 60 },
    { key: 'both', name: 'Both', durationMinutes: 60, routingMode: 'collective' },
  ],
  providers: [
    { id: 1, name: 'Ana Ruiz', weekly: everyDay('08:00-18:00') },
    { id: 2, name: 'Ben Okafor', weekly: everyDay('08:00-18:00') },
  ],
  customers: [{ key: 'jo', name: 'Jo Park', email: 'jo@example.com' }],
}

type Storage = OpenStorage<typeof operations>

/** Calls `work` with the id of a pending reservation whose customer has until `expiresAt` to pay. */
function onUnpaid(
  kind: DatabaseKind,
  work: (storage: Storage, id: string) => Promise<void>,
  booked: Partial<typeof visit> = {},
): Promise<void> {
  const table = new URL('../support/expiring-seat-operations.ts', import.meta.url)
  return withStorage<typeof operations>(kind, table, async (storage) => {
    resultOf(await storage.perform('site.prepare', { siteUrl: '' }, context))
    resultOf(await storage.perform('site.apply', { ...siteFile, reservations: [{ ...visit, ...booked }] }, context))
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
  describe(`seats that expire, on ${kind}`, { skip, timeout: 600_000 }, () => {
    for (const [by, move] of moves)
      test(`a seat that outlasts its reservation while the customer pays does so after a move by ${by}`, () =>
        onUnpaid(kind, async (storage, id) => {
          resultOf(await storage.perform('extendSeat', { id, expiresAt: expiresAt + 600 }, context))
          const { start } = present(await findReservation(storage.db, id))
          resultOf(await move(storage, id, start))
          assert.deepEqual(await seatsOf(storage, id), [{ start_at: start + hour, expires_at: expiresAt + 600 }])
          assert.equal((await findReservation(storage.db, id))?.expiresAt, expiresAt)
        }))

    for (const seconds of [1, 0])
      test(`a reservation that is confirmed ${seconds} s before its end has a seat, whenever expired seats are deleted`, () =>
        onUnpaid(kind, async (storage, id) => {
          const pending = { id, status: 'pending', awaiting: { awaits: 'payment', expiresAt } } as const
          const at = contextWith({ now: expiresAt - seconds })
          for (let index = 0, statements = 1; index < statements; index += 1) {
            resultOf(await storage.perform('reservations.edit', pending, context))
            const input = { id, deletion: { index, at: expiresAt } }
            ;({ statements } = resultOf(await storage.perform('confirmAmidDeletion', input, at)))
            assert.equal((await findReservation(storage.db, id))?.status, 'confirmed')
            const seats = await seatsOf(storage, id)
            assert.deepEqual(
              seats.map((seat) => seat.expires_at),
              [null],
              `deleted before statement ${index}`,
            )
          }
        }))

    test('an appointment of two providers is not confirmed once another booking has taken the time of one of them', () =>
      onUnpaid(
        kind,
        async (storage, id) => {
          const { start, customerId } = present(await findReservation(storage.db, id))
          assert.equal((await seatsOf(storage, id)).length, 2)
          const services = storage.db.build.selectFrom('service').select('id').where('name', '=', 'Visit')
          const { id: serviceId } = await services.executeTakeFirstOrThrow()
          const booking = { serviceId, providerId: 1, start, customerId }
          resultOf(await storage.perform('reservations.staff.book', booking, contextWith({ now: expiresAt })))
          // The confirmation was sent a second earlier, but waited for the booking.
          const sent = contextWith({ now: expiresAt - 1 })
          const outcome = await storage.perform('reservations.edit', { id, status: 'confirmed' }, sent)
          assert.equal('refused' in outcome && outcome.refused.code, 'slot_provider_busy')
        },
        { service: 'both' },
      ))

    test('an appointment of two providers has both seats or none after a batch of expired seats was deleted', () =>
      onUnpaid(
        kind,
        async (storage, id) => {
          // The batch has room for one of the two seats.
          const input = { id, deletion: { index: 0, at: expiresAt, limit: 1 } }
          resultOf(await storage.perform('confirmAmidDeletion', input, contextWith({ now: expiresAt - 1 })))
          assert.equal((await findReservation(storage.db, id))?.status, 'confirmed')
          assert.equal((await seatsOf(storage, id)).length, 2)
        },
        { service: 'both' },
      ))

    test('a hold that is extended a second before its end has a seat or is refused, whenever expired ones are deleted', () =>
      onUnpaid(kind, async (storage, id) => {
        const { serviceId, start } = present(await findReservation(storage.db, id))
        for (let index = 0, statements = 1; index < statements; index += 1) {
          const formHash = `form${index}`
          const wanted = { serviceId, providerIds: [1], start: start + 2 * hour, seats: 1 }
          const place = { ...wanted, formHash, addressHash: 'a' }
          const { id: hold, expiresAt: end } = resultOf(
            await storage.perform('reservations.holds.place', place, context),
          )
          const input = { formHash, deletion: { index, at: end } }
          const outcome = await storage.perform('extendHoldAmidDeletion', input, contextWith({ now: end - 1 }))
          if ('refused' in outcome) {
            assert.equal(outcome.refused.code, 'hold_expired')
            statements += 1
          } else {
            statements = resultOf(outcome).statements
            const seats = storage.db.build.selectFrom('occupancy').select('id').where('hold_id', '=', hold)
            assert.equal((await seats.execute()).length, 1, `deleted before statement ${index}`)
          }
          resultOf(await storage.perform('reservations.holds.release', { formHash }, context))
        }
      }))
  })
