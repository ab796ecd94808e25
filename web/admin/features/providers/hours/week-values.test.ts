import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTime } from '../../../data/dates/parse-date.ts'
import {
  copyDay,
  formatWindowMinutes,
  nextWindow,
  weeklyOf,
  weekValuesOf,
  windowErrorOf,
  windowMinutesOf,
  withBreak,
} from './week-values.ts'

for (const [typed, read] of [
  ['9', '09:00'],
  [' 09:00 ', '09:00'],
  ['930', '09:30'],
  ['0930', '09:30'],
  ['9.30', '09:30'],
  ['9h30', '09:30'],
  ['17h', '17:00'],
  ['5pm', '17:00'],
  ['5:30 PM', '17:30'],
  ['12am', '00:00'],
  ['12 p.m.', '12:00'],
  ['24:00', '24:00'],
  ['24:30', undefined],
  ['9:60', undefined],
  ['13pm', undefined],
  ['noon', undefined],
  ['', undefined],
] as const)
  test(`the time "${typed}" is parsed as ${read ?? 'none'}`, () => assert.equal(parseTime(typed), read))

for (const [from, to, fault] of [
  ['9', '17', undefined],
  ['22:00', '2:00', undefined],
  ['0', '24', undefined],
  ['9', '9', 'empty'],
  ['24:00', '8', 'from'],
  ['nine', '17', 'from'],
  ['9', '', 'to'],
] as const)
  test(`from ${from} to ${to} is ${fault ?? 'a window'}`, () => assert.equal(windowErrorOf({ from, to }), fault))

test('a week survives the form in order, without closed days', () => {
  const week = weekValuesOf({ mon: ['13:00-17:00', '09:00-12:00'], sun: [] })
  assert.deepEqual(week.tue, [])
  assert.deepEqual(weeklyOf(week), { mon: ['09:00-12:00', '13:00-17:00'] })
})

test('copying a day to others leaves the rest unchanged', () => {
  const week = weekValuesOf({ mon: ['09:00-12:00'], tue: ['10:00-11:00'], wed: ['08:00-09:00'] })
  assert.deepEqual(weeklyOf(copyDay(week, 'mon', ['tue', 'fri'])), {
    mon: ['09:00-12:00'],
    tue: ['09:00-12:00'],
    wed: ['08:00-09:00'],
    fri: ['09:00-12:00'],
  })
})

for (const text of ['09:00-17:30', '22:00-02:00', '00:00-24:00', '20:00-24:00']) {
  test(`${text} converts to minutes and back`, () => {
    const [from = '', to = ''] = text.split('-')
    assert.deepEqual(formatWindowMinutes(windowMinutesOf({ from, to }) ?? { start: 0, end: 0 }), { from, to })
  })
}

test('the next window is proposed after the last', () => {
  assert.deepEqual(nextWindow([]), { from: '09:00', to: '17:00' })
  assert.deepEqual(nextWindow([{ from: '09:00', to: '12:00' }]), { from: '13:00', to: '16:00' })
  assert.deepEqual(nextWindow([{ from: '20:00', to: '23:00' }]), { from: '', to: '' })
})

for (const [window, parts] of [
  ['09:00-17:00', '09:00-12:00 13:00-17:00'],
  ['12:30-20:00', '12:30-15:45 16:45-20:00'],
  ['09:00-13:00', '09:00-10:30 11:30-13:00'],
  ['22:00-04:00', '22:00-00:30 01:30-04:00'],
  ['00:00-24:00', '00:00-12:00 13:00-24:00'],
  ['09:00-10:30', undefined],
  ['9x-17:00', undefined],
] as const)
  test(`${window} is ${parts ? `split by a break into ${parts}` : 'too short or wrong for a break'}`, () => {
    const [from = '', to = ''] = window.split('-')
    const split = withBreak({ from, to })?.map((part) => `${part.from}-${part.to}`)
    assert.equal(split?.join(' '), parts)
  })
