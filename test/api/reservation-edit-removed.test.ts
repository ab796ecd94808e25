import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { wallTime } from '../../src/scheduling/time/zone.ts'
import { insertSignedInUser } from '../support/browser-client.ts'
import { ana } from '../support/clinic.ts'
import { assertDone, assertRefused, onEachDatabase, type TestSite } from '../support/test-site.ts'

onEachDatabase((open) => {
  let site: TestSite
  before(async () => {
    site = await open()
  })
  after(() => site.close())

  test('a listed reservation whose service, provider or customer was removed can be sent back unchanged', async () => {
    const { browser: desk } = await insertSignedInUser(site, 'admin')
    const serviceId = (await site.post('/services/add/', { name: 'Brief' })).body.id
    const customerId = (await site.post('/customers/add/', { name: 'Guest', email: 'guest@example.com' })).body.id
    const providerId = Number(Object((await desk.post('/providers/add/', { name: 'Fay' })).body.response).id)
    const [slot] = (await site.slots({ provider: ana })).filter((one) => one.serviceId === serviceId)
    const [first, second, third] = await site.slots({ service: 'plain', provider: ana })
    assert.ok(slot && first && second && third)
    const ofService = await site.book(slot)
    const ofProvider = await site.book(second)
    const ofCustomer = await site.book(third, { customerId })
    for (const id of [ofService, ofProvider, ofCustomer]) assertDone(await site.edit(id, { status: 'cancelled' }))
    assertDone(await site.edit(ofProvider, { providerId }))
    for (const [path, id] of [
      ['/services/remove/', serviceId],
      ['/customers/remove/', customerId],
    ] as const)
      assertDone(await site.server.call('POST', path, { query: { id } }))
    assert.equal((await desk.post('/providers/remove/', { id: providerId })).status, 200)
    for (const id of [ofService, ofProvider, ofCustomer]) {
      const listed = await site.reservation(id)
      assertDone(await site.assertUnchanged(() => site.edit(id, { ...listed })))
      assertDone(await site.edit(id, { ...listed, data: { note: 'checked' } }))
    }
    const restored = await site.assertUnchanged(() => site.edit(ofProvider, { status: 'confirmed' }))
    assertRefused(restored, 404, 'provider_not_found', ['providerId'])
    const refused = await site.assertUnchanged(() => site.edit(ofProvider, { serviceId }))
    assertRefused(refused, 404, 'service_not_found', ['serviceId'])
  })

  test('a cancelled reservation whose service was removed moves to another start with its old length', async () => {
    const serviceId = (await site.post('/services/add/', { name: 'Brief' })).body.id
    const [slot] = (await site.slots({ provider: ana })).filter((one) => one.serviceId === serviceId)
    assert.ok(slot)
    const id = await site.book(slot)
    assertDone(await site.edit(id, { status: 'cancelled' }))
    assertDone(await site.server.call('POST', '/services/remove/', { query: { id: serviceId } }))
    for (const start of [slot.end + 7_200, slot.start - 7_200]) {
      assertDone(await site.edit(id, { start }))
      const moved = await site.reservation(id)
      assert.deepEqual([moved.start, moved.end], [start, start + slot.end - slot.start])
      const rows = await site.sql('select local_start from reservation where id = ?', [id])
      assert.deepEqual(rows, [{ local_start: wallTime('Europe/Berlin', start) }])
    }
    assertRefused(await site.edit(id, { end: 5 }), 400, 'invalid_parameter', ['end'])
  })
})
