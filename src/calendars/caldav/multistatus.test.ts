import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CalendarFault } from '../calendar-fault.ts'
import { type DavResource, MultistatusReader } from './multistatus.ts'

const answer = `<?xml version="1.0" encoding="utf-8"?>
<d:multistatus xmlns:d="DAV:" xmlns:cal="urn:ietf:params:xml:ns:caldav">
  <d:response>
    <d:href>/ana/work/caf%C3%A9.ics</d:href>
    <d:propstat>
      <d:prop><d:getetag>"1 &amp; 2"</d:getetag><cal:calendar-data><![CDATA[BEGIN:VCALENDAR
SUMMARY:a < b]]>&#13;
END:VCALENDAR</cal:calendar-data></d:prop>
      <d:status>HTTP/1.1 200 OK</d:status>
    </d:propstat>
    <d:propstat><d:prop><d:displayname/></d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat>
  </d:response>
  <d:response><d:href>/ana/work/gone.ics</d:href><d:status>HTTP/1.1 404 Not Found</d:status></d:response>
  <d:response>
    <d:href>/ana/</d:href>
    <d:propstat>
      <d:prop>
        <d:resourcetype><d:collection/><cal:calendar/></d:resourcetype>
        <cal:calendar-home-set><d:href> /ana/ </d:href><d:href>/other/</d:href></cal:calendar-home-set>
        <cal:supported-calendar-component-set><cal:comp name="VEVENT"/><cal:comp name="VTODO"/></cal:supported-calendar-component-set>
      </d:prop>
      <d:status>HTTP/1.1 200 OK</d:status>
    </d:propstat>
  </d:response>
  <d:sync-token>http://example.com/sync/7</d:sync-token>
</d:multistatus>`

/**
 * Reads a multistatus response that arrives in the given pieces; returns its resources, calendar data and sync token.
 */
function read(pieces: readonly string[]) {
  const resources: DavResource[] = []
  let data = ''
  const reader = new MultistatusReader({
    resource: (resource) => resources.push(resource),
    calendarData: (piece) => {
      data += piece
    },
  })
  for (const piece of pieces) reader.push(piece)
  reader.end()
  return { resources, data, token: reader.syncToken }
}

test('an answer names its resources, their properties and the token', () => {
  const { resources, data, token } = read([answer])
  assert.deepEqual(
    resources.map(({ href, status, properties }) => [href, status, [...properties.keys()]]),
    [
      ['/ana/work/caf%C3%A9.ics', 0, ['getetag', 'calendar-data']],
      ['/ana/work/gone.ics', 404, []],
      ['/ana/', 0, ['resourcetype', 'calendar-home-set', 'supported-calendar-component-set']],
    ],
  )
  const [event, , home] = resources
  assert.equal(event?.properties.get('getetag')?.text, '"1 & 2"')
  assert.deepEqual(home?.properties.get('resourcetype')?.elements, ['collection', 'calendar'])
  assert.deepEqual(home?.properties.get('calendar-home-set')?.hrefs, ['/ana/', '/other/'])
  assert.deepEqual(home?.properties.get('supported-calendar-component-set')?.names, ['VEVENT', 'VTODO'])
  assert.equal(data, 'BEGIN:VCALENDAR\nSUMMARY:a < b\r\nEND:VCALENDAR')
  assert.equal(token, 'http://example.com/sync/7')
})

test('an answer is read alike in whatever pieces it arrives', () => {
  const whole = read([answer])
  fc.assert(
    fc.property(fc.array(fc.nat(answer.length), { maxLength: 20 }), (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), answer.length]
      assert.deepEqual(read(places.slice(1).map((to, index) => answer.slice(places[index], to))), whole)
    }),
    { numRuns: Number(process.env.DAYBOOK_TEST_CASES ?? 200) },
  )
})

test('an answer that is cut off, or anything else, is a fault of the calendar and nothing worse', () => {
  const faultOf = (text: string): string => {
    try {
      read([text])
      return ''
    } catch (error) {
      assert.ok(error instanceof CalendarFault, String(error))
      return error.code
    }
  }
  for (let length = 0; length < answer.length; length += 1)
    assert.notEqual(faultOf(answer.slice(0, length)), '', String(length))
  fc.assert(
    fc.property(fc.nat(answer.length), fc.string({ unit: 'grapheme', maxLength: 8 }), (place, text) => {
      faultOf(answer.slice(0, place) + text + answer.slice(place))
    }),
    { numRuns: Number(process.env.DAYBOOK_TEST_CASES ?? 500) },
  )
  const entities = Array.from({ length: 9 }, (_, n) => `<!ENTITY a${n + 1} "&a${n};&a${n};">`).join('')
  assert.equal(faultOf(`<!DOCTYPE x [<!ENTITY a0 "x">${entities}]><multistatus>&a9;</multistatus>`), 'malformed')
  assert.equal(
    faultOf(`<multistatus><response><href>${'x'.repeat(100_000)}</href></response></multistatus>`),
    'malformed',
  )
})
