import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Script } from 'node:vm'
import { withProcessorTime } from '../../../test/support/processor-time.ts'
import { CalendarZones, isKnownZone } from './calendar-zones.ts'

const changes = {
  'Europe/Berlin': [
    ['DAYLIGHT', '19700329T020000', 'BYMONTH=3;BYDAY=-1SU', '+0100', '+0200'],
    ['STANDARD', '19701025T030000', 'BYMONTH=10;BYDAY=-1SU', '+0200', '+0100'],
  ],
  'America/New_York': [
    ['DAYLIGHT', '20070311T020000', 'BYMONTH=3;BYDAY=2SU', '-0500', '-0400'],
    ['STANDARD', '20071104T020000', 'BYMONTH=11;BYDAY=1SU', '-0400', '-0500'],
  ],
  'Australia/Lord_Howe': [
    ['DAYLIGHT', '20081005T020000', 'BYMONTH=10;BYDAY=1SU', '+1030', '+1100'],
    ['STANDARD', '20080406T020000', 'BYMONTH=4;BYDAY=1SU', '+1100', '+1030'],
  ],
} as const

for (const [name, sections] of Object.entries(changes))
  test(`a zone that a file defines like ${name} has the times of the zone database, also in clock changes`, () => {
    const zones = new CalendarZones('Etc/UTC')
    const lines = sections.flatMap(([kind, start, rule, from, to]) => [
      ...[`BEGIN:${kind}`, `DTSTART:${start}`, `RRULE:FREQ=YEARLY;${rule}`],
      ...[`TZOFFSETFROM:${from}`, `TZOFFSETTO:${to}`, `END:${kind}`],
    ])
    zones.define(['TZID:Custom', ...lines], 0)
    const [defined, known] = ['Custom', name].map((zone) => ({ zone, isDate: false }))
    assert.ok(defined && known)
    const first = Date.UTC(2026, 0, 1) / 1000
    for (let second = first; second < first + 2 * 366 * 86_400; second += 900) {
      const told = { wall: second }
      assert.equal(zones.instantOf({ ...defined, ...told }), zones.instantOf({ ...known, ...told }), `wall ${second}`)
      assert.equal(zones.wallOf(second, defined), zones.wallOf(second, known), `instant ${second}`)
    }
  })

const identifiers = [
  ['Europe/Berlin', true],
  ['/mozilla.org/20050126_1/Europe/Berlin', true],
  ['/freeassociation.sourceforge.net/Tzfile/Europe/Berlin', true],
  ['/citadel.org/20210210_1/America/Argentina/Buenos_Aires', true],
  ['/citadel.org/20210210_1/Etc/GMT+5', true],
  ['/example.com/Office', false],
  ['/', false],
] as const
for (const [id, isKnown] of identifiers)
  test(`the zone database ${isKnown ? 'contains' : 'does not contain'} the zone ${id}`, () =>
    assert.equal(isKnownZone(`TZID:${id}`), isKnown))

test('a long identifier of a zone does not block the thread', () => {
  const hostile = { isKnownZone, line: `TZID:/${'a'.repeat(250_000)}` }
  const script = new Script('isKnownZone(line)')
  const { result, milliseconds } = withProcessorTime(() => script.runInNewContext(hostile, { timeout: 60_000 }))
  assert.equal(result, false)
  assert.ok(milliseconds < 2_000, `${milliseconds} ms`)
})
