import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { ana, ben } from '../support/clinic.ts'
import type { AnyBody, ApiResponse } from '../support/service.ts'
import { assertDone, assertRefused, onEachDatabase, type TestSite } from '../support/test-site.ts'

onEachDatabase((open) => {
  let site: TestSite
  let desk: BrowserClient
  let colleague: BrowserClient
  let asAna: BrowserClient
  before(async () => {
    site = await open()
    desk = (await insertSignedInUser(site, 'receptionist')).browser
    colleague = (await insertSignedInUser(site, 'receptionist')).browser
    asAna = (await insertSignedInUser(site, 'provider', { providerId: ana })).browser
  })
  after(() => site.close())

  /** Makes a change of a reservation and returns the id of the log entry of the change. */
  const changed = async (path: string, body: object, by = desk): Promise<string | null> => {
    const answer = await by.post(path, body)
    assert.equal(answer.status, 200, answer.text)
    return Object(answer.body.response).change
  }
  const undo = async (id: string, change: string | null, more: object = {}, by = desk): Promise<ApiResponse<AnyBody>> =>
    asAny(await by.post('/reservations/undo/', { id, change, ...more }))
  const shown = async (id: string): Promise<Readonly<Record<string, unknown>>> => ({
    ...(await desk.get(`/reservations/one/?id=${id}`)).body.response,
  })
  const terms = async (id: string): Promise<unknown> => {
    const { start, end, price, attendance, attendedAt } = await shown(id)
    return { start, end, price, attendance, attendedAt }
  }

  test('the undo of a move returns the price and the attendance from before it', async () => {
    await site.setService('long', { price: 4_000 })
    const { id, start } = await site.booked({ service: 'long', provider: ana })
    await changed('/reservations/attendance/', { id, state: 'arrived' })
    const was = await terms(id)
    await site.setService('long', { price: 7_000 })
    const change = await changed('/calendar/move/', { id, start: start + 7_200, notify: false })
    assert.notDeepEqual(await terms(id), was)
    for (const attempt of ['first', 'repeated']) {
      const answer = await undo(id, change, { notify: false })
      assert.equal(answer.status, 200, `${attempt}: ${answer.text}`)
      assert.deepEqual(await terms(id), was, attempt)
    }
    const events = await site.sql('select body from event where object_id = ? and undid = ?', [id, change])
    assert.deepEqual(
      events.map(({ body }) => JSON.parse(String(body)).object.notifyCustomer),
      [false],
    )
    await site.setService('long', { price: null })
  })

  test('the undo of a mark does not mark a reservation that was cancelled in the meantime', async () => {
    const { id } = await site.booked({ service: 'plain', provider: ana })
    await changed('/reservations/attendance/', { id, state: 'arrived' })
    const reset = await changed('/reservations/attendance/', { id, state: 'expected' })
    await changed('/reservations/status/', { id, status: 'cancelled' })
    assertRefused(await undo(id, reset), 409, 'changed_since')
    assert.equal((await shown(id)).attendance, 'expected')
  })

  test('the undo of a move returns no attendance to a reservation that was cancelled in the meantime', async () => {
    const admin = (await insertSignedInUser(site, 'admin')).browser
    const { id, start } = await site.booked({ service: 'long', provider: ana })
    await changed('/reservations/attendance/', { id, state: 'no_show' })
    const move = await changed('/calendar/move/', { id, start: start + 7_200, notify: false })
    await changed('/reservations/status/', { id, status: 'cancelled' })
    const entry = (await site.eventsOf(id, 4)).find((event) => event.id === move)
    const undone = await admin.post('/history/undo/', { seq: entry?.seq })
    assert.equal(undone.status, 200, undone.text)
    const after = await shown(id)
    assert.deepEqual([after.start, after.status, after.attendance], [start, 'cancelled', 'expected'])
  })

  test('the undo of a move by an absence returns the price, also while the provider is away', async () => {
    await site.setService('long', { price: 4_000 })
    const { id, start, end } = await site.booked({ service: 'long', provider: ana })
    await site.setService('long', { price: 7_000 })
    await desk.post('/time-off/add/', { providerId: ana, start, end, despite: true })
    const from = { providerId: ana, start }
    const change = await changed('/replanning/move/', { id, from, to: { providerId: ben, start } })
    assert.equal((await shown(id)).price, 7_000)
    assertDone(await undo(id, change))
    const { price, provider } = await shown(id)
    assert.deepEqual([price, Object(provider).id], [4_000, ana])
    await site.setService('long', { price: null })
  })

  test('the undo of an attendance returns the times of the visit', async () => {
    const { id } = await site.booked({ service: 'plain', provider: ana })
    for (const state of ['arrived', 'in_service', 'completed'])
      await changed('/reservations/attendance/', { id, state }, asAna)
    const was = await terms(id)
    const change = await changed('/reservations/attendance/', { id, state: 'expected' }, asAna)
    assertDone(await undo(id, change, {}, asAna))
    assert.deepEqual(await terms(id), was)
  })

  test('the undo of a cancellation overrides rules for the desk, and not for a provider', async () => {
    const { id } = await site.booked({ service: 'plain', provider: ana })
    const cancel = (by: BrowserClient) => changed('/reservations/status/', { id, status: 'cancelled' }, by)
    const [byAna, byDesk] = [await cancel(asAna), await cancel(desk)]
    assert.equal(byDesk, null, 'a status that is set already is no change')
    await site.setService('plain', { leadTimeMinutes: 80_000 })
    assertRefused(await undo(id, byAna, {}, asAna), 403, 'slot_lead_time')
    await site.setService('plain', { leadTimeMinutes: 0 })
    assertDone(await undo(id, byAna, {}, asAna))
    const again = await cancel(desk)
    await site.setService('plain', { leadTimeMinutes: 80_000 })
    assertDone(await undo(id, again))
    assert.equal((await site.reservation(id)).status, 'confirmed')
    await site.setService('plain', { leadTimeMinutes: 0 })
  })

  test('the undo of a restoration cancels again for the same reason', async () => {
    const { id } = await site.booked({ service: 'plain', provider: ana })
    await changed('/reservations/status/', { id, status: 'cancelled', cancelReason: 'Customer is ill' })
    assertDone(await undo(id, await changed('/reservations/status/', { id, status: 'confirmed' })))
    assert.equal((await shown(id)).cancelReason, 'Customer is ill')
  })

  test('only own changes are undone, and none that was changed again since', async () => {
    const { id, start } = await site.booked({ service: 'plain', provider: ana })
    const change = await changed('/calendar/move/', { id, start: start + 3_600 })
    assertRefused(await undo(id, change, {}, colleague), 404, 'entry_not_found')
    assertRefused(await undo(id, change, {}, asAna), 404, 'entry_not_found')
    const bens = await site.booked({ service: 'plain', provider: ben })
    assertRefused(await undo(bens.id, change), 404, 'entry_not_found')
    assertRefused(await undo(bens.id, change, {}, asAna), 404, 'reservation_not_found')
    await changed('/calendar/move/', { id, start: start + 7_200 }, colleague)
    assertRefused(await undo(id, change), 409, 'changed_since')
    const later = await changed('/calendar/move/', { id, start })
    await changed('/reservations/status/', { id, status: 'cancelled' }, colleague)
    assertRefused(await undo(id, later), 409, 'changed_since')
    assert.equal((await site.reservation(id)).start, start)
  })

  test('the undo of a move is refused once a colleague changed another part of the slot', async () => {
    const { id, start } = await site.booked({ service: 'plain', provider: ana })
    const later = await changed('/calendar/move/', { id, start: start + 3_600 })
    await changed('/calendar/move/', { id, start: start + 3_600, providerId: ben }, colleague)
    const refused = await site.assertUnchanged(() => undo(id, later))
    assertRefused(refused, 409, 'changed_since')
    assert.match(String(refused.body.error), /^Changed again since: providerId\./)
    const back = await changed('/calendar/move/', { id, start: start + 3_600, providerId: ana })
    await changed('/calendar/move/', { id, start: start + 7_200 }, colleague)
    assertRefused(await site.assertUnchanged(() => undo(id, back)), 409, 'changed_since')
  })

  test('the undo of a move does nothing once the reservation was moved back otherwise', async () => {
    const { id, start } = await site.booked({ service: 'plain', provider: ana })
    const change = await changed('/calendar/move/', { id, start: start + 3_600 })
    await changed('/calendar/move/', { id, start }, colleague)
    assertDone(await site.assertUnchanged(() => undo(id, change)))
    assert.equal((await site.reservation(id)).start, start)
  })

  test('a booking is not removed as an own change', async () => {
    const slot = await site.slot({ service: 'plain', provider: ana })
    const parties = { serviceId: slot.serviceId, providerId: ana, customerId: site.customer('Jo') }
    const { body } = await desk.post('/calendar/book/', { ...parties, start: slot.start })
    const [event] = await site.sql('select id from event where object_id = ?', [body.id])
    assertRefused(await undo(String(body.id), String(event?.id)), 404, 'entry_not_found')
  })
})

// The envelope is the same for all routes; the assertions only read it.
function asAny(answer: ApiResponse<unknown>): ApiResponse<AnyBody> {
  return { ...answer, body: Object(answer.body) }
}
