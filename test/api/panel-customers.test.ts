import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { ana, ben } from '../support/clinic.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

const day = '2026-10-08'

onEachDatabase((open) => {
  let site: TestSite
  let manager: BrowserClient
  let asAna: BrowserClient
  let asNobody: BrowserClient
  before(async () => {
    site = await open()
    manager = (await insertSignedInUser(site, 'manager')).browser
    asAna = (await insertSignedInUser(site, 'provider', { providerId: ana })).browser
    asNobody = (await insertSignedInUser(site, 'provider')).browser
    const slots = { service: 'plain', on: day }
    await site.book(await site.slot({ ...slots, provider: ana, nth: 0 }), { customerId: site.customer('Jo') })
    await site.book(await site.slot({ ...slots, provider: ben, nth: 4 }), { customerId: site.customer('Jo') })
    await site.book(await site.slot({ ...slots, provider: ben, nth: 8 }), { customerId: site.customer('Mia') })
  })
  after(() => site.close())

  const add = async (fields: Readonly<Record<string, unknown>>): Promise<string> => {
    const response = await manager.post('/customers/add/', fields)
    assert.equal(response.status, 200, response.text)
    return String(response.body.id)
  }
  const found = async (query: string, browser = manager): Promise<unknown[]> => {
    const response = await browser.get(`/customers/?${query}`)
    assert.equal(response.status, 200, response.text)
    assert.equal(response.headers.get('X-WP-Total'), String(response.body.response.length))
    return response.body.response.map(({ id }) => id)
  }
  const one = async (id: string, browser = manager) => browser.get(`/customers/one/?id=${id}`)

  test('customers are found by prefixes of name, address and number, in any order', async () => {
    const id = await add({ name: 'Zoë Müller-Lüdenscheidt', email: 'zoe@haus.example', phone: '+49 30 901820' })
    for (const search of ['zoe', 'mull zo', 'LÜDEN', 'zoe@haus', '+49 (30) 9018', id])
      assert.deepEqual(await found(`search=${encodeURIComponent(search)}`), [id], search)
    assert.deepEqual(await found('search=zoe+nobody'), [])
    await manager.post('/customers/edit/', { id, name: 'Yara' })
    assert.deepEqual(await found('search=muller'), [])
    assert.deepEqual(await found('search=yara'), [id])
  })

  test('a caller is found by the end of the number and by its national notation', async () => {
    const kept = await add({ name: 'Olé Ångström', email: 'ole@list.example', phone: '+494066969198' })
    const national = await add({ name: 'Ute', phone: '089 / 55 66 77 88' })
    for (const [search, id] of [
      ['66969 198', kept],
      ['04066969198', kept],
      ['+49 40 66969198', kept],
      ['angstrom 9198', kept],
      ['+49 89 55667788', national],
      ['5566 7788', national],
    ] as const)
      assert.deepEqual(await found(`search=${encodeURIComponent(search)}`), [id], search)
    await manager.post('/customers/edit/', { id: kept, phone: '+49 40 1' })
    assert.deepEqual(await found('search=04066969198'), [])
  })

  test('customers are listed by name or creation, filtered by status, with their visits', async () => {
    const b = await add({ name: 'sorted b', email: 'sorted@list.example' })
    const a = await add({ name: 'Sorted A', email: 'sorted@list.example' })
    assert.deepEqual(await found('search=sorted'), [a, b])
    assert.deepEqual(await found('search=sorted&sort=-name'), [b, a])
    assert.deepEqual(await found('search=sorted&sort=created'), [b, a])
    assert.deepEqual(await found('search=sorted&sort=-created'), [a, b])
    await manager.post('/customers/edit/', { id: a, status: 0 })
    assert.deepEqual(await found('search=sorted&status=0'), [a])
    assert.deepEqual(await found('search=sorted&status=1'), [b])
    const page = await manager.get('/customers/?search=sorted&per_page=1&page=2')
    assert.deepEqual([page.body.response[0]?.id, page.headers.get('X-WP-Total')], [b, '2'])
    const [jo] = (await manager.get(`/customers/?search=${site.customer('Jo')}`)).body.response
    assert.equal(jo?.lastAt, null)
    assert.equal(typeof jo?.nextAt, 'number')
    const far = await manager.get('/customers/?page=201&per_page=50')
    assert.deepEqual([far.status, Object.keys(far.body.details ?? {})], [400, ['page']])
  })

  test('a note is stored with author and time, and its removal is in the history', async () => {
    const author = await insertSignedInUser(site, 'manager')
    const id = await add({ name: 'Noted', email: 'noted@list.example' })
    const note = await author.browser.post('/customers/notes/add/', { customerId: id, text: '  Comes with a dog. ' })
    assert.equal(note.status, 200, note.text)
    const { more, counts } = (await one(id)).body.response
    const notes = Object(more).notes
    assert.deepEqual(counts, { pending: 0, confirmed: 0, cancelled: 0 })
    assert.equal(notes.length, 1)
    assert.equal(notes[0].text, 'Comes with a dog.')
    assert.equal(notes[0].by, author.email.split('@')[0])
    assert.equal((await manager.post('/customers/notes/remove/', { id: notes[0].id })).status, 200)
    assert.equal((await manager.post('/customers/notes/remove/', { id: notes[0].id })).status, 404)
    const later = Object((await one(id)).body.response.more)
    assert.deepEqual(later.notes, [])
    assert.deepEqual(
      later.history.map(({ type }: { type: string }) => type),
      ['customer_note.removed', 'customer_note.created', 'customer.created'],
    )
    const feed = await site.get('/events/get/', { limit: 500 })
    assert.ok(!feed.text.includes('Comes with a dog'), 'notes are not for integrations')
    const empty = await manager.post('/customers/notes/add/', { customerId: id, text: ' ' })
    assert.deepEqual([empty.status, Object.keys(empty.body.details ?? {})], [400, ['text']])
    assert.equal((await manager.post('/customers/notes/add/', { customerId: 'c_none', text: 'x' })).status, 404)
  })

  test('a provider sees contact data of their own customers only', async () => {
    const jo = site.customer('Jo')
    assert.deepEqual(await found('', asAna), [jo])
    assert.deepEqual(await found('search=mia', asAna), [])
    assert.deepEqual(await found('', asNobody), [])
    const { body } = await one(jo, asAna)
    assert.deepEqual([body.response.status, body.response.more], [null, null])
    assert.deepEqual(body.response.counts, { pending: 0, confirmed: 1, cancelled: 0 })
    assert.deepEqual(Object((await one(jo)).body.response.counts).confirmed, 2)
    assert.equal((await one(site.customer('Mia'), asAna)).status, 404)
    assert.equal((await asAna.get('/customers/?status=2')).status, 400)
    assert.equal((await asAna.post('/customers/edit/', { id: jo, name: 'x' })).status, 403)
  })

  test('an edit in the panel changes the sent fields, and reports an invalid one by name', async () => {
    const id = await add({ name: 'Edited', email: 'edited@list.example', phone: '1', language: 'de' })
    assert.equal((await manager.post('/customers/edit/', { id, phone: '2', status: 2 })).status, 200)
    const { name, phone, status, more } = (await one(id)).body.response
    assert.deepEqual([name, phone, status, Object(more).language], ['Edited', '2', 2, 'de'])
    for (const [field, value] of [
      ['email', 'nobody'],
      ['name', ' '],
      ['status', 3],
      ['timezone', 'Europe/Nowhere'],
    ] as const) {
      const response = await manager.post('/customers/edit/', { id, [field]: value })
      assert.deepEqual([response.status, Object.keys(response.body.details ?? {})], [400, [field]])
    }
    assert.equal((await manager.post('/customers/edit/', { id: 'c_none', name: 'x' })).status, 404)
  })
})
