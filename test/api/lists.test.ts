import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ana, ben } from '../support/clinic.ts'
import { assertRestError, at, onEachDatabase, type TestSite } from '../support/test-site.ts'

type Query = Record<string, string | number | boolean>

const reservations = [
  { key: 'past', service: 'plain', provider: ana, customer: 'Mia', start: '2026-10-01T09:00' },
  { key: 'just past', service: 'plain', provider: ben, customer: 'Jo', start: '2026-10-05T07:30' },
  { key: 'running', service: 'plain', provider: ana, customer: 'Jo', start: '2026-10-05T07:45' },
  { key: 'soon', service: 'plain', provider: ben, customer: 'Jo', start: '2026-10-06T09:00', data: { note: null } },
  { key: 'beside', service: 'approved', provider: ana, customer: 'Max', start: '2026-10-06T09:00', status: 'pending' },
  { key: 'later', service: 'group', provider: ana, customer: 'Mia', start: '2026-10-06T10:00', status: 'pending' },
  { key: 'off', service: 'long', provider: ben, customer: 'Kim', start: '2026-10-07T09:00', status: 'cancelled' },
]
const upcoming = ['running', 'soon', 'beside', 'later', 'off']

onEachDatabase((open) => {
  let site: TestSite
  let keys: ReadonlyMap<unknown, string>
  before(async () => {
    site = await open({ reservations })
    const rows = await site.sql('select id, key from reservation')
    keys = new Map(rows.map((row) => [row.id, String(row.key)]))
  })
  after(() => site.close())

  const listed = async (query: Query = {}): Promise<string[]> => {
    const answer = await site.get('/reservations/get/', query)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.response.map((row) => keys.get(row.id) ?? row.id)
  }
  /** Sorts the keys of reservations in the order in which the API lists reservations: by start, then by id. */
  const inOrder = (names: readonly string[]): string[] => {
    const ids = new Map([...keys].map(([id, key]) => [key, String(id)]))
    const startOf = (name: string) => reservations.find((one) => one.key === name)?.start ?? ''
    return names.toSorted((one, other) => {
      const [a, b] = [`${startOf(one)} ${ids.get(one)}`, `${startOf(other)} ${ids.get(other)}`]
      return a < b ? -1 : 1
    })
  }

  test('past reservations are listed only with past', async () => {
    assert.deepEqual(await listed(), inOrder(upcoming))
    assert.deepEqual(await listed({ past: false }), inOrder(upcoming))
    assert.deepEqual(await listed({ past: true }), inOrder(reservations.map((one) => one.key)))
  })

  test('a reservation has exactly the documented fields', async () => {
    const [shown] = (await site.get('/reservations/get/', { services: site.service('approved') })).body.response
    assert.deepEqual(shown, {
      id: shown?.id,
      serviceId: site.service('approved'),
      customerId: site.customer('Max'),
      providerId: ana,
      availabilityId: '',
      start: at('2026-10-06T09:00'),
      end: at('2026-10-06T09:30'),
      status: 'pending',
    })
    const [full] = await site.reservations({ services: site.service('approved') })
    const { data, created, updated, ...rest } = full ?? {}
    assert.deepEqual(rest, shown)
    assert.deepEqual(data, {})
    assert.ok(Number.isInteger(created) && created === updated)
    const noted = await site.reservations({ providers: ben, status: 'confirmed', past: false })
    assert.deepEqual(
      noted.map((one) => one.data),
      [{ note: null }],
    )
  })

  for (const [word, meaning] of [
    ...['true', 'TRUE', '1', 'yes', 'Yes', 'on', 'ON'].map((word) => [word, true] as const),
    ...['false', 'False', '0', 'no', 'NO', 'off', ''].map((word) => [word, false] as const),
  ])
    test(`full=${word} means ${meaning}`, async () => {
      const answer = await site.get('/reservations/get/', { full: word })
      assert.equal(answer.status, 200)
      assert.equal('data' in (answer.body.response[0] ?? {}), meaning)
    })

  for (const [filter, names] of [
    [{ customers: 'Jo' }, ['running', 'soon']],
    [{ customers: 'Jo, Kim' }, ['running', 'soon', 'off']],
    [{ services: 'plain' }, ['running', 'soon']],
    [{ services: 'plain,long,group' }, ['running', 'soon', 'later', 'off']],
    [{ providers: '2' }, ['soon', 'off']],
    [{ providers: ' 1 , 2 ' }, upcoming],
    [{ status: 'pending' }, ['beside', 'later']],
    [{ status: 'cancelled' }, ['off']],
    [{ status: 'confirmed' }, ['running', 'soon']],
    [{ customers: 'Jo', providers: '1' }, ['running']],
    [{ customers: 'Mia', services: 'group', providers: '1', status: 'pending' }, ['later']],
    [{ customers: 'Mia', services: 'plain' }, []],
    [{ customers: 'Mia', past: 'true', status: 'confirmed' }, ['past']],
    [{ customers: '', services: ' ', providers: ',' }, upcoming],
  ] as const)
    test(`the filter ${JSON.stringify(filter)} matches ${names.length}`, async () => {
      assert.deepEqual(await listed(withIds(site, filter)), inOrder(names))
    })

  for (const filter of [
    { customers: 'c_unknown' },
    { services: 's_unknown' },
    { providers: '999' },
    { providers: 'ana' },
    { providers: '0' },
    { providers: '01' },
    { providers: '99999999999999999999' },
    { customers: "x' or '1'='1" },
  ])
    test(`the filter ${JSON.stringify(filter)} matches nothing`, async () => {
      assert.deepEqual(await listed(filter), [])
    })

  for (const [query, name] of [
    [{ status: 'open' }, 'status'],
    [{ status: '' }, 'status'],
    [{ status: 'Pending' }, 'status'],
    [{ full: 'maybe' }, 'full'],
    [{ past: '2' }, 'past'],
    [{ page: '0' }, 'page'],
    [{ page: 'x' }, 'page'],
    [{ per_page: '501' }, 'per_page'],
    [{ per_page: '0' }, 'per_page'],
  ] as const)
    test(`${JSON.stringify(query)} is refused by its name`, async () => {
      const answer = await site.get('/reservations/get/', query)
      const params = Object(answer.body.data.params)
      assert.deepEqual(Object.keys(params), [name])
      assertRestError(answer, 400, 'rest_invalid_param', { params })
    })

  test('an unknown parameter is ignored', async () => {
    assert.deepEqual(await listed({ sort: 'down', _locale: 'user' }), inOrder(upcoming))
  })

  test('pages add up to the complete list, with totals and links', async () => {
    const whole = await listed()
    const pages: string[] = []
    for (const page of [1, 2, 3]) {
      const answer = await site.get('/reservations/get/', { full: 1, page, per_page: 2 })
      pages.push(...answer.body.response.map((row) => keys.get(row.id) ?? ''))
      assert.equal(answer.headers.get('x-wp-total'), '5')
      assert.equal(answer.headers.get('x-wp-totalpages'), '3')
      const links = linksOf(answer.headers.get('link'))
      assert.deepEqual(
        Object.keys(links),
        ['first', 'prev', 'next', 'last'].filter(
          (name) => (page > 1 || name !== 'prev') && (page < 3 || name !== 'next'),
        ),
      )
      for (const link of Object.values(links)) assert.match(link, /\/api\/v1\/reservations\/get\/\?.*full=1/)
    }
    assert.deepEqual(pages, whole)
  })

  test('a link leads to the page that it names', async () => {
    const first = await site.get('/reservations/get/', { past: true, page: 1, per_page: 3 })
    const next = new URL(linksOf(first.headers.get('link')).next ?? '', site.server.url)
    const query = Object.fromEntries(next.searchParams)
    const second = await site.server.call('GET', '/reservations/get/', { query })
    assert.deepEqual(
      second.body.response.map((row) => keys.get(row.id)),
      (await listed({ past: true })).slice(3, 6),
    )
  })

  test('a page after the last is empty, and either parameter alone paginates', async () => {
    assert.deepEqual(await listed({ page: 9, per_page: 2 }), [])
    assert.deepEqual(await listed({ per_page: 2 }), (await listed()).slice(0, 2))
    const one = await site.get('/reservations/get/', { page: 1 })
    assert.equal(one.body.response.length, 5)
    assert.equal(one.headers.get('x-wp-totalpages'), '1')
  })

  for (const path of ['/services/get/', '/customers/get/', '/providers/get/'])
    test(`${path} is paginated as well`, async () => {
      const whole = (await site.get(path)).body.response
      const answer = await site.get(path, { page: 2, per_page: 2 })
      assert.deepEqual(answer.body.response, whole.slice(2, 4))
      assert.equal(answer.headers.get('x-wp-total'), String(whole.length))
    })

  test('a complete list has no totals', async () => {
    const { headers } = await site.get('/reservations/get/')
    for (const name of ['x-wp-total', 'x-wp-totalpages', 'link']) assert.equal(headers.get(name), null)
  })

  // This test and the next are the last of the file, because the reservations that they add would appear in other
  // lists.
  test('a list of five thousand is complete, in order and chunked', async () => {
    await site.sql(manyReservations, [site.service('plain'), site.customer('Kim')])
    const answer = await site.get('/reservations/get/', { full: true, past: true })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-length'), null)
    const { response, status } = answer.body
    assert.equal(status, 'OK')
    assert.equal(response.length, 5_000 + reservations.length)
    assert.equal(new Set(response.map((row) => row.id)).size, response.length)
    const order = response.map((row) => `${row.start} ${row.id}`)
    assert.deepEqual(order, order.toSorted())
    const some = await site.get('/reservations/get/', { past: true, page: 11, per_page: 500 })
    assert.deepEqual(
      some.body.response.map((row) => row.id),
      response.slice(5_000).map((row) => row.id),
    )
  })

  // This test is the last of the file, because the reservation that it books would appear in other lists.
  test('data is listed exactly as it was sent, whatever it contains', async () => {
    const data = {
      'k"ö\\': 'a\n\u0001\u2028 \u007f😀</b>',
      none: null,
      large: 1e21,
      small: -0.5,
      deep: { list: [true, {}] },
    }
    const { id } = await site.booked({ service: 'plain', provider: ana }, { data })
    const { text, body } = await site.get('/reservations/get/', { full: true })
    const shown = body.response.find((row) => row.id === id)
    assert.equal(JSON.stringify(shown?.data), JSON.stringify(data))
    assert.ok(text.startsWith('{"status":"OK","response":[{"id":"r_'), text.slice(0, 60))
    const rewritten = JSON.stringify(body)
    assert.equal(text.length, rewritten.length)
  })
})

const manyReservations = `
  with recursive counted(i) as (select 1 union all select i + 1 from counted where i < 5000)
  insert into reservation (id, service_id, customer_id, provider_id, availability_id, start_at, end_at, status, data,
    local_start, zone, tz_version, version, created_at, updated_at)
  select 'r_' || (100000 + i), cast(? as text), cast(? as text), 1, '', 1795000000 + 60 * (i % 1000),
    1795001800 + 60 * (i % 1000), 'cancelled', '{"number":' || i || '}', '2026-11-18T09:00', 'Europe/Berlin', '2026a', 1,
    1791180000, 1791180000 from counted`

function withIds(site: TestSite, filter: Readonly<Record<string, string>>): Query {
  const ids = (text: string, find: (name: string) => string): string =>
    text
      .split(',')
      .map((name) => (name.trim() === '' ? name : name.replace(name.trim(), find)))
      .join(',')
  return {
    ...filter,
    ...(filter.customers !== undefined && { customers: ids(filter.customers, (name) => site.customer(name)) }),
    ...(filter.services !== undefined && { services: ids(filter.services, (name) => site.service(name)) }),
  }
}

function linksOf(header: string | null): Record<string, string> {
  const links = [...(header ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)]
  return Object.fromEntries(links.map(([, url = '', name = '']) => [name, url]))
}
