import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dueAgenda } from './agenda.ts'

const berlin = (text: string) => Date.parse(`${text}+01:00`) / 1000

for (const [name, at, now, expected] of [
  ['before its time', '07:00', '2026-11-24T06:59:59', undefined],
  ['at its time', '07:00', '2026-11-24T07:00:00', '2026-11-24'],
  ['after a short downtime', '07:00', '2026-11-24T12:59:59', '2026-11-24'],
  ['after a long downtime', '07:00', '2026-11-24T13:00:00', undefined],
  ['in the evening before', '18:30', '2026-11-24T18:30:00', '2026-11-25'],
  ['after a downtime beyond midnight', '22:00', '2026-11-25T03:59:59', '2026-11-25'],
  ['after a longer downtime', '22:00', '2026-11-25T04:00:00', undefined],
  ['at the end of a month', '18:30', '2026-11-30T20:00:00', '2026-12-01'],
] as const)
  test(`${name}, the agenda of ${expected ?? 'no day'} is due`, () => {
    const due = dueAgenda('Europe/Berlin', at, berlin(now))
    assert.equal(due?.date, expected)
    if (due) assert.deepEqual([due.start, due.end - due.start], [berlin(`${due.date}T00:00:00`), 86_400])
  })
