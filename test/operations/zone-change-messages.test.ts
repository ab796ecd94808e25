import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { settleZones } from '../../src/reservations/zone-changes/zone-changes.job.ts'
import { type InProcessSite, resultOf } from '../support/in-process-site.ts'
import { InProcessSiteWithMail } from '../support/in-process-site-with-mail.ts'
import { partOf } from '../support/mail-server.ts'

const hour = 3_600

describe('messages after a change of time zone rules', { timeout: 600_000 }, () => {
  let siteWithMail: InProcessSiteWithMail
  let site: InProcessSite
  before(async () => {
    siteWithMail = await InProcessSiteWithMail.open()
    ;({ site } = siteWithMail)
  })
  after(() => siteWithMail.close())
  beforeEach(() => siteWithMail.reset())

  /**
   * Books slot number `nth` of a day and changes the reservation to what the service would have stored with older zone
   * data: the times are one hour later than the wall time, and the version of the zone data is an older one.
   */
  const bookedBefore = async (service: string, nth: number): Promise<string> => {
    const { id, start, end } = await siteWithMail.book(service, nth)
    await siteWithMail.runDueJobs()
    const later = { start_at: start + hour, end_at: end + hour, tz_version: '2025b' }
    await site.connection.build.updateTable('reservation').set(later).where('id', '=', id).execute()
    siteWithMail.mailServer.received.length = 0
    siteWithMail.now += 60
    return id
  }
  const followZones = async (zoneChanges: 'report' | 'keep_local_time'): Promise<void> => {
    resultOf(await site.perform('site.edit', { policies: { zoneChanges } }))
    await settleZones(siteWithMail.app(), AbortSignal.any([]))
    await siteWithMail.runDueJobs()
  }

  test('a report of displaced reservations is no new booking: it is mailed to nobody', async () => {
    const ids = [await bookedBefore('plain', 2), await bookedBefore('approved', 4)]
    await followZones('report')
    for (const id of ids) assert.equal((await site.events(id)).at(-1)?.type, 'reservation.zone_changed')
    assert.deepEqual(siteWithMail.mailServer.received, [])
  })

  test('a move that preserves the wall time updates the calendar entry and names no former time', async () => {
    const id = await bookedBefore('plain', 2)
    await followZones('keep_local_time')
    assert.equal((await site.events(id)).at(-1)?.type, 'reservation.rescheduled')
    for (const address of ['jo@example.com', 'ana@clinic.example']) {
      const [mail, ...more] = siteWithMail.mailServer.to(address)
      assert.ok(mail && more.length === 0, address)
      assert.match(partOf(mail, 'text/plain') ?? '', /has been moved to [^.]*, 10:00\./)
      assert.match(partOf(mail, 'text/calendar') ?? '', /T080000Z/)
    }
  })
})
