import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { ana, ben, now } from '../support/clinic.ts'
import { onEachDatabase, type SlotSelector, type TestSite } from '../support/test-site.ts'

const day = '2026-10-08'

onEachDatabase((open) => {
  let site: TestSite
  let manager: BrowserClient
  let asAna: BrowserClient
  let asNobody: BrowserClient
  let ids: { pending: string; bens: string; cancelled: string }
  before(async () => {
    site = await open()
    manager = (await insertSignedInUser(site, 'manager')).browser
    asAna = (await insertSignedInUser(site, 'provider', { providerId: ana })).browser
    asNobody = (await insertSignedInUser(site, 'provider')).browser
    const pending = await book({ service: 'approved', provider: ana, on: day, nth: 0 }, site.customer('Jo'))
    const bens = await book({ service: 'plain', provider: ben, on: day, nth: 4 }, site.customer('Mia'))
    const cancelled = await book({ service: 'plain', provider: ana, on: day, nth: 8 }, site.customer('Mia'))
    ids = { pending, bens, cancelled }
    await manager.post('/reservations/status/', { id: cancelled, status: 'cancelled' })
  })
  after(() => site.close())

  const book = async (wish: SlotSelector, customerId: string): Promise<string> =>
    site.book(await site.slot(wish), { customerId })
  const discard = async (id: string): Promise<void> => {
    await site.edit(id, { status: 'cancelled' })
    assert.equal((await site.remove(id)).status, 200)
  }
  const listed = async (query: string, browser = manager): Promise<unknown[]> => {
    const answer = await browser.get(`/reservations/?${query}`)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.headers.get('X-WP-Total'), String(answer.body.response.length))
    return answer.body.response.map(({ id }) => id)
  }

  test('reservations are found by words of the customer, by id and by every filter', async () => {
    const { pending, bens, cancelled } = ids
    for (const [query, found] of [
      ['', [pending, bens, cancelled]],
      ['sort=-start', [cancelled, bens, pending]],
      ['search=MI', [bens, cancelled]],
      ['search=mia%40exam', [bens, cancelled]],
      ['search=mia+mia%40e', [bens, cancelled]],
      ['search=mia+max', []],
      ['search=ia', []],
      [`search=${pending}`, [pending]],
      [`search=${site.customer('Mia')}`, [bens, cancelled]],
      ['search=%25', []],
      ['status=pending', [pending]],
      [`serviceId=${site.service('plain')}`, [bens, cancelled]],
      [`providerId=${ben}`, [bens]],
      ['when=past', []],
      ['when=upcoming&status=cancelled', [cancelled]],
    ] as const)
      assert.deepEqual(await listed(query), found, query)
    for (const [query, count] of [
      [`from=${day}`, 3],
      [`to=${day}`, 3],
      ['from=2026-10-09', 0],
      ['to=2026-10-07', 0],
      [`from=${day}&to=${day}&status=pending`, 1],
    ] as const)
      assert.equal((await listed(query)).length, count, query)
  })

  test('a reservation that has begun is no longer upcoming, and found from today on', async () => {
    const id = await book({ service: 'plain', provider: ben, on: day, nth: 1 }, site.customer('Mia'))
    await site.sql('update reservation set start_at = ? where id = ?', [now - 600, id])
    for (const [when, count] of [
      ['upcoming', 0],
      ['from_today', 1],
      ['past', 1],
    ] as const)
      assert.equal((await listed(`when=${when}&search=${id}`)).length, count, when)
    await discard(id)
  })

  test('a list is paginated up to its first 10,000', async () => {
    const answer = await manager.get('/reservations/?per_page=2&page=2')
    assert.deepEqual(
      answer.body.response.map(({ id }) => id),
      [ids.cancelled],
    )
    assert.equal(answer.headers.get('X-WP-Total'), '3')
    const far = await manager.get('/reservations/?per_page=500&page=21')
    assert.equal(far.status, 400)
    assert.ok(Object.keys(far.body.details ?? {}).includes('page'), far.text)
  })

  test('a customer is found by the new name and not by the old one', async () => {
    const { body } = await site.post('/customers/add/', {
      name: 'Änne Ölrich',
      email: 'aenne@example.com',
      phone: '+49 30 123456',
    })
    const id = await book({ service: 'plain', provider: ben, on: day, nth: 1 }, body.id)
    for (const search of ['anne', 'olr', 'ÄNNE', 'aenne@', '%2B49+30+1', 'ölrich+änne'])
      assert.deepEqual(await listed(`search=${search}`), [id], search)
    await site.post('/customers/edit/', { id: body.id, name: 'Anna Smith' })
    assert.deepEqual(await listed('search=olr'), [])
    assert.deepEqual(await listed('search=smi'), [id])
    await discard(id)
  })

  test('one reservation is returned with names, history and the routing reason', async () => {
    const { response } = (await manager.get(`/reservations/one/?id=${ids.cancelled}`)).body
    assert.deepEqual(response.customer, { id: site.customer('Mia'), name: 'Mia', email: 'mia@example.com', phone: '' })
    assert.deepEqual(response.provider, { id: ana, name: 'Ana' })
    assert.equal(Object(response.service).name, 'plain')
    assert.equal(Object(response.choice).mode, 'direct')
    const types = Array.isArray(response.history) ? response.history.map(({ type }) => type) : []
    assert.deepEqual(types, ['reservation.cancelled', 'reservation.created'])
    assert.equal((await manager.get('/reservations/one/?id=r_none')).status, 404)
  })

  test("a status change follows the API's rules: confirmed, cancelled, and restored only with room", async () => {
    const set = (status: string) => manager.post('/reservations/status/', { id: ids.pending, status })
    for (const status of ['confirmed', 'cancelled', 'pending', 'confirmed', 'pending'])
      assert.equal((await set(status)).status, 200, status)
    await set('cancelled')
    const other = await book({ service: 'plain', provider: ana, on: day, nth: 0 }, site.customer('Max'))
    const refused = await set('pending')
    assert.equal(refused.status, 403)
    assert.equal(refused.body.reason, 'slot_provider_busy')
    await discard(other)
    assert.equal((await set('pending')).status, 200)
  })

  test('a status is set only if the user saw the present one, or if it is set already', async () => {
    const { pending: id } = ids
    const confirm = (from: string) => manager.post('/reservations/status/', { id, status: 'confirmed', from })
    const cancelled = await asAna.post('/reservations/status/', { id, status: 'cancelled', from: 'pending' })
    assert.equal(cancelled.status, 200, cancelled.text)
    const answer = await site.assertUnchanged(() => confirm('pending'))
    assert.deepEqual([answer.status, answer.body.reason], [409, 'changed_since'])
    assert.match(String(answer.body.error), /^Changed again since: status\./)
    assert.equal((await confirm('cancelled')).status, 200)
    const repeated = await confirm('pending')
    assert.deepEqual([repeated.status, Object(repeated.body.response).change], [200, null])
    await manager.post('/reservations/status/', { id, status: 'pending' })
  })

  test('the role provider reads and changes their own reservations only', async () => {
    const { pending, bens, cancelled } = ids
    assert.deepEqual(await listed('', asAna), [pending, cancelled])
    assert.deepEqual(await listed('search=mia', asAna), [cancelled])
    assert.deepEqual(await listed(`providerId=${ben}`, asAna), [])
    assert.deepEqual(await listed(`search=${bens}`, asAna), [])
    assert.deepEqual(await listed('', asNobody), [])
    assert.equal((await asAna.get(`/reservations/one/?id=${pending}`)).status, 200)
    assert.equal((await asAna.get(`/reservations/one/?id=${bens}`)).status, 404)
    for (const status of ['cancelled', 'pending', 'confirmed'])
      assert.equal((await asAna.post('/reservations/status/', { id: bens, status })).status, 404)
    const own = await asAna.post('/reservations/status/', { id: pending, status: 'confirmed' })
    assert.equal(own.status, 200)
    await asAna.post('/reservations/status/', { id: pending, status: 'pending' })
    const { response } = (await asAna.get('/reservations/filters/')).body
    assert.deepEqual(response.providers, [{ id: ana, name: 'Ana', zone: 'Europe/Berlin' }])
    const table = await textOf(asAna, '/reservations/csv/')
    assert.ok(table.includes(pending) && !table.includes(bens))
  })

  test('a period is counted by days in the site’s zone, for a provider in their own calendar', async () => {
    const { response } = (await manager.get(`/today/?from=2026-10-07&to=${day}`)).body
    const days = Array.isArray(response.days) ? response.days : []
    assert.deepEqual(days, [
      { date: '2026-10-07', pending: 0, confirmed: 0, cancelled: 0, reserved: 0, open: 40 * 3600 },
      { date: day, pending: 1, confirmed: 1, cancelled: 1, reserved: 3600, open: 40 * 3600 },
    ])
    assert.deepEqual(response.incomes, [])
    const own = (await asAna.get(`/today/?from=${day}&to=${day}`)).body.response
    assert.deepEqual(own.providers, [{ id: ana, name: 'Ana', reserved: 1800, open: 8 * 3600 }])
    assert.deepEqual((await asNobody.get(`/today/?from=${day}&to=${day}`)).body.response.providers, [])
    for (const [from, to] of [
      [day, '2026-10-07'],
      ['2026-10-01', '2027-01-01'],
    ] as const)
      assert.equal((await manager.get(`/today/?from=${from}&to=${to}`)).status, 400, to)
  })

  test('income counts confirmed reservations, and a group slot occupies its time once', async () => {
    const on = '2026-10-15'
    const own = await book({ service: 'own', provider: ana, on }, site.customer('Jo'))
    const seats = [await book({ service: 'group', provider: ben, on, nth: 2 }, site.customer('Jo'))]
    seats.push(await book({ service: 'group', provider: ben, on, nth: 2 }, site.customer('Mia')))
    const { response } = (await manager.get(`/today/?from=${on}&to=${on}`)).body
    assert.deepEqual(response.incomes, [{ currency: 'EUR', amount: 5000 }])
    assert.equal(Object(response.days)[0].reserved, 45 * 60 + 3600)
    assert.equal(Object(response.days)[0].confirmed, 3)
    for (const id of [own, ...seats]) await discard(id)
  })

  test('the CSV export contains the list, without formulas that a spreadsheet would run', async () => {
    const evil = '=HYPERLINK("https://evil.example","x")'
    const { body } = await site.post('/customers/add/', { name: evil, email: 'e@example.com', phone: '+49 1' })
    const id = await book({ service: 'own', provider: ana, on: day, nth: 5 }, body.id)
    const table = await textOf(manager, `/reservations/csv/?search=e%40example`)
    const [head, line, end] = table.split('\r\n')
    assert.equal(head, '\uFEFFid,status,start,end,zone,service,provider,customer,email,phone,price,currency,created')
    assert.match(line ?? '', /^r_\w{32},confirmed,2026-10-08 \d\d:\d\d,2026-10-08 \d\d:\d\d,Europe\/Berlin,own,Ana,/)
    assert.ok(line?.includes(`"'=HYPERLINK(""https://evil.example"",""x"")",e@example.com,+49 1,50.00,EUR,`), table)
    assert.equal(end, '')
    assert.equal((await textOf(manager, '/reservations/csv/')).split('\r\n').length, 6)
    await discard(id)
  })
})

async function textOf(browser: BrowserClient, path: string): Promise<string> {
  const { status, text } = await browser.get(path)
  assert.equal(status, 200, text)
  return text
}
