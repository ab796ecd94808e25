import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { ana, ben } from '../support/clinic.ts'
import { scaled, seed, seededRandom } from '../support/scale.ts'
import { type AvailableSlot, onEachDatabase, type TestSite } from '../support/test-site.ts'
import { whenServed } from '../support/when-served.ts'

const purpose = { override: { reason: 'Twins', doubleBook: true } }
const reasonOnly = { override: { reason: 'Twins' } }

onEachDatabase((open) => {
  let site: TestSite
  let desk: BrowserClient
  before(async () => {
    site = await open()
    desk = (await insertSignedInUser(site, 'manager')).browser
    await desk.post('/providers/edit/', { id: ana, doubleBooking: true })
  })
  after(() => site.close())

  const book = (slot: Pick<AvailableSlot, 'serviceId' | 'providerId' | 'start'>, more: object = {}, by = desk) =>
    by.post('/calendar/book/', {
      ...{ serviceId: slot.serviceId, providerId: slot.providerId, start: slot.start },
      ...{ customerId: site.customer('Mia'), ...more },
    })
  const reasonOf = ({ status, body }: { status: number; body: unknown }) => [status, Object(body).reason]
  const seatsOf = async (id: string) =>
    (await site.sql('select resource, seat from occupancy where reservation_id = ? order by resource', [id])).map(
      ({ resource, seat }) => `${resource} ${seat}`,
    )
  const verdictOn = async ({ serviceId, providerId, start }: AvailableSlot) => {
    const { body } = await desk.get(`/calendar/verdict/?serviceId=${serviceId}&providerId=${providerId}&start=${start}`)
    const [{ rule, firm, doubles }] = Object(body.response).broken
    return [rule, firm, doubles]
  }
  const startsOf = async (on: string, provider = ana) =>
    (await site.slots({ service: 'plain', provider, on })).map(({ start }) => start)

  test('the identical slot is doubled on purpose, with a reason in the history, and is no conflict', async () => {
    const slot = await site.slot({ service: 'plain', provider: ana })
    const first = await site.book(slot)
    assert.deepEqual(reasonOf(await book(slot)), [403, 'slot_full'])
    assert.deepEqual(reasonOf(await book(slot, reasonOnly)), [403, 'slot_full'])
    assert.deepEqual(await verdictOn(slot), ['capacity', false, true])
    const answer = await book(slot, purpose)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual([await seatsOf(first), await seatsOf(answer.body.id)], [['p1 1'], ['p1 2']])
    const { history } = Object((await desk.get(`/reservations/one/?id=${answer.body.id}`)).body.response)
    assert.deepEqual(history[0].after.override, { reason: 'Twins', rules: ['capacity'] })
    const { items } = Object((await desk.get('/conflicts/')).body.response)
    assert.deepEqual(items, [])
  })

  test('an overlapping time takes the overflow, and nobody else gets it until it is cancelled', async () => {
    const on = site.nextDay()
    const first = await site.book(await site.slot({ service: 'plain', provider: ana, on, nth: 1 }))
    const long = await site.slot({ service: 'long', provider: ana, on })
    const [nine, ten] = [long.start - 3_600, long.start]
    const overlapping = { ...long, start: nine }
    assert.deepEqual(await verdictOn(overlapping), ['occupancy', false, true])
    assert.deepEqual(reasonOf(await book(overlapping, reasonOnly)), [403, 'slot_provider_busy'])
    const answer = await book(overlapping, purpose)
    assert.equal(answer.status, 200, answer.text)
    const { id } = answer.body
    assert.deepEqual(await seatsOf(id), ['o1 1'])
    assert.equal((await startsOf(on))[0], ten, 'the half hour before the first appointment is busy as well')
    assert.deepEqual(reasonOf(await book({ ...overlapping, serviceId: site.service('own') }, purpose)), [
      403,
      'slot_provider_busy',
    ])
    await site.edit(first, { status: 'cancelled' })
    assert.equal((await startsOf(on))[0], ten, 'the overflow stays busy without the first appointment')
    await site.edit(id, { status: 'cancelled' })
    assert.equal((await startsOf(on))[0], nine)
    assert.deepEqual(await seatsOf(id), [])
  })

  test('a doubled time takes the slots of the next day in UTC, too', async (t) => {
    await desk.post('/providers/edit/', { id: ana, timezone: 'Pacific/Auckland' })
    t.after(() => desk.post('/providers/edit/', { id: ana, timezone: 'Europe/Berlin' }))
    const on = site.nextDay()
    const plain = await site.slots({ service: 'plain', provider: ana, on })
    const next = plain.findIndex(({ start }) => start % 86_400 === 0)
    const [first, midnight] = plain.slice(next - 1, next + 1)
    assert.ok(first && midnight && first.end === midnight.start)
    await site.book(first)
    assert.equal((await startsOf(on)).includes(midnight.start), true)
    const answer = await book({ ...first, serviceId: site.service('long') }, purpose)
    assert.equal(answer.status, 200, answer.text)
    assert.equal((await startsOf(on)).includes(midnight.start), false)
    await site.edit(answer.body.id, { status: 'cancelled' })
    assert.equal((await startsOf(on)).includes(midnight.start), true)
  })

  test('a provider who does not allow it, and a provider’s own sign-in, are refused', async () => {
    const slot = await site.slot({ service: 'plain', provider: ben })
    await site.book(slot)
    assert.deepEqual(await verdictOn(slot), ['capacity', true, false])
    assert.deepEqual(reasonOf(await book(slot, purpose)), [403, 'slot_full'])
    const asAna = (await insertSignedInUser(site, 'provider', { providerId: ana })).browser
    assert.deepEqual(reasonOf(await book({ ...slot, providerId: ana }, purpose, asAna)), [403, 'override_forbidden'])
    const receptionist = (await insertSignedInUser(site, 'receptionist')).browser
    assert.equal((await receptionist.post('/providers/edit/', { id: ben, doubleBooking: true })).status, 403)
  })

  test('a double booking is cancelled, restored as such, moved away, and moved back on purpose only', async () => {
    const on = site.nextDay()
    const slot = await site.slot({ service: 'plain', provider: ana, on })
    await site.book(slot)
    const { id } = (await book(slot, purpose)).body
    await site.edit(id, { status: 'cancelled' })
    const plain = await site.edit(id, { status: 'confirmed' })
    assert.equal(plain.status, 403, 'without a reason it does not come back')
    const restored = await desk.post('/reservations/status/', { id, status: 'confirmed', ...reasonOnly })
    assert.equal(restored.status, 200, restored.text)
    assert.deepEqual(await seatsOf(id), ['p1 2'])
    const away = { id, providerId: ana, start: slot.start + 3_600 }
    assert.equal((await desk.post('/calendar/move/', away)).status, 200)
    const back = { id, providerId: ana, start: slot.start }
    assert.deepEqual(reasonOf(await desk.post('/calendar/move/', { ...back, ...reasonOnly })), [403, 'slot_full'])
    assert.equal((await desk.post('/calendar/move/', { ...back, ...purpose })).status, 200)
    assert.deepEqual(await seatsOf(id), ['p1 2'])
  })

  test('a reservation that is restored as a double booking has the reason, and none once it fits again', async () => {
    const slot = await site.slot({ service: 'plain', provider: ana })
    const id = await site.book(slot)
    await site.edit(id, { status: 'cancelled' })
    const other = await site.book(slot)
    const rulesOf = async () => {
      const [row] = await site.sql('select assigned_because from reservation where id = ?', [id])
      return JSON.parse(String(row?.assigned_because)).because.parameters?.rules
    }
    assert.equal(await rulesOf(), undefined)
    const restored = await desk.post('/reservations/status/', { id, status: 'confirmed', ...purpose })
    assert.equal(restored.status, 200, restored.text)
    assert.deepEqual([await seatsOf(id), await rulesOf()], [['p1 2'], ['capacity']])
    for (const one of [id, other]) await site.edit(one, { status: 'cancelled' })
    assert.equal((await site.edit(id, { status: 'confirmed' })).status, 200)
    assert.deepEqual([await seatsOf(id), await rulesOf()], [['p1 1'], undefined])
  })

  test('the setting is undone like others, and is part of the site file', async () => {
    await desk.post('/providers/edit/', { id: ben, doubleBooking: true })
    const { code, stdout } = await site.server.daybook('export')
    assert.equal(code, 0)
    const providers: { id: number; doubleBooking?: boolean }[] = JSON.parse(stdout).providers
    assert.deepEqual(
      providers.filter(({ doubleBooking }) => doubleBooking).map(({ id }) => id),
      [ana, ben],
    )
    const [entry] = (await desk.get('/history/')).body.response
    const undone = await desk.post('/history/undo/', { seq: entry?.seq })
    assert.equal(undone.status, 200, undone.text)
    const { booking } = Object((await desk.get(`/providers/one/?id=${ben}`)).body.response)
    assert.equal(booking.doubleBooking, false)
  })

  test('of two at once who double one overlapped time, one is refused, and without the purpose nothing doubles', async () => {
    const on = site.nextDay()
    const slots = await site.slots({ service: 'plain', provider: ana, on })
    const long = await site.slots({ service: 'long', provider: ana, on })
    const bens = await site.slots({ service: 'plain', provider: ben, on })
    const [first, second] = slots
    assert.ok(first && second)
    await site.book(first)
    await site.book(second)
    const [hour] = long
    const both = await Promise.all([
      book({ ...first, serviceId: hour?.serviceId ?? '' }, purpose),
      book({ ...second, serviceId: site.service('own') }, purpose),
    ])
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 403])

    const random = seededRandom(seed)
    const pick = <T>(items: readonly T[]): T => {
      const item = items[Math.floor(random() * items.length)]
      assert.ok(item !== undefined)
      return item
    }
    const wishes = Array.from({ length: scaled(80) }, () => {
      const slot = pick([...slots.slice(2), ...long.slice(1), ...bens])
      return { slot, how: pick([{}, reasonOnly, reasonOnly, purpose]) }
    })
    // On a busy machine the service sheds part of the burst.
    const answers = await Promise.all(wishes.map(({ slot, how }) => whenServed(() => book(slot, how))))
    for (const { status, text } of answers) assert.ok(status === 200 || status === 403, text)
    assert.ok(answers.some(({ status }) => status === 200))
    const rows = await site.sql(
      `select id, provider_id, start_at, end_at, assigned_because as because from reservation
       where status <> 'cancelled' and start_at >= ? and start_at < ?`,
      [first.start, first.start + 86_400],
    )
    const purposeful = (because: unknown) => /"(?:occupancy|capacity)"/.test(String(because))
    for (const [index, one] of rows.entries())
      for (const other of rows.slice(index + 1)) {
        const meet =
          one.provider_id === other.provider_id &&
          Number(one.start_at) < Number(other.end_at) &&
          Number(other.start_at) < Number(one.end_at)
        assert.ok(
          !meet || (one.provider_id === ana && (purposeful(one.because) || purposeful(other.because))),
          `seed ${seed}: ${JSON.stringify([one, other])}`,
        )
      }
  })

  test('doctor counts double bookings, and fails for one without a reason', async () => {
    const healthy = await site.server.daybook('doctor')
    assert.match(
      healthy.stdout,
      /^ok {4}seats: .* Deliberate double bookings: \d+, each with a reason in the history\.$/m,
    )
    assert.doesNotMatch(healthy.stdout, /^fail {2}seats/m)
    const [row] = await site.sql(
      `select reservation.id, assigned_because as because from reservation
       join occupancy on reservation_id = reservation.id where resource = 'o1' limit 1`,
    )
    await site.sql('update reservation set assigned_because = null where id = ?', [String(row?.id)])
    const broken = await site.server.daybook('doctor')
    assert.match(broken.stdout, /^fail {2}seats: 1 double bookings have no recorded reason\./m)
    assert.equal(broken.code, 1)
  })
})
