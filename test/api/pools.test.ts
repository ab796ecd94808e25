import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ana, ben, eve } from '../support/clinic.ts'
import { withSentences } from '../support/sentences.ts'
import {
  assertDone,
  assertRefused,
  dayWindow,
  type FullReservation,
  inOneBucket,
  onEachDatabase,
  present,
  type Slot,
  type World,
  withoutIds,
} from '../support/world.ts'

const pool = [ana, ben, eve]

onEachDatabase((open) => {
  let world: World
  before(async () => {
    world = await open()
  })
  after(() => world.close())

  const because = async (id: string): Promise<Record<string, unknown>> => {
    const [row] = await world.sql('select assigned_because from reservation where id = ?', [id])
    return JSON.parse(String(row?.assigned_because))
  }

  const assigned = async (service: string): Promise<Record<string, unknown>> => {
    const rows = await world.sql('select provider_id, count from assignment where service_id = ?', [
      world.service(service),
    ])
    return Object.fromEntries(rows.map((row) => [row.provider_id, row.count]))
  }

  for (const routingMode of ['round_robin', 'least_busy', 'priority', 'weighted', 'random'])
    test(`${routingMode} lists one slot per start, with all free providers`, async () => {
      const slots = await world.slots({ service: routingMode })
      assert.equal(slots.length, 16)
      for (const slot of slots) {
        assert.equal(slot.routingMode, routingMode)
        assert.deepEqual(slot.eligibleProviderIds, pool)
        assert.ok(pool.includes(slot.providerId))
      }
    })

  test('busy providers are not eligible, and filters apply before the routing rule', async () => {
    const on = world.nextDay()
    await world.book(await world.slot({ service: 'plain', provider: ben, on }))
    const [first, second] = await world.slots({ service: 'priority', on })
    assert.deepEqual([first?.eligibleProviderIds, first?.providerId], [[ana, eve], ana])
    assert.deepEqual([second?.eligibleProviderIds, second?.providerId], [pool, ben])
    const services = world.service('priority')
    const narrowed = await world.get('/availability/get/', { ...dayWindow(on), services, providers: `${ana},${eve}` })
    assert.deepEqual(narrowed.body.response[1]?.eligibleProviderIds, [ana, eve])
    assert.equal(narrowed.body.response[1]?.providerId, ana)
  })

  test('priority picks the highest value, and the lowest id among equals', async () => {
    const on = world.nextDay()
    const picks: number[] = []
    for (const _ of pool) {
      const slot = await world.slot({ service: 'priority', on })
      picks.push(slot.providerId)
      await world.book(slot)
    }
    assert.deepEqual(picks, [ben, ana, eve])
  })

  test('least_busy picks the provider with the fewest minutes reserved that day', async () => {
    const on = world.nextDay()
    await world.book(await world.slot({ service: 'long', provider: ana, on, nth: 3 }))
    await world.book(await world.slot({ service: 'plain', provider: ben, on, nth: 8 }))
    assert.equal((await world.slot({ service: 'least_busy', on })).providerId, eve)
    await world.book(await world.slot({ service: 'least_busy', on, nth: 1 }))
    assert.equal((await world.slot({ service: 'least_busy', on })).providerId, ben)
    assert.equal((await world.slot({ service: 'least_busy', on: world.nextDay() })).providerId, ana)
  })

  test('round_robin alternates: of twelve bookings every provider has four', async () => {
    const on = world.nextDay()
    const picks: number[] = []
    for (let nth = 0; nth < 12; nth += 1) {
      const slot = await world.slot({ service: 'round_robin', on, nth })
      picks.push(slot.providerId)
      await world.book(slot)
    }
    assert.deepEqual(await assigned('round_robin'), { [ana]: 4, [ben]: 4, [eve]: 4 })
    assert.deepEqual(picks.slice(0, 3), pool)
    for (let round = 3; round < 12; round += 3) assert.deepEqual(picks.slice(round, round + 3), pool)
  })

  test('weighted follows the weights: of twelve bookings six, three and three', async () => {
    const on = world.nextDay()
    for (let nth = 0; nth < 12; nth += 1) {
      await world.book(await world.slot({ service: 'weighted', on, nth }))
      const counts = await assigned('weighted')
      assert.ok(Math.abs(Number(counts[ana] ?? 0) - (nth + 1) / 2) <= 1, JSON.stringify(counts))
    }
    assert.deepEqual(await assigned('weighted'), { [ana]: 6, [ben]: 3, [eve]: 3 })
  })

  test('random keeps the provider of a slot while it is listed, and varies among slots', async () => {
    const on = world.nextDay()
    const wish = { service: 'random', on }
    const [slots, again] = await inOneBucket(async () => [await world.slots(wish), await world.slots(wish)] as const)
    assert.deepEqual(again, slots)
    assert.ok(new Set(slots.map((slot) => slot.providerId)).size > 1)
  })

  test('the listed provider is booked, even if the rule would now pick another', async () => {
    const on = world.nextDay()
    const [first, second] = await world.slots({ service: 'round_robin', on })
    assert.ok(first && second && first.providerId === second.providerId)
    await world.book(first)
    assert.notEqual((await world.slot({ service: 'round_robin', on, nth: 1 })).providerId, second.providerId)
    const id = await world.book(second)
    assert.equal((await world.reservation(id)).providerId, second.providerId)
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
      const reason = await because((await world.booked({ service, ...(service === 'plain' && { provider: ana }) })).id)
      const { because: sentence, ...rest } = reason
      assert.deepEqual(rest, { mode: service === 'plain' ? 'direct' : service, eligible, chosen, picked: chosen })
      assert.match(String(withSentences(sentence)), /^[A-Z].*\.$/)
    }
  })

  test('a listed provider who is no longer free is refused, though others are free', async () => {
    const on = world.nextDay()
    const slot = await world.slot({ service: 'priority', on })
    await world.book(await world.slot({ service: 'plain', provider: slot.providerId, on }))
    assertRefused(await world.unchanged(() => world.add(slot)), 403, 'slot_provider_busy')
    await world.book(await world.slot({ service: 'priority', on }))
  })

  test('another free provider cannot be booked with the slot’s id, but a reservation may be moved to them', async () => {
    const slot = await world.slot({ service: 'priority' })
    assert.equal(slot.providerId, ben)
    assertRefused(await world.unchanged(() => world.add(slot, { providerId: eve })), 403, 'slot_invalid')
    const id = await world.book(slot)
    assertDone(await world.edit(id, { providerId: eve }))
    assert.equal((await because(id)).chosen, eve)
    assertRefused(await world.unchanged(() => world.edit(id, { providerId: 4 })), 403, 'provider_not_eligible')
  })

  test('with durations that differ by provider, each end has its own slot', async () => {
    const on = world.nextDay()
    const query = { serviceId: world.service('random'), providerId: ana }
    assertDone(await world.post('/providers/edit/service/', { durationMinutes: 45 }, { query }))
    const listed = await world.slots({ service: 'random', on })
    const atNine = listed.filter((slot) => slot.start === listed[0]?.start)
    assert.deepEqual(atNine.map((slot) => [(slot.end - slot.start) / 60, slot.eligibleProviderIds]).sort(), [
      [30, [ben, eve]],
      [45, [ana]],
    ])
    const long = present(atNine.find((slot) => slot.providerId === ana))
    await world.book(long)
    assertDone(await world.post('/providers/edit/service/', { durationMinutes: null }, { query }))
  })

  const together = (on: string, providers?: number): Promise<readonly Slot[]> =>
    world.slots({ service: 'collective', on, ...(providers !== undefined && { provider: providers }) })

  test('a collective slot needs all providers, and matches a filter for any of them', async () => {
    const on = world.nextDay()
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
    await world.book(await world.slot({ service: 'plain', provider: ben, on }))
    assert.deepEqual(withoutIds(await together(on)), withoutIds(all.slice(1)))
    assertRefused(await world.unchanged(() => world.add(present(all[0]))), 403, 'slot_provider_busy')
  })

  test('a collective reservation occupies every provider, and its cancellation frees all', async () => {
    const on = world.nextDay()
    const slot = present((await together(on))[0])
    const made: FullReservation = await world.reservation(await world.book(slot))
    assert.equal(made.providerId, ana)
    const taken = () =>
      world.sql('select resource from occupancy where reservation_id = ? order by resource', [made.id])
    assert.deepEqual(
      await taken(),
      pool.map((id) => ({ resource: `p${id}` })),
    )
    for (const provider of [ana, ben]) assert.equal((await world.slots({ service: 'plain', provider, on })).length, 15)
    assertRefused(await world.unchanged(() => world.add(slot)), 403, 'slot_full')
    for (const providerId of [ben, eve])
      assertRefused(await world.unchanged(() => world.edit(made.id, { providerId })), 403, 'provider_not_eligible')
    const later = present((await together(on))[3])
    assertDone(await world.edit(made.id, { start: later.start }))
    assert.equal((await taken()).length, 3)
    assertDone(await world.edit(made.id, { status: 'cancelled' }))
    assert.deepEqual(await taken(), [])
    for (const provider of [ana, ben]) assert.equal((await world.slots({ service: 'plain', provider, on })).length, 16)
  })
})
