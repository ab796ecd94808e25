import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockOf } from '../../../data/dates/clock.ts'
import type { CalendarColumn } from './columns.ts'
import { defaultZoom, scaleOf } from './scale.ts'

const column = (open: readonly (readonly [number, number])[], held: readonly (readonly [number, number])[] = []) => {
  const blocks = (pairs: typeof open) => pairs.map(([from, to]) => ({ top: from * 60, height: (to - from) * 60 }))
  const item = { id: 'hold', providerId: 1, start: 0, end: 1 }
  return {
    key: '1',
    clock: clockOf('Europe/Berlin'),
    provider: { id: 1, name: 'Ana', zone: 'Europe/Berlin' },
    date: '2026-10-05',
    day: { start: 0, end: 86_400 },
    open: blocks(open),
    busy: [],
    shared: [],
    held: blocks(held).map((block) => ({ item, block })),
    cards: [],
    groups: [],
  } satisfies CalendarColumn
}

for (const [name, columns, closed, expected] of [
  ['the opening hours and an hour around them', [column([[9, 17]])], false, '8-18'],
  [
    'the hours of the provider who opens first, to those of who closes last',
    [column([[7, 12]]), column([[12, 20]])],
    false,
    '6-21',
  ],
  ['what is held outside of the opening hours', [column([[9, 17]], [[18.5, 19.25]])], false, '8-21'],
  ['no hour outside of the day', [column([[0, 24]])], false, '0-24'],
  ['working hours when nobody is open', [column([])], false, '8-18'],
  ['the whole day when closed hours are shown', [column([[9, 17]])], true, '0-24'],
] as const)
  test(`the calendar shows ${name}`, () => {
    const { first, last } = scaleOf(columns, { zoom: defaultZoom, closed })
    assert.equal(`${first / 60}-${last / 60}`, expected)
  })
