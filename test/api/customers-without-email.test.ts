import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

onEachDatabase((open) => {
  let site: TestSite
  let desk: BrowserClient
  before(async () => {
    site = await open()
    desk = (await insertSignedInUser(site, 'manager')).browser
  })
  after(() => site.close())

  const add = async (fields: object): Promise<string> => {
    const response = await desk.post('/customers/add/', fields)
    assert.equal(response.status, 200, response.text)
    return String(response.body.id)
  }
  const one = async (id: string) => (await desk.get(`/customers/one/?id=${id}`)).body.response
  const shown = async (id: string) => {
    const { body } = await site.get('/customers/get/')
    return body.response.find((customer) => customer.id === id)
  }
  const events = async (id: string) => {
    const { body } = await site.get('/events/get/', { limit: 500 })
    return body.response.filter(({ object, previous }) => [Object(object).id, Object(previous).id].includes(id))
  }

  test('are added in the panel with a phone number alone, and not without any contact', async () => {
    const id = await add({ name: 'Ute Anruf', phone: '040 66969 198' })
    assert.equal((await one(id)).email, '')
    const neither = await site.assertUnchanged(() =>
      desk.post('/customers/add/', { name: 'Nix', email: '', phone: ' ' }),
    )
    assert.equal(neither.status, 400)
    assert.deepEqual(neither.body.details, { email: 'Enter an e-mail address or a phone number.' })
    const emptied = await site.assertUnchanged(() => desk.post('/customers/edit/', { id, phone: '' }))
    assert.equal(emptied.status, 400)
    const wrong = await desk.post('/customers/add/', { name: 'Nix', email: 'nowhere', phone: '1' })
    assert.deepEqual([wrong.status, Object.keys(Object(wrong.body.details))], [400, ['email']])
  })

  test('have a placeholder address in the API, which changes nothing when it is sent back', async () => {
    const id = await add({ name: 'Pia Ohne', phone: '030 1' })
    const placeholder = `${id}@no-email.invalid`
    const before = await shown(id)
    assert.equal(before?.email, placeholder)
    const edit = (body: object) => site.post('/customers/edit/', body)
    const same = await site.assertUnchanged(() => edit({ ...before, id }))
    assert.equal(same.status, 200, same.text)
    assert.equal((await one(id)).email, '')
    const other = site.customer('Jo')
    for (const [path, body] of [
      ['/customers/add/', { name: 'X', email: placeholder }],
      ['/customers/add/', { name: 'X', email: 'NEW@NO-EMAIL.INVALID' }],
      ['/customers/edit/', { id: other, email: placeholder }],
      ['/customers/edit/', { id, email: '' }],
      ['/customers/add/', { name: 'X' }],
    ] as const) {
      const response = await site.assertUnchanged(() => site.post(path, body))
      assert.equal(response.status, 400, `${path} ${JSON.stringify(body)} ${response.text}`)
      assert.ok('email' in Object(response.body.details), response.text)
    }
    assert.equal((await edit({ id, email: 'pia@example.com' })).status, 200)
    assert.equal((await shown(id))?.email, 'pia@example.com')
    // An integration may send back an older copy of the customer, in which the address is still the placeholder
    // `<id>@no-email.invalid`. The placeholder does not replace the address that was added since.
    assert.equal((await edit({ id, email: placeholder })).status, 200)
    assert.equal((await shown(id))?.email, 'pia@example.com')
  })

  test('have the placeholder in the feed, and no address in the history and in exports', async () => {
    const id = await add({ name: 'Fee Fluss', phone: '030 2' })
    await desk.post('/customers/edit/', { id, phone: '030 3' })
    const placeholder = `${id}@no-email.invalid`
    const [created, updated] = await events(id)
    assert.equal(Object(created?.object).email, placeholder)
    assert.deepEqual([Object(updated?.object).email, Object(updated?.previous).email], [placeholder, placeholder])
    const { history } = Object((await one(id)).more)
    assert.deepEqual(
      history.map((entry: object) => Object(Object(entry).after).email),
      ['', ''],
    )
    const own = await desk.get(`/customers/export/?id=${id}`)
    assert.ok(!own.text.includes('no-email.invalid'), own.text)
  })

  test('are restored when their removal, or a new address, is undone', async () => {
    const id = await add({ name: 'Uli Undo', phone: '030 4' })
    const undo = async (): Promise<void> => {
      const [entry] = Object((await one(id)).more ?? { history: [] }).history
      const response = await desk.post('/history/undo/', { seq: entry.seq })
      assert.equal(response.status, 200, response.text)
    }
    await desk.post('/customers/edit/', { id, email: 'uli@example.com' })
    await undo()
    assert.equal((await one(id)).email, '')
    assert.equal((await site.post('/customers/remove/', undefined, { query: { id } })).status, 200)
    const removal = (await desk.get(`/history/?objectId=${id}`)).body.response[0]
    const back = await desk.post('/history/undo/', { seq: removal?.seq })
    assert.equal(back.status, 200, back.text)
    assert.equal((await one(id)).email, '')
  })

  test('are found by number and by placeholder, and not by the common part of placeholders', async () => {
    const id = await add({ name: 'Sina Suche', phone: '+49 30 5551234' })
    const found = async (search: string) =>
      (await desk.get(`/customers/?search=${encodeURIComponent(search)}`)).body.response.map((one) => one.id)
    assert.deepEqual(await found('sina suche'), [id])
    assert.deepEqual(await found(`${id}@no-email.invalid`), [id])
    assert.deepEqual(await found('no-email'), [])
  })

  test('take the address of the customer they are merged with', async () => {
    const stays = await add({ name: 'Max Merge', phone: '030 6' })
    const goes = await add({ name: 'M. Merge', email: 'merge@example.com' })
    assert.equal((await desk.post('/customers/merge/', { id: stays, from: goes })).status, 200)
    assert.equal((await one(stays)).email, 'merge@example.com')
  })

  test('are erased like others', async () => {
    const id = await add({ name: 'Erna Erase', phone: '030 777888999' })
    assert.equal((await desk.post('/customers/erase/', { id })).status, 200)
    const log = await site.get('/events/get/', { limit: 500 })
    assert.ok(!log.text.includes('030 777888999'))
    assert.ok(!log.text.includes('Erna'))
  })

  test('are imported by name and number, and the placeholder counts as no address', async () => {
    const row = (fields: object) => ({ name: '', email: '', phone: '', timezone: '', language: '', ...fields })
    const rows = [
      row({ name: 'Ida Import', phone: '040 111' }),
      row({ name: 'ida import', phone: '040 111', language: 'de' }),
      row({ name: 'Ole Import', phone: '040 111' }),
      row({ name: 'Ida Import', phone: '040 222', email: 'c_x@no-email.invalid' }),
      row({ name: 'Nemo Import' }),
    ]
    const bring = async () => {
      const response = await desk.post('/customers/import/', { rows, shared: 'leave' })
      assert.equal(response.status, 200, response.text)
      return Object(response.body.response.outcomes).map((one: object) => Object(one).is)
    }
    assert.deepEqual(await bring(), ['added', 'updated', 'shared', 'added', 'faulty'])
    assert.deepEqual(await bring(), ['same', 'same', 'shared', 'same', 'faulty'])
  })

  test('are exported to a site file without an address, and restored from it', async () => {
    const id = await add({ name: 'Sven Datei', phone: '030 8' })
    const twin = await add({ name: 'Sven Datei', phone: '030 9' })
    const exported = await site.server.daybook('export', '--with-reservations')
    assert.equal(exported.code, 0, exported.stderr)
    assert.ok(!exported.stdout.includes('no-email.invalid'))
    const siteFile = JSON.parse(exported.stdout)
    const own = siteFile.customers.filter((one: { readonly id: string }) => [id, twin].includes(one.id))
    assert.deepEqual(
      own.map(Object.keys).map((keys: string[]) => keys.includes('email')),
      [false, false],
    )
    const unnamed = own.map(({ id: _, ...rest }: { readonly id: string }) => rest)
    await site.assertUnchanged(() => site.server.apply({ customers: unnamed }))
    await site.server.apply({ customers: [{ ...unnamed[0], email: `${id}@no-email.invalid`, language: 'de' }] })
    assert.deepEqual([(await one(id)).email, Object((await one(id)).more).language], ['', 'de'])
  })
})
