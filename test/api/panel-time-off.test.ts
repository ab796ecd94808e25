import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { ana, ben } from '../support/clinic.ts'
import type { AnyBody, ApiResponse } from '../support/service.ts'
import { assertDone, assertRefused, at, onEachDatabase, present, type TestSite } from '../support/test-site.ts'

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

  const stretch = (on: string, from: string, until: string) => ({
    start: at(`${on}T${from}`),
    end: at(`${on}T${until}`),
  })
  const add = (body: object, browser = desk) => browser.post('/time-off/add/', { providerId: ana, ...body })
  const list = async (on: string, browser = desk, provider = ana) =>
    browser.get(`/time-off/?providerId=${provider}&from=${at(`${on}T00:00`)}&until=${at(`${on}T23:59`)}`)

  test('time off removes slots; moving or removing it restores them', async () => {
    const on = site.nextDay()
    const starts = async () => (await site.slots({ service: 'plain', provider: ana, on })).map(({ start }) => start)
    const all = await starts()
    const made = await add({ ...stretch(on, '09:00', '11:00'), note: ' Dentist ' })
    assert.equal(made.status, 200, made.text)
    const { id } = made.body
    assert.deepEqual(await starts(), all.slice(4))
    const of = { id, providerId: ana }
    assert.deepEqual((await list(on)).body.response, {
      items: [{ ...of, ...stretch(on, '09:00', '11:00'), note: 'Dentist' }],
    })
    assertDone(asAny(await desk.post('/time-off/edit/', { id, end: at(`${on}T10:00`) })))
    assert.deepEqual(await starts(), all.slice(2))
    assertDone(asAny(await desk.post('/time-off/remove/', { id })))
    assert.deepEqual(await starts(), all)
    const { body } = await desk.get(`/history/?objectId=${id}`)
    assert.deepEqual(
      body.response.map(({ type, before, after: now }) => [type, Object(before).end, Object(now).end]),
      [
        ['time_off.removed', at(`${on}T10:00`), undefined],
        ['time_off.updated', at(`${on}T11:00`), at(`${on}T10:00`)],
        ['time_off.created', undefined, at(`${on}T11:00`)],
      ],
    )
    assertRefused(asAny(await desk.post('/time-off/remove/', { id })), 404, 'time_off_not_found')
  })

  test('the history names what was changed: time off by its provider, a reservation by its customer and start', async () => {
    const on = site.nextDay()
    const { id: away } = (await add(stretch(on, '16:00', '17:00'))).body
    const slot = await site.slot({ service: 'plain', provider: ana, on })
    const [name, added] = ['Zora', await site.post('/customers/add/', { name: 'Zora', email: 'zora@list.example' })]
    const customerId = added.body.id
    const reservation = await site.book(slot, { customerId })
    const noted = await desk.post('/customers/notes/add/', { customerId, text: 'Rings twice.' })
    assert.equal(noted.status, 200, noted.text)
    const subjects = async (query: string) =>
      (await desk.get(`/history/?${query}`)).body.response.map(({ type, subject }) => [type, subject])
    const { start } = slot
    assert.deepEqual(await subjects(`objectId=${away}`), [
      ['time_off.created', { name: 'Ana', start: at(`${on}T16:00`) }],
    ])
    assert.deepEqual(await subjects(`objectId=${reservation}`), [['reservation.created', { name, start }]])
    assert.deepEqual(await subjects(`objectId=${customerId}`), [
      ['customer_note.created', { name, start: null }],
      ['customer.created', { name, start: null }],
    ])
    await site.edit(reservation, { status: 'cancelled' })
    assertDone(asAny(await desk.post('/customers/erase/', { id: customerId })))
    assert.deepEqual((await subjects(`objectId=${reservation}`)).at(-1), ['reservation.created', { name: '', start }])
  })

  test('several providers are away at once, all or none', async () => {
    const on = site.nextDay()
    const away = stretch(on, '09:00', '17:00')
    const countOf = async (provider: number): Promise<number> =>
      Object((await list(on, desk, provider)).body.response).items.length
    const booked = await site.booked({ service: 'plain', provider: ben, on, nth: 2 })
    const all = (more: object, browser = desk) => browser.post('/time-off/add-to-all/', { ...away, ...more })
    assertRefused(asAny(await all({ providerIds: [ana, ben] })), 409, 'reservations_in_the_way')
    assertRefused(asAny(await all({ providerIds: [ana, 99], despite: true })), 404, 'provider_not_found', [
      'providerId',
    ])
    assert.deepEqual([await countOf(ana), await countOf(ben)], [0, 0])
    const two = await Promise.all([
      all({ providerIds: [ana, ben, ana], despite: true, note: 'Team day' }),
      all({ providerIds: [ben, ana], despite: true }),
    ])
    assert.deepEqual(
      two.map(({ status, body }) => [status, Object(body.response).ids.length]),
      [
        [200, 2],
        [200, 2],
      ],
    )
    assert.deepEqual([await countOf(ana), await countOf(ben)], [2, 2])
    assert.equal((await site.reservation(booked.id)).status, 'confirmed')
    assert.equal((await all({ providerIds: [ana] }, asAna)).status, 403)
  })

  test('affected reservations are reported, and stay when the time off is saved nevertheless', async () => {
    const on = site.nextDay()
    const booked = await site.booked({ service: 'plain', provider: ana, on, nth: 2 })
    const wanted = { start: booked.end - 60, end: booked.end + 3_600 }
    assertRefused(asAny(await add(wanted)), 409, 'reservations_in_the_way')
    // A reservation that ends when the time off starts does not overlap the time off; only the reservation's buffer
    // may.
    const after = await add({ start: booked.end, end: booked.end + 3_600 })
    assert.equal(after.status, 200, after.text)
    const { id } = after.body
    const widened = { id, start: booked.start }
    assertRefused(asAny(await desk.post('/time-off/edit/', widened)), 409, 'reservations_in_the_way')
    assertDone(asAny(await desk.post('/time-off/edit/', { ...widened, despite: true })))
    assert.equal((await site.reservation(booked.id)).status, 'confirmed')
    // Changing only the note asks for no confirmation, because it affects no reservation.
    assertDone(asAny(await desk.post('/time-off/edit/', { id, note: 'Garden' })))
  })

  test('time off of one provider affects a collective reservation', async () => {
    const on = site.nextDay()
    const { start, end } = await site.booked({ service: 'collective', on })
    assertRefused(asAny(await add({ providerId: ben, start, end })), 409, 'reservations_in_the_way')
  })

  test('an invalid interval is reported by its field', async () => {
    const on = site.nextDay()
    const { start, end } = stretch(on, '09:00', '10:00')
    for (const wrong of [
      { start: end, end: start },
      { start, end: start },
      { start, end: start + 732 * 86_400 },
    ])
      assertRefused(asAny(await add(wrong)), 400, 'invalid_parameter', ['end'])
    assertRefused(asAny(await add({ providerId: 99, start, end })), 404, 'provider_not_found', ['providerId'])
  })

  test('the role provider has their own time off only', async () => {
    const on = site.nextDay()
    const wanted = stretch(on, '12:00', '13:00')
    const mine = await add(wanted, asAna)
    assert.equal(mine.status, 200, mine.text)
    const theirs = present((await add({ ...wanted, providerId: ben })).body.id)
    assertRefused(asAny(await add({ ...wanted, providerId: ben }, asAna)), 404, 'provider_not_found', ['providerId'])
    assertRefused(asAny(await list(on, asAna, ben)), 404, 'provider_not_found', ['providerId'])
    for (const path of ['/time-off/edit/', '/time-off/remove/'])
      assertRefused(asAny(await asAna.post(path, { id: theirs, note: 'x' })), 404, 'time_off_not_found')
    assertDone(asAny(await asAna.post('/time-off/remove/', { id: mine.body.id })))
    const nobody = (await insertSignedInUser(site, 'provider')).browser
    assertRefused(asAny(await add(wanted, nobody)), 404, 'provider_not_found', ['providerId'])
  })

  test('time off is not in the feed', async () => {
    const on = site.nextDay()
    await add({ ...stretch(on, '15:00', '16:00'), note: 'Doctor' })
    const booked = await site.booked({ service: 'plain', provider: ben })
    await site.eventsOf(booked.id, 1)
    const types = new Set((await site.events()).map(({ type }) => type.split('.')[0]))
    assert.ok(types.has('reservation') && !types.has('time_off'))
  })
})

function asAny(answer: ApiResponse<unknown>): ApiResponse<AnyBody> {
  return answer as ApiResponse<AnyBody>
}
