import assert from 'node:assert/strict'
import { test } from 'node:test'
import { briefTimeOfDay, timeOfDay } from './intl.ts'

// The formatter separates the time from AM or PM by a narrow space.
const plain = (text: string): string => text.replace(/\s/g, ' ')

for (const [locale, time, hour] of [
  ['en-GB', '16:30', '16:00'],
  ['en-US', '4:30 PM', '4 PM'],
  ['de', '16:30', '16:00'],
  ['fr', '16:30', '16:00'],
] as const)
  test(`in ${locale}, half past four in the afternoon is ${time} and four is ${hour}, in brief`, () => {
    assert.equal(plain(timeOfDay(990.5, locale)), time)
    assert.equal(plain(timeOfDay(990, locale)), time)
    assert.equal(plain(briefTimeOfDay(960, locale)), hour)
    assert.equal(plain(briefTimeOfDay(990, locale)), time)
  })
