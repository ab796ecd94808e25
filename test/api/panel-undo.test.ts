import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { ana, ben } from '../support/clinic.ts'
import { withSentences } from '../support/sentences.ts'
import type { AnyBody, ApiResponse } from '../support/service.ts'
import {
  assertDone,
  assertRefused,
  assertRestError,
  at,
  onEachDatabase,
  present,
  type TestSite,
} from '../support/test-site.ts'

interface Entry {
  readonly id: string
  readonly seq: string
  readonly type: string
  readonly after: Readonly<Record<string, unknown>> | null
  readonly undo: { readonly does: string | null; readonly why: string | null }
  readonly undone: boolean
  readonly undid: string | null
}

onEachDatabase((open) => {
  let site: TestSite
  let desk: BrowserClient
  let asAna: BrowserClient
  before(async () => {
    site = await open()
    desk = (await insertSignedInUser(site, 'manager')).browser
    asAna = (await insertSignedInUser(site, 'provider', { providerId: ana })).browser
  })
  after(() => site.close())

  const post = async (path: string, body: object): Promise<AnyBody> => {
    const answer = asAny(await desk.post(path, body))
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const entries = async (query: string): Promise<readonly Entry[]> => {
    const answer = await desk.get(`/history/?${query}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.response.map(toEntry)
  }
  const newest = async (objectId: string | number, nth = 0): Promise<Entry> =>
    present((await entries(`objectId=${objectId}`))[nth])
  const undo = async ({ seq }: Pick<Entry, 'seq'>, by = desk): Promise<ApiResponse<AnyBody>> =>
    asAny(await by.post('/history/undo/', { seq }))
  /**
   * Undoes the newest change of an object and returns the history entry of that change. Fails unless the entry
   * announces that undoing it performs the action `does`, such as `move` or `cancel`.
   */
  const back = async (objectId: string | number, does: string): Promise<Entry> => {
    const entry = await newest(objectId)
    assert.deepEqual([entry.undo, entry.undone], [{ does, why: null }, false])
    assertDone(await undo(entry))
    return entry
  }
  const alreadyUndone = async (entry: Entry): Promise<void> => {
    const answer = await undo(entry)
    assertRefused(answer, 409, 'not_undoable')
    assert.equal(answer.body.error, 'This change was already undone.')
  }
  const refusedSince = async (entry: Entry, fields: string): Promise<void> => {
    const answer = await undo(entry)
    assertRefused(answer, 409, 'changed_since')
    assert.match(answer.body.error, new RegExp(`^Changed again since: ${fields}\\. `))
  }

  test('a move is undone as long as there is room, regardless of the rules', async () => {
    const on = site.nextDay()
    const was = await site.booked({ service: 'long', provider: ana, on, nth: 1 })
    const { id, start, end } = was
    await post('/calendar/move/', { id, providerId: ben, start: start + 7_200 })
    await site.setService('long', { leadTimeMinutes: 80_000 })
    const entry = await back(id, 'move')
    const now = await site.reservation(id)
    assert.deepEqual([now.providerId, now.start, now.end, now.status], [ana, start, end, 'confirmed'])
    const undone = await newest(id)
    assert.equal(undone.undid, entry.id)
    assert.deepEqual(undone.after?.override, { reason: 'Undone', rules: ['lead_time'] })
    // The event in the feed contains the reservation as it is after the undo, without the fields that only the panel
    // shows.
    assert.deepEqual((await site.eventsOf(id, 3)).at(-1)?.object, now)
    // An undo can be undone like any other change.
    await back(id, 'move')
    assert.deepEqual((await site.reservation(id)).start, start + 7_200)
    await site.setService('long', { leadTimeMinutes: 0 })
    await site.book(await site.slot({ service: 'long', provider: ana, on, nth: 1 }), {
      customerId: site.customer('Mia'),
    })
    assertRefused(await undo(await newest(id, 2)), 403, 'slot_full')
    assert.deepEqual((await site.reservation(id)).start, start + 7_200)
  })

  test('undoing a move returns the price and the attendance from before it', async () => {
    await site.setService('long', { price: 4_000 })
    const { id, start } = await site.booked({ service: 'long', provider: ana })
    const terms = async (): Promise<unknown> => {
      const { price, currency, attendance } = (await desk.get(`/reservations/one/?id=${id}`)).body.response
      return { price, currency, attendance }
    }
    await post('/reservations/attendance/', { id, state: 'arrived' })
    const before = await terms()
    assert.equal(Object(before).price, 4_000)
    await site.setService('long', { price: 7_000 })
    await post('/calendar/move/', { id, start: start + 7_200 })
    const moved = { price: 7_000, currency: 'EUR', attendance: 'expected' }
    assert.deepEqual(await terms(), moved)
    await back(id, 'move')
    assert.deepEqual(await terms(), before)
    await back(id, 'move')
    assert.deepEqual(await terms(), moved)
    await back(id, 'move')
    await post('/reservations/attendance/', { id, state: 'no_show' })
    await refusedSince(await newest(id, 1), 'attendance')
    await site.setService('long', { price: null })
  })

  test('undoing a change of status follows the rules of such changes', async () => {
    const { id, start } = await site.booked({ service: 'approved', provider: ana })
    const statusIs = async (wanted: string) => assert.equal((await site.reservation(id)).status, wanted)
    await post('/reservations/status/', { id, status: 'confirmed' })
    await back(id, 'edit')
    await statusIs('pending')
    await post('/reservations/status/', { id, status: 'cancelled' })
    await back(id, 'edit')
    await statusIs('pending')
    // Undoing a restoration cancels the reservation.
    await back(id, 'cancel')
    await statusIs('cancelled')
    const other = await site.post('/reservations/add/', {
      ...site.booking(await site.slot({ service: 'approved', provider: ana })),
    })
    assert.equal(other.status, 200, other.text)
    await post('/calendar/move/', { id: other.body.id, start })
    assertRefused(await undo(await newest(id)), 403, 'slot_full')
    await statusIs('cancelled')
  })

  test('an undo reverts the changed fields only, and nothing when one of them was changed since', async () => {
    const { id, start } = await site.booked({ service: 'plain', provider: ana }, { data: { desk: 1, room: 'A' } })
    assertDone(await site.edit(id, { data: { room: 'B', ramp: true } }))
    const first = await newest(id)
    assertDone(await site.edit(id, { data: { desk: 2 }, customerId: site.customer('Max') }))
    assertDone(await undo(first))
    const now = await site.reservation(id)
    assert.deepEqual([now.data, now.customerId], [{ desk: 2, room: 'A' }, site.customer('Max')])
    await post('/calendar/move/', { id, start: start + 3_600 })
    const move = await newest(id)
    assertDone(await site.edit(id, { data: { room: 'C' } }))
    await post('/calendar/move/', { id, start: start + 7_200 })
    await refusedSince(move, 'start, end')
    assert.deepEqual((await site.reservation(id)).start, start + 7_200)
  })

  test("undoing a booking removes it, where the site's policy allows that", async () => {
    const { id } = await site.booked({ service: 'plain', provider: ana })
    await site.setPolicies({ removal: 'cancelled' })
    assertRefused(await undo(await newest(id)), 403, 'reservation_active')
    await site.setPolicies({ removal: 'any' })
    assert.equal((await newest(id)).undo.does, 'remove')
    assertDone(await undo(await newest(id)))
    assert.equal(
      (await site.reservations()).some((one) => one.id === id),
      false,
    )
    const removed = await newest(id)
    assert.deepEqual([removed.type, removed.undo.does], ['reservation.removed', null])
    assertRefused(await undo(removed), 409, 'not_undoable')
    const added = await newest(id, 1)
    assert.deepEqual([removed.undid, added.undone], [added.id, true])
    await alreadyUndone(added)
    const changed = await site.booked({ service: 'plain', provider: ana })
    await post('/reservations/status/', { id: changed.id, status: 'cancelled' })
    await refusedSince(await newest(changed.id, 1), 'status')
  })

  test('undoing a booking is refused once it has a note or an attendance', async () => {
    const { id } = await site.booked({ service: 'plain', provider: ana })
    const added = await newest(id)
    await post('/reservations/note/', { id, note: 'Brings the X-ray' })
    await refusedSince(added, 'note')
    await post('/reservations/note/', { id, note: '' })
    await post('/reservations/attendance/', { id, state: 'arrived' })
    await refusedSince(added, 'attendance')
    await post('/reservations/attendance/', { id, state: 'expected' })
    assertDone(await undo(added))
  })

  test('undoing a restoration cancels again, for the same reason', async () => {
    const { id } = await site.booked({ service: 'plain', provider: ana })
    await post('/reservations/status/', { id, status: 'cancelled', cancelReason: 'Customer is ill' })
    await post('/reservations/status/', { id, status: 'confirmed' })
    await back(id, 'cancel')
    const { response } = (await desk.get(`/reservations/one/?id=${id}`)).body
    assert.equal(Object(response).cancelReason, 'Customer is ill')
  })

  test('a profile is reverted field by field; an added customer without reservations is removed', async () => {
    const { id } = await post('/customers/add/', { name: 'Ida', email: 'ida@list.example', phone: '1' })
    const shown = async () => {
      const { name, phone, status, more } = (await desk.get(`/customers/one/?id=${id}`)).body.response
      return [name, phone, status, Object(more).timezone]
    }
    await post('/customers/edit/', { id, name: 'Ada', status: 2, timezone: 'Europe/Berlin' })
    const edit = await newest(id)
    await post('/customers/edit/', { id, phone: '2' })
    assertDone(await undo(edit))
    assert.deepEqual(await shown(), ['Ida', '2', 1, null])
    await alreadyUndone(edit)
    await refusedSince(await newest(id, 3), 'phone')
    await post('/customers/notes/add/', { customerId: id, text: 'Comes with a dog.' })
    await back(id, 'remove')
    assert.deepEqual(Object((await desk.get(`/customers/one/?id=${id}`)).body.response.more).notes, [])
    const other = await post('/customers/add/', { name: 'Una', email: 'una@list.example' })
    const reservation = await site.booked({ service: 'plain', provider: ben }, { customerId: other.id })
    assertRefused(await undo(await newest(other.id)), 403, 'customer_has_reservations')
    await post('/reservations/status/', { id: reservation.id, status: 'cancelled' })
    await back(other.id, 'remove')
    assert.equal((await desk.get(`/customers/one/?id=${other.id}`)).status, 404)
    // The restored customer has the previous id, so the reservation belongs to the customer again.
    const removal = await back(other.id, 'add')
    const { name, counts } = (await desk.get(`/customers/one/?id=${other.id}`)).body.response
    assert.deepEqual([name, Object(counts).cancelled], ['Una', 1])
    await alreadyUndone(removal)
  })

  test('a service regains its settings, position and keys of integrations; a new one is removed', async () => {
    const made = { name: 'New', durationMinutes: 30, limits: { perServiceDay: 2 } }
    const { response } = await post('/services/add/', made)
    const { id } = Object(response)
    const settings = async () => Object((await desk.get(`/services/one/?id=${id}`)).body.response.settings)
    await post('/services/edit/', { id, name: 'Newer', durationMinutes: 45, price: 900, limits: {}, online: true })
    const edit = await newest(id)
    await post('/services/edit/', { id, capacity: 4 })
    assertDone(await undo(edit))
    const { durationMinutes, price, limits, capacity, online } = await settings()
    assert.deepEqual([durationMinutes, price, limits, capacity, online], [30, null, { perServiceDay: 2 }, 4, false])
    assertDone(await site.post('/services/edit/', { id, name: 'Again', data: { shop: 7, durationMinutes: 60 } }))
    await back(id, 'edit')
    const listed = (await site.get('/services/get/', { full: true })).body.response.find((one) => one.id === id)
    assert.deepEqual([listed?.name, Object(listed?.data).shop], ['New', undefined])
    const order = async () => (await desk.get('/services/')).body.response.map((one) => one.id)
    const was = await order()
    await post('/services/order/', { id, before: was[1] })
    await back(id, 'edit')
    assert.deepEqual(await order(), was)
    const fresh = String(Object((await post('/services/add/', { name: 'Fresh', capacity: 2, price: 5 })).response).id)
    const kept = await desk.get(`/services/one/?id=${fresh}`)
    await back(fresh, 'remove')
    assert.equal((await desk.get(`/services/one/?id=${fresh}`)).status, 404)
    const removal = await back(fresh, 'add')
    assert.deepEqual((await desk.get(`/services/one/?id=${fresh}`)).body, kept.body)
    await alreadyUndone(removal)
  })

  test('a provider regains hours, restrictions and per-service settings; a new one is removed', async () => {
    const id = Number(Object((await post('/providers/add/', { name: 'Fay' })).response).id)
    const shown = async () => (await desk.get(`/providers/one/?id=${id}`)).body.response
    const was = await shown()
    const email = 'fay@list.example'
    await post('/providers/edit/', {
      id,
      weekly: { mon: ['08:00-12:00'] },
      restrictServices: true,
      email,
      meetingLink: 'https://meet.example/a',
    })
    assert.equal(Object(Object(await shown()).booking).meetingLink, 'https://meet.example/a')
    await back(id, 'edit')
    assert.deepEqual(await shown(), was)
    const serviceId = site.service('plain')
    await post('/providers/service/', { id, serviceId, durationMinutes: 20, weight: 3 })
    const edit = await newest(id)
    await post('/providers/service/', { id, serviceId, priority: 2 })
    assertDone(await undo(edit))
    const ofService = Object((await shown()).booking).services.find((one: { id: string }) => one.id === serviceId)
    assert.deepEqual(ofService.own, { priority: 2 })
    await post('/providers/service/', { id, serviceId, priority: 5 })
    await refusedSince(await newest(id, 2), `services\\.${serviceId}\\.priority`)
    const fresh = Number(Object((await post('/providers/add/', { name: 'Gil' })).response).id)
    await back(fresh, 'remove')
    assert.equal((await desk.get(`/providers/one/?id=${fresh}`)).status, 404)
    await post('/providers/remove/', { id })
    assert.equal((await desk.get(`/providers/one/?id=${id}`)).status, 404)
    const removal = await back(id, 'add')
    const { own } = Object((await shown()).booking).services.find((one: { id: string }) => one.id === serviceId)
    assert.deepEqual(own, { priority: 5 })
    await alreadyUndone(removal)
  })

  test('time off is removed, restored under its id, or moved back', async () => {
    const on = site.nextDay()
    const list = async () => {
      const answer = await desk.get(`/time-off/?providerId=${ana}&from=${at(`${on}T00:00`)}&until=${at(`${on}T23:59`)}`)
      return Object(answer.body.response).items
    }
    const stretch = { start: at(`${on}T09:00`), end: at(`${on}T11:00`) }
    const { id } = await post('/time-off/add/', { providerId: ana, ...stretch, note: 'Dentist' })
    const was = await list()
    await post('/time-off/edit/', { id, end: at(`${on}T10:00`), note: 'Short' })
    await back(id, 'edit')
    assert.deepEqual(await list(), was)
    await post('/time-off/remove/', { id })
    const removal = await newest(id)
    assert.equal(removal.undo.does, 'add')
    assertDone(await undo(removal))
    assert.deepEqual(await list(), was)
    await alreadyUndone(removal)
    // The last change restored the time off, so undoing it removes the time off.
    await back(id, 'remove')
    assert.deepEqual(await list(), [])
    await site.booked({ service: 'plain', provider: ana, on })
    assertRefused(await undo(await newest(id)), 409, 'reservations_in_the_way')
  })

  test('settings and policies of the site are reverted one by one', async () => {
    const shown = async () => (await desk.get('/site/')).body.response
    const was = await shown()
    await post('/site/edit/', { name: 'Another clinic', policies: { listFullSlots: true, cancelReasons: ['Ill'] } })
    const edit = await newest('site')
    await post('/site/edit/', { currency: 'CHF' })
    assertDone(await undo(edit))
    assert.deepEqual(await shown(), { ...was, currency: 'CHF' })
    await alreadyUndone(edit)
    await back('site', 'edit')
    assert.equal((await shown()).name, 'Another clinic')
    await back('site', 'edit')
    await post('/site/edit/', { currency: 'EUR' })
    assert.deepEqual(await shown(), was)
  })

  test('an undone entry is marked, and can be undone again after that undo was undone', async () => {
    const { id } = await post('/customers/add/', { name: 'Ida', email: 'again@list.example' })
    await post('/customers/edit/', { id, name: 'Ada' })
    const outcome = async () =>
      (await entries(`objectId=${id}`)).map(({ undone, undo: { does, why } }) => [undone, does, withSentences(why)])
    const yes = [false, 'edit', null]
    const no = [true, null, 'This change was already undone.']
    const added = [false, 'remove', null]
    assert.deepEqual(await outcome(), [yes, added])
    await back(id, 'edit')
    assert.deepEqual(await outcome(), [yes, no, added])
    await back(id, 'edit')
    assert.deepEqual(await outcome(), [yes, no, yes, added])
    await alreadyUndone(await newest(id, 1))
    assertDone(await undo(await newest(id, 2)))
    assert.deepEqual(await outcome(), [yes, yes, no, no, added])
    await back(id, 'edit')
    // The list shows whether an entry is undone even when the entries that undid it are on other pages.
    assert.deepEqual(
      (await entries(`objectId=${id}&per_page=1&page=5`)).map(({ undone }) => undone),
      [false],
    )
  })

  test('an entry that cannot be undone has a reason, which is also the refusal', async () => {
    const erased = await post('/customers/add/', { name: 'Gone', email: 'gone@list.example' })
    await post('/customers/erase/', { id: erased.id })
    const two = [
      await post('/customers/add/', { name: 'One', email: 'one@list.example' }),
      await post('/customers/add/', { name: 'Two', email: 'two@list.example' }),
    ].map(({ id }) => id)
    await post('/customers/merge/', { id: two[0], from: two[1] })
    for (const [entry, why] of [
      [await newest(erased.id), /Erased data cannot be restored/],
      [await newest(erased.id, 1), /was erased/],
      [await newest(String(two[0])), /Merged/],
      [await newest(String(two[1])), /Merged/],
      [present((await entries('type=token'))[0]), /token cannot be changed/],
    ] as const) {
      assert.equal(entry.undo.does, null, entry.type)
      assert.match(String(withSentences(entry.undo.why)), why)
      const answer = await undo(entry)
      assertRefused(answer, 409, 'not_undoable')
      assert.equal(answer.body.error, withSentences(entry.undo.why))
      assert.deepEqual(Object(answer.body.messages).error, entry.undo.why)
    }
  })

  test('an unknown entry is refused, and so is the role provider', async () => {
    for (const seq of ['', 'x', '0'.repeat(22), '9'.repeat(22)])
      assertRefused(await undo({ seq }), 404, 'entry_not_found')
    const { id } = await site.booked({ service: 'plain', provider: ana })
    assertRestError(await undo(await newest(id), asAna), 403, 'rest_forbidden', { admits: ['admin', 'manager'] })
    assert.equal((await site.reservation(id)).status, 'confirmed')
  })
})

function toEntry(row: Readonly<Record<string, unknown>>): Entry {
  return Object(row)
}

function asAny(answer: ApiResponse<unknown>): ApiResponse<AnyBody> {
  return answer as ApiResponse<AnyBody>
}
