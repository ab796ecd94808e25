import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contextWith, withStorage } from '../../../test/support/databases.ts'
import type { operations } from '../../operations.ts'
import { sampleMail } from './sample.operations.ts'

const table = new URL('../../operations.ts', import.meta.url)
const now = Date.parse('2026-11-24T20:00:00-08:00') / 1_000

test('the sample agenda is of tomorrow in the zone of the site', () =>
  withStorage<typeof operations>('sqlite', table, async (storage) => {
    await storage.perform('site.prepare', { siteUrl: '' }, contextWith({ now }))
    await storage.perform('site.apply', { site: { timezone: 'America/Los_Angeles' } }, contextWith({ now }))
    const sample = await sampleMail(storage.db, { kind: 'agenda', locale: 'en' }, undefined, now)
    const text = JSON.stringify(sample)
    assert.match(text, /25 November/)
    assert.match(text, /0?9:00/)
    assert.match(text, /11:00/)
  }))
