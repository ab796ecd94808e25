import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ana, ben, now, specialDate } from '../support/clinic.ts'
import {
  type AvailableSlot,
  assertDone,
  assertRefused,
  inOneBucket,
  onEachDatabase,
  present,
  type TestSite,
} from '../support/test-site.ts'

onEachDatabase((open) => {
  let site: TestSite
  before(async () => {
    site = await open({
      reservations: [
        { key: 'past', service: 'plain', provider: ana, customer: 'Mia', start: '2026-10-01T09:00' },
        { key: 'past-too', service: 'plain', provider: ana, customer: 'Mia', start: '2026-10-01T10:00' },
      ],
    })
  })
  after(() => site.close())

  test('a listed slot can be booked, and the response is its id alone', async () => {
    const slot = await site.slot({ service: 'plain', provider: ana })
    const response = await site.add(slot)
    assert.equal(response.status, 200, response.text)
    assert.deepEqual(response.body, { status: 'OK', id: response.body.id })
    assert.match(response.body.id, /^r_[0-9A-Za-z]{32}$/)
    const { created, updated, ...rest } = await site.reservation(response.body.id)
    assert.deepEqual(rest, {
      id: response.body.id,
      serviceId: slot.serviceId,
      customerId: site.customer('Jo'),
      providerId: ana,
      availabilityId: slot.availabilityId,
      start: slot.start,
      end: slot.end,
      status: 'confirmed',
      data: {},
    })
    assert.ok(created >= now && created < now + 600)
    assert.equal(updated, created)
  })

  test('a booking has an event with its actor', async () => {
    const made = await site.booked({ service: 'plain', provider: ana })
    const [event, ...more] = await site.eventsOf(made.id, 1)
    assert.deepEqual(more, [])
    assert.ok(event)
    assert.equal(event.type, 'reservation.created')
    assert.deepEqual(event.object, made)
    assert.equal(event.previous, null)
    assert.deepEqual(event.actor, { kind: 'token', id: await tokenId(site, 'test write') })
  })

  test('a booking occupies the provider with its buffers, in one seat', async () => {
    const made = await site.booked({ service: 'buffered', provider: ben, nth: 2 })
    const rows = await site.sql('select resource, seat, start_at, end_at from occupancy where reservation_id = ?', [
      made.id,
    ])
    assert.deepEqual(rows, [{ resource: `p${ben}`, seat: 1, start_at: made.start - 600, end_at: made.end + 1200 }])
  })

  test('ids sort by creation', async () => {
    const slots = await site.slots({ service: 'plain', provider: ana })
    const ids: string[] = []
    for (const slot of slots.slice(0, 5)) ids.push(await site.book(slot))
    assert.deepEqual(ids, ids.toSorted())
  })

  test('data is stored exactly as sent', async () => {
    const data = {
      source: 'web',
      nothing: null,
      deep: { list: [1, 'two', { three: null }], empty: {} },
      number: -1.5e-7,
      text: 'naïve ✓ \u2028',
      ...JSON.parse('{"__proto__":{"polluted":true},"constructor":"plain"}'),
    }
    const text = '{"source":"web","__proto__":{"polluted":true},"constructor":"plain","nothing":null,"list":[1,[2]]}'
    const first = await site.booked({ service: 'plain', provider: ana }, { data })
    assert.deepEqual(first.data, data)
    const slot = await site.slot({ service: 'plain', provider: ana })
    const body = JSON.stringify(site.booking(slot)).replace(/}$/, `,"data":${text}}`)
    const response = await site.post('/reservations/add/', body)
    assert.equal(response.status, 200, response.text)
    const listed = await site.get('/reservations/get/', { full: true, past: true })
    assert.ok(listed.text.includes(`"data":${text}`))
  })

  for (const [service, status] of [
    ['approved', 'pending'],
    ['approvedByProvider', 'pending'],
    ['paid', 'pending'],
    ['hopeful', 'pending'],
    ['group', 'confirmed'],
  ] as const)
    test(`a reservation of the service “${service}” begins ${status}`, async () => {
      assert.equal((await site.booked({ service, provider: ana })).status, status)
    })

  test('an override of a date decides on approval, seats and price', async () => {
    const slot = await site.slot({ service: 'plain', provider: ana, on: specialDate })
    const first = await site.book(slot)
    await site.book(slot, { customerId: site.customer('Mia') })
    assert.equal((await site.reservation(first)).status, 'pending')
    assert.deepEqual(await pricesOf(site, first), { price: 6000, currency: 'CHF' })
    assertRefused(await site.add(slot), 403, 'slot_full')
  })

  test('the price is stored as booked, the provider’s own before the service’s', async () => {
    assert.deepEqual(await pricesOf(site, (await site.booked({ service: 'own', provider: ana })).id), {
      price: 5000,
      currency: 'EUR',
    })
    assert.deepEqual(await pricesOf(site, (await site.booked({ service: 'paid', provider: ana })).id), {
      price: 4500,
      currency: 'EUR',
    })
    assert.deepEqual(await pricesOf(site, (await site.booked({ service: 'plain', provider: ana })).id), {
      price: null,
      currency: null,
    })
  })

  test('the wall time of the start is stored with its zone', async () => {
    const made = await site.booked({ service: 'plain', provider: ana, on: '2026-11-20' })
    const [row] = await site.sql('select local_start, zone, tz_version from reservation where id = ?', [made.id])
    assert.equal(row?.local_start, '2026-11-20T09:00')
    assert.equal(row?.zone, 'Europe/Berlin')
    assert.match(String(row?.tz_version), /^\d{4}[a-z]$/)
  })

  test('a provider id is a number or a string', async () => {
    const made = await site.booked({ service: 'plain', provider: ben }, { providerId: String(ben) })
    assert.equal(made.providerId, ben)
  })

  test('one customer may take several seats', async () => {
    const slot = await site.slot({ service: 'group', provider: ana })
    const ids = [await site.book(slot), await site.book(slot)]
    assert.equal(new Set(ids).size, 2)
    const seats = await site.sql('select seat from occupancy where reservation_id in (?, ?) order by seat', ids)
    assert.deepEqual(seats, [{ seat: 1 }, { seat: 2 }])
  })

  test('every token receives the same id for a slot', async () => {
    const [slot, listed] = await inOneBucket(async () => {
      const slot = await site.slot({ service: 'plain', provider: ana })
      const listed = await site.server.call<{ response: AvailableSlot[] }>('GET', '/availability/get/', {
        query: { min_timestamp: slot.start, max_timestamp: slot.start + 1, services: slot.serviceId, providers: ana },
        token: site.server.readToken,
      })
      return [[slot], listed.body.response] as const
    })
    assert.equal(listed[0]?.availabilityId, slot[0].availabilityId)
  })

  test('a removed reservation frees its seat, and stays in the feed', async () => {
    const slot = await site.slot({ service: 'plain', provider: ana })
    const id = await site.book(slot)
    const made = await site.reservation(id)
    assertDone(await site.remove(id))
    assert.ok(!(await site.reservations()).some((one) => one.id === id))
    const [, removed] = await site.eventsOf(id, 2)
    assert.equal(removed?.type, 'reservation.removed')
    assert.equal(removed?.object, null)
    assert.deepEqual(removed?.previous, made)
    assert.deepEqual(await site.sql('select id from occupancy where reservation_id = ?', [id]), [])
    await site.book(slot)
    assertRefused(await site.assertUnchanged(() => site.remove(id)), 404, 'reservation_not_found')
  })

  test('a removal does not read its body', async () => {
    for (const body of [undefined, '', '{}', '{"id":"r_other"}', '{broken', '[1']) {
      const { id } = await site.booked({ service: 'plain', provider: ana, on: site.nextDay() })
      const response = await site.server.call('POST', '/reservations/remove/', {
        query: { id },
        body,
        headers: { 'Content-Type': 'application/json' },
      })
      assertDone(response)
    }
  })

  test('a removal of an unknown reservation is 404', async () => {
    const { id } = await site.booked({ service: 'plain', provider: ana })
    const nameless = await site.assertUnchanged(() => site.post('/reservations/remove/', { id }))
    assertRefused(nameless, 404, 'missing_parameter')
    for (const unknown of ['r_unknown', '7', ' ', `${id}x`, id.toLowerCase()])
      assertRefused(await site.assertUnchanged(() => site.remove(unknown)), 404, 'reservation_not_found')
  })

  test('the site’s policy decides which reservations may be removed', async () => {
    const [past, pastToo] = (await site.reservations({ customers: site.customer('Mia') })).filter(
      (one) => one.end <= now,
    )
    const slots = await site.slots({ service: 'plain', provider: ana })
    const [pending, confirmed, cancelled, cancelledToo] = await Promise.all([
      site.booked({ service: 'approved', provider: ben }),
      site.reservation(await site.book(present(slots[0]))),
      site.reservation(await site.book(present(slots[1]))),
      site.reservation(await site.book(present(slots[2]))),
    ])
    for (const { id } of [cancelled, cancelledToo]) await site.edit(id, { status: 'cancelled' })
    assert.ok(past && pastToo)

    await site.setPolicies({ removal: 'never' })
    for (const { id } of [past, pending, confirmed, cancelled])
      assertRefused(await site.assertUnchanged(() => site.remove(id)), 403, 'removal_forbidden')

    await site.setPolicies({ removal: 'cancelled' })
    for (const { id } of [past, pending, confirmed])
      assertRefused(await site.assertUnchanged(() => site.remove(id)), 403, 'reservation_active')
    assertDone(await site.remove(cancelled.id))

    await site.setPolicies({ removal: 'cancelled_or_past' })
    for (const { id } of [pending, confirmed])
      assertRefused(await site.assertUnchanged(() => site.remove(id)), 403, 'reservation_active')
    for (const { id } of [past, cancelledToo]) assertDone(await site.remove(id))

    await site.setPolicies({ removal: 'any' })
    for (const { id } of [pastToo, pending, confirmed]) assertDone(await site.remove(id))
  })
})

async function pricesOf(site: TestSite, id: string): Promise<unknown> {
  const [row] = await site.sql('select price, currency from reservation where id = ?', [id])
  return row
}

async function tokenId(site: TestSite, name: string): Promise<string> {
  const { stdout } = await site.server.daybook('token', 'list')
  const line = present(stdout.split('\n').find((one) => one.includes(`\t${name}\t`)))
  return line.split('\t')[0] ?? ''
}
