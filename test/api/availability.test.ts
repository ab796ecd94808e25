import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ana, awayDate, ben, cleo, dan, dayLong, eve, holiday, hour, now, specialDate } from '../support/clinic.ts'
import {
  type AvailableSlot,
  assertRestError,
  at,
  dayWindow,
  inOneBucket,
  onEachDatabase,
  present,
  type TestSite,
  withoutIds,
} from '../support/test-site.ts'

const largest = Number.MAX_SAFE_INTEGER

onEachDatabase((open) => {
  let site: TestSite
  before(async () => {
    site = await open()
  })
  after(() => site.close())

  const listed = async (query: Record<string, string | number>): Promise<readonly AvailableSlot[]> => {
    const answer = await site.server.call<{ response: AvailableSlot[] }>('GET', '/availability/get/', { query })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.response
  }

  test('a slot is shown with exactly the fields of the contract', async () => {
    const on = site.nextDay()
    const answer = await site.get('/availability/get/', {
      ...dayWindow(on),
      services: site.service('plain'),
      providers: ana,
    })
    assert.equal(answer.status, 200)
    assert.deepEqual(Object.keys(answer.body), ['status', 'response'])
    assert.equal(answer.body.status, 'OK')
    const { availabilityId, ...rest } = present(answer.body.response[0])
    assert.match(String(availabilityId), /^[0-9a-z]+\.[A-Za-z0-9_-]{16}$/)
    assert.deepEqual(rest, {
      serviceId: site.service('plain'),
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

  test('neither the order of ids nor their repetition changes a list or its ETag', async () => {
    const window = dayWindow(site.nextDay())
    const asked = async (providers: string) => {
      const query = { ...window, services: site.service('plain'), providers }
      const answer = await site.server.call<{ response: AvailableSlot[] }>('GET', '/availability/get/', { query })
      return { tag: answer.headers.get('etag'), text: answer.text, slots: answer.body.response }
    }
    const answers: Awaited<ReturnType<typeof asked>>[] = []
    await inOneBucket(async () => {
      answers.length = 0
      for (const providers of [`${ana},${ben}`, `${ana},${ben}`, `${ben},${ana},${ben}`])
        answers.push(await asked(providers))
      return answers.map(({ slots }) => slots)
    })
    const [first, repeated, reordered] = answers
    assert.ok(first)
    assert.notEqual(first.tag, null)
    // The service caches the days of a list only from the second request for that list on, and later requests share
    // them. The ETag of the first request may therefore differ.
    assert.deepEqual(reordered, repeated)
    assert.equal(repeated?.text, first.text)
  })

  test('the slots of a day follow the opening hours in the provider’s zone', async () => {
    const on = site.nextDay()
    const inBerlin = await site.slots({ service: 'plain', provider: ana, on })
    const steps = Array.from({ length: 16 }, (_, step) => at(`${on}T09:00`) + step * 1800)
    assert.deepEqual(starts(inBerlin), steps)
    const inNewYork = await site.slots({ service: 'plain', provider: cleo, on })
    assert.equal(inNewYork[0]?.start, at(`${on}T09:00`, 'America/New_York'))
    assert.equal(inNewYork.at(-1)?.end, at(`${on}T17:00`, 'America/New_York'))
  })

  test('the lower bound of the window is inclusive, the upper one exclusive', async () => {
    const on = site.nextDay()
    const [first, second, third] = await site.slots({ service: 'plain', provider: ana, on })
    assert.ok(first && second && third)
    const services = site.service('plain')
    const window = { min_timestamp: first.start, max_timestamp: third.start, services, providers: ana }
    const found = async (query: typeof window) => withoutIds(await listed(query))
    assert.deepEqual(await found(window), withoutIds([first, second]))
    assert.deepEqual(await found({ ...window, min_timestamp: first.start + 1 }), withoutIds([second]))
    assert.deepEqual(await found({ ...window, max_timestamp: third.start + 1 }), withoutIds([first, second, third]))
  })

  test('an empty or negative window contains no slots', async () => {
    const { min_timestamp, max_timestamp } = dayWindow(site.nextDay())
    assert.deepEqual(await listed({ min_timestamp, max_timestamp: min_timestamp }), [])
    assert.deepEqual(await listed({ min_timestamp: max_timestamp, max_timestamp: min_timestamp }), [])
  })

  test('the widest window reaches from now to the horizon', async () => {
    const all = await listed({ min_timestamp: -largest, max_timestamp: largest, services: site.service('plain') })
    assert.equal(all[0]?.start, at('2026-10-05T09:00'))
    const last = all.at(-1)?.start ?? 0
    assert.ok(last > now + 59 * dayLong && last < now + 60 * dayLong + hour, String(last))
  })

  test('lead time and horizon limit the list', async () => {
    const week = { min_timestamp: now, max_timestamp: now + 7 * dayLong }
    const later = await listed({ ...week, services: site.service('lead'), providers: ana })
    assert.equal(later[0]?.start, at('2026-10-06T09:00'))
    const sooner = await listed({ ...week, services: site.service('horizon'), providers: ana })
    assert.equal(sooner.at(-1)?.start, at('2026-10-07T16:30'))
  })

  test('slots are sorted by start, then service, then provider', async () => {
    const slots = await site.slots({})
    const order = slots.map((slot) => `${slot.start} ${slot.serviceId} ${String(slot.providerId).padStart(3, '0')}`)
    assert.ok(order.length > 200)
    assert.deepEqual(order, order.toSorted())
    assert.equal(new Set(order).size, order.length)
  })

  test('filters by service and provider narrow the list, alone and together', async () => {
    const window = dayWindow(site.nextDay())
    const [plain, long] = [site.service('plain'), site.service('long')]
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
    const window = dayWindow(site.nextDay())
    const [empty, none] = await inOneBucket(() =>
      Promise.all([listed({ ...window, services: '', providers: ' ' }), listed(window)]),
    )
    assert.deepEqual(empty, none)
  })

  test('pagination limits the list and reports its length', async () => {
    const query = { ...dayWindow(site.nextDay()), services: site.service('plain'), providers: ana }
    const whole = await listed(query)
    const answer = await site.server.call<{ response: AvailableSlot[] }>('GET', '/availability/get/', {
      query: { ...query, page: 2, per_page: 5 },
    })
    assert.deepEqual(withoutIds(answer.body.response), withoutIds(whole.slice(5, 10)))
    assert.equal(answer.headers.get('x-wp-total'), '16')
    assert.equal(answer.headers.get('x-wp-totalpages'), '4')
  })

  test('a booked slot disappears and the grid does not shift', async () => {
    const on = site.nextDay()
    const before = await site.slots({ service: 'plain', provider: ana, on })
    await site.book(present(before[3]))
    const after = await site.slots({ service: 'plain', provider: ana, on })
    assert.deepEqual(withoutIds(after), withoutIds(before.toSpliced(3, 1)))
    assert.equal((await site.slots({ service: 'plain', provider: ben, on })).length, 16)
  })

  test('buffers occupy the provider on both sides of the appointment', async () => {
    const on = site.nextDay()
    // The appointment lasts from 11:00 to 11:30, with a buffer of 10 minutes before and 20 minutes after.
    await site.book(await site.slot({ service: 'buffered', provider: ana, on, nth: 4 }))
    const left = starts(await site.slots({ service: 'plain', provider: ana, on }))
    const gone = ['10:30', '11:00', '11:30'].map((time) => at(`${on}T${time}`))
    assert.equal(left.length, 13)
    assert.ok(gone.every((start) => !left.includes(start)))
  })

  test('a slot with three seats counts its reservations and disappears with the third', async () => {
    const on = site.nextDay()
    const slot = await site.slot({ service: 'group', provider: ana, on })
    for (const taken of [1, 2]) {
      await site.book(slot)
      const { reservationsCount, bookable } = await site.slot({ service: 'group', provider: ana, on })
      assert.deepEqual({ reservationsCount, bookable }, { reservationsCount: taken, bookable: true })
    }
    await site.book(slot)
    assert.ok(!starts(await site.slots({ service: 'group', provider: ana, on })).includes(slot.start))
    assert.equal((await site.slots({ service: 'plain', provider: ana, on }))[0]?.start, slot.end)
  })

  test('cancelling frees the seat', async () => {
    const on = site.nextDay()
    const before = await site.slots({ service: 'plain', provider: ana, on })
    const id = await site.book(present(before[0]))
    await site.edit(id, { status: 'cancelled' })
    const after = await site.slots({ service: 'plain', provider: ana, on })
    assert.deepEqual(withoutIds(after), withoutIds(before))
  })

  test('a pending reservation takes a seat unless its service says otherwise', async () => {
    const on = site.nextDay()
    const kept = await site.slot({ service: 'approved', provider: ana, on })
    await site.book(kept)
    assert.ok(!starts(await site.slots({ service: 'approved', provider: ana, on })).includes(kept.start))
    const free = await site.slot({ service: 'hopeful', provider: ben, on })
    await site.book(free)
    const shown = await site.slot({ service: 'hopeful', provider: ben, on })
    assert.deepEqual(withoutIds([shown]), withoutIds([{ ...free, reservationsCount: 1 }]))
  })

  test('limits per provider and day, service and day, and provider and week remove slots', async () => {
    for (const [service, others] of [
      ['twoAProvider', 16],
      ['twoADay', 0],
      ['hourAWeek', 16],
    ] as const) {
      const on = site.nextDay()
      const [first, second] = await site.slots({ service, provider: ana, on })
      await site.book(present(first))
      assert.equal((await site.slots({ service, provider: ana, on })).length, 15, service)
      await site.book(present(second))
      assert.equal((await site.slots({ service, provider: ana, on })).length, 0, service)
      assert.equal((await site.slots({ service, provider: ben, on })).length, others, service)
    }
  })

  test('a customer’s own limit removes no slots', async () => {
    const on = site.nextDay()
    await site.book(await site.slot({ service: 'onceACustomer', provider: ana, on }))
    assert.equal((await site.slots({ service: 'onceACustomer', provider: ana, on })).length, 15)
  })

  test('an override of a date changes its slots, and a date without hours has none', async () => {
    const slot = await site.slot({ service: 'plain', provider: ana, on: specialDate })
    assert.deepEqual(slot.overrides, {
      price: 6000,
      currency: 'CHF',
      capacity: 2,
      location: 'Room 2',
      note: 'Ring twice',
      approval: 'provider',
    })
    assert.deepEqual(await site.slots({ provider: ben, on: awayDate, service: 'plain' }), [])
  })

  test('a holiday of the site closes every provider without an override', async () => {
    const slots = await site.slots({ service: 'plain', on: holiday })
    assert.deepEqual(distinct(slots, 'providerId'), [ana])
    assert.deepEqual(starts(slots), [at(`${holiday}T10:00`), at(`${holiday}T10:30`)])
  })

  test('a provider’s own settings take precedence over the service’s', async () => {
    const [first, second] = await site.slots({ service: 'own', provider: ana })
    assert.equal(first && first.end - first.start, 2700)
    assert.equal(second && first && second.start - first.start, 2700)
  })

  test('a provider who is not assigned or restricted, and a disabled service, have no slots', async () => {
    const on = site.nextDay()
    assert.deepEqual(await site.slots({ service: 'own', provider: ben, on }), [])
    assert.deepEqual(await site.slots({ provider: dan, on }), [])
    assert.deepEqual(await site.slots({ service: 'long', provider: cleo, on }), [])
    assert.deepEqual(await site.slots({ service: 'plain', provider: eve, on }), [])
    assert.deepEqual(await site.slots({ service: 'inactive', on }), [])
  })

  test('windows that share the most recently changed day each return their own slots', async () => {
    const [, first = '', second = '', third = '', fourth = ''] = Array.from({ length: 5 }, () => site.nextDay())
    const asked = [
      { from: first, last: third },
      { from: second, last: fourth },
    ].map(({ from, last }) => ({ ...dayWindow(from), max_timestamp: dayWindow(last).max_timestamp }))
    // The requests ask for no compression, because compressed responses are assembled by other code.
    const headers = { 'Accept-Encoding': 'identity' }
    const ask = async (window: object) => {
      const query = { ...window, services: site.service('plain'), providers: ana }
      const answer = await site.server.call<{ response: AvailableSlot[] }>('GET', '/availability/get/', {
        query,
        headers,
      })
      return answer.body.response
    }
    for (const window of asked) await ask(window)
    await site.book(await site.slot({ service: 'plain', provider: ana, on: second }))
    // The service caches the bytes of a response at its second request and sends these bytes from the third request on,
    // so each time window is requested three times.
    for (const window of [...asked, ...asked, ...asked]) {
      const found = starts(await ask(window))
      assert.equal(found.length, 47)
      assert.ok(found.every((start) => start >= window.min_timestamp && start < window.max_timestamp))
    }
  })

  test('a slot keeps its id when it is listed again', async () => {
    const wish = { service: 'plain', on: site.nextDay() }
    const [shown, again] = await inOneBucket(async () => [await site.slots(wish), await site.slots(wish)] as const)
    assert.deepEqual(again, shown)
    const ids = shown.map((slot) => slot.availabilityId)
    assert.equal(new Set(ids).size, ids.length)
  })

  test('where the site lists full slots, full group slots are listed as not bookable', async () => {
    const on = site.nextDay()
    const group = await site.slot({ service: 'group', provider: ana, on })
    for (const _ of [1, 2, 3]) await site.book(group)
    await site.book(await site.slot({ service: 'plain', provider: ben, on }))
    await site.setPolicies({ listFullSlots: true })
    const full = await site.slot({ service: 'group', provider: ana, on })
    assert.deepEqual(withoutIds([full]), withoutIds([{ ...group, bookable: false, reservationsCount: 3 }]))
    const others = [
      ...(await site.slots({ service: 'group', provider: ben, on })),
      ...(await site.slots({ service: 'plain', on })),
    ]
    await site.setPolicies({ listFullSlots: false })
    assert.ok(others.length > 0 && others.every((slot) => slot.bookable))
    assert.ok(!others.some((slot) => slot.providerId === ben && slot.start === group.start))
    assert.ok(!starts(await site.slots({ service: 'group', provider: ana, on })).includes(group.start))
  })

  test('a missing bound is reported by name', async () => {
    const params = ['min_timestamp', 'max_timestamp']
    assertRestError(await site.get('/availability/get/'), 400, 'rest_missing_callback_param', { params })
    const one = await site.get('/availability/get/', { min_timestamp: 1 })
    assertRestError(one, 400, 'rest_missing_callback_param', { params: ['max_timestamp'] })
  })

  for (const value of ['', 'soon', '1.5', '1e9', '0x10', '9007199254740993', '-9007199254740992', 'null'])
    test(`a bound of “${value}” is refused with a message`, async () => {
      const answer = await site.get('/availability/get/', { min_timestamp: value, max_timestamp: 5 })
      assert.equal(answer.status, 400, answer.text)
      assert.equal(answer.body.code, 'rest_invalid_param')
      assert.deepEqual(Object.keys(answer.body.data), ['status', 'params'])
      assert.deepEqual(Object.keys(Object(answer.body.data.params)), ['min_timestamp'])
    })
})

function starts(slots: readonly AvailableSlot[]): number[] {
  return slots.map((slot) => slot.start)
}

function distinct(slots: readonly AvailableSlot[], field: 'serviceId' | 'providerId'): (string | number)[] {
  return [...new Set(slots.map((slot) => slot[field]))].sort()
}
