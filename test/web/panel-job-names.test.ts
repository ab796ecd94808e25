import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { jobs } from '../../web/admin/i18n/jobs/en.ts'

// Job kinds are string constants: `xKind = 'calendar-sync'`, `xJob = 'payment-card'`, or values of `xJobs` and
// `jobKinds`; those of periodic jobs are in the table of src/server/jobs.ts.
const constant = /\b\w*(?:Kind|Job)\w* = (?:'([a-z-]+)'|\{([^}]*)\})/g

test('the panel names every kind of job', () => {
  const modules = globSync('src/**/*.{operations,job}.ts').concat(
    globSync('src/{payments/payment-jobs,webhooks/delivery-kind}.ts'),
  )
  const kinds = modules.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(constant)].flatMap(([, one, table = '']) =>
      one === undefined ? [...table.matchAll(/: '([a-z-]+)'/g)].map(([, kind = '']) => kind) : [one],
    ),
  )
  const table = readFileSync('src/server/jobs.ts', 'utf8')
  const periodic = [...table.matchAll(/\bkind: '([a-z-]+)', every/g)].map(([, kind = '']) => kind)
  assert.ok(kinds.length > 20 && periodic.length > 7, `${kinds.length} and ${periodic.length} kinds`)
  const named: readonly string[] = Object.keys(jobs.jobs.kinds)
  assert.deepEqual(
    [...kinds, ...periodic].filter((kind) => !named.includes(kind)),
    [],
  )
})
