import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { now, standardSite } from '../support/clinic.ts'
import { command, freshFolder } from '../support/daybook.ts'
import { eachDatabase, type ServiceProcess } from '../support/service.ts'
import { type AvailableSlot, inOneBucket, withoutIds } from '../support/test-site.ts'

const day = (date: string, time: string): string => `${date}T${time}`
const id = (prefix: string, letter: string): string => `${prefix}_${letter.repeat(32)}`

const policies = {
  removal: 'never',
  zoneChanges: 'keep_local_time',
  listFullSlots: true,
  cancelReasons: ['Ill', 'Moved'],
  noShows: { count: 2, months: 12, online: 'approve' },
  calendarPollMinutes: 10,
  calendarMaxAgeMinutes: 60,
}

/**
 * A site file based on the standard site, with additional entries and fields such as policies, ids, prices, data of
 * integrations and the booking page.
 */
const site = {
  ...standardSite,
  site: {
    ...standardSite.site,
    language: 'de',
    policies,
  },
  services: [
    ...standardSite.services,
    {
      id: id('s', 'K'),
      name: 'Kept',
      color: '#3366cc',
      price: 100,
      currency: 'CHF',
      online: true,
      payment: { mode: 'online', deposit: { percent: 20 } },
      data: { b: 1, a: { z: [1, null], y: 'ü' }, 7: true },
    },
  ],
  providers: [
    ...standardSite.providers.map((provider) =>
      provider.id === 1
        ? { ...provider, services: { plain: { weight: 3, durationMinutes: 45, data: { room: '2', floor: 1 } } } }
        : provider,
    ),
    {
      key: 'night',
      name: 'Nia',
      doubleBooking: true,
      meetingLink: 'https://meet.example/{reservation}',
      timezone: 'America/New_York',
      weekly: { fri: ['22:00-02:00'], mon: ['00:00-24:00'] },
    },
  ],
  customers: [
    ...standardSite.customers,
    { id: id('c', 'W'), name: 'Walk-in', phone: '+49 30', language: 'pt_BR', hostUserId: 9, timezone: 'Asia/Calcutta' },
    { key: 'vip', name: 'Vi', birthday: '1980-02-29', tags: ['VIP'], phones: [{ label: 'Work', number: '+49 31' }] },
  ],
  bookingPage: {
    radius: 4,
    font: 'serif',
    intro: { en: 'Welcome', de: 'Willkommen' },
    allowedOrigins: ['https://www.clinic.example'],
    services: { plain: { slug: 'a-plain-one', category: 'Special', changeHours: null }, group: { access: 'link' } },
  },
  reservations: [
    { service: 'plain', provider: 1, customer: 'Jo', start: day('2026-10-20', '09:00') },
    { key: 'r1', service: 'plain', provider: 2, customer: 'Mia', start: day('2026-10-20', '09:00'), status: 'pending' },
    { id: id('r', 'R'), service: 'group', provider: 1, customer: 'Max', start: day('2026-10-21', '10:00') },
    { service: 'group', provider: 1, customer: 'Max', start: day('2026-10-21', '10:00'), data: { note: null, x: 1 } },
    { service: 'plain', provider: 1, customer: id('c', 'W'), start: day('2026-03-02', '09:00') },
    { service: id('s', 'K'), provider: 2, customer: 'Kim', start: day('2026-11-02', '09:00'), status: 'cancelled' },
    // 02:30 occurs twice in Berlin in this night; this is the second occurrence.
    { service: 'plain', provider: 2, customer: 'Kim', start: Date.UTC(2026, 9, 25, 1, 30) / 1000 },
  ],
}

eachDatabase((_kind, open) => {
  describe('an export', { timeout: 600_000 }, () => {
    let service: ServiceProcess
    let whole: string
    before(async () => {
      service = await open({ now, site })
      whole = await printed(service, '--with-reservations')
    })

    test('applied to an empty site and exported again is byte-identical', async () => {
      const other = await open({ now })
      await other.apply(JSON.parse(whole))
      assert.equal(await printed(other, '--with-reservations'), whole)
      const [here, there] = await inOneBucket(() => Promise.all([slots(service), slots(other)]))
      assert.ok(here.length > 0)
      assert.deepEqual(withoutIds(there), withoutIds(here))
    })

    test('applied to its own site changes nothing', async () => {
      const file = join(freshFolder(), 'site.json')
      assert.equal((await service.daybook('export', file, '--with-reservations')).code, 0)
      const { stdout, code } = await service.daybook('apply', file, '--json')
      assert.equal(code, 0)
      const report: Record<string, { added: []; changed: []; left: [] }> = JSON.parse(stdout)
      for (const kind of ['services', 'providers', 'customers', 'reservations']) {
        assert.deepEqual([report[kind]?.added, report[kind]?.changed], [[], []], kind)
      }
    })

    test('contains ids, keys, settings and data of integrations', () => {
      const file = JSON.parse(whole)
      assert.deepEqual(file.site.policies, policies)
      const kept = file.services.find((one: { name: string }) => one.name === 'Kept')
      assert.deepEqual([kept.id, kept.data], [id('s', 'K'), { 7: true, b: 1, a: { z: [1, null], y: 'ü' } }])
      assert.deepEqual(file.providers[0].services.plain.data, { room: '2', floor: 1 })
      assert.equal(file.reservations.length, site.reservations.length)
      assert.equal(file.reservations.at(-2).start, Date.UTC(2026, 9, 25, 1, 30) / 1000)
    })

    test('excludes customers and reservations by default', async () => {
      assert.deepEqual(Object.keys(JSON.parse(await printed(service))), [
        'site',
        'services',
        'providers',
        'bookingPage',
      ])
      const file = JSON.parse(await printed(service, '--with-customers'))
      assert.deepEqual(Object.keys(file), ['site', 'services', 'providers', 'bookingPage', 'customers'])
    })

    test('to a file is readable by its owner only, and leaves no temporary file', async () => {
      const folder = freshFolder()
      await service.daybook('export', join(folder, 'site.json'), '--with-reservations')
      assert.equal(readFileSync(join(folder, 'site.json'), 'utf8'), whole)
      assert.equal(statSync(join(folder, 'site.json')).mode & 0o777, 0o600)
    })

    test('excludes data of removed customers, and reports it', async () => {
      const removed = await service.call('GET', '/customers/get/')
      const kim = removed.body.response.find(({ name }) => name === 'Mia')
      const pending = JSON.parse(whole).reservations.find((one: { key?: string }) => one.key === 'r1')
      await service.call('POST', '/reservations/edit/', { body: { id: pending.id, status: 'cancelled' } })
      const gone = await service.call('POST', '/customers/remove/', { query: { id: kim?.id ?? '' } })
      assert.equal(gone.status, 200, gone.text)
      const { stdout, stderr, code } = await service.daybook('export', '--with-reservations')
      assert.equal(code, 0)
      assert.equal(stderr, 'One reservation was left out: its service or customer has been removed.\n')
      assert.equal(JSON.parse(stdout).reservations.length, site.reservations.length - 1)
    })
  })
})

test('into a missing directory is refused in one sentence', async () => {
  const folder = freshFolder()
  const { code, stderr } = await command(['export', join(folder, 'none', 'site.json'), '--data-dir', folder])
  assert.equal(code, 1)
  assert.match(stderr, /^There is no .*none.*\n$/)
})

async function printed(service: ServiceProcess, ...options: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await service.daybook('export', ...options)
  assert.deepEqual([code, stderr], [0, ''])
  return stdout
}

/** Lists the slots of all services from two to fourteen days from now. */
async function slots(service: ServiceProcess): Promise<readonly AvailableSlot[]> {
  const { body } = await service.call<{ response: AvailableSlot[] }>('GET', '/availability/get/', {
    // The window begins after every lead time, because the clocks of the two compared services started at different
    // times.
    query: { min_timestamp: now + 2 * 86_400, max_timestamp: now + 14 * 86_400 },
  })
  return body.response
}
