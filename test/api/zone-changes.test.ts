import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { standardSite } from '../support/clinic.ts'
import { pause } from '../support/pause.ts'
import { hangLimit } from '../support/scale.ts'
import {
  type AvailableSlot,
  at,
  type FullReservation,
  onEachDatabase,
  present,
  type TestSite,
} from '../support/test-site.ts'

const zone = 'America/Vancouver'
const hour = 3600
const [vera, walt] = [11, 12]
const everyDay = Object.fromEntries(
  ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, ['08:00-18:00']]),
)
const provider = (id: number, name: string) => ({ id, name, timezone: zone, weekly: everyDay })
const siteFile = {
  services: [
    { key: 'visit', name: 'visit', durationMinutes: 60 },
    { key: 'class', name: 'class', durationMinutes: 120, capacity: 3 },
    { key: 'wish', name: 'wish', durationMinutes: 60, approval: 'admin', pendingBlocks: false },
  ],
  providers: [provider(vera, 'Vera'), provider(walt, 'Walt')],
}

/**
 * British Columbia stays at UTC−07:00 from 2026-11-01 on; zone data from before that decision has UTC−08:00 in
 * winter.
 */
onEachDatabase((open) => {
  let site: TestSite
  const service = new Map<string, string>()
  before(async () => {
    site = await open()
    await site.server.apply(siteFile)
    for (const { id, name } of (await site.get('/services/get/')).body.response) service.set(String(name), id)
  })
  after(() => site.close())

  const book = async (what: string, providerId: number, wall: string, customer = 'Jo'): Promise<string> => {
    const start = at(wall, zone)
    const { body } = await site.server.call<{ response: AvailableSlot[] }>('GET', '/availability/get/', {
      query: {
        min_timestamp: start,
        max_timestamp: start + 1,
        services: present(service.get(what)),
        providers: providerId,
      },
    })
    return site.book(present(body.response[0]), { customerId: site.customer(customer) })
  }

  /**
   * Changes reservations to what the service would have stored with the older zone data: the times are one hour later,
   * and the version of the zone data is an older one.
   */
  const bookedBefore = async (...ids: readonly string[]): Promise<void> => {
    const seats = await Promise.all(ids.map((id) => site.sql('select * from occupancy where reservation_id = ?', [id])))
    for (const id of ids) {
      await site.sql('delete from occupancy where reservation_id = ?', [id])
      await site.sql(
        "update reservation set start_at = start_at + 3600, end_at = end_at + 3600, tz_version = '2025b' where id = ?",
        [id],
      )
    }
    for (const row of seats.flat()) {
      const [serviceId, from, to] = String(row.slot).split(':')
      const moved = {
        ...row,
        slot: `${serviceId}:${Number(from) + hour}:${Number(to) + hour}`,
        start_at: Number(row.start_at) + hour,
        end_at: Number(row.end_at) + hour,
      }
      const places = Object.keys(moved).map(() => '?')
      await site.sql(`insert into occupancy (${Object.keys(moved)}) values (${places})`, Object.values(moved))
    }
  }

  /**
   * Restarts the service and waits until it has checked reservations for zone changes, for at most `hangLimit`; returns
   * the number of displaced reservations, whose local time is no longer the booked one.
   */
  const startAgain = async (): Promise<number> => {
    assert.equal(await site.server.stop(), 0)
    await site.server.restart()
    const until = performance.now() + hangLimit
    for (;;) {
      const text = await (await fetch(`${site.server.url}/metrics`)).text()
      const found = /^daybook_reservations_displaced (\d+)$/m.exec(text)?.[1]
      if (found !== undefined) return Number(found)
      assert.ok(performance.now() < until, 'The service did not look at zones.')
      await pause()
    }
  }

  const doctor = async () => (await site.server.daybook('doctor')).stdout
  const shown = async (id: string): Promise<FullReservation> => site.reservation(id)
  const kept = async (id: string) =>
    present((await site.sql('select start_at, local_start, zone, tz_version from reservation where id = ?', [id]))[0])

  test('by default a displaced reservation keeps its instant, is reported once, and stays listed', async () => {
    const [displaced, still] = [
      await book('visit', vera, '2026-11-10T10:00'),
      await book('visit', vera, '2026-11-10T14:00'),
    ]
    assert.equal((await shown(displaced)).start, at('2026-11-10T17:00', 'UTC'))
    await bookedBefore(displaced)
    await site.sql("update reservation set tz_version = '2025b' where id = ?", [still])
    const before = [await shown(displaced), await kept(still)]
    for (let starts = 1; starts <= 2; starts += 1) assert.equal(await startAgain(), 1)
    assert.deepEqual([await shown(displaced), await kept(still)], before)
    const [, event, ...more] = await site.eventsOf(displaced, 2)
    assert.deepEqual([event?.type, more], ['reservation.zone_changed', []])
    assert.deepEqual(event?.actor, { kind: 'worker', id: 'zones' })
    assert.equal(event?.object?.localStart, '2026-11-10T10:00')
    assert.equal(event?.object?.localStartNow, '2026-11-10T11:00')
    assert.match(
      await doctor(),
      new RegExp(
        `^warn {2}local times: One upcoming .*: ${displaced} \\(2026-11-10T10:00 in ${zone}, now 2026-11-10T11:00\\)`,
        'm',
      ),
    )
    assert.equal((await site.edit(displaced, { start: at('2026-11-10T10:00', zone) })).status, 200)
    assert.match(await doctor(), /^ok {4}local times: Every upcoming reservation/m)
  })

  test('with keep_local_time reservations are moved through the booking core, and conflicting ones are reported', async () => {
    const visits = [
      await book('visit', vera, '2026-11-12T09:00'),
      await book('visit', vera, '2026-11-12T10:00', 'Mia'),
      await book('visit', vera, '2026-11-12T11:00', 'Max'),
    ]
    const seats = [
      await book('class', walt, '2026-11-12T12:00'),
      await book('class', walt, '2026-11-12T12:00', 'Mia'),
      await book('class', walt, '2026-11-12T12:00', 'Max'),
    ]
    const blocked = await book('visit', walt, '2026-11-13T10:00', 'Kim')
    await bookedBefore(...visits, ...seats, blocked)
    const inTheWay = await book('visit', walt, '2026-11-13T10:00')
    await site.server.apply({ site: { ...standardSite.site, policies: { zoneChanges: 'keep_local_time' } } })

    assert.equal(await startAgain(), 1)
    const walls = async (ids: readonly string[]) =>
      Promise.all(ids.map(async (id) => ((await shown(id)).start - at('2026-11-12T00:00', zone)) / hour))
    assert.deepEqual(await walls(visits), [9, 10, 11])
    assert.deepEqual(await walls(seats), [12, 12, 12])
    assert.deepEqual(await walls([blocked, inTheWay]), [35, 34])
    const [, moved] = await site.eventsOf(present(visits[0]), 2)
    assert.deepEqual([moved?.type, moved?.actor.id], ['reservation.rescheduled', 'zones'])
    assert.equal(Number(moved?.previous?.start) - Number(moved?.object?.start), hour)
    const [, event] = await site.eventsOf(blocked, 2)
    assert.equal(event?.type, 'reservation.zone_changed')
    const row = await kept(present(seats[0]))
    assert.deepEqual([row.local_start, row.tz_version], ['2026-11-12T12:00', process.versions.tz])
    const said = await doctor()
    assert.match(said, /^ok {4}seats: /m)
    assert.match(said, new RegExp(`^warn {2}local times: One upcoming .*: ${blocked} `, 'm'))
  })

  test('a request without a seat does not keep the confirmed reservation of its slot from being moved', async () => {
    const [confirmed, requested] = [
      await book('wish', vera, '2026-11-17T09:00'),
      await book('wish', vera, '2026-11-17T09:00', 'Mia'),
    ]
    assert.equal((await site.edit(confirmed, { status: 'confirmed' })).status, 200)
    await bookedBefore(confirmed, requested)
    await site.server.apply({ site: { ...standardSite.site, policies: { zoneChanges: 'keep_local_time' } } })
    await startAgain()
    for (const id of [confirmed, requested]) assert.equal((await shown(id)).start, at('2026-11-17T09:00', zone), id)
  })
})
