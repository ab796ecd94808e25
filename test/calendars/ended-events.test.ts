import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { countDestinations } from '../../src/calendars/destinations/destinations.sql.ts'
import { countFailingEvents, listEventsOf } from '../../src/calendars/destinations/events.sql.ts'
import { ana, ben } from '../support/clinic.ts'
import { databasesHere } from '../support/databases.ts'
import { hasRadicale, Radicale } from '../support/radicale.ts'
import { at, CalendarTestSite } from './calendar-test-site.ts'

const missing = hasRadicale() ? false : 'Radicale is not installed'
const days = 86_400

for (const { kind, skip } of await databasesHere()) {
  describe(`events of appointments that have ended on ${kind}`, { skip: skip || missing, timeout: 600_000 }, () => {
    let site: CalendarTestSite
    let server: Radicale
    before(async () => {
      site = await CalendarTestSite.open(kind)
      server = await Radicale.start()
    })
    after(async () => {
      await site?.close()
      await server?.close()
    })
    afterEach(async () => {
      await site.clear()
      server.clear()
    })

    const refOf = async (id: string, name: string) =>
      (await site.account(id)).found.find((calendar) => calendar.name === name)?.ref ?? assert.fail(name)
    /** Chooses a calendar of an account, with the names of customers, as the destination; null for none. */
    const choose = async (id: string, name: string | null) => {
      const calendar = name === null ? null : await refOf(id, name)
      await site.perform('calendars.destinations.set', { id, calendar, policy: 'restore', names: true })
      await site.runDueJobs()
    }
    /** Returns the titles of the events in a calendar. */
    const titles = (calendar: string) =>
      [...server.events(calendar).values()].map((file) => /^SUMMARY:(.*?)\r?$/m.exec(file)?.[1]?.trim())
    const book = async (customerId: string, service = 'long', time = '10:00') => {
      const id = await site.book('2026-10-06', time, service)
      await site.perform('reservations.edit', { id, customerId })
      await site.runDueJobs()
      return id
    }
    const addCustomer = async (name: string) =>
      (await site.perform('customers.add', { name, email: `${name.toLowerCase()}@example.com`, createUser: false })).id

    test('they stay in the calendar of each provider after their seats were deleted', async () => {
      const first = await site.connectAccount(server.url)
      await choose(first, 'Work')
      const second = await site.connectAccount(server.url, {}, ben)
      await choose(second, 'Private')
      const customer = await addCustomer('Vera')
      const id = await book(customer, 'collective')
      assert.deepEqual([titles('work'), titles('private')], [['collective · Vera'], ['collective · Vera']])
      await site.pass(10 * days)
      await site.perform('sweep', {})
      await site.perform('reservations.edit', { id, data: { note: 'x' } })
      await site.runDueJobs()
      assert.deepEqual([titles('work'), titles('private')], [['collective · Vera'], ['collective · Vera']])
      await site.perform('customers.edit', { id: customer, name: 'Verena' })
      await site.runDueJobs()
      assert.deepEqual([titles('work'), titles('private')], [['collective · Verena'], ['collective · Verena']])
    })

    test('they lose the name of an erased customer also when no calendar is chosen any more', async () => {
      const account = await site.connectAccount(server.url)
      await choose(account, 'Work')
      const customer = await addCustomer('Olga')
      await book(customer)
      await site.pass(days * 3)
      await choose(account, null)
      assert.deepEqual(titles('work'), ['long · Olga'])
      await site.perform('customers.erase', { id: customer })
      await site.runDueJobs()
      assert.deepEqual(titles('work'), ['long'])
      const consumers = () => site.storage.db.build.selectFrom('event_consumer').select('name').execute()
      assert.deepEqual(await consumers(), [{ name: 'calendars' }])
      await site.perform('calendars.accounts.remove', { id: account })
      assert.deepEqual(await consumers(), [])
    })

    test('one that the provider deletes stays deleted, right after its end and when its customer changes later', async () => {
      const account = await site.connectAccount(server.url)
      await choose(account, 'Work')
      const customer = await addCustomer('Rita')
      const [first, second] = [await book(customer), await book(customer, 'long', '11:00')]
      assert.deepEqual(titles('work'), ['long · Rita', 'long · Rita'])
      await site.pass(at('2026-10-06T13:00') - site.now)
      await server.put('work', `${first}.ics`, undefined)
      await site.pass(300)
      assert.deepEqual([titles('work'), await listEventsOf(site.storage.db, first)], [['long · Rita'], []])
      await site.pass(3 * days)
      await server.put('work', `${second}.ics`, undefined)
      await site.perform('customers.edit', { id: customer, name: 'Ruth' })
      await site.runDueJobs()
      assert.deepEqual([titles('work'), await listEventsOf(site.storage.db, second)], [[], []])
    })

    test('their faults are reported until they end, and a missing meeting only at the reservation', async () => {
      const account = await site.connectAccount(server.url)
      await choose(account, 'Work')
      const reservationId = await book(await addCustomer('Pia'))
      const event = { reservationId, providerId: ana, calendar: await refOf(account, 'Work') }
      const reported = async () => [
        (await countDestinations(site.storage.db, site.now)).failing,
        await countFailingEvents(site.storage.db, event, site.now),
      ]
      await site.perform('calendars.events.fault', { ...event, fault: 'no_meeting', detail: '' })
      assert.deepEqual(await reported(), [0, 0])
      await site.perform('calendars.events.fault', { ...event, fault: 'server_error', detail: '507' })
      assert.deepEqual(await reported(), [1, 1])
      await site.pass(3 * days)
      assert.deepEqual(await reported(), [0, 0])
    })

    test('they stay in the calendar that was chosen before, and lose the name of an erased customer', async () => {
      const account = await site.connectAccount(server.url)
      await choose(account, 'Work')
      const customer = await addCustomer('Nora')
      const id = await book(customer)
      await site.pass(days * 3)
      await choose(account, 'Private')
      await site.perform('reservations.edit', { id, data: { note: 'x' } })
      await site.runDueJobs()
      assert.deepEqual([titles('work'), titles('private')], [['long · Nora'], []])
      await site.perform('customers.erase', { id: customer })
      await site.runDueJobs()
      assert.deepEqual([titles('work'), titles('private')], [['long'], []])
      await site.perform('reservations.remove', { id })
      await site.runDueJobs()
      assert.deepEqual([titles('work'), await listEventsOf(site.storage.db, id)], [[], []])
    })
  })
}
