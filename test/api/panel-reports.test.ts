import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { ana, ben, cleo } from '../support/clinic.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

const day = '2026-10-08'
const before30 = '2026-09-08'

onEachDatabase((open) => {
  let site: TestSite
  let manager: BrowserClient
  let asAna: BrowserClient
  before(async () => {
    site = await open()
    manager = (await insertSignedInUser(site, 'manager')).browser
    asAna = (await insertSignedInUser(site, 'provider', { providerId: ana })).browser
    const book = async (provider: number, nth: number, customer: string): Promise<string> =>
      site.book(await site.slot({ service: 'plain', provider, on: day, nth }), {
        customerId: site.customer(customer),
      })
    const [came, missed, cancelled] = [await book(ana, 0, 'Jo'), await book(ana, 4, 'Mia'), await book(ana, 8, 'Mia')]
    await book(ben, 0, 'Max')
    await manager.post('/reservations/attendance/', { id: came, state: 'completed' })
    await manager.post('/reservations/attendance/', { id: missed, state: 'no_show' })
    await manager.post('/reservations/status/', { id: cancelled, status: 'cancelled' })
  })
  after(() => site.close())

  const report = async (query: string, by = manager) => {
    const answer = await by.get(`/reports/?${query}`)
    assert.equal(answer.status, 200, answer.text)
    return Object(answer.body.response)
  }
  const rowsOf = async (query: string, by = manager) =>
    (await report(query, by)).rows
      .filter(({ bookings, cancelled }: Record<string, number>) => (bookings ?? 0) + (cancelled ?? 0) > 0)
      .map(({ key, bookings, cancelled, noShows, attended }: Record<string, unknown>) => [
        key,
        bookings,
        cancelled,
        noShows,
        attended,
      ])

  test('a period is broken down by provider, service, weekday and hour', async () => {
    const period = `from=${day}&to=${day}`
    assert.deepEqual(await rowsOf(`${period}&by=provider`), [
      [String(ana), 2, 1, 1, 1],
      [String(ben), 1, 0, 0, 0],
    ])
    assert.deepEqual(await rowsOf(`${period}&by=service`), [[site.service('plain'), 3, 1, 1, 1]])
    assert.deepEqual(await rowsOf(`${period}&by=weekday`), [['3', 3, 1, 1, 1]], '2026-10-08 is a Thursday')
    const hours = await rowsOf(`${period}&by=hour`)
    assert.equal(
      hours.reduce((sum: number, [, bookings]: [string, number]) => sum + bookings, 0),
      3,
    )
    const { customers, rows } = await report(`${period}&by=provider`)
    assert.deepEqual(customers, { customers: 3, returning: 0 })
    assert.ok(rows.every(({ open }: { open: number }) => open > 0))
  })

  test('the period before is of the same length, and a customer of it is a returning one', async () => {
    const customerId = site.customer('Jo')
    await site.book(await site.slot({ service: 'plain', provider: ben, on: '2026-10-09', nth: 0 }), { customerId })
    const { rows, customers, previousCustomers } = await report('from=2026-10-09&to=2026-10-09&by=provider')
    assert.deepEqual(customers, { customers: 1, returning: 1 })
    assert.deepEqual(previousCustomers, { customers: 3, returning: 0 })
    const [first] = rows.filter(({ key }: { key: string }) => key === String(ana))
    assert.deepEqual([first.bookings, first.previous.bookings], [0, 2])
  })

  test('a month has the reservations of its days in the site’s zone, also those of a provider in another zone', async () => {
    const overrides = [{ date: '2026-10-31', hours: ['19:00-22:00'] }]
    await site.server.apply({ providers: [{ id: cleo, name: 'Cleo', overrides }] })
    // 19:00 in New York, where it is still October, is midnight in Berlin.
    const { start } = await site.booked({ service: 'plain', provider: cleo, on: '2026-11-01', nth: 0 })
    assert.equal(new Date(start * 1000).toISOString(), '2026-10-31T23:00:00.000Z')
    assert.deepEqual(await rowsOf('from=2026-11-01&to=2026-11-30&by=month'), [['2026-11', 1, 0, 0, 0]])
    assert.deepEqual(await rowsOf('from=2026-10-31&to=2026-10-31&by=month'), [])
    const { rows } = await report('from=2026-12-01&to=2026-12-31&by=month')
    assert.equal(rows[0].previous.bookings, 1)
  })

  test('a report counts the time of a group slot once in every breakdown, as Today does', async () => {
    const on = '2026-10-13'
    for (const customer of ['Jo', 'Mia', 'Max'])
      await site.book(await site.slot({ service: 'group', provider: ben, on, nth: 2 }), {
        customerId: site.customer(customer),
      })
    const left = await site.slot({ service: 'group', provider: ben, on, nth: 5 })
    const cancelled = await site.book(left, { customerId: site.customer('Jo') })
    await manager.post('/reservations/status/', { id: cancelled, status: 'cancelled' })
    await site.book(await site.slot({ service: 'plain', provider: ana, on, nth: 0 }), {
      customerId: site.customer('Jo'),
    })
    const period = `from=${on}&to=${on}`
    const plain = site.service('plain')
    const expected = {
      provider: [
        [String(ana), 1, 1800],
        [String(ben), 3, 3600],
      ],
      service: [
        [plain, 1, 1800],
        [site.service('group'), 3, 3600],
      ],
      month: [['2026-10', 4, 5400]],
      weekday: [['1', 4, 5400]],
    }
    for (const [by, rows] of Object.entries(expected)) {
      const found = (await report(`${period}&by=${by}`)).rows
        .filter(({ seconds }: { seconds: number }) => seconds > 0)
        .map(({ key, bookings, seconds }: Record<string, unknown>) => [key, bookings, seconds])
      assert.deepEqual(found, rows, by)
    }
    const { rows } = await report(`${period}&by=hour`)
    assert.equal(
      rows.reduce((sum: number, { seconds }: { seconds: number }) => sum + seconds, 0),
      5400,
    )
    const today = Object((await manager.get(`/today/?${period}`)).body).response
    assert.equal(today.days[0].reserved, 5400)
    assert.deepEqual(today.providers.filter(({ reserved }: { reserved: number }) => reserved > 0).map(Object.values), [
      [ana, 'Ana', 1800, 8 * 3600],
      [ben, 'Ben', 3600, 8 * 3600],
    ])
  })

  test('a provider sees their own figures only', async () => {
    const { rows } = await report(`from=${day}&to=${day}&by=provider`, asAna)
    assert.deepEqual(
      rows.map(({ key }: { key: string }) => key),
      [String(ana)],
    )
  })

  test('a period that is too long or ends before it begins is refused beside the field', async () => {
    for (const [from, to] of [
      [before30, '2028-01-01'],
      [day, before30],
    ]) {
      const { status, body } = await manager.get(`/reports/?from=${from}&to=${to}&by=hour`)
      assert.equal(status, 400)
      assert.deepEqual(Object.keys(Object(body.details)), ['to'])
    }
  })
})
