import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { ana, ben } from '../support/clinic.ts'
import { at, onEachDatabase, type TestSite } from '../support/test-site.ts'

onEachDatabase((open) => {
  let site: TestSite
  let manager: BrowserClient
  let asBen: BrowserClient
  let managerId: string
  before(async () => {
    site = await open()
    const entered = await insertSignedInUser(site, 'manager')
    manager = entered.browser
    managerId = entered.userId
    asBen = (await insertSignedInUser(site, 'provider', { providerId: ben })).browser
  })
  after(() => site.close())

  const post = async (path: string, body: object, by = manager) => {
    const answer = await by.post(path, body)
    assert.equal(answer.status, 200, answer.text)
    return Object(answer.body.response)
  }
  const rulesOf = async (by = manager): Promise<Map<string, readonly string[]>> => {
    const { body } = await by.get('/conflicts/')
    const { items } = Object(body.response)
    return new Map(items.map(({ id, rules }: { id: string; rules: readonly string[] }) => [id, rules]))
  }
  const dateOf = (start: number): string => new Date(start * 1000).toISOString().slice(0, 10)

  test('a booking that fits is no conflict, although its seat is taken by itself', async () => {
    const { id } = await site.booked({ service: 'plain', provider: ana })
    assert.equal((await rulesOf()).has(id), false)
  })

  test('a holiday is checked before it is saved, and leaves the bookings of its day as conflicts', async () => {
    const { id, start } = await site.booked({ service: 'plain', provider: ana })
    const date = dateOf(start)
    const { response } = (await manager.get('/site/')).body
    const { holidays } = Object(response)
    const changed = [...holidays, { from: date, to: date, name: 'Closed' }]
    const checked = await post('/conflicts/check/', { holidays: changed })
    assert.deepEqual(
      checked.items.map((one: { id: string; rules: unknown }) => [one.id, one.rules]),
      [[id, ['opening_hours']]],
    )
    assert.equal((await rulesOf()).has(id), false, 'the check stores nothing')
    await post('/site/edit/', { holidays: changed })
    assert.deepEqual((await rulesOf()).get(id), ['opening_hours'])
    const [slot] = await site.slots({ service: 'plain', provider: ana, on: '2026-11-12' })
    await post('/calendar/move/', { id, providerId: ana, start: slot?.start })
    assert.equal((await rulesOf()).has(id), false, 'a moved reservation is resolved')
    await post('/site/edit/', { holidays })
  })

  test('time off in the later part of a longer appointment is a conflict', async () => {
    const [start, end] = [at('2026-12-15T10:00', 'Europe/Berlin'), at('2026-12-15T12:00', 'Europe/Berlin')]
    const own = { key: 'longer', service: 'plain', provider: ana, customer: 'Jo', start, end }
    await site.server.apply({ reservations: [own] })
    const id = (await site.reservations()).find((one) => one.start === start)?.id ?? ''
    const away = { providerId: ana, start: start + 3_600, end, despite: true }
    const { body } = await manager.post('/time-off/add/', away)
    assert.deepEqual((await rulesOf()).get(id), ['time_off'])
    await post('/time-off/remove/', { id: body.id })
    assert.equal((await site.remove(id)).status, 200)
  })

  test('keeping a conflict is recorded with user and rules, and lasts until the reservation moves or breaks another', async () => {
    const { id, start, end } = await site.booked({ service: 'plain', provider: ben })
    const added = await manager.post('/time-off/add/', { providerId: ben, start, end, despite: true })
    assert.deepEqual((await rulesOf()).get(id), ['time_off'])
    assert.deepEqual((await rulesOf(asBen)).get(id), ['time_off'])
    await post('/conflicts/keep/', { id })
    assert.equal((await rulesOf()).has(id), false)
    const [row] = await site.sql('select * from kept_conflict where reservation_id = ?', [id])
    assert.deepEqual([row?.person_id, row?.rules], [managerId, '["time_off"]'])
    const { history } = Object((await manager.get(`/reservations/one/?id=${id}`)).body.response)
    assert.deepEqual(history[0].after.keptDespite, ['time_off'])
    const [event] = (await site.eventsOf(id, 2)).slice(-1)
    assert.equal('keptDespite' in Object(event?.object), false, 'integrations do not see the decision')
    await post('/conflicts/keep/', { id, kept: false })
    assert.deepEqual((await rulesOf()).get(id), ['time_off'])
    await post('/conflicts/keep/', { id })
    await post('/providers/service/', { id: ben, serviceId: site.service('plain'), participate: false })
    assert.deepEqual((await rulesOf()).get(id), ['provider_eligible'], 'a kept rule does not excuse another')
    await post('/providers/service/', { id: ben, serviceId: site.service('plain'), participate: null })
    await post('/time-off/remove/', { id: added.body.id })
  })

  test('only the broken rules that the user saw are accepted, beside those that were accepted before', async () => {
    const { id, start, end } = await site.booked({ service: 'plain', provider: ben })
    const { holidays } = Object((await manager.get('/site/')).body.response)
    const closed = { from: dateOf(start), to: dateOf(start), name: 'Closed' }
    await post('/site/edit/', { holidays: [...holidays, closed] })
    const keep = (rules: readonly string[]) => manager.post('/conflicts/keep/', { id, rules })
    const added = await manager.post('/time-off/add/', { providerId: ben, start, end, despite: true })
    const refused = await site.assertUnchanged(() => keep(['opening_hours']))
    assert.deepEqual([refused.status, refused.body.reason], [409, 'changed_since'])
    assert.match(String(refused.body.error), /^Changed again since: time_off\./)
    assert.deepEqual((await rulesOf()).get(id), ['opening_hours', 'time_off'])
    await post('/time-off/remove/', { id: added.body.id })
    assert.equal((await keep(['opening_hours', 'time_off'])).status, 200)
    const stored = () => site.sql('select rules from kept_conflict where reservation_id = ?', [id])
    assert.deepEqual(await stored(), [{ rules: '["opening_hours"]' }], 'a rule that is broken no longer')
    const again = await manager.post('/time-off/add/', { providerId: ben, start, end, despite: true })
    assert.deepEqual((await rulesOf()).get(id), ['time_off'])
    assert.equal((await keep(['time_off'])).status, 200)
    assert.deepEqual(await stored(), [{ rules: '["opening_hours","time_off"]' }])
    assert.equal((await rulesOf()).has(id), false)
    await post('/time-off/remove/', { id: again.body.id })
    await post('/site/edit/', { holidays })
  })

  test('a deliberate double booking of the slot is no broken rule of the reservation that is kept', async () => {
    await post('/providers/edit/', { id: ben, doubleBooking: true })
    const { id, serviceId, start, end } = await site.booked({ service: 'plain', provider: ben })
    const doubled = await manager.post('/calendar/book/', {
      ...{ serviceId, providerId: ben, customerId: site.customer('Mia'), start },
      override: { reason: 'Twins', doubleBook: true },
    })
    assert.equal(doubled.status, 200, doubled.text)
    const added = await manager.post('/time-off/add/', { providerId: ben, start, end, despite: true })
    assert.deepEqual((await rulesOf()).get(id), ['time_off'])
    await post('/conflicts/keep/', { id, rules: ['time_off'] })
    const [row] = await site.sql('select rules from kept_conflict where reservation_id = ?', [id])
    assert.equal(row?.rules, '["time_off"]')
    await post('/time-off/remove/', { id: added.body.id })
    await post('/providers/edit/', { id: ben, doubleBooking: false })
  })

  test('a booking that staff made against a rule is no conflict with that rule', async () => {
    const { start, serviceId } = await site.slot({ service: 'plain', provider: ana })
    const { id: customerId } = Object({ id: site.customer('Jo') })
    const night = start - (start % 86_400) + 86_400 * 7 + 2 * 3_600
    const answer = await manager.post('/calendar/book/', {
      ...{ serviceId, providerId: ana, customerId, start: night },
      override: { reason: 'Agreed' },
    })
    assert.equal(answer.status, 200, answer.text)
    assert.equal((await rulesOf()).has(String(answer.body.id)), false)
  })

  test('fewer seats leave every booking of a full slot as a conflict, until enough of them are cancelled', async () => {
    const slot = await site.slot({ service: 'group', provider: ana })
    const ids = [
      await site.book(slot, { customerId: site.customer('Jo') }),
      await site.book(slot, { customerId: site.customer('Mia') }),
    ]
    const service = { id: slot.serviceId, capacity: 1 }
    const { total } = await post('/conflicts/check/', { service })
    assert.equal(total, 2)
    await post('/services/edit/', service)
    assert.deepEqual([...(await rulesOf()).keys()].sort(), [...ids].sort())
    await post('/reservations/status/', { id: ids[0], status: 'cancelled' })
    assert.equal((await rulesOf()).size, 0)
  })

  test('a provider decides about their own reservations only, and an unknown one is refused', async () => {
    const { id } = await site.booked({ service: 'plain', provider: ana })
    for (const answer of [
      await asBen.post('/conflicts/keep/', { id }),
      await manager.post('/conflicts/keep/', { id: 'r_none' }),
    ])
      assert.deepEqual([answer.status, Object(answer.body).reason], [404, 'reservation_not_found'])
  })

  test('requests at the same time each see what was written before them', async () => {
    const { id, start, end } = await site.booked({ service: 'plain', provider: ana })
    const early = Array.from({ length: 4 }, () => rulesOf())
    await post('/time-off/add/', { providerId: ana, start, end, despite: true })
    const late = await Promise.all(Array.from({ length: 4 }, () => rulesOf()))
    for (const rules of late) assert.deepEqual(rules.get(id), ['time_off'])
    await Promise.all(early)
  })
})
