import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { ana, ben } from '../support/clinic.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

onEachDatabase((open) => {
  let site: TestSite
  let manager: BrowserClient
  let asAna: BrowserClient
  before(async () => {
    site = await open()
    manager = (await insertSignedInUser(site, 'manager')).browser
    asAna = (await insertSignedInUser(site, 'provider', { providerId: ana })).browser
  })
  after(() => site.close())

  const book = async (provider = ana): Promise<string> => (await site.booked({ service: 'plain', provider })).id
  const mark = async (id: string, state: string, status = 200, by = manager) => {
    const answer = await by.post('/reservations/attendance/', { id, state })
    assert.equal(answer.status, status, answer.text)
    return answer
  }
  const shown = async (id: string): Promise<Record<string, unknown>> => {
    const { body } = await manager.get(`/reservations/one/?id=${id}`)
    return { ...body.response }
  }
  const entries = async (id: string) => {
    const { body } = await manager.get(`/history/?type=reservation&id=${id}`)
    return body.response.map((one) => ({ ...one }))
  }

  test('a visit is marked step by step, and integrations see state and times once it is marked', async () => {
    const id = await book()
    assert.equal('attendance' in (await site.reservation(id)), false, 'the contract’s fields are unchanged')
    await mark(id, 'arrived')
    await mark(id, 'in_service')
    await mark(id, 'completed')
    const { attendance } = { attendance: {}, ...(await site.reservation(id)) }
    const { state, arrived, in_service, completed, ...rest } = { state: '', ...attendance } as Record<string, unknown>
    assert.deepEqual([state, rest], ['completed', {}])
    for (const at of [arrived, in_service, completed]) assert.equal(typeof at, 'number')
    assert.deepEqual((await shown(id)).attendedAt, { arrived, in_service, completed })
    const { status } = await site.reservation(id)
    assert.equal(status, 'confirmed', 'attendance is independent of the status')
    const events = await site.eventsOf(id, 4)
    assert.deepEqual(
      events.map(({ type }) => type),
      ['reservation.created', ...Array.from({ length: 3 }, () => 'reservation.attendance')],
    )
  })

  test('the same state again changes nothing, and going back removes later times', async () => {
    const id = await book()
    await mark(id, 'arrived')
    const { updated } = await site.reservation(id)
    await mark(id, 'arrived')
    await mark(id, 'no_show')
    await mark(id, 'expected')
    assert.equal('attendance' in (await site.reservation(id)), false)
    assert.equal((await site.eventsOf(id, 4)).length, 4)
    assert.ok((await site.reservation(id)).updated >= updated)
  })

  test('a mark is undone from the history, with the previous times', async () => {
    const id = await book()
    await mark(id, 'arrived')
    const before = (await shown(id)).attendedAt
    await mark(id, 'no_show')
    const [last] = await entries(id)
    const undone = await manager.post('/history/undo/', { seq: last?.seq })
    assert.equal(undone.status, 200, undone.text)
    const now = await shown(id)
    assert.deepEqual([now.attendance, now.attendedAt], ['arrived', before])
  })

  test('a reservation that moves to another time is expected again', async () => {
    const id = await book()
    await mark(id, 'no_show')
    const slot = await site.slot({ service: 'plain', provider: ana })
    const { availabilityId, start, end } = slot
    assert.equal((await site.edit(id, { availabilityId, start, end })).status, 200)
    assert.equal((await shown(id)).attendance, 'expected')
  })

  test('a reservation that another provider takes over at the same time keeps its attendance', async () => {
    const id = await book()
    await mark(id, 'arrived')
    const { attendedAt } = await shown(id)
    const { start } = await site.reservation(id)
    const moved = await manager.post('/calendar/move/', { id, providerId: ben, start })
    assert.equal(moved.status, 200, moved.text)
    const now = await shown(id)
    assert.deepEqual([now.attendance, now.attendedAt], ['arrived', attendedAt])
    assert.equal((await site.reservation(id)).providerId, ben)
  })

  test('a cancelled reservation refuses a mark, with the reason beside the field', async () => {
    const id = await book()
    await site.edit(id, { status: 'cancelled' })
    const { body } = await mark(id, 'arrived', 400)
    assert.deepEqual(Object.keys(body.details), ['state'])
    await mark(id, 'expected')
  })

  test('an unknown state and an unknown reservation are refused', async () => {
    await mark(await book(), 'late', 400)
    await mark('r_unknown', 'arrived', 404)
  })

  test('the role provider marks and notes reservations of their own only', async () => {
    const [own, other] = [await book(), await book(ben)]
    await mark(own, 'arrived', 200, asAna)
    await mark(other, 'arrived', 404, asAna)
    assert.equal((await asAna.post('/reservations/note/', { id: own, note: 'Brings the X-ray' })).status, 200)
    assert.equal((await asAna.post('/reservations/note/', { id: other, note: 'x' })).status, 404)
  })

  test('notes and reasons of a cancellation stay in the panel', async () => {
    const id = await book()
    const note = 'Afraid of needles'
    const reason = 'Customer is ill'
    const replaced = 'Bitten once'
    for (const text of [replaced, note])
      assert.equal((await manager.post('/reservations/note/', { id, note: text })).status, 200)
    const cancelled = await manager.post('/reservations/status/', { id, status: 'cancelled', cancelReason: reason })
    assert.equal(cancelled.status, 200, cancelled.text)
    const now = await shown(id)
    assert.deepEqual([now.note, now.cancelReason], [note, reason])
    const outside = JSON.stringify([await site.reservation(id), await site.eventsOf(id, 4)])
    for (const secret of [note, replaced, reason]) assert.ok(!outside.includes(secret), outside)
    await manager.post('/reservations/status/', { id, status: 'confirmed' })
    assert.equal((await shown(id)).cancelReason, '', 'a restored reservation has no reason')
  })

  test('a note that another user has changed since it was opened is not replaced', async () => {
    const id = await site.book(await site.slot({ service: 'plain', provider: ana }))
    const write = (note: string, was: string) => manager.post('/reservations/note/', { id, note, was })
    assert.equal((await write('Allergic to latex', '')).status, 200)
    const late = await write('Brings a dog', '')
    assert.equal(late.status, 409)
    assert.match(late.text, /Changed again since: Note/i)
    const shown = Object((await manager.get(`/reservations/one/?id=${id}`)).body.response)
    assert.equal(shown.note, 'Allergic to latex')
    // A site file stores a note with its white space.
    await site.sql('update reservation set note = ? where id = ?', ['Allergic\n', id])
    assert.equal((await write('Allergic to latex', 'Allergic\n')).status, 200)
  })

  test('a changed note is undone from the history', async () => {
    const id = await book()
    await manager.post('/reservations/note/', { id, note: 'first' })
    await manager.post('/reservations/note/', { id, note: 'second' })
    const [last] = await entries(id)
    assert.equal((await manager.post('/history/undo/', { seq: last?.seq })).status, 200)
    assert.equal((await shown(id)).note, 'first')
  })

  test('a booking at the desk stores its note, and erasing the customer removes notes and reasons', async () => {
    const { body } = await site.post('/customers/add/', { name: 'Gone', email: 'gone@example.com' })
    const { serviceId, start } = await site.slot({ service: 'plain', provider: ana })
    const wanted = { serviceId, providerId: ana, start, customerId: body.id }
    const booked = await manager.post('/calendar/book/', { ...wanted, note: 'canary-note' })
    assert.equal(booked.status, 200, booked.text)
    const { id } = booked.body
    assert.equal((await shown(id)).note, 'canary-note')
    await manager.post('/reservations/status/', { id, status: 'cancelled', cancelReason: 'canary-reason' })
    const admin = (await insertSignedInUser(site, 'admin')).browser
    const erased = await admin.post('/customers/erase/', { id: body.id })
    assert.equal(erased.status, 200, erased.text)
    const now = await shown(id)
    assert.deepEqual([now.note, now.cancelReason], ['', ''])
  })
})
