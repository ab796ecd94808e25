import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockOf } from './clock.ts'

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia']

for (const zone of zones)
  test(`the clock of ${zone} agrees with Temporal at every half hour of the days on which clocks change`, () => {
    const clock = clockOf(zone)
    for (const first of ['2026-03-28', '2026-10-24', '2026-10-31', '2026-04-04', '2026-03-07', '2026-06-01']) {
      const start = Temporal.PlainDate.from(first).toZonedDateTime({ timeZone: zone })
      for (let half = 0; half < 150; half += 1) {
        const moment = start.add({ minutes: 30 * half })
        const at = moment.epochMilliseconds / 1000
        assert.equal(clock.text(at), moment.toPlainDateTime().toString({ smallestUnit: 'minute' }))
        assert.equal(clock.minuteOf(at), moment.hour * 60 + moment.minute)
        const wall = Temporal.PlainDateTime.from(`${first}T00:00`).add({ minutes: 30 * half })
        const there = wall.toZonedDateTime(zone).epochMilliseconds / 1000
        assert.equal(clock.parse(wall.toString({ smallestUnit: 'minute' })), there, `${wall}`)
      }
    }
  })
