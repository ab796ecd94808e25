import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { apply, clinic, count, faultsOf, onFreshSite } from '../../../test/support/applied-site-file.ts'
import { contextWith, databasesHere } from '../../../test/support/databases.ts'
import { findDisagreements } from '../../db/consistency.ts'
import { unpaid } from '../../reservations/payment.ts'
import { findReservation } from '../../reservations/reservations.sql.ts'
import type { SiteFile } from '../site-file.ts'

const nine = Date.UTC(2027, 11, 1, 8) / 1000

for (const { kind, skip } of await databasesHere()) {
  describe(`applying the reservations of a site file on ${kind}`, { skip, timeout: 600_000 }, () => {
    const onFresh = (work: Parameters<typeof onFreshSite>[1]) => onFreshSite(kind, work)

    test('a reservation that the file moves to another price has that price to pay', () =>
      onFresh(async (storage) => {
        await apply(storage, clinic)
        const { id } = await storage.db.build.selectFrom('reservation').select('id').executeTakeFirstOrThrow()
        const payment = unpaid({ method: 'on_site', amount: 5_000, currency: 'EUR' })
        assert.ok('ok' in (await storage.perform('reservations.edit', { id, payment }, contextWith())))
        const [moved] = clinic.reservations ?? []
        assert.ok(moved)
        await apply(storage, { ...clinic, reservations: [{ ...moved, id, start: '2027-12-24T09:00' }] })
        const { price, payment: after } = (await findReservation(storage.db, id)) ?? {}
        assert.deepEqual([price, after], [6_000, { ...payment, amount: 6_000 }])
      }))

    test('a reservation that the file gives to another customer keeps no fee to which only the first one agreed', () =>
      onFresh(async (storage) => {
        const people = [
          { key: 'jo', name: 'Jo' },
          { key: 'kim', name: 'Kim' },
        ]
        await apply(storage, { ...clinic, customers: people })
        const { id } = await storage.db.build.selectFrom('reservation').select('id').executeTakeFirstOrThrow()
        const due = unpaid({ method: 'card', amount: 5_000, currency: 'EUR' })
        const payment = { ...due, noShowFee: { amount: 2_000, state: 'agreed' } } as const
        assert.ok('ok' in (await storage.perform('reservations.edit', { id, payment }, contextWith())))
        const [given] = clinic.reservations ?? []
        assert.ok(given)
        await apply(storage, { ...clinic, customers: people, reservations: [{ ...given, id, customer: 'kim' }] })
        const after = await findReservation(storage.db, id)
        assert.deepEqual([after?.payment?.method, after?.payment?.noShowFee], ['card', undefined])
      }))

    test('a booking that was not confirmed in time is unchanged by a file that describes it', () =>
      onFresh(async (storage) => {
        await apply(storage, clinic)
        const { id } = await storage.db.build.selectFrom('reservation').select('id').executeTakeFirstOrThrow()
        const edit = async (change: object) =>
          assert.ok('ok' in (await storage.perform('reservations.edit', { id, ...change }, contextWith())))
        const awaiting = { awaits: 'email', expiresAt: contextWith().now + 1_800 }
        await edit({ status: 'pending', awaiting })
        await edit({ status: 'cancelled', cancelReason: 'Not confirmed' })
        const [one] = clinic.reservations ?? []
        assert.ok(one)
        const file = { ...clinic, reservations: [{ ...one, id, status: 'cancelled' as const }] }
        assert.deepEqual((await apply(storage, file)).reservations.changed, [])
        assert.equal((await findReservation(storage.db, id))?.awaits, 'email')
        const note = 'Call before'
        await apply(storage, { ...clinic, reservations: [{ ...one, id, status: 'cancelled', note }] })
        const updates = storage.db.build.selectFrom('event').select('body').where('type', '=', 'reservation.updated')
        const logged = JSON.parse((await updates.orderBy('n', 'desc').executeTakeFirstOrThrow()).body ?? '').object
        assert.deepEqual([logged.note, logged.cancelReason], [note, 'Not confirmed'])
        await apply(storage, { ...clinic, reservations: [{ ...one, id, status: 'pending' }] })
        const restored = await findReservation(storage.db, id)
        assert.deepEqual([restored?.status, restored?.awaits, restored?.expiresAt], ['pending', null, null])
      }))

    test('books imported reservations at the local time of the provider, whatever the opening hours', () =>
      onFresh(async (storage) => {
        const reservations = [
          { service: 'checkup', provider: 4, customer: 'jo', start: '2027-12-01T09:00' },
          { service: 'checkup', provider: '4', customer: 'jo', start: '2020-01-01T03:00', end: '2020-01-01T05:00' },
        ]
        await apply(storage, { ...clinic, reservations })
        const rows = await storage.db.build.selectFrom('reservation').selectAll().orderBy('start_at', 'desc').execute()
        assert.deepEqual(
          rows.map((row) => [row.start_at, row.end_at - row.start_at, row.status, row.local_start]),
          [
            [nine, 45 * 60, 'confirmed', '2027-12-01T09:00'],
            [Date.UTC(2020, 0, 1, 2) / 1000, 120 * 60, 'confirmed', '2020-01-01T03:00'],
          ],
        )
        const occupancy = await storage.db.build
          .selectFrom('occupancy')
          .selectAll()
          .where('start_at', '=', nine)
          .execute()
        assert.deepEqual(
          occupancy.map((row) => [row.resource, row.seat, row.end_at]),
          [['p4', 1, nine + 55 * 60]],
        )
      }))

    test('refuses imported reservations that overlap or have no seat, each by its path', () =>
      onFresh(async (storage) => {
        const at = (start: string) => ({ service: 'checkup', provider: 4, customer: 'jo', start })
        const reservations = ['2027-12-01T09:00', '2027-12-01T09:50', '2027-12-01T09:00', '2027-12-01T10:00'].map(at)
        const faults = await faultsOf(storage, { ...clinic, reservations })
        assert.deepEqual(Object.keys(faults), ['reservations[1]', 'reservations[2]'])
        assert.match(faults['reservations[1]'] ?? '', /Overlaps reservations\[0\] of Ana Ruiz/)
        assert.equal(await count(storage, 'reservation'), 0)
      }))

    test('accepts reservations that have ended, whatever buffers and capacity the service has by now', () =>
      onFresh(async (storage) => {
        const at = (start: string) => ({ service: 'checkup', provider: 4, customer: 'jo', start })
        // The last two of the past take one slot together, and the buffer of each covers the start of the next.
        const past = ['2026-12-01T08:10', '2026-12-01T09:00', '2026-12-01T09:00'].map(at)
        const reservations = [...past, at('2027-12-01T09:00')]
        assert.equal((await apply(storage, { ...clinic, reservations })).reservations.added.length, 4)
        const taken = await storage.db.build.selectFrom('occupancy').select('start_at').execute()
        assert.deepEqual(taken, [{ start_at: nine }])
        assert.deepEqual(await findDisagreements(storage.db, contextWith().now), [])
      }))

    test('a reservation that has just ended has its buffer, unless one that is still to come needs the time', async () => {
      const { now } = contextWith()
      const services = [{ key: 'checkup', name: 'Check-up', bufferAfterMinutes: 60 }]
      const at = (start: number) => ({ service: 'checkup', provider: 4, customer: 'jo', start })
      const [ended, coming] = [at(now - 3_600), at(now + 600)]
      for (const [reservations, seats] of [
        [[ended], [[ended.start, now - 900 + 3_600]]],
        [[ended, coming], [[coming.start, coming.start + 2_700 + 3_600]]],
      ] as const)
        await onFresh(async (storage) => {
          await apply(storage, { ...clinic, services, reservations })
          const rows = await storage.db.build.selectFrom('occupancy').select(['start_at', 'end_at']).execute()
          assert.deepEqual(
            rows.map((row) => [row.start_at, row.end_at]),
            seats,
          )
        })
    })

    test('gives seats of one slot to one customer twice, and knows both again', () =>
      onFresh(async (storage) => {
        const reservation = { service: 'checkup', provider: 4, customer: 'jo', start: nine }
        const services = [{ key: 'checkup', name: 'Check-up', capacity: 2 }]
        const file = { ...clinic, services, reservations: [reservation, reservation] }
        assert.equal((await apply(storage, file)).reservations.added.length, 2)
        assert.equal((await apply(storage, file)).reservations.left.length, 2)
        const seats = await storage.db.build.selectFrom('occupancy').select('seat').orderBy('seat').execute()
        assert.deepEqual(
          seats.map(({ seat }) => seat),
          [1, 2],
        )
      }))

    test('leaves a reservation that one entry identifies to that entry, although another describes it too', () =>
      onFresh(async (storage) => {
        await apply(storage, clinic)
        const { id } = await storage.db.build.selectFrom('reservation').select('id').executeTakeFirstOrThrow()
        const [one] = clinic.reservations ?? []
        assert.ok(one)
        const cancelled = { ...one, status: 'cancelled' as const }
        const file = { ...clinic, reservations: [cancelled, { ...one, id, status: 'confirmed' as const }] }
        const { added, changed, left } = (await apply(storage, file)).reservations
        assert.deepEqual([added.length, changed, left.length], [1, [], 1])
        assert.equal((await findReservation(storage.db, id))?.status, 'confirmed')
        assert.equal(await count(storage, 'occupancy'), 1)
        assert.equal((await apply(storage, file)).reservations.left.length, 2)
      }))

    test('refuses two entries that identify one reservation, by its id and by its key', () =>
      onFresh(async (storage) => {
        const [one] = clinic.reservations ?? []
        assert.ok(one)
        await apply(storage, { ...clinic, reservations: [{ ...one, key: 'k' }] })
        const { id } = await storage.db.build.selectFrom('reservation').select('id').executeTakeFirstOrThrow()
        const reservations = [
          { ...one, id, note: 'First' },
          { ...one, key: 'k', note: 'Second' },
        ]
        const faults = await faultsOf(storage, { ...clinic, reservations })
        assert.deepEqual(faults, { 'reservations[1]': 'Refers to the same row as reservations[0].' })
      }))

    test('moves a reservation that its key names, also into the place of one that moves away', () =>
      onFresh(async (storage) => {
        const with2 = (one: string, two: string): SiteFile => ({
          ...clinic,
          reservations: [
            { key: 'one', service: 'checkup', provider: 4, customer: 'jo', start: one },
            { key: 'two', service: 'checkup', provider: 4, customer: 'jo', start: two },
          ],
        })
        await apply(storage, with2('2027-12-01T09:00', '2027-12-01T10:00'))
        const moved = await apply(storage, with2('2027-12-01T10:00', '2027-12-01T09:00'))
        assert.equal(moved.reservations.changed.length, 2)
        assert.equal(await count(storage, 'occupancy'), 2)
      }))

    test('gives the seat of a reservation back when the file cancels it', () =>
      onFresh(async (storage) => {
        await apply(storage, clinic)
        const reservations = (clinic.reservations ?? []).map((one) => ({ ...one, status: 'cancelled' as const }))
        await apply(storage, { reservations })
        assert.equal(await count(storage, 'occupancy'), 0)
        const types = await storage.db.build.selectFrom('event').select('type').orderBy('tx').orderBy('n').execute()
        assert.equal(types.at(-1)?.type, 'reservation.cancelled')
      }))

    test('occupies every provider of a collective service', () =>
      onFresh(async (storage) => {
        await apply(storage, {
          services: [{ key: 'panel', name: 'Panel', routingMode: 'collective' }],
          providers: [
            { id: 1, name: 'Ana' },
            { id: 2, name: 'Ben' },
          ],
          customers: [{ key: 'jo', name: 'Jo' }],
          reservations: [{ service: 'panel', provider: 1, customer: 'jo', start: nine }],
        })
        const rows = await storage.db.build.selectFrom('occupancy').select('resource').orderBy('resource').execute()
        assert.deepEqual(
          rows.map(({ resource }) => resource),
          ['p1', 'p2'],
        )
      }))
  })
}
