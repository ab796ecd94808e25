import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ana, ben, eve } from '../support/clinic.ts'
import { withSentences } from '../support/sentences.ts'
import {
  type AvailableSlot,
  assertDone,
  assertRefused,
  dayWindow,
  type FullReservation,
  inOneBucket,
  onEachDatabase,
  present,
  type TestSite,
  withoutIds,
} from '../support/test-site.ts'

const pool = [ana, ben, eve]

onEachDatabase((open) => {
  let site: TestSite
  before(async () => {
    site = await open()
  })
  after(() => site.close())

  const because = async (id: string): Promise<Record<string, unknown>> => {
    const [row] = await site.sql('select assigned_because from reservation where id = ?', [id])
    return JSON.parse(String(row?.assigned_because))
  }

  const assigned = async (service: string): Promise<Record<string, unknown>> => {
    const rows = await site.sql('select provider_id, count from assignment where service_id = ?', [
      site.service(service),
    ])
    return Object.fromEntries(rows.map((row) => [row.provider_id, row.count]))
  }

  for (const routingMode of ['round_robin', 'least_busy', 'priority', 'weighted', 'random'])
    test(`${routingMode} lists one slot per start, with all free providers`, async () => {
      const slots = await site.slots({ service: routingMode })
      assert.equal(slots.length, 16)
      for (const slot of slots) {
        assert.equal(slot.routingMode, routingMode)
        assert.deepEqual(slot.eligibleProviderIds, pool)
        assert.ok(pool.includes(slot.providerId))
      }
    })

  test('busy providers are not eligible, and filters apply before the routing rule', async () => {
    const on = site.nextDay()
    await site.book(await site.slot({ service: 'plain', provider: ben, on }))
    const [first, second] = await site.slots({ service: 'priority', on })
    assert.deepEqual([first?.eligibleProviderIds, first?.providerId], [[ana, eve], ana])
    assert.deepEqual([second?.eligibleProviderIds, second?.providerId], [pool, ben])
    const services = site.service('priority')
    const narrowed = await site.get('/availability/get/', { ...dayWindow(on), services, providers: `${ana},${eve}` })
    assert.deepEqual(narrowed.body.response[1]?.eligibleProviderIds, [ana, eve])
    assert.equal(narrowed.body.response[1]?.providerId, ana)
  })

  test('priority picks the highest value, and the lowest id among equals', async () => {
    const on = site.nextDay()
    const picks: number[] = []
    for (const _ of pool) {
      const slot = await site.slot({ service: 'priority', on })
      picks.push(slot.providerId)
      await site.book(slot)
    }
    assert.deepEqual(picks, [ben, ana, eve])
  })

  test('least_busy picks the provider with the fewest minutes reserved that day', async () => {
    const on = site.nextDay()
    await site.book(await site.slot({ service: 'long', provider: ana, on, nth: 3 }))
    await site.book(await site.slot({ service: 'plain', provider: ben, on, nth: 8 }))
    assert.equal((await site.slot({ service: 'least_busy', on })).providerId, eve)
    await site.book(await site.slot({ service: 'least_busy', on, nth: 1 }))
    assert.equal((await site.slot({ service: 'least_busy', on })).providerId, ben)
    assert.equal((await site.slot({ service: 'least_busy', on: site.nextDay() })).providerId, ana)
  })

  test('least_busy counts an appointment of several providers for each of them', async () => {
    const on = site.nextDay()
    await site.slot({ service: 'least_busy', on })
    const together = await site.booked({ service: 'collective', on, nth: 3 })
    // All three have an hour, so that the lowest id decides.
    assert.equal((await site.slot({ service: 'least_busy', on })).providerId, ana)
    await site.book(await site.slot({ service: 'plain', provider: ana, on, nth: 8 }))
    await site.book(await site.slot({ service: 'plain', provider: ben, on, nth: 8 }))
    const slot = await site.slot({ service: 'least_busy', on })
    assert.equal(slot.providerId, eve)
    const minutes = (together.end - together.start) / 60
    const sentence = `Provider ${eve} has the fewest booked minutes that day: ${minutes}.`
    assert.equal(withSentences((await because(await site.book(slot))).because), sentence)
  })

  test('round_robin alternates: of twelve bookings every provider has four', async () => {
    const on = site.nextDay()
    const picks: number[] = []
    for (let nth = 0; nth < 12; nth += 1) {
      const slot = await site.slot({ service: 'round_robin', on, nth })
      picks.push(slot.providerId)
      await site.book(slot)
    }
    assert.deepEqual(await assigned('round_robin'), { [ana]: 4, [ben]: 4, [eve]: 4 })
    assert.deepEqual(picks.slice(0, 3), pool)
    for (let round = 3; round < 12; round += 3) assert.deepEqual(picks.slice(round, round + 3), pool)
  })

  test('weighted follows the weights: of twelve bookings six, three and three', async () => {
    const on = site.nextDay()
    for (let nth = 0; nth < 12; nth += 1) {
      await site.book(await site.slot({ service: 'weighted', on, nth }))
      const counts = await assigned('weighted')
      assert.ok(Math.abs(Number(counts[ana] ?? 0) - (nth + 1) / 2) <= 1, JSON.stringify(counts))
    }
    assert.deepEqual(await assigned('weighted'), { [ana]: 6, [ben]: 3, [eve]: 3 })
  })

  test('random keeps the provider of a slot while it is listed, and varies among slots', async () => {
    const on = site.nextDay()
    const wish = { service: 'random', on }
    const [slots, again] = await inOneBucket(async () => [await site.slots(wish), await site.slots(wish)] as const)
    assert.deepEqual(again, slots)
    assert.ok(new Set(slots.map((slot) => slot.providerId)).size > 1)
  })

  test('the listed provider is booked, even if the rule would now pick another', async () => {
    const on = site.nextDay()
    const [first, second] = await site.slots({ service: 'round_robin', on })
    assert.ok(first && second && first.providerId === second.providerId)
    await site.book(first)
    assert.notEqual((await site.slot({ service: 'round_robin', on, nth: 1 })).providerId, second.providerId)
    const id = await site.book(second)
    assert.equal((await site.reservation(id)).providerId, second.providerId)
    const { chosen, picked, mode, eligible, because: sentence } = await because(id)
    assert.deepEqual({ chosen, mode, eligible }, { chosen: second.providerId, mode: 'round_robin', eligible: pool })
    assert.notEqual(picked, chosen)
    assert.match(String(withSentences(sentence)), /still available/)
  })

  test('the reason of an assignment is stored', async () => {
    for (const [service, chosen, eligible] of [
      ['priority', ben, pool],
      ['plain', ana, [ana]],
      ['collective', ana, pool],
    ] as const) {
      const reason = await because((await site.booked({ service, ...(service === 'plain' && { provider: ana }) })).id)
      const { because: sentence, ...rest } = reason
      assert.deepEqual(rest, { mode: service === 'plain' ? 'direct' : service, eligible, chosen, picked: chosen })
      assert.match(String(withSentences(sentence)), /^[A-Z].*\.$/)
    }
  })

  test('a listed provider who is no longer free is refused, though others are free', async () => {
    const on = site.nextDay()
    const slot = await site.slot({ service: 'priority', on })
    await site.book(await site.slot({ service: 'plain', provider: slot.providerId, on }))
    assertRefused(await site.assertUnchanged(() => site.add(slot)), 403, 'slot_provider_busy')
    await site.book(await site.slot({ service: 'priority', on }))
  })

  test('another free provider cannot be booked with the slot’s id, but a reservation may be moved to them', async () => {
    const slot = await site.slot({ service: 'priority' })
    assert.equal(slot.providerId, ben)
    assertRefused(await site.assertUnchanged(() => site.add(slot, { providerId: eve })), 403, 'slot_invalid')
    const id = await site.book(slot)
    assertDone(await site.edit(id, { providerId: eve }))
    assert.equal((await because(id)).chosen, eve)
    assertRefused(await site.assertUnchanged(() => site.edit(id, { providerId: 4 })), 403, 'provider_not_eligible')
  })

  test('with durations that differ by provider, each end has its own slot', async () => {
    const on = site.nextDay()
    const query = { serviceId: site.service('random'), providerId: ana }
    assertDone(await site.post('/providers/edit/service/', { durationMinutes: 45 }, { query }))
    const listed = await site.slots({ service: 'random', on })
    const atNine = listed.filter((slot) => slot.start === listed[0]?.start)
    assert.deepEqual(atNine.map((slot) => [(slot.end - slot.start) / 60, slot.eligibleProviderIds]).sort(), [
      [30, [ben, eve]],
      [45, [ana]],
    ])
    const long = present(atNine.find((slot) => slot.providerId === ana))
    await site.book(long)
    assertDone(await site.post('/providers/edit/service/', { durationMinutes: null }, { query }))
  })

  const together = (on: string, providers?: number): Promise<readonly AvailableSlot[]> =>
    site.slots({ service: 'collective', on, ...(providers !== undefined && { provider: providers }) })

  test('a collective slot needs all providers, and matches a filter for any of them', async () => {
    const on = site.nextDay()
    const [all = [], ...named] = await inOneBucket(() =>
      Promise.all([undefined, ...pool].map((provider) => together(on, provider))),
    )
    assert.equal(all.length, 16)
    assert.ok(all.every((slot) => slot.providerId === ana))
    assert.deepEqual(all[0]?.eligibleProviderIds, pool)
    assert.deepEqual(
      named,
      pool.map(() => all),
    )
    await site.book(await site.slot({ service: 'plain', provider: ben, on }))
    assert.deepEqual(withoutIds(await together(on)), withoutIds(all.slice(1)))
    assertRefused(await site.assertUnchanged(() => site.add(present(all[0]))), 403, 'slot_provider_busy')
  })

  test('a collective reservation occupies every provider, and its cancellation frees all', async () => {
    const on = site.nextDay()
    const slot = present((await together(on))[0])
    const made: FullReservation = await site.reservation(await site.book(slot))
    assert.equal(made.providerId, ana)
    const taken = () => site.sql('select resource from occupancy where reservation_id = ? order by resource', [made.id])
    assert.deepEqual(
      await taken(),
      pool.map((id) => ({ resource: `p${id}` })),
    )
    for (const provider of [ana, ben]) assert.equal((await site.slots({ service: 'plain', provider, on })).length, 15)
    assertRefused(await site.assertUnchanged(() => site.add(slot)), 403, 'slot_full')
    for (const providerId of [ben, eve])
      assertRefused(await site.assertUnchanged(() => site.edit(made.id, { providerId })), 403, 'provider_not_eligible')
    const later = present((await together(on))[3])
    assertDone(await site.edit(made.id, { start: later.start }))
    assert.equal((await taken()).length, 3)
    assertDone(await site.edit(made.id, { status: 'cancelled' }))
    assert.deepEqual(await taken(), [])
    for (const provider of [ana, ben]) assert.equal((await site.slots({ service: 'plain', provider, on })).length, 16)
  })
})
