import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, beforeEach, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { ana } from '../support/clinic.ts'
import { type Mailbox, partOf } from '../support/mailbox.ts'
import { done, type Office } from '../support/office.ts'
import { PostOffice } from '../support/post-office.ts'
import { pythonWithCalendar } from '../support/python.ts'

// What a calendar program in another language reads: each event's properties, and every line that is no property.
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
  let post: PostOffice
  let office: Office
  let mailbox: Mailbox
  before(async () => {
    post = await PostOffice.open()
    ;({ office, mailbox } = post)
  })
  after(() => post.close())
  beforeEach(() => post.reset())

  const read = async (content: string | undefined) => {
    const { stdout } = await promisify(execFile)(python ?? '', ['-c', reader, content ?? ''])
    return JSON.parse(stdout)
  }
  const files = () => Promise.all(mailbox.to('jo@example.com').map((mail) => read(partOf(mail, 'text/calendar'))))

  test('a booking, its move and its cancellation are one event that is added, updated and removed', async () => {
    const booked = await post.book()
    await post.run()
    const slot = (await office.slots('plain', ana, office.nextDay()))[2]
    assert.ok(slot)
    post.now += 60
    const { providerId, start, end, availabilityId } = slot
    done(await office.edit(booked.id, { providerId, start, end, availabilityId }, { now: post.now }))
    await post.run()
    post.now += 60
    done(await office.edit(booked.id, { status: 'cancelled' }, { now: post.now }))
    await post.run()
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
      const id = office.customer('Jo')
      await office.connection.build.updateTable('customer').set({ name }).where('id', '=', id).execute()
      await post.book()
      await post.run()
      const [found] = await files()
      assert.equal(found.attendee.toLowerCase(), 'mailto:jo@example.com')
      assert.deepEqual(
        found.properties.filter((property: string) => property === 'ATTENDEE' || property.startsWith('X-')),
        ['ATTENDEE'],
      )
      assert.ok(!/[\r\n]/.test(found.name))
    })
})
