import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contextWith, databasesHere, withStorage } from '../../../test/support/databases.ts'
import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import { sentences } from '../../messages/sentence.ts'
import type { operations } from '../../operations.ts'
import { unpaid } from '../../reservations/payment.ts'
import { findReservation } from '../../reservations/reservations.sql.ts'
import type { OpenStorage } from '../../server/open.ts'
import { listCustomersNamed } from '../site-file.sql.ts'
import type { SiteFile, SiteReport } from '../site-file.ts'

type Storage = OpenStorage<typeof operations>
const table = new URL('../../operations.ts', import.meta.url)

const clinic: SiteFile = {
  site: { name: 'Harbour Clinic', timezone: 'Europe/Berlin' },
  services: [
    { key: 'checkup', name: 'Check-up', durationMinutes: 30, bufferAfterMinutes: 10, limits: { perProviderDay: 8 } },
  ],
  providers: [
    {
      id: 4,
      name: 'Ana Ruiz',
      restrictServices: true,
      allowedServices: ['checkup'],
      overrides: [{ date: '2026-12-24', slot: { price: 6000 } }],
      services: { checkup: { durationMinutes: 45 } },
    },
  ],
  customers: [{ key: 'jo', name: 'Jo Park', email: 'jo@example.com' }],
  reservations: [{ service: 'checkup', provider: 4, customer: 'jo', start: '2026-12-01T09:00' }],
}
const nine = Date.UTC(2026, 11, 1, 8) / 1000

async function apply(storage: Storage, file: SiteFile, { dryRun = false } = {}): Promise<SiteReport> {
  const outcome = await storage.perform('site.apply', file, contextWith({ dryRun }))
  assert.ok('ok' in outcome, JSON.stringify(outcome))
  return outcome.ok
}

async function faultsOf(storage: Storage, file: SiteFile): Promise<Readonly<Record<string, string>>> {
  const outcome = await storage.perform('site.apply', file, contextWith())
  assert.ok('refused' in outcome, JSON.stringify(outcome))
  assert.equal(outcome.refused.code, 'site_file_invalid')
  return sentences(outcome.refused.details ?? {})
}

async function count(
  storage: Storage,
  name: 'service' | 'provider' | 'customer' | 'reservation' | 'event' | 'occupancy',
) {
  return (await storage.db.build.selectFrom(name).selectAll().execute()).length
}

function counts(report: SiteReport): Record<string, string> {
  const { services, providers, customers, reservations } = report
  const kinds = Object.entries({ services, providers, customers, reservations })
  return Object.fromEntries(
    kinds.map(([kind, { added, changed, left }]) => [kind, `${added.length}+ ${changed.length}~ ${left.length}=`]),
  )
}

const all = (text: string) => ({ services: text, providers: text, customers: text, reservations: text })

for (const { kind, skip } of await databasesHere()) {
  describe(`applying a site file on ${kind}`, { skip, timeout: 60_000 }, () => {
    const onFresh = (work: (storage: Storage) => Promise<void>) =>
      withStorage<typeof operations>(kind, table, async (storage) => {
        await storage.perform('site.prepare', { siteUrl: '' }, contextWith())
        await work(storage)
      })

    test('adds what is new, with an event each, and applied again leaves it all', () =>
      onFresh(async (storage) => {
        const first = await apply(storage, clinic)
        assert.deepEqual(first.site, ['name', 'timezone'])
        assert.deepEqual(counts(first), all('1+ 0~ 0='))
        const events = await count(storage, 'event')
        assert.equal(events, 5)
        const again = await apply(storage, clinic)
        assert.deepEqual([again.site, counts(again)], [[], all('0+ 0~ 1=')])
        assert.equal(await count(storage, 'event'), events)
      }))

    test('keeps nothing of a dry run, and says the same', () =>
      onFresh(async (storage) => {
        const tried = await apply(storage, clinic, { dryRun: true })
        assert.equal(await count(storage, 'event'), 0)
        assert.deepEqual(await apply(storage, clinic), tried)
      }))

    test('gives new rows their defaults: Monday to Friday nine to five in the zone of the site', () =>
      onFresh(async (storage) => {
        await apply(storage, clinic)
        const { providers, services } = await loadCatalogue(storage.db)
        assert.equal(providers[0]?.timezone, 'Europe/Berlin')
        assert.deepEqual(Object.keys(providers[0]?.weekly ?? {}), ['mon', 'tue', 'wed', 'thu', 'fri'])
        assert.equal(services[0]?.settings.horizonDays, 60)
      }))

    test('changes the row that a key names, leaves what the file does not say, keeps its id', () =>
      onFresh(async (storage) => {
        await apply(storage, clinic)
        const before = (await loadCatalogue(storage.db)).services[0]
        const report = await apply(storage, { services: [{ key: 'checkup', name: 'Physical', capacity: 2 }] })
        assert.deepEqual(report.services, { added: [], changed: ['Physical'], left: [] })
        const after = (await loadCatalogue(storage.db)).services[0]
        assert.deepEqual(after, { ...before, name: 'Physical', settings: { ...before?.settings, capacity: 2 } })
      }))

    test('lets null reset a setting of a provider for a service', () =>
      onFresh(async (storage) => {
        await apply(storage, clinic)
        const services = { checkup: { durationMinutes: null, priority: 3 } }
        await apply(storage, { providers: [{ id: 4, name: 'Ana Ruiz', services }] })
        const { providers, services: kept } = await loadCatalogue(storage.db)
        assert.deepEqual(providers[0]?.services.get(kept[0]?.id ?? ''), { priority: 3 })
      }))

    test('keeps the details of a customer that it does not name, and refuses a birthday in the future', () =>
      onFresh(async (storage) => {
        const jo = {
          key: 'jo',
          name: 'Jo',
          birthday: '1980-02-29',
          tags: ['VIP'],
          phones: [{ label: '', number: '1' }],
        }
        const names = { ids: [], keys: ['jo'], emailKeys: [], unaddressed: [] }
        const details = async () => (await listCustomersNamed(storage.db, names))[0]?.row.details
        await apply(storage, { customers: [jo] })
        const { name, key, ...all } = jo
        assert.deepEqual(await details(), all)
        assert.deepEqual((await apply(storage, { customers: [{ key, name }] })).customers.left, ['Jo'])
        assert.deepEqual((await apply(storage, { customers: [{ key, name: 'Joan' }] })).customers.changed, ['Joan'])
        assert.deepEqual(await details(), all)
        await apply(storage, { customers: [{ key, name, birthday: null, tags: [] }] })
        assert.deepEqual(await details(), { phones: all.phones })
        const faults = await faultsOf(storage, { customers: [{ key, name, birthday: '2999-01-01' }] })
        assert.deepEqual(Object.keys(faults), ['customers[0].birthday'])
      }))

    test('keeps whether a provider may be double-booked, unless the entry says otherwise', () =>
      onFresh(async (storage) => {
        const ana = { id: 4, name: 'Ana Ruiz' }
        const mayDouble = async () => (await loadCatalogue(storage.db)).provider(4)?.doubleBooking
        await apply(storage, { providers: [{ ...ana, doubleBooking: true }] })
        assert.deepEqual((await apply(storage, { providers: [ana] })).providers.left, ['Ana Ruiz'])
        await apply(storage, { providers: [{ ...ana, email: 'ana@example.com' }] })
        assert.equal(await mayDouble(), true)
        await apply(storage, { providers: [{ ...ana, doubleBooking: false }] })
        assert.equal(await mayDouble(), false)
      }))

    test('a reservation that the file moves to another price has that price to pay', () =>
      onFresh(async (storage) => {
        await apply(storage, clinic)
        const { id } = await storage.db.build.selectFrom('reservation').select('id').executeTakeFirstOrThrow()
        const payment = unpaid({ method: 'on_site', amount: 5_000, currency: 'EUR' })
        assert.ok('ok' in (await storage.perform('reservations.edit', { id, payment }, contextWith())))
        const [moved] = clinic.reservations ?? []
        assert.ok(moved)
        await apply(storage, { ...clinic, reservations: [{ ...moved, id, start: '2026-12-24T09:00' }] })
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
      }))

    test('knows rows without id and key by their names, and keeps an id that is given', () =>
      onFresh(async (storage) => {
        const id = `c_${'7'.repeat(32)}`
        const file: SiteFile = {
          services: [{ name: 'Cut' }],
          providers: [{ name: 'Ben' }, { id: 9, name: 'Cleo' }, { key: 'dan', name: 'Dan' }],
          customers: [
            { id, name: 'Jo' },
            { name: 'Kim', email: 'Kim@example.com' },
          ],
        }
        await apply(storage, file)
        const again = await apply(storage, {
          ...file,
          customers: [
            { id, name: 'Jo' },
            { name: 'Kim', email: 'kim@EXAMPLE.com' },
          ],
        })
        assert.deepEqual(again.customers, { added: [], changed: ['Kim'], left: ['Jo'] })
        assert.deepEqual([again.services.left, again.providers.left], [['Cut'], ['Ben', 'Cleo', 'Dan']])
        const { providers } = await loadCatalogue(storage.db)
        assert.deepEqual(
          providers.map((provider) => [provider.id, provider.name]),
          [
            [9, 'Cleo'],
            [10, 'Ben'],
            [11, 'Dan'],
          ],
        )
      }))

    test('tells every reference to nothing by its path and changes nothing', () =>
      onFresh(async (storage) => {
        const faults = await faultsOf(storage, {
          services: [{ key: 'cut', name: 'Cut' }],
          providers: [{ name: 'Ben', allowedServices: ['cut', 'nope'], services: { zip: {} } }],
          reservations: [{ service: 'cut', provider: 77, customer: 'zoe', start: 1_800_000_000 }],
        })
        assert.deepEqual(Object.keys(faults), [
          'providers[0].allowedServices[1]',
          'providers[0].services.zip',
          'reservations[0].provider',
          'reservations[0].customer',
        ])
        assert.equal(await count(storage, 'service'), 0)
      }))

    test('tells of a pale brand colour by its path, beside the other faults', () =>
      onFresh(async (storage) => {
        const site = { name: 'Harbour Clinic', appearance: { color: '#ffff00' } }
        const providers = [{ name: 'Ana', allowedServices: ['nothing'] }]
        const faults = await faultsOf(storage, { site, providers })
        assert.deepEqual(Object.keys(faults).sort(), ['providers[0].allowedServices[0]', 'site.appearance.color'])
      }))

    test('does not guess which of two rows of one name is meant', () =>
      onFresh(async (storage) => {
        for (const name of ['Cut', 'Cut']) await storage.perform('services.add', { name }, contextWith())
        assert.match((await faultsOf(storage, { services: [{ name: 'Cut' }] }))['services[0].name'] ?? '', /Matches 2/)
      }))

    test('books imported reservations at the local time of the provider, whatever the opening hours', () =>
      onFresh(async (storage) => {
        const reservations = [
          { service: 'checkup', provider: 4, customer: 'jo', start: '2026-12-01T09:00' },
          { service: 'checkup', provider: '4', customer: 'jo', start: '2020-01-01T03:00', end: '2020-01-01T05:00' },
        ]
        await apply(storage, { ...clinic, reservations })
        const rows = await storage.db.build.selectFrom('reservation').selectAll().orderBy('start_at', 'desc').execute()
        assert.deepEqual(
          rows.map((row) => [row.start_at, row.end_at - row.start_at, row.status, row.local_start]),
          [
            [nine, 45 * 60, 'confirmed', '2026-12-01T09:00'],
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
        const reservations = ['2026-12-01T09:00', '2026-12-01T09:50', '2026-12-01T09:00', '2026-12-01T10:00'].map(at)
        const faults = await faultsOf(storage, { ...clinic, reservations })
        assert.deepEqual(Object.keys(faults), ['reservations[1]', 'reservations[2]'])
        assert.match(faults['reservations[1]'] ?? '', /Overlaps reservations\[0\] of Ana Ruiz/)
        assert.equal(await count(storage, 'reservation'), 0)
      }))

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

    test('moves a reservation that its key names, also into the place of one that moves away', () =>
      onFresh(async (storage) => {
        const with2 = (one: string, two: string): SiteFile => ({
          ...clinic,
          reservations: [
            { key: 'one', service: 'checkup', provider: 4, customer: 'jo', start: one },
            { key: 'two', service: 'checkup', provider: 4, customer: 'jo', start: two },
          ],
        })
        await apply(storage, with2('2026-12-01T09:00', '2026-12-01T10:00'))
        const moved = await apply(storage, with2('2026-12-01T10:00', '2026-12-01T09:00'))
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
