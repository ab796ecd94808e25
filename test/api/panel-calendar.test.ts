import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { ana, ben, cleo, dan, dayLong, eve } from '../support/clinic.ts'
import { withSentences } from '../support/sentences.ts'
import type { AnyBody, ApiResponse } from '../support/service.ts'
import { assertRefused, at, onEachDatabase, type TestSite } from '../support/test-site.ts'

interface Broken {
  readonly rule: string
  readonly code: string
  readonly message: object
  readonly setting: string
  readonly firm: boolean
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

  const query = (values: object): string =>
    new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)])).toString()
  const show = async (on: string, more: object = {}, browser = desk) => {
    const from = at(`${on}T00:00`)
    const answer = await browser.get(`/calendar/?${query({ from, until: from + dayLong, ...more })}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.response
  }
  const verdict = async (asked: object, browser = desk): Promise<{ end: number; broken: readonly Broken[] }> => {
    const answer = await browser.get(`/calendar/verdict/?${query(asked)}`)
    assert.equal(answer.status, 200, answer.text)
    return verdictIn(answer.body.response)
  }
  const broken = async (asked: object): Promise<readonly string[]> =>
    (await verdict(asked)).broken.map(({ rule, firm }) => (firm ? `${rule}!` : rule))
  const book = (body: object, browser = desk) => browser.post('/calendar/book/', { ...jo(), ...body })
  const jo = () => ({ serviceId: site.service('plain'), providerId: ana, customerId: site.customer('Jo') })
  const done = ({ status, text }: ApiResponse<unknown>): void => assert.equal(status, 200, text)
  const move = (body: object, browser = desk) => browser.post('/calendar/move/', body)
  const refused = (
    answer: ApiResponse<unknown>,
    status: number,
    reason: string,
    fields: readonly string[] = [],
  ): void => assertRefused(asAny(answer), status, reason, fields)

  test('a day lists reservations, opening hours and busy times of each provider', async () => {
    const on = site.nextDay()
    const { id, start, end } = await site.booked({ service: 'own', provider: ana, on, nth: 2 })
    const gone = await site.booked({ service: 'plain', provider: ben, on })
    await site.edit(gone.id, { status: 'cancelled' })
    const away = { start: at(`${on}T12:00`), end: at(`${on}T13:00`) }
    const { body } = await desk.post('/time-off/add/', { providerId: ben, ...away, note: 'Lunch' })
    const dayView = await show(on)
    const of = { serviceId: site.service('own'), providerId: ana, customerId: site.customer('Jo'), customer: 'Jo' }
    const marks = { attendance: 'expected', noted: false }
    assert.deepEqual(dayView.reservations, [{ id, ...of, status: 'confirmed', ...marks, start, end }])
    assert.deepEqual(dayView.busy, [{ ...away, source: 'time_off', id: body.id, providerId: ben, note: 'Lunch' }])
    assert.equal(dayView.cut, false)
    const providers = listIn(dayView.providers)
    assert.deepEqual(
      providers.map((one) => one.id),
      [ana, ben, cleo, dan, eve],
    )
    const hours = [{ start: at(`${on}T09:00`), end: at(`${on}T17:00`) }]
    assert.deepEqual(providers[0], { id: ana, name: 'Ana', zone: 'Europe/Berlin', open: hours })
    assert.equal(providers[2]?.zone, 'America/New_York')
    const own = listIn(dayView.services).find(({ name }) => name === 'own')
    assert.deepEqual(own, { id: of.serviceId, name: 'own', color: null, capacity: 1, minutes: 30, step: 15 })
    const withCancelled = await show(on, { cancelled: true, providers: ben })
    assert.deepEqual(
      listIn(withCancelled.reservations).map((one) => [one.id, one.status]),
      [[gone.id, 'cancelled']],
    )
    assert.equal(listIn(withCancelled.providers).length, 1)
  })

  test('a reservation that began earlier is listed as long as it lasts', async () => {
    const on = site.nextDay()
    const { id, start, end } = await site.booked({ service: 'long', provider: ana, on })
    const seen = async (from: number, until: number) =>
      listIn((await show(on, { from, until })).reservations).some((one) => one.id === id)
    assert.equal(await seen(end - 1, end), true)
    assert.equal(await seen(end, end + 1), false)
    assert.equal(await seen(start - 1, start), false)
  })

  test('a collective reservation occupies each of its providers', async () => {
    const on = site.nextDay()
    const { id, start, end, serviceId } = await site.booked({ service: 'collective', on })
    const dayView = await show(on)
    assert.deepEqual(
      dayView.shared,
      [ben, eve].map((providerId) => ({ id, serviceId, providerId, start, end })),
    )
    assert.deepEqual((await show(on, { providers: ana })).shared, [])
    const period = `/today/?from=${on}&to=${on}&providers=`
    for (const [providers, count] of [
      [ana, 1],
      [ben, 0],
    ]) {
      const { response } = (await desk.get(`${period}${providers}`)).body
      assert.equal(listIn(response.days)[0]?.confirmed, count)
      assert.deepEqual(
        listIn(response.providers).map((one) => one.id),
        [providers],
      )
    }
  })

  test('invalid queries are refused by field', async () => {
    const on = site.nextDay()
    const from = at(`${on}T00:00`)
    const ask = (values: object) => desk.get(`/calendar/?${query({ from, until: from + dayLong, ...values })}`)
    refused(await ask({ until: from }), 400, 'invalid_parameter', ['until'])
    refused(await ask({ until: from + 47 * dayLong }), 400, 'invalid_parameter', ['until'])
    const many = Array.from({ length: 51 }, (_, index) => index + 1).join()
    refused(await ask({ providers: many }), 400, 'invalid_parameter', ['providers'])
  })

  test('the verdict names every rule that a time would break, leaving out the reservation itself', async () => {
    const on = site.nextDay()
    const { id, start, end } = await site.booked({ service: 'plain', provider: ana, on, nth: 2 })
    const other = await site.booked(
      { service: 'plain', provider: ana, on, nth: 4 },
      { customerId: site.customer('Mia') },
    )
    assert.deepEqual(await verdict({ id, providerId: ana, start }), { end, broken: [], noShows: null })
    assert.deepEqual(await broken({ id, providerId: ana, start: start + 900 }), ['opening_hours'])
    assert.deepEqual(await broken({ id, providerId: ana, start: other.start }), ['capacity!'])
    // A reservation until the given end overlaps the next reservation; one with the duration of the service would end
    // earlier.
    assert.deepEqual(await broken({ id, providerId: ana, start, end: other.start + 1 }), [
      'opening_hours',
      'occupancy!',
    ])
    assert.deepEqual(await broken({ id, providerId: ana, start, end: other.start }), ['opening_hours'])
    const night = at(`${on}T23:00`)
    assert.deepEqual(await broken({ id, providerId: ana, start: night }), ['opening_hours'])
    assert.deepEqual(await broken({ id, providerId: dan, start }), ['provider_eligible', 'opening_hours'])
    assert.deepEqual(await broken({ id, providerId: ana, start: at('2026-10-01T09:00') }), ['lead_time'])
    const wanted = { serviceId: site.service('plain'), providerId: ana, start: start + 3_600 * 3 }
    assert.deepEqual(await broken({ ...wanted, customerId: site.customer('Bo') }), ['customer'])
    assert.deepEqual(await broken({ ...wanted, start: other.start }), ['capacity!'])
    assert.deepEqual(await broken({ ...wanted, serviceId: site.service('inactive') }), ['service_active'])
    assert.deepEqual(await broken({ ...wanted, serviceId: site.service('collective'), providerId: ben }), [
      'provider_eligible!',
    ])
    const away = { start: at(`${on}T15:00`), end: at(`${on}T15:30`) }
    await desk.post('/time-off/add/', { providerId: dan, ...away })
    assert.deepEqual(await broken({ ...wanted, providerId: dan, start: away.start }), [
      'provider_eligible',
      'opening_hours',
      'time_off',
    ])
  })

  test('a booking in the panel is an ordinary booking', async () => {
    const slot = await site.slot({ service: 'own', provider: ana })
    const { start, end, serviceId } = slot
    const made = await book({ serviceId, start })
    assert.equal(made.status, 200, made.text)
    const kept = await site.reservation(made.body.id)
    assert.deepEqual([kept.start, kept.end, kept.status, kept.providerId], [start, end, 'confirmed', ana])
    assert.match(kept.availabilityId, /^\w+\.[\w-]{16}$/)
    const [event] = await site.eventsOf(kept.id, 1)
    assert.deepEqual([event?.type, event?.object], ['reservation.created', kept])
    assert.equal(event?.actor.kind, 'user')
    refused(await book({ serviceId, start }), 403, 'slot_full')
    refused(await book({ serviceId, start: start + 60 }), 403, 'slot_closed')
    refused(await book({ serviceId, start, end: start }), 400, 'invalid_parameter', ['end'])
    refused(await book({ serviceId, start, customerId: 'c_none' }), 404, 'customer_not_found', ['customerId'])
    // A reason is neither required nor stored when no rule is broken.
    const plain = await book({ start: start + 2 * (end - start), serviceId, override: { reason: 'To be safe' } })
    assert.equal(plain.status, 200, plain.text)
    const [entry] = listIn((await desk.get(`/history/?objectId=${plain.body.id}`)).body.response)
    assert.equal(Object(entry?.after).override, undefined)
  })

  test('the reason of an assignment that an earlier version kept, as a sentence, is shown as it was', async () => {
    const id = await site.book(await site.slot({ service: 'plain', provider: ana }))
    const because = 'Provider 1 was wished for.'
    const kept = { mode: 'direct', eligible: [ana], chosen: ana, picked: ana, because }
    await site.sql('update reservation set assigned_because = ? where id = ?', [JSON.stringify(kept), id])
    const shown = await desk.get(`/reservations/one/?id=${id}`)
    assert.equal(withSentences(Object(shown.body.response.choice).because), because)
  })

  test('booked anyway, the rules that are broken and the reason stand in the history', async () => {
    const on = site.nextDay()
    const start = at(`${on}T19:10`)
    const asked = { start, end: start + 2_700, customerId: site.customer('Bo') }
    refused(await book(asked), 403, 'customer_blocked')
    const made = await book({ ...asked, override: { reason: ' A friend of the house ' } })
    assert.equal(made.status, 200, made.text)
    const { id } = made.body
    const shown = await desk.get(`/reservations/one/?id=${id}`)
    const [entry] = listIn(shown.body.response.history)
    const reason = 'A friend of the house'
    assert.deepEqual(Object(entry?.after).override, { reason, rules: ['opening_hours', 'customer'] })
    assert.deepEqual(
      withSentences(Object(shown.body.response.choice).because),
      'Booked anyway, overriding: opening_hours, customer.',
    )
    // The event in the feed contains the reservation, but not the reason for which staff overrode the rules.
    assert.deepEqual((await site.eventsOf(id, 1))[0]?.object, await site.reservation(id))
    // Staff booked the reservation outside the opening hours, with a reason; its time is occupied nevertheless.
    assert.deepEqual(await broken({ ...jo(), start }), ['opening_hours', 'occupancy!'])
    refused(await book({ start, override: { reason: 'Twice' } }), 403, 'slot_provider_busy')
    // The move preserves the length of 45 minutes (the service's duration is 30) and checks the booking rules again, so
    // it is refused without a new reason.
    refused(await move({ id, start: start + 600 }), 403, 'customer_blocked')
    done(await move({ id, start: start + 600, override: { reason: 'Late' } }))
    const { end } = await site.reservation(id)
    assert.equal(end, start + 600 + 2_700)
    refused(await book({ start, override: { reason: '  ' } }), 400, 'invalid_parameter', ['override.reason'])
  })

  test('a cancelled rule override is restored, with a reason where there is room', async () => {
    const on = site.nextDay()
    const start = at(`${on}T19:00`)
    const override = { reason: 'She came from far away' }
    const booked = await book({ start, override })
    const id = String(Object(booked.body).id)
    const set = (status: string, more: object = {}, browser = desk) =>
      browser.post('/reservations/status/', { id, status, ...more })
    const { end } = await site.reservation(id)
    const asked = { id, providerId: ana, start, end }
    // The opening hours end at 17:00, but they do not apply to a reservation that is not cancelled and stays at its
    // time.
    assert.deepEqual(await broken(asked), [])
    assert.equal((await set('cancelled')).status, 200)
    refused(await set('confirmed'), 403, 'slot_closed')
    assert.deepEqual(await broken(asked), ['opening_hours'])
    refused(await set('confirmed', { override }, asAna), 403, 'override_forbidden')
    refused(await set('confirmed', { override: { reason: ' ' } }), 400, 'invalid_parameter', ['override.reason'])
    done(await set('confirmed', { override }))
    assert.equal((await site.reservation(id)).status, 'confirmed')
    const [newest] = (await desk.get(`/history/?objectId=${id}`)).body.response
    assert.deepEqual(
      [newest?.type, Object(newest?.after).override],
      ['reservation.restored', { ...override, rules: ['opening_hours'] }],
    )
    done(await set('cancelled'))
    assert.equal((await book({ start, customerId: site.customer('Mia'), override })).status, 200)
    refused(await site.assertUnchanged(() => set('confirmed', { override })), 403, 'slot_full')
  })

  test('a pending reservation without a seat is confirmed during time off with a reason, and never into another booking', async () => {
    const on = site.nextDay()
    const { id, start, end } = await site.booked({ service: 'hopeful', provider: ana, on, nth: 4 })
    const away = await desk.post('/time-off/add/', { providerId: ana, start, end, despite: true })
    assert.equal(away.status, 200, away.text)
    // The start is less than this lead time of 80,000 minutes ahead, but the lead time is not checked when staff
    // confirm a reservation.
    await site.setService('hopeful', { leadTimeMinutes: 80_000 })
    const asked = { id, providerId: ana, start, end }
    assert.deepEqual(await broken(asked), ['time_off'])
    const set = (more: object = {}) => desk.post('/reservations/status/', { id, status: 'confirmed', ...more })
    refused(await set(), 403, 'slot_closed')
    const override = { reason: 'Ana comes in for it' }
    done(await set({ override }))
    const [newest] = (await desk.get(`/history/?objectId=${id}`)).body.response
    assert.deepEqual(
      [newest?.type, Object(newest?.after).override],
      ['reservation.confirmed', { ...override, rules: ['time_off'] }],
    )
    refused(await book({ start, override }), 403, 'slot_provider_busy')
    await desk.post('/reservations/status/', { id, status: 'pending' })
    assert.equal((await book({ start, override })).status, 200)
    refused(await site.assertUnchanged(() => set({ override })), 403, 'slot_provider_busy')
    await site.setService('hopeful', { leadTimeMinutes: 0 })
  })

  test('no reason overrides occupancy', async () => {
    const on = site.nextDay()
    const override = { reason: 'Please' }
    const one = await site.booked({ service: 'plain', provider: ana, on, nth: 2 })
    const next = await site.booked({ service: 'plain', provider: ana, on, nth: 3 })
    const buffered = await site.booked({ service: 'plain', provider: ben, on, nth: 3 })
    const act = (answer: Promise<ApiResponse<unknown>>) => site.assertUnchanged(() => answer)
    refused(await act(book({ start: one.start, override })), 403, 'slot_full')
    refused(await act(book({ start: one.start - 60, override })), 403, 'slot_provider_busy')
    refused(
      await act(move({ id: one.id, start: one.start, end: next.start + 60, override })),
      403,
      'slot_provider_busy',
    )
    const serviceId = site.service('buffered')
    const before = buffered.start - 1_800
    refused(await act(book({ serviceId, providerId: ben, start: before, override })), 403, 'slot_provider_busy')
    refused(
      await act(book({ serviceId: site.service('collective'), providerId: ben, start: at(`${on}T15:00`), override })),
      403,
      'provider_not_eligible',
    )
    // Dan offers no service, but staff may book him by giving a reason. A second booking of the same time is refused
    // even with a reason.
    const byDan = { providerId: dan, start: at(`${on}T09:00`), override }
    assert.equal((await book(byDan)).status, 200)
    refused(await act(book(byDan)), 403, 'slot_full')
  })

  test('a reservation moves to any bookable time, and takes the duration of that time', async () => {
    const on = site.nextDay()
    const { id, start } = await site.booked({ service: 'own', provider: ana, on })
    done(await move({ id, start: start + 2 * 2_700 }))
    assert.equal((await site.reservation(id)).end, start + 3 * 2_700)
    refused(await move({ id, start, providerId: ben }), 403, 'provider_not_eligible')
    done(await move({ id, start, providerId: ben, override: { reason: 'Ana is ill' } }))
    const moved = await site.reservation(id)
    assert.deepEqual([moved.providerId, moved.start, moved.end], [ben, start, start + 1_800])
    const slots = await site.slots({ service: 'plain', provider: ana, on })
    assert.equal(slots[0]?.start, start)
    refused(await move({ id, start, providerId: 99 }), 404, 'provider_not_found', ['providerId'])
    refused(await move({ id: 'r_none', start }), 404, 'reservation_not_found')
    refused(await move({ id, start, end: start + 8 * dayLong }), 400, 'invalid_parameter', ['end'])
  })

  test('a move is refused when a colleague changed the slot or the status that the user saw', async () => {
    const on = site.nextDay()
    const { id, start, end } = await site.booked({ service: 'plain', provider: ana, on })
    const from = { providerId: ana, start, end, status: 'confirmed' }
    done(await move({ id, start, providerId: ben }))
    const longer = { id, providerId: ana, start, end: end + 900, from, override: { reason: 'Takes longer' } }
    const answer = await site.assertUnchanged(() => move(longer))
    refused(answer, 409, 'changed_since')
    assert.match(String(Object(answer.body).error), /^Changed again since: providerId\./)
    const repeated = await move({ id, providerId: ben, start, from })
    assert.deepEqual([repeated.status, Object(repeated.body.response).change], [200, null])
    const seen = { ...from, providerId: ben }
    await site.edit(id, { status: 'cancelled' })
    refused(await site.assertUnchanged(() => move({ id, start: start + 3_600, from: seen })), 409, 'changed_since')
    done(await move({ id, start: start + 3_600, from: { ...seen, status: 'cancelled' } }))
  })

  test('the role provider has their own calendar and customers only, and overrides no rule', async () => {
    const on = site.nextDay()
    const mine = await site.booked({ service: 'plain', provider: ana, on, nth: 0 })
    const bens = await site.booked(
      { service: 'plain', provider: ben, on, nth: 0 },
      { customerId: site.customer('Kim') },
    )
    const dayView = await show(on, { providers: `${ana},${ben}` }, asAna)
    assert.deepEqual(
      [dayView.providers, dayView.reservations].map((list) => listIn(list).map((one) => one.id)),
      [[ana], [mine.id]],
    )
    const start = mine.start + 3_600
    done(await move({ id: mine.id, start }, asAna))
    refused(await move({ id: mine.id, start, providerId: ben }, asAna), 404, 'provider_not_found', ['providerId'])
    refused(await move({ id: bens.id, start }, asAna), 404, 'reservation_not_found')
    const override = { reason: 'Mine' }
    refused(await move({ id: mine.id, start: start + 60, override }, asAna), 403, 'override_forbidden')
    refused(await book({ start: start + 60, override }, asAna), 403, 'override_forbidden')
    assert.equal((await book({ start: mine.start }, asAna)).status, 200)
    refused(await book({ providerId: ben, start }, asAna), 404, 'provider_not_found', ['providerId'])
    refused(await book({ customerId: site.customer('Kim'), start }, asAna), 404, 'customer_not_found')
    const nobody = (await insertSignedInUser(site, 'provider')).browser
    const empty = await show(on, {}, nobody)
    assert.deepEqual([empty.providers, empty.reservations], [[], []])
    for (const asked of [
      { id: bens.id, providerId: ana, start },
      { serviceId: site.service('plain'), providerId: ben, start },
    ])
      assert.equal((await asAna.get(`/calendar/verdict/?${query(asked)}`)).status, 404)
  })
})

function listIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  assert.ok(Array.isArray(value), String(value))
  return value
}

function verdictIn(value: unknown): { end: number; broken: readonly Broken[] } {
  return value as { end: number; broken: readonly Broken[] }
}

function asAny(answer: ApiResponse<unknown>): ApiResponse<AnyBody> {
  return answer as ApiResponse<AnyBody>
}
