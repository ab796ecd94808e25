import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { metricsPage } from './page.ts'
import { table } from './table.ts'

test('docs/metrics.md is what metricsPage() returns, and every alert names an existing metric', () => {
  const page = metricsPage()
  assert.equal(readFileSync('docs/metrics.md', 'utf8'), page)
  const names: readonly string[] = Object.values(table).map(({ name }) => name)
  for (const [, name = ''] of page.matchAll(/\b(daybook_\w+)/g)) assert.ok(names.includes(name), name)
})
