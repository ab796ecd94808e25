import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cellsOf, matchColumns, parseTable } from '../../web/admin/features/customers/import/import-table.ts'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { ana } from '../support/clinic.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

const details = {
  birthday: '1980-02-29',
  tags: ['VIP', ' vip', 'Allergy'],
  phones: [{ label: 'Work', number: '+49 40 66969198' }],
}

onEachDatabase((open) => {
  let site: TestSite
  let desk: BrowserClient
  let lead: BrowserClient
  before(async () => {
    site = await open()
    desk = (await insertSignedInUser(site, 'receptionist')).browser
    lead = (await insertSignedInUser(site, 'manager')).browser
  })
  after(() => site.close())

  const read = async (path: string, by = desk) => {
    const answer = await by.get(path)
    assert.equal(answer.status, 200, answer.text)
    return Object(answer.body.response)
  }
  const add = async (customer: object): Promise<string> => {
    const answer = await desk.post('/customers/add/', customer)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.id
  }
  const namesOf = async (query: string): Promise<string[]> =>
    (await desk.get(`/customers/?${query}`)).body.response.map(({ name }) => String(name))
  const similar = async (query: object) => {
    const answer = await desk.post('/customers/similar/', query)
    assert.equal(answer.status, 200, answer.text)
    return Object(answer.body.response).items.map(({ name, reasons }: { name: string; reasons: readonly string[] }) => [
      name,
      reasons.join(),
    ])
  }

  test('birthday, tags and further numbers are stored, found, undone, and kept from integrations', async () => {
    const id = await add({ name: 'Uma Reed', email: 'uma@example.com', details })
    const one = await read(`/customers/one/?id=${id}`)
    assert.deepEqual([one.tags, one.more.birthday, one.more.phones], [['Allergy', 'VIP'], '1980-02-29', details.phones])
    for (const query of ['search=66969+198', 'search=04066969198', 'tag=vIp', 'tag=Allergy&search=uma'])
      assert.deepEqual(await namesOf(query), ['Uma Reed'], query)
    assert.deepEqual(await namesOf('search=allergy'), [], 'a tag is no word of the name')
    const born = (birthday: string) => desk.post('/customers/edit/', { id, details: { birthday } })
    assert.equal((await born('2026-10-08')).status, 400, 'the clock of the test shows 5 October')
    assert.equal((await desk.post('/customers/add/', { name: 'Al', details: { birthday: '2999-01-01' } })).status, 400)
    await desk.post('/customers/edit/', { id, details: { tags: [], phones: [] } })
    assert.deepEqual(await namesOf('search=66969+198'), [])
    const [entry] = (await lead.get(`/history/?objectId=${id}`)).body.response
    assert.equal((await lead.post('/history/undo/', { seq: entry?.seq })).status, 200)
    assert.deepEqual(await namesOf('search=66969+198'), ['Uma Reed'])
    await desk.post('/customers/edit/', { id, name: 'Uma Read' })
    assert.deepEqual((await read(`/customers/one/?id=${id}`)).tags, ['Allergy', 'VIP'], 'others are unchanged')
    for (const { object, previous } of await site.eventsOf(id, 4))
      assert.ok(!('details' in Object(object)) && !('details' in Object(previous)))
  })

  test('wrong details are refused beside their field', async () => {
    for (const wrong of [
      { birthday: '29.02.1980' },
      { tags: Array.from({ length: 21 }, (_, index) => `t${index}`) },
      { tags: [' '] },
      { phones: [{ label: 'x'.repeat(41), number: '1' }] },
    ])
      assert.equal((await desk.post('/customers/add/', { name: 'No', phone: '1', details: wrong })).status, 400)
  })

  test('tags are added to and removed from several customers at once, also by two at once', async () => {
    const ids = [
      await add({ name: 'T One', phone: '+49 30 111111' }),
      await add({ name: 'T Two', phone: '+49 30 222222' }),
    ]
    const answers = await Promise.all([
      desk.post('/customers/tags/', { ids, add: ['Group A'] }),
      lead.post('/customers/tags/', { ids: ids.toReversed(), add: ['group b'] }),
    ])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    )
    assert.deepEqual(await namesOf('tag=Group+A'), ['T One', 'T Two'])
    assert.deepEqual(await namesOf('tag=GROUP+B'), ['T One', 'T Two'])
    const removed = await desk.post('/customers/tags/', { ids: [...ids, 'c_none'], remove: ['GROUP a'] })
    assert.equal(Object(removed.body.response).changed, 2)
    assert.deepEqual(
      (await read('/customers/tags/')).tags.filter((tag: string) => tag.toLowerCase().startsWith('group')),
      ['group b'],
    )
  })

  test('suggestions explain themselves, for a stored customer and for one who is about to be added', async () => {
    const id = await add({
      name: 'Ida Lovelace',
      email: 'ida.l@example.com',
      phone: '+49 40 7654321',
      details: { birthday: '1815-12-10' },
    })
    await add({ name: 'Ada Byron', phone: '040 7654321' })
    await add({
      name: 'I. L.',
      email: 'IdaL+x@example.com',
      details: { phones: [{ label: '', number: '0049 40 7654321' }] },
    })
    await add({ name: 'Ida Lovelase', phone: '+49 40 1', details: { birthday: '1815-12-10' } })
    await add({ name: 'Lovelace Ida', phone: '+49 40 2' })
    assert.deepEqual(await similar({ id }), [
      ['I. L.', 'phone,email'],
      ['Ada Byron', 'phone'],
      ['Ida Lovelase', 'name_and_birthday'],
    ])
    assert.deepEqual(await similar({ name: 'ida lovelace' }), [
      ['Ida Lovelace', 'name'],
      ['Lovelace Ida', 'name'],
    ])
    assert.deepEqual(await similar({ email: 'ida.l+spa@example.com' }), [
      ['Ida Lovelace', 'email'],
      ['I. L.', 'email'],
    ])
    assert.deepEqual(await similar({ name: 'Nobody' }), [])
  })

  test('a customer with the same number is suggested among many with the same word of the address', async () => {
    for (let batch = 0; batch < 20; batch++) {
      const rows = Array.from({ length: 50 }, (_, nth) => ({
        ...{ name: `Practice ${batch} ${nth}`, email: `0info@p${batch}-${nth}.example`, phone: '' },
        ...{ language: '', timezone: '' },
      }))
      assert.equal((await lead.post('/customers/import/', { rows, shared: 'add' })).status, 200)
    }
    await add({ name: 'Same number', phone: '040 98765432' })
    assert.deepEqual(await similar({ email: '0info@new.example', phone: '+49 40 98765432' }), [
      ['Same number', 'phone'],
    ])
  })

  test('merged customers keep the tags and numbers of both', async () => {
    const id = await add({ name: 'M', phone: '+49 30 333333', details: { tags: ['one'] } })
    const from = await add({ name: 'M', phone: '+49 30 444444', details: { tags: ['two'], birthday: '1990-01-01' } })
    assert.equal((await lead.post('/customers/merge/', { id, from })).status, 200)
    const { tags, more } = await read(`/customers/one/?id=${id}`)
    assert.deepEqual(
      [tags, more.birthday, more.phones],
      [['one', 'two'], '1990-01-01', [{ label: '', number: '+49 30 444444' }]],
    )
  })

  test('all customers are exported as CSV by those who may, with inert formulas', async () => {
    await add({
      name: '=HYPERLINK("x")',
      phone: '+49 30 555555',
      details: { tags: ['@SUM(A1)'], birthday: '2000-01-01' },
    })
    const { status, text } = await lead.get('/customers/csv/')
    assert.equal(status, 200, text)
    const [header, ...lines] = text.replace('\uFEFF', '').trim().split('\r\n')
    assert.equal(header, 'id,name,email,phone,other phones,birthday,tags,status,language,zone')
    const line = lines.find((one) => one.includes('HYPERLINK'))
    assert.match(line ?? '', /,"'=HYPERLINK\(""x""\)",,\+49 30 555555,,2000-01-01,'@SUM\(A1\),active,,$/)
    assert.equal((await desk.get('/customers/csv/')).status, 403)
  })

  test('an exported customer can be imported with every field that an import has', async () => {
    const customer = {
      name: 'Exported',
      email: 'exported@example.com',
      phone: '+49 30 777777',
      language: 'fr',
      timezone: 'America/Lima',
    }
    await add(customer)
    const table = await parseTable(new Blob([(await lead.get('/customers/csv/')).text]))
    assert.ok(typeof table === 'object', String(table))
    const rows = table.rows.map((row) => cellsOf(row, matchColumns(table.columns)))
    assert.deepEqual(
      rows.find(({ name }) => name === 'Exported'),
      customer,
    )
  })

  test('a provider sees neither tags nor birthday, and asks for neither', async () => {
    const id = await add({ name: 'Seen', phone: '+49 30 666666', details })
    await site.book(await site.slot({ service: 'plain', provider: ana }), { customerId: id })
    const asAna = (await insertSignedInUser(site, 'provider', { providerId: ana })).browser
    const one = await read(`/customers/one/?id=${id}`, asAna)
    assert.deepEqual([one.tags, one.more], [[], null])
    assert.equal((await asAna.get('/customers/?tag=vip')).status, 400)
    assert.equal((await asAna.get('/customers/tags/')).status, 403)
    assert.equal((await asAna.post('/customers/similar/', { name: 'Seen' })).status, 403)
  })

  test('no-shows are counted among the visits that were marked', async () => {
    const id = await add({ name: 'Late', phone: '+49 30 888888' })
    const states = ['no_show', 'completed', 'no_show', undefined]
    for (const [nth, state] of states.entries()) {
      const slot = await site.slot({ service: 'plain', provider: ana, nth })
      const booked = await site.book(slot, { customerId: id })
      if (state) assert.equal((await desk.post('/reservations/attendance/', { id: booked, state })).status, 200)
    }
    assert.deepEqual((await read(`/customers/one/?id=${id}`)).visits, { marked: 3, noShows: 2 })
  })

  test('an erased customer leaves neither details nor tags', async () => {
    const id = await add({ name: 'Gone', phone: '+49 30 777777', details: { ...details, tags: ['secret tag'] } })
    const fresh = (await insertSignedInUser(site, 'admin')).browser
    assert.equal((await fresh.post('/customers/erase/', { id })).status, 200)
    assert.deepEqual((await read('/customers/tags/')).tags.includes('secret tag'), false)
    const left = await site.sql("select count(*) as total from event where body like '%secret tag%'")
    assert.equal(Number(left[0]?.total), 0)
  })
})
