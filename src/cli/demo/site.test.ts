import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contextWith, withStorage } from '../../../test/support/databases.ts'
import { listServiceKeys } from '../../catalogue/services/services.sql.ts'
import type { operations } from '../../operations.ts'
import { showFairness } from '../../reports/fairness.operations.ts'
import { dateText, parseDate } from '../../scheduling/time/date.ts'
import { localDay } from '../../scheduling/time/zone.ts'
import { readSiteFile } from '../../site-file/read-site-file.routes.ts'
import { demoZone } from './clinic.ts'
import { demoSite } from './site.ts'

const table = new URL('../../operations.ts', import.meta.url)
const days: readonly (readonly [what: string, now: number])[] = [
  ['in autumn, around the end of summer time', Date.UTC(2026, 9, 20, 9, 30) / 1000],
  ['on Christmas Eve', Date.UTC(2026, 11, 24, 23, 59, 59) / 1000],
  ['on a leap day', Date.UTC(2028, 1, 29) / 1000],
  ['before there is any past', 0],
]

test('the demo is the same clinic whenever it starts at the same time', () => {
  const [[, now] = ['', 0]] = days
  assert.deepEqual(demoSite(now), demoSite(now))
})

test('the demo’s reservations are assigned to providers as bookings would be', () =>
  withStorage<typeof operations>('sqlite', table, async ({ perform, db }) => {
    await perform('site.prepare', { siteUrl: '' }, contextWith())
    const [[, now] = ['', 0]] = days
    const outcome = await perform('site.apply', demoSite(now), contextWith({ now }))
    assert.ok('ok' in outcome, JSON.stringify(outcome))
    const idOf = async (key: string) => (await listServiceKeys(db)).get(key) ?? ''
    const today = localDay(demoZone, now).date
    const period = { from: dateText((parseDate(today) ?? 0) - 30), to: today }
    const vaccination = await showFairness(db, await idOf('vaccination'), period)
    assert.deepEqual(
      vaccination.providers.map(({ id, got, assigned, lastAt }) => [id, got > 0, assigned > got, lastAt === now]),
      [
        [2, true, true, true],
        [5, true, true, true],
      ],
    )
    const reasons = vaccination.last.map(({ choice }) => choice?.because.code)
    assert.deepEqual(new Set(reasons), new Set(['assigned_least_recently']))
    assert.ok(vaccination.last.some(({ choice }) => choice?.eligible.length === 2))
    const bloodTest = await showFairness(db, await idOf('blood-test'), period)
    assert.deepEqual(
      bloodTest.providers.map(({ id, assigned }) => [id, assigned > 0]),
      [
        [1, true],
        [5, true],
      ],
    )
    const direct = await showFairness(db, await idOf('physiotherapy'), period)
    assert.deepEqual(new Set(direct.last.map(({ choice }) => choice?.mode)), new Set(['direct']))
  }))

describe('the demo is a valid site file whose reservations do not overlap', () => {
  for (const [what, now] of days) {
    test(what, () =>
      withStorage<typeof operations>('sqlite', table, async ({ perform }) => {
        await perform('site.prepare', { siteUrl: '' }, contextWith())
        const site = demoSite(now)
        const reservations = site.reservations?.map(({ assigned, ...entry }) => entry)
        const file = readSiteFile(JSON.stringify({ ...site, reservations }))
        const outcome = await perform('site.apply', file, contextWith({ now, dryRun: true }))
        assert.ok('ok' in outcome, JSON.stringify(outcome))
        assert.equal(outcome.ok.reservations.added.length, file.reservations?.length)
      }),
    )
  }
})
