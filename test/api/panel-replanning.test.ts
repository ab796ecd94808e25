import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { ana, ben, cleo, dayLong, now } from '../support/clinic.ts'
import { dayWindow, onEachDatabase, present, type TestSite } from '../support/test-site.ts'

interface Suggestion {
  readonly providerId: number
  readonly start: number
  readonly end: number
}
interface Item {
  readonly customer: { readonly name: string }
  readonly id: string
  readonly start: number
  readonly provider: { readonly id: number }
  readonly suggestions: readonly Suggestion[]
}

onEachDatabase((open) => {
  let site: TestSite
  let desk: BrowserClient
  before(async () => {
    site = await open()
    desk = (await insertSignedInUser(site, 'receptionist')).browser
  })
  after(() => site.close())

  const planOf = async (providerId: number, on: string, days = 1): Promise<readonly Item[]> => {
    const { min_timestamp: from } = dayWindow(on)
    const answer = await desk.get(`/replanning/?providerId=${providerId}&from=${from}&until=${from + days * dayLong}`)
    assert.equal(answer.status, 200, answer.text)
    return Object(answer.body.response).items
  }
  const only = <T>(items: readonly T[]): T => {
    const [item] = items
    assert.ok(item && items.length === 1, JSON.stringify(items))
    return item
  }
  const move = (item: Item, to: Pick<Suggestion, 'providerId' | 'start'>) =>
    desk.post('/replanning/move/', {
      id: item.id,
      from: { providerId: item.provider.id, start: item.start },
      to: { providerId: to.providerId, start: to.start },
    })
  const takeBack = (moved: Awaited<ReturnType<typeof move>>, id: string) =>
    desk.post('/reservations/undo/', { id, change: Object(moved.body.response).change })
  const bookedOn = async (on: string, service = 'plain', nth = 0, customer = 'Jo'): Promise<string> =>
    site.book(await site.slot({ service, provider: ana, on, nth }), { customerId: site.customer(customer) })

  test('a colleague who is free at the same time comes first, then other times outside of the absence', async () => {
    const on = site.nextDay()
    const id = await bookedOn(on)
    const item = only(await planOf(ana, on))
    assert.equal(item.id, id)
    const [first, ...others] = item.suggestions
    assert.deepEqual([first?.providerId, first?.start], [ben, item.start])
    assert.ok(others.length > 0)
    const { min_timestamp: from } = dayWindow(on)
    for (const { providerId, start } of item.suggestions)
      assert.ok(providerId !== ana || start >= from + dayLong, 'nothing is suggested within the absence')
    const answer = await move(item, { providerId: ben, start: item.start })
    assert.equal(answer.status, 200, answer.text)
    assert.equal((await site.reservation(id)).providerId, ben)
    assert.deepEqual(await planOf(ana, on), [], 'a moved reservation is no longer affected')
  })

  test('two reservations are never suggested the same room, nor one customer two times at once', async () => {
    const on = site.nextDay()
    await bookedOn(on, 'plain', 0)
    await bookedOn(on, 'own', 1)
    await bookedOn(on, 'plain', 3, 'Mia')
    const items = await planOf(ana, on)
    const best = items.map(({ suggestions }) => present(suggestions[0]))
    assert.equal(best.length, 3)
    const jos = best.filter((_, index) => items[index]?.customer.name === 'Jo')
    const [first, second] = [present(jos[0]), present(jos[1])]
    assert.ok(first.end <= second.start || second.end <= first.start, JSON.stringify(jos))
    for (const [index, one] of best.entries())
      for (const other of best.slice(index + 1))
        assert.ok(
          one.providerId !== other.providerId || one.end <= other.start || other.end <= one.start,
          JSON.stringify(best),
        )
  })

  test('every participant of a class is moved to one class of a colleague, as far as seats go', async () => {
    const on = site.nextDay()
    for (const name of ['Jo', 'Mia', 'Max']) await bookedOn(on, 'group', 0, name)
    // Kim takes one of the three seats of Ben's class, so two of the three participants fit into this class.
    const seat = await site.slot({ service: 'group', provider: ben, on })
    await site.book(seat, { customerId: site.customer('Kim') })
    const items = await planOf(ana, on)
    const same = items.filter(({ suggestions, start }) => suggestions[0]?.start === start)
    assert.equal(items.length, 3)
    assert.deepEqual(
      same.map(({ suggestions }) => suggestions[0]?.providerId),
      [ben, ben],
      'the third participant gets another time',
    )
    for (const item of items) {
      const [to] = item.suggestions
      assert.ok(to)
      assert.equal((await move(item, to)).status, 200)
    }
  })

  test('a time that only the affected reservation itself blocks is suggested', async () => {
    const slot = await site.slot({ service: 'buffered', provider: ana, on: site.nextDay(), nth: 2 })
    const id = await site.book(slot)
    // The buffer before the reservation reaches into the slot before it.
    const from = slot.start + 900
    const answer = await desk.get(`/replanning/?providerId=${ana}&from=${from}&until=${from + 3_600}`)
    const item: Item = only(Object(answer.body.response).items)
    assert.equal(item.id, id)
    const to = { providerId: ana, start: slot.start - 1_800, end: slot.start }
    assert.ok(
      item.suggestions.some(({ providerId, start }) => providerId === ana && start === to.start),
      JSON.stringify(item.suggestions),
    )
    assert.equal((await move(item, to)).status, 200)
  })

  test('the minimum notice is waived, and no other rule is', async () => {
    const on = site.nextDay()
    const slot = await site.slot({ service: 'plain', provider: ana, on, nth: 4 })
    const id = await site.book(slot, { customerId: site.customer('Max') })
    await site.setService('plain', { durationMinutes: 30, leadTimeMinutes: 50 * 1_440 })
    const item = only((await planOf(ana, on)).filter((one) => one.id === id))
    assert.deepEqual(item.suggestions[0], { ...item.suggestions[0], providerId: ben, start: slot.start })
    assert.equal((await move(item, { providerId: ben, start: slot.start })).status, 200)
    const night = await move({ ...item, provider: { id: ben } }, { providerId: ben, start: slot.start + 12 * 3_600 })
    assert.deepEqual([night.status, Object(night.body).reason], [403, 'slot_closed'])
    const past = await move({ ...item, provider: { id: ben } }, { providerId: ben, start: now - dayLong + 7_200 })
    assert.equal(Object(past.body).reason, 'slot_lead_time')
    await site.setService('plain', { durationMinutes: 30, leadTimeMinutes: 0 })
  })

  test('a suggestion that was taken meanwhile is refused, and replaced in the next plan', async () => {
    const on = site.nextDay()
    await bookedOn(on)
    const item = only(await planOf(ana, on))
    const [first] = item.suggestions
    const rival = await site.slot({ service: 'plain', provider: ben, on })
    await site.book(rival, { customerId: site.customer('Mia') })
    assert.ok(first)
    const refused = await move(item, first)
    assert.equal(Object(refused.body).reason, 'slot_full')
    const next = only(await planOf(ana, on)).suggestions[0]
    assert.ok(next && (next.providerId !== ben || next.start !== first.start))
    assert.equal((await move(item, next)).status, 200)
  })

  test('of two who move two reservations to one free time at once, one is refused', async () => {
    const on = site.nextDay()
    await bookedOn(on, 'plain', 0)
    await bookedOn(on, 'plain', 1, 'Mia')
    const items = await planOf(ana, on)
    const to = { providerId: ben, start: items[0]?.start ?? 0 }
    const answers = await Promise.all(items.map((item) => move(item, to)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 403])
  })

  test('a reservation that somebody else moved or cancelled since is refused, also when a move is taken back', async () => {
    const on = site.nextDay()
    const id = await bookedOn(on)
    const item = only(await planOf(ana, on))
    const [first, second] = item.suggestions
    assert.ok(first && second)
    const moved = await move(item, first)
    assert.equal(moved.status, 200)
    assert.equal(Object((await move(item, second)).body).reason, 'changed_since')
    await site.edit(id, { status: 'cancelled' })
    assert.equal(Object((await takeBack(moved, id)).body).reason, 'changed_since')
  })

  test('a move is taken back although the provider is away, but never onto another reservation', async () => {
    const on = site.nextDay()
    const id = await bookedOn(on)
    const item = only(await planOf(ana, on))
    const [first] = item.suggestions
    assert.ok(first)
    const { min_timestamp: start, max_timestamp: end } = dayWindow(on)
    const added = await desk.post('/time-off/add/', { providerId: ana, start, end, despite: true })
    const moved = await move(item, first)
    assert.equal(moved.status, 200)
    for (const attempt of ['moved back', 'back already']) assert.equal((await takeBack(moved, id)).status, 200, attempt)
    assert.equal((await site.reservation(id)).providerId, ana)
    const again = await move(item, first)
    assert.equal(again.status, 200)
    await desk.post('/time-off/remove/', { id: added.body.id })
    await bookedOn(on, 'plain', 0, 'Kim')
    assert.equal(Object((await takeBack(again, id)).body).reason, 'slot_full')
  })

  test('a collective reservation of another provider is affected, and has no colleague at its time', async () => {
    const on = site.nextDay()
    const slot = await site.slot({ service: 'collective', on, nth: 2 })
    const id = await site.book(slot)
    const item = only(await planOf(ben, on))
    assert.equal(item.id, id)
    assert.ok(item.suggestions.every(({ start }) => start >= dayWindow(on).max_timestamp))
    assert.ok(item.suggestions.length > 0)
  })

  test('an unknown provider, too long an absence and a provider’s own sign-in are refused', async () => {
    const { min_timestamp: from } = dayWindow(site.nextDay())
    const ask = (by: BrowserClient, providerId: number, until: number) =>
      by.get(`/replanning/?providerId=${providerId}&from=${from}&until=${until}`)
    assert.equal((await ask(desk, 99, from + dayLong)).status, 404)
    assert.equal((await ask(desk, ana, from + 40 * dayLong)).status, 400)
    assert.equal((await ask(desk, ana, from)).status, 400)
    const asCleo = (await insertSignedInUser(site, 'provider', { providerId: cleo })).browser
    assert.equal((await ask(asCleo, cleo, from + dayLong)).status, 403)
  })
})
