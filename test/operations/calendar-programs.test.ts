import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, beforeEach, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { ana } from '../support/clinic.ts'
import { type InProcessSite, resultOf } from '../support/in-process-site.ts'
import { InProcessSiteWithMail } from '../support/in-process-site-with-mail.ts'
import { type MailServer, partOf } from '../support/mail-server.ts'
import { pythonWithCalendar } from '../support/python.ts'

// A Python program that parses a calendar file with the library `icalendar`, another implementation of iCalendar, and
// prints the method, the properties of the only event, and the parse errors as JSON.
const reader = `
import json, sys
from icalendar import Calendar
calendar = Calendar.from_ical(sys.argv[1])
events = list(calendar.walk('VEVENT'))
assert len(events) == 1
event = events[0]
print(json.dumps({
  'method': str(calendar['METHOD']), 'uid': str(event['UID']), 'sequence': int(event['SEQUENCE']),
  'status': str(event['STATUS']), 'start': int(event['DTSTART'].dt.timestamp()), 'end': int(event['DTEND'].dt.timestamp()),
  'summary': str(event['SUMMARY']), 'attendee': str(event['ATTENDEE']), 'name': str(event['ATTENDEE'].params.get('CN', '')),
  'properties': sorted(event.keys()), 'errors': event.errors,
}))
`
const python = pythonWithCalendar()

describe('calendar files, read by python3-icalendar', {
  skip: python ? false : 'python3-icalendar is not installed',
  timeout: 600_000,
}, () => {
  let siteWithMail: InProcessSiteWithMail
  let site: InProcessSite
  let mailServer: MailServer
  before(async () => {
    siteWithMail = await InProcessSiteWithMail.open()
    ;({ site, mailServer: mailServer } = siteWithMail)
  })
  after(() => siteWithMail.close())
  beforeEach(() => siteWithMail.reset())

  const read = async (content: string | undefined) => {
    const { stdout } = await promisify(execFile)(python ?? '', ['-c', reader, content ?? ''])
    return JSON.parse(stdout)
  }
  const files = () => Promise.all(mailServer.to('jo@example.com').map((mail) => read(partOf(mail, 'text/calendar'))))

  test('a booking, its move and its cancellation are one event that is added, updated and removed', async () => {
    const booked = await siteWithMail.book()
    await siteWithMail.runDueJobs()
    const slot = (await site.slots('plain', ana, site.nextDay()))[2]
    assert.ok(slot)
    siteWithMail.now += 60
    const { providerId, start, end, availabilityId } = slot
    resultOf(await site.edit(booked.id, { providerId, start, end, availabilityId }, { now: siteWithMail.now }))
    await siteWithMail.runDueJobs()
    siteWithMail.now += 60
    resultOf(await site.edit(booked.id, { status: 'cancelled' }, { now: siteWithMail.now }))
    await siteWithMail.runDueJobs()
    const found = await files()
    assert.deepEqual(
      found.map(({ method, status, start: from, errors }) => [method, status, from, errors]),
      [
        ['REQUEST', 'CONFIRMED', booked.start, []],
        ['REQUEST', 'CONFIRMED', start, []],
        ['CANCEL', 'CANCELLED', start, []],
      ],
    )
    assert.equal(new Set(found.map(({ uid }) => uid)).size, 1)
    assert.deepEqual(
      found.map(({ sequence }) => sequence),
      [0, 60, 120],
    )
    assert.deepEqual(
      found.map(({ end: until }) => until),
      [booked.end, end, end],
    )
  })

  for (const name of ['Zoë "Zo" O’Brien', 'Jo; Mia, Lu\\n', 'Jo\r\nATTENDEE:mailto:all@example.com', '日本 🗓️'])
    test(`the name ${JSON.stringify(name)} adds no property`, async () => {
      const id = site.customer('Jo')
      await site.connection.build.updateTable('customer').set({ name }).where('id', '=', id).execute()
      await siteWithMail.book()
      await siteWithMail.runDueJobs()
      const [found] = await files()
      assert.equal(found.attendee.toLowerCase(), 'mailto:jo@example.com')
      assert.deepEqual(
        found.properties.filter((property: string) => property === 'ATTENDEE' || property.startsWith('X-')),
        ['ATTENDEE'],
      )
      assert.ok(!/[\r\n]/.test(found.name))
    })
})
