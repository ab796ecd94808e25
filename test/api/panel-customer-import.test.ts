import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { ana } from '../support/clinic.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

type RowOutcome = Readonly<Record<string, unknown>>

const row = (fields: Readonly<Record<string, string>>) => ({
  name: '',
  email: '',
  phone: '',
  timezone: '',
  language: '',
  ...fields,
})

onEachDatabase((open) => {
  let site: TestSite
  let desk: BrowserClient
  before(async () => {
    site = await open()
    desk = (await insertSignedInUser(site, 'manager')).browser
  })
  after(() => site.close())

  const post = async (path: string, body: object): Promise<RowOutcome> => {
    const response = await desk.post(path, body)
    assert.equal(response.status, 200, response.text)
    return response.body.response
  }
  const check = async (...rows: object[]): Promise<readonly RowOutcome[]> =>
    Object((await post('/customers/import/check/', { rows })).verdicts)
  const bring = async (shared: string, ...rows: object[]): Promise<readonly RowOutcome[]> =>
    Object((await post('/customers/import/', { rows, shared })).outcomes)
  const one = async (id: unknown) => (await desk.get(`/customers/one/?id=${id}`)).body.response
  const is = (rowOutcomes: readonly RowOutcome[]): unknown[] => rowOutcomes.map((each) => each.is)

  test('every row is checked before anything is stored, and the import does what the check announced', async () => {
    const [known] = await bring('leave', row({ name: 'Ida Berg', email: 'ida@berg.example', phone: '1' }))
    const rows = [
      row({ name: ' Nils Holm ', email: 'Nils@holm.example', phone: '+47 1', timezone: 'Europe/Oslo', language: 'nb' }),
      row({ name: 'ida  BERG', email: 'IDA@berg.example', phone: '2' }),
      row({ name: 'Ida Berg', email: 'ida@berg.example' }),
      row({ name: 'Ole Berg', email: 'ida@berg.example' }),
      row({ name: 'Nobody', email: 'nowhere', timezone: 'Mars/Olympus' }),
      row({ name: ' ', email: 'blank@list.example', phone: '0'.repeat(60) }),
    ]
    const verdicts = await site.assertUnchanged(() => check(...rows))
    assert.deepEqual(is(verdicts), ['new', 'update', 'same', 'shared', 'faulty', 'faulty'])
    assert.deepEqual(verdicts[3]?.names, ['Ida Berg'])
    assert.equal(verdicts[1]?.id, known?.id)
    assert.deepEqual(Object.keys(Object(verdicts[4]?.faults)), ['email', 'timezone'])
    assert.deepEqual(Object.keys(Object(verdicts[5]?.faults)), ['name', 'phone'])
    const outcomes = await bring('leave', ...rows)
    assert.deepEqual(is(outcomes), ['added', 'updated', 'same', 'shared', 'faulty', 'faulty'])
    const nils = await one(outcomes[0]?.id)
    assert.deepEqual([nils.name, nils.email, nils.phone], ['Nils Holm', 'Nils@holm.example', '+47 1'])
    assert.deepEqual([Object(nils.more).timezone, Object(nils.more).language], ['Europe/Oslo', 'nb'])
    assert.equal((await one(known?.id)).phone, '2')
    assert.deepEqual(
      (await site.eventsOf(String(known?.id), 2)).map(({ type }) => type),
      ['customer.created', 'customer.updated'],
    )
    assert.equal((await desk.get('/customers/?search=nils+holm')).body.response.length, 1)
    // A client that lost the response sends the same batch of rows again, which changes nothing.
    const again = await site.assertUnchanged(() => bring('leave', ...rows))
    assert.deepEqual(is(again), ['same', 'same', 'same', 'shared', 'faulty', 'faulty'])
  })

  test('a row finds no customer by a phone number that an earlier row replaced', async () => {
    const [anna] = await bring('leave', row({ name: 'Anna Lind', email: 'anna@lind.example', phone: '111' }))
    const rows = [
      row({ name: 'Anna Lind', email: 'anna@lind.example', phone: '222' }),
      row({ name: 'Anna Lind', phone: '111' }),
      row({ name: 'Anna Lind', phone: '222' }),
    ]
    assert.deepEqual(is(await bring('leave', ...rows)), ['updated', 'added', 'same'])
    assert.equal((await one(anna?.id)).phone, '222')
  })

  test('customers who share an address are added on request, and duplicates only once', async () => {
    const email = 'family@list.example'
    const rows = [row({ name: 'Mum', email }), row({ name: 'Kid', email }), row({ name: 'kid', email, phone: '7' })]
    assert.deepEqual(is(await bring('leave', ...rows)), ['added', 'shared', 'shared'])
    const outcomes = await bring('add', ...rows)
    assert.deepEqual(is(outcomes), ['same', 'added', 'updated'])
    assert.equal(outcomes[1]?.id, outcomes[2]?.id)
    const kid = await one(outcomes[1]?.id)
    assert.deepEqual([kid.name, kid.phone], ['Kid', '7'])
    assert.equal((await site.eventsOf(String(outcomes[1]?.id), 1)).length, 1)
    for (const name of ['Twin', 'Twin']) await desk.post('/customers/add/', { name, email: 'twins@list.example' })
    assert.deepEqual(is(await bring('add', row({ name: 'Twin', email: 'twins@list.example' }))), ['unclear'])
  })

  test('an import is undone for customers without references', async () => {
    const rows = ['Booked', 'Noted', 'Changed', 'Untouched'].map((name) => row({ name, email: `${name}@undo.example` }))
    const ids = (await bring('leave', ...rows)).map(({ id }) => String(id))
    const [booked = '', noted = '', changed = '', untouched = ''] = ids
    await site.book(await site.slot({ service: 'plain', provider: ana }), { customerId: booked })
    await desk.post('/customers/notes/add/', { customerId: noted, text: 'Rings twice.' })
    await site.sql('update customer set updated_at = updated_at + 1 where id = ?', [changed])
    await site.sql("insert into sms_consent (customer_id, number, agreed_at) values (?, '+4930', 1)", [untouched])
    const { removed } = await post('/customers/import/undo/', { ids: [...ids, 'c_none'] })
    assert.deepEqual(removed, [untouched])
    assert.deepEqual(await site.sql('select * from sms_consent where customer_id = ?', [untouched]), [])
    assert.equal((await desk.get(`/customers/one/?id=${untouched}`)).status, 404)
    assert.equal((await one(booked)).name, 'Booked')
    assert.equal((await site.eventsOf(untouched, 2)).at(-1)?.type, 'customer.removed')
    assert.deepEqual((await post('/customers/import/undo/', { ids })).removed, [])
  })

  test('a batch has at most 200 rows to check and 50 to write', async () => {
    const rows = Array.from({ length: 201 }, (_, at) => row({ name: `Row ${at}`, email: `row${at}@list.example` }))
    assert.equal((await desk.post('/customers/import/check/', { rows })).status, 400)
    assert.deepEqual(new Set(is(await check(...rows.slice(1)))), new Set(['new']))
    assert.equal((await desk.post('/customers/import/', { rows: rows.slice(0, 51), shared: 'leave' })).status, 400)
    assert.deepEqual(new Set(is(await bring('leave', ...rows.slice(0, 50)))), new Set(['added']))
    const ids = rows.map(({ name }) => name)
    assert.equal((await desk.post('/customers/import/undo/', { ids: ids.slice(0, 51) })).status, 400)
  })
})
