import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { affectedBy } from './support/affected.ts'

const tests = globSync('{src,test,web}/**/*.test.ts')

for (const [changed, affected, unaffected] of [
  [
    'src/scheduling/time/interval.ts',
    ['src/scheduling/time/interval.test.ts', 'test/api/availability.test.ts'],
    ['src/catalogue/services/color.test.ts'],
  ],
  [
    'src/db/migrations/0001.sql',
    ['test/storage/migrate.test.ts', 'test/api/lists.test.ts'],
    ['src/scheduling/time/zone.test.ts'],
  ],
  ['src/cli/framework/completion.ts', ['test/cli/completion.test.ts'], ['test/api/lists.test.ts']],
  ['src/db/sqlite/writer.ts', ['test/api/lists.test.ts'], ['src/scheduling/time/zone.test.ts']],
  ['web/admin/features/reports/today.tsx', ['test/web/panel.test.ts'], ['test/api/lists.test.ts']],
  ['docs/glossary.md', ['test/docs.test.ts'], ['test/web/panel.test.ts']],
  ['test/support/clinic.ts', ['test/api/lists.test.ts'], ['src/http/request/body.test.ts']],
] as const)
  test(`a change of ${changed} affects ${affected[0]} and not ${unaffected[0]}`, () => {
    const found = new Set(affectedBy([changed], tests))
    for (const path of affected) assert.ok(found.has(path), path)
    for (const path of unaffected) assert.ok(!found.has(path), path)
  })

test('a change of the lockfile affects every test', () => {
  assert.deepEqual(affectedBy(['package-lock.json'], tests), tests)
})
