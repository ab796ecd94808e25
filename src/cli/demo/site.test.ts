import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contextWith, withStorage } from '../../../test/support/databases.ts'
import type { operations } from '../../operations.ts'
import { readSiteFile } from '../../site-file/read-site-file.routes.ts'
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

describe('the demo is a valid site file whose reservations do not overlap', () => {
  for (const [what, now] of days) {
    test(what, () =>
      withStorage<typeof operations>('sqlite', table, async ({ perform }) => {
        await perform('site.prepare', { siteUrl: '' }, contextWith())
        const file = readSiteFile(JSON.stringify(demoSite(now)))
        const outcome = await perform('site.apply', file, contextWith({ now, dryRun: true }))
        assert.ok('ok' in outcome, JSON.stringify(outcome))
        assert.equal(outcome.ok.reservations.added.length, file.reservations?.length)
      }),
    )
  }
})
