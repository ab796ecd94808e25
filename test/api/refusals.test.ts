import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ana, awayDate, ben, cleo, dan, dayLong, hour, now } from '../support/clinic.ts'
import {
  type AvailableSlot,
  assertDone,
  assertRefused,
  at,
  type BookingChange,
  onEachDatabase,
  present,
  type TestSite,
} from '../support/test-site.ts'

onEachDatabase((open) => {
  let site: TestSite
  before(async () => {
    site = await open()
  })
  after(() => site.close())

  const refuses = async (
    slot: AvailableSlot,
    change: BookingChange,
    status: number,
    reason: string,
    fields: string[] = [],
  ) => assertRefused(await site.assertUnchanged(() => site.add(slot, change)), status, reason, fields)

  /**
   * Returns a request body that books an unlisted time with the slot id of another slot, one that availability has
   * listed.
   */
  const unlisted = async (wish: { service: string; provider: number; start: number; minutes?: number }) => {
    const slot = await site.slot({ service: 'plain', provider: ana, on: '2026-11-20' })
    const { service, provider, start, minutes = 30 } = wish
    return site.booking(slot, {
      serviceId: site.service(service),
      providerId: provider,
      start,
      end: start + minutes * 60,
    })
  }

  test('a slot id is valid for its own service, provider, start and end only', async () => {
    const [slot, next] = await site.slots({ service: 'plain', provider: ana })
    assert.ok(slot && next)
    await refuses(slot, { serviceId: site.service('approved') }, 403, 'slot_invalid')
    await refuses(slot, { providerId: ben }, 403, 'slot_invalid')
    await refuses(slot, { start: next.start, end: next.end }, 403, 'slot_invalid')
    await refuses(slot, { end: slot.end + 60 }, 403, 'slot_invalid')
    await refuses(slot, { availabilityId: next.availabilityId }, 403, 'slot_invalid')
    assertDone(await site.edit(await site.book(slot), {}))
  })

  test('a slot id cannot be forged', async () => {
    const slot = await site.slot({ service: 'plain', provider: ana })
    const [bucket = '', tag = ''] = slot.availabilityId.split('.')
    const later = `${(Number.parseInt(bucket, 36) + 1).toString(36)}.${tag}`
    const flipped = `${bucket}.${tag.startsWith('A') ? 'B' : 'A'}${tag.slice(1)}`
    for (const availabilityId of ['', 'x', bucket, `${bucket}.`, later, flipped, ` ${slot.availabilityId}`])
      await refuses(slot, { availabilityId }, 403, 'slot_invalid')
    await refuses(slot, { availabilityId: 'x'.repeat(5_000) }, 403, 'slot_invalid')
  })

  test('a booked slot is full', async () => {
    const slot = await site.slot({ service: 'plain', provider: ana })
    await site.book(slot)
    await refuses(slot, {}, 403, 'slot_full')
    await refuses(slot, { customerId: site.customer('Mia') }, 403, 'slot_full')
  })

  test('a slot with three seats is full with the third booking', async () => {
    const slot = await site.slot({ service: 'group', provider: ana })
    for (const _ of [1, 2, 3]) await site.book(slot)
    await refuses(slot, {}, 403, 'slot_full')
  })

  test('a provider with another appointment is busy', async () => {
    const on = site.nextDay()
    const [plain, long] = [
      await site.slot({ service: 'plain', provider: ana, on }),
      await site.slot({ service: 'long', provider: ana, on }),
    ]
    const [group] = await site.slots({ service: 'group', provider: ana, on })
    await site.book(plain)
    await refuses(long, {}, 403, 'slot_provider_busy')
    await refuses(present(group), {}, 403, 'slot_provider_busy')
  })

  test('a provider is busy during the buffers of an appointment too', async () => {
    const on = site.nextDay()
    const plain = await site.slots({ service: 'plain', provider: ana, on })
    await site.book(await site.slot({ service: 'buffered', provider: ana, on, nth: 4 }))
    for (const nth of [3, 4, 5]) await refuses(present(plain[nth]), {}, 403, 'slot_provider_busy')
    await site.book(present(plain[2]))
    await site.book(present(plain[6]))
  })

  for (const [source, reason] of [
    ['calendar', 'slot_calendar_busy'],
    ['time_off', 'slot_closed'],
  ] as const)
    test(`a slot lost to ${source} after it was listed is refused, and no longer listed`, async () => {
      const slots = await site.slots({ service: 'plain', provider: ana })
      const slot = present(slots[4])
      await site.sql('insert into busy (id, provider_id, source, start_at, end_at, note) values (?, ?, ?, ?, ?, ?)', [
        `b_${source}`,
        ana,
        source,
        slot.start + 60,
        slot.start + 120,
        '',
      ])
      await refuses(slot, {}, 403, reason)
      // The service does not notice rows that the test inserts into the database; the next booking of that day
      // invalidates the cached slots.
      await site.book(present(slots[3]))
      await site.book(present(slots[5]))
      const window = { min_timestamp: slot.start, max_timestamp: slot.start + 1 }
      const listed = await site.get('/availability/get/', { ...window, services: slot.serviceId, providers: ana })
      assert.deepEqual(listed.body.response, [])
    })

  test('lead time, horizon and opening hours are checked again', async () => {
    const inside = await site.booked({ service: 'plain', provider: ana })
    for (const [service, start, reason] of [
      ['plain', at('2026-10-05T07:30'), 'slot_lead_time'],
      ['lead', at('2026-10-05T15:00'), 'slot_lead_time'],
      ['horizon', at('2026-10-09T09:00'), 'slot_horizon'],
      ['plain', now + 61 * dayLong, 'slot_horizon'],
      ['plain', at('2026-11-20T08:30'), 'slot_closed'],
      ['plain', at('2026-11-20T16:45'), 'slot_closed'],
      ['plain', at('2026-11-20T09:10'), 'slot_closed'],
    ] as const) {
      const change = { serviceId: site.service(service), start }
      assertRefused(await site.assertUnchanged(() => site.edit(inside.id, change)), 403, reason)
    }
    const away = { providerId: ben, start: at(`${awayDate}T09:00`) }
    assertRefused(await site.assertUnchanged(() => site.edit(inside.id, away)), 403, 'slot_closed')
  })

  test('a listed slot is refused after a setting has closed it', async () => {
    const on = site.nextDay()
    const slot = await site.slot({ service: 'plain', provider: ana, on })
    for (const [settings, reason, back] of [
      [{ active: false }, 'service_inactive', { active: true }],
      [{ leadTimeMinutes: 525_600 }, 'slot_lead_time', { leadTimeMinutes: 0 }],
      [{ horizonDays: 0 }, 'slot_horizon', { horizonDays: 60 }],
      [{ durationMinutes: 45 }, 'slot_closed', { durationMinutes: 30 }],
    ] as const) {
      await site.setService('plain', settings)
      await refuses(slot, {}, 403, reason)
      await site.setService('plain', back)
    }
    await site.book(slot)
  })

  test('a listed slot is refused after its provider has lost the service', async () => {
    const slot = await site.slot({ service: 'group', provider: cleo })
    const query = { serviceId: site.service('group'), providerId: cleo }
    for (const participate of [false, null]) {
      assertDone(await site.post('/providers/edit/service/', { participate }, { query }))
      if (participate === false) await refuses(slot, {}, 403, 'provider_not_eligible')
    }
    const allowedServices = [site.service('plain')]
    assertDone(await site.post('/providers/edit/', { id: cleo, allowedServices }))
    await refuses(slot, {}, 403, 'provider_not_eligible')
    assertDone(await site.post('/providers/edit/', { id: cleo, restrictServices: false }))
    await site.book(slot)
  })

  test('limits per provider and day, service and day, and provider and week apply', async () => {
    for (const service of ['twoAProvider', 'twoADay', 'hourAWeek']) {
      const on = site.nextDay()
      const slots = await site.slots({ service, provider: ana, on })
      const [third, elsewhere] = [present(slots[2]), await site.slot({ service, provider: ben, on })]
      const first = await site.book(present(slots[0]))
      await site.book(present(slots[1]))
      await refuses(third, {}, 403, 'slot_limit')
      if (service === 'twoADay') await refuses(elsewhere, {}, 403, 'slot_limit')
      else await site.book(elsewhere)
      // A limit counts neither the reservation that is moved nor cancelled reservations.
      assertDone(await site.edit(first, { start: present(slots[4]).start }))
      assertDone(await site.edit(first, { status: 'cancelled' }))
      await site.book(third)
      assertRefused(await site.assertUnchanged(() => site.edit(first, { status: 'confirmed' })), 403, 'slot_limit')
    }
  })

  test('the limit of a week does not affect the next week', async () => {
    const monday = await site.slots({ service: 'hourAWeek', provider: ana, on: '2026-11-16' })
    const sunday = await site.slot({ service: 'hourAWeek', provider: ana, on: '2026-11-22' })
    const nextMonday = await site.slot({ service: 'hourAWeek', provider: ana, on: '2026-11-23' })
    for (const slot of monday.slice(0, 2)) await site.book(slot)
    await refuses(sunday, {}, 403, 'slot_limit')
    await site.book(nextMonday)
  })

  test('the limit per customer and day applies across providers', async () => {
    const on = site.nextDay()
    const slots = await site.slots({ service: 'onceACustomer', on })
    await site.book(present(slots[0]))
    const other = present(slots.find((slot) => slot.providerId === ben && slot.start > present(slots[0]).start))
    await refuses(other, {}, 403, 'slot_limit')
    await site.book(other, { customerId: site.customer('Mia') })
    await site.booked({ service: 'onceACustomer', provider: ben })
  })

  test('a blocked customer is refused', async () => {
    const slot = await site.slot({ service: 'plain', provider: ana })
    await refuses(slot, { customerId: site.customer('Bo') }, 403, 'customer_blocked')
  })

  test('an inactive customer may be booked', async () => {
    assertDone(await site.post('/customers/edit/', { id: site.customer('Kim'), status: 0 }))
    const made = await site.booked({ service: 'plain', provider: ana }, { customerId: site.customer('Kim') })
    assert.equal(made.status, 'confirmed')
  })

  test('unknown ids are 404', async () => {
    const slot = await site.slot({ service: 'plain', provider: ana })
    for (const serviceId of ['s_unknown', '', '1', 'plain'])
      await refuses(slot, { serviceId }, 404, 'service_not_found', ['serviceId'])
    for (const customerId of ['c_unknown', '', 'Jo'])
      await refuses(slot, { customerId }, 404, 'customer_not_found', ['customerId'])
    for (const providerId of [999, 0, -1, '999', '01', '1.0', ' 1', '1e0', 'ana', '', 2 ** 53 - 1])
      await refuses(slot, { providerId }, 404, 'provider_not_found', ['providerId'])
  })

  test('a wrong slot is reported before a rule, and an unknown id before a wrong slot', async () => {
    const slot = await site.slot({ service: 'plain', provider: ana })
    const wrong = { availabilityId: 'x' }
    await refuses(slot, { ...wrong, providerId: dan }, 403, 'slot_invalid')
    await refuses(slot, { ...wrong, customerId: 'c_unknown' }, 404, 'customer_not_found', ['customerId'])
    const body = await unlisted({ service: 'inactive', provider: ana, start: at('2026-11-20T09:00') })
    assertRefused(await site.assertUnchanged(() => site.post('/reservations/add/', body)), 403, 'slot_invalid')
  })

  test('all missing fields are reported at once', async () => {
    const fields = ['serviceId', 'customerId', 'providerId', 'availabilityId', 'start', 'end']
    assertRefused(
      await site.assertUnchanged(() => site.post('/reservations/add/', {})),
      400,
      'missing_parameter',
      fields,
    )
    const slot = await site.slot({ service: 'plain', provider: ana })
    for (const field of fields) await refuses(slot, { [field]: undefined }, 400, 'missing_parameter', [field])
  })

  for (const [field, values] of [
    ['serviceId', [1, null, true, ['s'], {}]],
    ['customerId', [1, null, false]],
    ['providerId', [null, true, [1], {}, 1.5]],
    ['availabilityId', [1, null, {}]],
    ['start', ['1791180000', null, 1.5, true, 2 ** 53, -(2 ** 53)]],
    ['end', ['1791180000', null, 0.1, [], {}]],
    ['data', [null, [], 'text', 1, true]],
  ] as const)
    test(`a ${field} of the wrong type is reported`, async () => {
      const slot = await site.slot({ service: 'plain', provider: ana })
      for (const value of values) await refuses(slot, { [field]: value }, 400, 'invalid_parameter', [field])
    })

  test('data is limited to 16 KB, 64 keys and depth 6', async () => {
    const slot = await site.slot({ service: 'plain', provider: ana })
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${key}`, key]))
    const deep = (depth: number): unknown => (depth === 0 ? 1 : { a: deep(depth - 1) })
    for (const data of [{ a: 'x'.repeat(16_384) }, { a: 'é'.repeat(8_192) }, keys(65), deep(7)])
      await refuses(slot, { data }, 400, 'invalid_parameter', ['data'])
    const id = await site.book(slot, { data: { ...keys(63), deep: deep(5) } })
    assertDone(await site.edit(id, { status: 'cancelled' }))
  })

  test('a body that is not a JSON object is refused', async () => {
    for (const body of ['', '{', '{"a":1,"a":2}', '{"a":1e400}', '{"a":"\\u0000"}', '\ufeff{}', '{"a":"\\ud800"}'])
      assertRefused(await site.assertUnchanged(() => site.post('/reservations/add/', body)), 400, 'invalid_json')
    for (const body of ['null', '[]', '"text"', '5']) {
      const answer = await site.assertUnchanged(() => site.post('/reservations/add/', body))
      assert.equal(answer.status, 400, answer.text)
      assert.equal(answer.body.status, 'KO')
    }
  })

  test('a body of another type, or of none, is refused', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']) {
      const headers = { 'Content-Type': type }
      const answer = await site.assertUnchanged(() => site.post('/reservations/add/', '{}', { headers }))
      assert.equal(answer.status, 400, answer.text)
      assert.equal(answer.body.status, 'KO')
    }
  })

  test('a body over 256 KB is refused by its size', async () => {
    const body = JSON.stringify({ data: { a: 'x'.repeat(256 * 1024) } })
    assertRefused(await site.assertUnchanged(() => site.post('/reservations/add/', body)), 413, 'body_too_large')
  })

  test('a field that the contract does not declare is ignored, and reported in a header', async () => {
    const slot = await site.slot({ service: 'plain', provider: ana })
    const answer = await site.add(slot, { status: 'pending', note: 'x', 'odd, näme': 1 })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.headers.get('x-svc-ignored-fields'), 'status, note, odd%2C%20n%C3%A4me')
    assert.equal((await site.reservation(answer.body.id)).status, 'confirmed')
  })

  // This test is the last of the file, because it moves the clock.
  test('a slot id expires after its bucket and the next one', async () => {
    const [first, second, third] = await site.slots({ service: 'plain', provider: ana, on: '2026-11-19' })
    assert.ok(first && second && third)
    const booked = await site.book(third)
    await site.server.stop()
    await site.server.restart({ now: now + 870 })
    await site.book(first)
    await site.server.stop()
    await site.server.restart({ now: now + hour })
    await refuses(second, {}, 403, 'slot_stale')
    await refuses(second, { end: second.end + 60 }, 403, 'slot_invalid')
    const { start, availabilityId } = second
    const stale = await site.assertUnchanged(() => site.edit(booked, { start, availabilityId }))
    assertRefused(stale, 403, 'slot_stale')
    assertDone(await site.edit(booked, { start }))
  })
})
