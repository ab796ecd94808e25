import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ana, awayDate, ben, cleo, dan, dayLong, eve, holiday, hour, now, specialDate } from '../support/clinic.ts'
import {
  assertRestError,
  at,
  dayWindow,
  inOneBucket,
  onEachDatabase,
  present,
  type Slot,
  type World,
  withoutIds,
} from '../support/world.ts'

const largest = Number.MAX_SAFE_INTEGER

onEachDatabase((open) => {
  let world: World
  before(async () => {
    world = await open()
  })
  after(() => world.close())

  const listed = async (query: Record<string, string | number>): Promise<readonly Slot[]> => {
    const answer = await world.server.call<{ response: Slot[] }>('GET', '/availability/get/', { query })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.response
  }

  test('a slot is shown with exactly the fields of the contract', async () => {
    const on = world.nextDay()
    const answer = await world.get('/availability/get/', {
      ...dayWindow(on),
      services: world.service('plain'),
      providers: ana,
    })
    assert.equal(answer.status, 200)
    assert.deepEqual(Object.keys(answer.body), ['status', 'response'])
    assert.equal(answer.body.status, 'OK')
    const { availabilityId, ...rest } = present(answer.body.response[0])
    assert.match(String(availabilityId), /^[0-9a-z]+\.[A-Za-z0-9_-]{16}$/)
    assert.deepEqual(rest, {
      serviceId: world.service('plain'),
      providerId: ana,
      start: at(`${on}T09:00`),
      end: at(`${on}T09:30`),
      bookable: true,
      routingMode: 'direct',
      eligibleProviderIds: [ana],
      reservationsCount: 0,
      overrides: {},
    })
  })

  test('the slots of a day follow the opening hours in the provider’s zone', async () => {
    const on = world.nextDay()
    const inBerlin = await world.slots({ service: 'plain', provider: ana, on })
    const steps = Array.from({ length: 16 }, (_, step) => at(`${on}T09:00`) + step * 1800)
    assert.deepEqual(starts(inBerlin), steps)
    const inNewYork = await world.slots({ service: 'plain', provider: cleo, on })
    assert.equal(inNewYork[0]?.start, at(`${on}T09:00`, 'America/New_York'))
    assert.equal(inNewYork.at(-1)?.end, at(`${on}T17:00`, 'America/New_York'))
  })

  test('the lower bound of the window is inclusive, the upper one exclusive', async () => {
    const on = world.nextDay()
    const [first, second, third] = await world.slots({ service: 'plain', provider: ana, on })
    assert.ok(first && second && third)
    const services = world.service('plain')
    const window = { min_timestamp: first.start, max_timestamp: third.start, services, providers: ana }
    assert.deepEqual(await listed(window), [first, second])
    assert.deepEqual(await listed({ ...window, min_timestamp: first.start + 1 }), [second])
    assert.deepEqual(await listed({ ...window, max_timestamp: third.start + 1 }), [first, second, third])
  })

  test('an empty or negative window contains no slots', async () => {
    const { min_timestamp, max_timestamp } = dayWindow(world.nextDay())
    assert.deepEqual(await listed({ min_timestamp, max_timestamp: min_timestamp }), [])
    assert.deepEqual(await listed({ min_timestamp: max_timestamp, max_timestamp: min_timestamp }), [])
  })

  test('the widest window reaches from now to the horizon', async () => {
    const all = await listed({ min_timestamp: -largest, max_timestamp: largest, services: world.service('plain') })
    assert.equal(all[0]?.start, at('2026-10-05T09:00'))
    const last = all.at(-1)?.start ?? 0
    assert.ok(last > now + 59 * dayLong && last < now + 60 * dayLong + hour, String(last))
  })

  test('lead time and horizon limit the list', async () => {
    const week = { min_timestamp: now, max_timestamp: now + 7 * dayLong }
    const later = await listed({ ...week, services: world.service('lead'), providers: ana })
    assert.equal(later[0]?.start, at('2026-10-06T09:00'))
    const sooner = await listed({ ...week, services: world.service('horizon'), providers: ana })
    assert.equal(sooner.at(-1)?.start, at('2026-10-07T16:30'))
  })

  test('slots are sorted by start, then service, then provider', async () => {
    const slots = await world.slots({})
    const order = slots.map((slot) => `${slot.start} ${slot.serviceId} ${String(slot.providerId).padStart(3, '0')}`)
    assert.ok(order.length > 200)
    assert.deepEqual(order, order.toSorted())
    assert.equal(new Set(order).size, order.length)
  })

  test('filters by service and provider narrow the list, alone and together', async () => {
    const window = dayWindow(world.nextDay())
    const [plain, long] = [world.service('plain'), world.service('long')]
    const ofServices = await listed({ ...window, services: ` ${plain} , ${long},s_unknown` })
    assert.deepEqual(distinct(ofServices, 'serviceId'), [plain, long].sort())
    const ofProviders = await listed({ ...window, providers: ` ${ben} ,${cleo},999,x` })
    const direct = ofProviders.filter((slot) => slot.routingMode !== 'collective')
    assert.deepEqual(distinct(direct, 'providerId'), [ben, cleo])
    const ofBoth = await listed({ ...window, services: plain, providers: cleo })
    assert.ok(ofBoth.length > 0 && ofBoth.every((slot) => slot.serviceId === plain && slot.providerId === cleo))
    for (const nothing of [{ services: 's_unknown' }, { providers: 999 }, { providers: 'x' }])
      assert.deepEqual(await listed({ ...window, ...nothing }), [])
  })

  test('an empty filter is no filter', async () => {
    const window = dayWindow(world.nextDay())
    assert.deepEqual(await listed({ ...window, services: '', providers: ' ' }), await listed(window))
  })

  test('pagination limits the list and reports its length', async () => {
    const query = { ...dayWindow(world.nextDay()), services: world.service('plain'), providers: ana }
    const whole = await listed(query)
    const answer = await world.get('/availability/get/', { ...query, page: 2, per_page: 5 })
    assert.deepEqual(answer.body.response, whole.slice(5, 10))
    assert.equal(answer.headers.get('x-wp-total'), '16')
    assert.equal(answer.headers.get('x-wp-totalpages'), '4')
  })

  test('a booked slot disappears and the grid does not shift', async () => {
    const on = world.nextDay()
    const before = await world.slots({ service: 'plain', provider: ana, on })
    await world.book(present(before[3]))
    const after = await world.slots({ service: 'plain', provider: ana, on })
    assert.deepEqual(withoutIds(after), withoutIds(before.toSpliced(3, 1)))
    assert.equal((await world.slots({ service: 'plain', provider: ben, on })).length, 16)
  })

  test('buffers occupy the provider on both sides of the appointment', async () => {
    const on = world.nextDay()
    // 11:00 to 11:30, with a buffer of ten minutes before and twenty after.
    await world.book(await world.slot({ service: 'buffered', provider: ana, on, nth: 4 }))
    const left = starts(await world.slots({ service: 'plain', provider: ana, on }))
    const gone = ['10:30', '11:00', '11:30'].map((time) => at(`${on}T${time}`))
    assert.equal(left.length, 13)
    assert.ok(gone.every((start) => !left.includes(start)))
  })

  test('a slot with three seats counts its reservations and disappears with the third', async () => {
    const on = world.nextDay()
    const slot = await world.slot({ service: 'group', provider: ana, on })
    for (const taken of [1, 2]) {
      await world.book(slot)
      const { reservationsCount, bookable } = await world.slot({ service: 'group', provider: ana, on })
      assert.deepEqual({ reservationsCount, bookable }, { reservationsCount: taken, bookable: true })
    }
    await world.book(slot)
    assert.ok(!starts(await world.slots({ service: 'group', provider: ana, on })).includes(slot.start))
    assert.equal((await world.slots({ service: 'plain', provider: ana, on }))[0]?.start, slot.end)
  })

  test('cancelling frees the seat', async () => {
    const on = world.nextDay()
    const before = await world.slots({ service: 'plain', provider: ana, on })
    const id = await world.book(present(before[0]))
    await world.edit(id, { status: 'cancelled' })
    const after = await world.slots({ service: 'plain', provider: ana, on })
    assert.deepEqual(withoutIds(after), withoutIds(before))
  })

  test('a pending reservation takes a seat unless its service says otherwise', async () => {
    const on = world.nextDay()
    const kept = await world.slot({ service: 'approved', provider: ana, on })
    await world.book(kept)
    assert.ok(!starts(await world.slots({ service: 'approved', provider: ana, on })).includes(kept.start))
    const free = await world.slot({ service: 'hopeful', provider: ben, on })
    await world.book(free)
    const shown = await world.slot({ service: 'hopeful', provider: ben, on })
    assert.deepEqual(withoutIds([shown]), withoutIds([{ ...free, reservationsCount: 1 }]))
  })

  test('limits per provider and day, service and day, and provider and week remove slots', async () => {
    for (const [service, others] of [
      ['twoAProvider', 16],
      ['twoADay', 0],
      ['hourAWeek', 16],
    ] as const) {
      const on = world.nextDay()
      const [first, second] = await world.slots({ service, provider: ana, on })
      await world.book(present(first))
      assert.equal((await world.slots({ service, provider: ana, on })).length, 15, service)
      await world.book(present(second))
      assert.equal((await world.slots({ service, provider: ana, on })).length, 0, service)
      assert.equal((await world.slots({ service, provider: ben, on })).length, others, service)
    }
  })

  test('a customer’s own limit removes no slots', async () => {
    const on = world.nextDay()
    await world.book(await world.slot({ service: 'onceACustomer', provider: ana, on }))
    assert.equal((await world.slots({ service: 'onceACustomer', provider: ana, on })).length, 15)
  })

  test('an override of a date changes its slots, and a date without hours has none', async () => {
    const slot = await world.slot({ service: 'plain', provider: ana, on: specialDate })
    assert.deepEqual(slot.overrides, {
      price: 6000,
      currency: 'CHF',
      capacity: 2,
      location: 'Room 2',
      note: 'Ring twice',
      approval: 'provider',
    })
    assert.deepEqual(await world.slots({ provider: ben, on: awayDate, service: 'plain' }), [])
  })

  test('a holiday of the site closes every provider without an override', async () => {
    const slots = await world.slots({ service: 'plain', on: holiday })
    assert.deepEqual(distinct(slots, 'providerId'), [ana])
    assert.deepEqual(starts(slots), [at(`${holiday}T10:00`), at(`${holiday}T10:30`)])
  })

  test('a provider’s own settings take precedence over the service’s', async () => {
    const [first, second] = await world.slots({ service: 'own', provider: ana })
    assert.equal(first && first.end - first.start, 2700)
    assert.equal(second && first && second.start - first.start, 2700)
  })

  test('a provider who is not assigned or restricted, and a disabled service, have no slots', async () => {
    const on = world.nextDay()
    assert.deepEqual(await world.slots({ service: 'own', provider: ben, on }), [])
    assert.deepEqual(await world.slots({ provider: dan, on }), [])
    assert.deepEqual(await world.slots({ service: 'long', provider: cleo, on }), [])
    assert.deepEqual(await world.slots({ service: 'plain', provider: eve, on }), [])
    assert.deepEqual(await world.slots({ service: 'inactive', on }), [])
  })

  test('windows that share the most recently changed day each return their own slots', async () => {
    const [, first = '', second = '', third = '', fourth = ''] = Array.from({ length: 5 }, () => world.nextDay())
    const asked = [
      { from: first, last: third },
      { from: second, last: fourth },
    ].map(({ from, last }) => ({ ...dayWindow(from), max_timestamp: dayWindow(last).max_timestamp }))
    // Compressed responses are assembled in another way.
    const headers = { 'Accept-Encoding': 'identity' }
    const ask = async (window: object) => {
      const query = { ...window, services: world.service('plain'), providers: ana }
      const answer = await world.server.call<{ response: Slot[] }>('GET', '/availability/get/', { query, headers })
      return answer.body.response
    }
    for (const window of asked) await ask(window)
    await world.book(await world.slot({ service: 'plain', provider: ana, on: second }))
    // A repeated response is cached as one buffer.
    for (const window of [...asked, ...asked, ...asked]) {
      const found = starts(await ask(window))
      assert.equal(found.length, 47)
      assert.ok(found.every((start) => start >= window.min_timestamp && start < window.max_timestamp))
    }
  })

  test('a slot keeps its id when it is listed again', async () => {
    const wish = { service: 'plain', on: world.nextDay() }
    const [shown, again] = await inOneBucket(async () => [await world.slots(wish), await world.slots(wish)] as const)
    assert.deepEqual(again, shown)
    const ids = shown.map((slot) => slot.availabilityId)
    assert.equal(new Set(ids).size, ids.length)
  })

  test('where the site lists full slots, full group slots are listed as not bookable', async () => {
    const on = world.nextDay()
    const group = await world.slot({ service: 'group', provider: ana, on })
    for (const _ of [1, 2, 3]) await world.book(group)
    await world.book(await world.slot({ service: 'plain', provider: ben, on }))
    await world.setPolicies({ listFullSlots: true })
    const full = await world.slot({ service: 'group', provider: ana, on })
    assert.deepEqual(withoutIds([full]), withoutIds([{ ...group, bookable: false, reservationsCount: 3 }]))
    const others = [
      ...(await world.slots({ service: 'group', provider: ben, on })),
      ...(await world.slots({ service: 'plain', on })),
    ]
    await world.setPolicies({ listFullSlots: false })
    assert.ok(others.length > 0 && others.every((slot) => slot.bookable))
    assert.ok(!others.some((slot) => slot.providerId === ben && slot.start === group.start))
    assert.ok(!starts(await world.slots({ service: 'group', provider: ana, on })).includes(group.start))
  })

  test('a missing bound is reported by name', async () => {
    const params = ['min_timestamp', 'max_timestamp']
    assertRestError(await world.get('/availability/get/'), 400, 'rest_missing_callback_param', { params })
    const one = await world.get('/availability/get/', { min_timestamp: 1 })
    assertRestError(one, 400, 'rest_missing_callback_param', { params: ['max_timestamp'] })
  })

  for (const value of ['', 'soon', '1.5', '1e9', '0x10', '9007199254740993', '-9007199254740992', 'null'])
    test(`a bound of “${value}” is refused with a message`, async () => {
      const answer = await world.get('/availability/get/', { min_timestamp: value, max_timestamp: 5 })
      assert.equal(answer.status, 400, answer.text)
      assert.equal(answer.body.code, 'rest_invalid_param')
      assert.deepEqual(Object.keys(answer.body.data), ['status', 'params'])
      assert.deepEqual(Object.keys(Object(answer.body.data.params)), ['min_timestamp'])
    })
})

function starts(slots: readonly Slot[]): number[] {
  return slots.map((slot) => slot.start)
}

function distinct(slots: readonly Slot[], field: 'serviceId' | 'providerId'): (string | number)[] {
  return [...new Set(slots.map((slot) => slot[field]))].sort()
}
