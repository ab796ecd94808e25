import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BackupRecord, isBackupOverdue, isReportDue } from './backup.ts'

const day = 86_400
const now = 1_800_000_000
const old: BackupRecord = { lastAt: now - 8 * day, overdueDays: 7, reportedAt: null, siteCreatedAt: now - 90 * day }

for (const [name, change, by, expected] of [
  ['eight days old', {}, 'service', true],
  ['exactly seven days old', { lastAt: now - 7 * day }, 'service', false],
  ['old, of a site that wants no reminder,', { overdueDays: null }, 'service', false],
  ['that was never made', { lastAt: null }, 'service', true],
  ['that was never made of a new site', { lastAt: null, siteCreatedAt: now - day }, 'service', false],
  ['that was never made by other tools', { lastAt: null }, 'tools', false],
  ['eight days old by other tools', {}, 'tools', true],
] as const)
  test(`a backup ${name} is ${expected ? '' : 'not '}overdue`, () =>
    assert.equal(isBackupOverdue({ ...old, ...change }, by, now), expected))

for (const [name, reportedAt, expected] of [
  ['that was not reported is', null, true],
  ['that was reported a day ago is not', now - day, false],
  ['that was reported eight days ago is', now - 8 * day, true],
] as const)
  test(`an overdue backup ${name} reported`, () =>
    assert.equal(isReportDue({ ...old, lastAt: now - 30 * day, reportedAt }, 'service', now), expected))
