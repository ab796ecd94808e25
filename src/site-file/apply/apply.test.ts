import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { apply, clinic, count, faultsOf, onFreshSite } from '../../../test/support/applied-site-file.ts'
import { contextWith, databasesHere } from '../../../test/support/databases.ts'
import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import { listCustomersNamed } from '../site-file.sql.ts'
import type { SiteFile, SiteReport } from '../site-file.ts'

function counts(report: SiteReport): Record<string, string> {
  const { services, providers, customers, reservations } = report
  const kinds = Object.entries({ services, providers, customers, reservations })
  return Object.fromEntries(
    kinds.map(([kind, { added, changed, left }]) => [kind, `${added.length}+ ${changed.length}~ ${left.length}=`]),
  )
}

const all = (text: string) => ({ services: text, providers: text, customers: text, reservations: text })

for (const { kind, skip } of await databasesHere()) {
  describe(`applying a site file on ${kind}`, { skip, timeout: 600_000 }, () => {
    const onFresh = (work: Parameters<typeof onFreshSite>[1]) => onFreshSite(kind, work)

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

    test('tells of a slug that the file gives to two services, by the path of the second', () =>
      onFresh(async (storage) => {
        const services = ['a', 'b'].map((key) => ({ key, name: key }))
        const slugs = { a: { slug: 'massage' }, b: { slug: 'massage' } }
        const faults = await faultsOf(storage, { services, bookingPage: { services: slugs } })
        assert.deepEqual(Object.keys(faults), ['bookingPage.services.b.slug'])
      }))

    test('tells of a pale brand colour by its path, beside the other faults', () =>
      onFresh(async (storage) => {
        const site = { name: 'Harbour Clinic', appearance: { color: '#ffff00' } }
        const providers = [{ name: 'Ana', allowedServices: ['nothing'] }]
        const faults = await faultsOf(storage, { site, providers })
        assert.deepEqual(Object.keys(faults).sort(), ['providers[0].allowedServices[0]', 'site.appearance.color'])
      }))

    test('knows a row by its name beside another of that name, which an entry identifies by key or id', () =>
      onFresh(async (storage) => {
        const [serviceId, customerId] = [`s_${'7'.repeat(32)}`, `c_${'7'.repeat(32)}`]
        const file: SiteFile = {
          services: [{ key: 'a', name: 'Cut' }, { name: 'Cut' }, { name: 'Dye' }, { id: serviceId, name: 'Dye' }],
          providers: [{ key: 'a', name: 'Ben' }, { name: 'Ben' }, { id: 9, name: 'Cleo' }, { name: 'Cleo' }],
          customers: [{ key: 'a', name: 'Jo' }, { name: 'Jo' }, { id: customerId, name: 'Kim' }, { name: 'Kim' }],
        }
        const four = { services: '4+ 0~ 0=', providers: '4+ 0~ 0=', customers: '4+ 0~ 0=', reservations: '0+ 0~ 0=' }
        assert.deepEqual(counts(await apply(storage, file)), four)
        const again = Object.fromEntries(
          Object.entries(four).map(([kind, text]) => [kind, text.replace(/4(.*)0=/, '0$14=')]),
        )
        assert.deepEqual(counts(await apply(storage, file)), again)
      }))

    test('adds to data no more than one record can store', () =>
      onFresh(async (storage) => {
        const numbered = (from: number) =>
          Object.fromEntries(Array.from({ length: 64 }, (_, index) => [`k${from + index}`, index]))
        const having = (data: Readonly<Record<string, unknown>>): SiteFile => ({
          services: [{ key: 'cut', name: 'Cut', data }],
          providers: [{ id: 4, name: 'Ana', services: { cut: { data } } }],
        })
        await apply(storage, having(numbered(0)))
        const fault = 'Can have at most 64 keys; remove some first.'
        const faults = await faultsOf(storage, having(numbered(64)))
        assert.deepEqual(faults, { 'services[0].data': fault, 'providers[0].services.cut.data': fault })
        assert.deepEqual((await apply(storage, having(numbered(0)))).services.left, ['Cut'])
      }))

    test('does not guess which of two rows of one name is meant', () =>
      onFresh(async (storage) => {
        for (const name of ['Cut', 'Cut']) await storage.perform('services.add', { name }, contextWith())
        assert.match((await faultsOf(storage, { services: [{ name: 'Cut' }] }))['services[0].name'] ?? '', /Matches 2/)
      }))
  })
}
