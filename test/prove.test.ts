import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { freshFolder } from './support/daybook.ts'
import { proved } from './support/proof.ts'
import { pagePath, proofPage } from './support/proof-page.ts'
import {
  addFigures,
  duration,
  estimate,
  type ProofResult,
  parseReport,
  partsOf,
  proofTotals,
  resultOf,
} from './support/proof-parts.ts'
import { type ProofDefinition, proofs } from './support/proofs.ts'

const proof: ProofDefinition = {
  row: 'B1',
  promise: 'A seat is sold once.',
  files: ['test/a.test.ts'],
  scale: 10,
  parts: 4,
}

test('what a test reports as proved is parsed back', () => {
  const said: string[] = []
  const figures = { calls: 1200, lost: 0, 'worst ready ms': 30.5 }
  proved({ diagnostic: (message) => void said.push(message) }, 'B1 sqlite', figures)
  assert.deepEqual(parseReport(said[0] ?? ''), { label: 'B1 sqlite', figures })
})

test('a page is overwritten for the same files, and never for others', () => {
  const folder = freshFolder()
  mkdirSync(folder, { recursive: true })
  const first = pagePath(folder, '2026-11-21', 'a'.repeat(64))
  assert.equal(first, `${folder}/2026-11-21.md`)
  writeFileSync(first, `| Daybook | 0.1.0, files ${'a'.repeat(12)} |`)
  assert.equal(pagePath(folder, '2026-11-21', 'a'.repeat(64)), first)
  assert.equal(pagePath(folder, '2026-11-21', 'b'.repeat(64)), `${folder}/2026-11-21-2.md`)
})

for (const note of ['seed 5', '20 restarts, 0 resets; seed 5', 'B1 sqlite: all of them; seed 5', 'B1 sqlite: calls 5'])
  test(`"${note}" is not a report of a row`, () => assert.equal(parseReport(note), undefined))

test('figures are summed, and of `worst` figures the largest is kept', () => {
  const sum = addFigures({ calls: 2, 'worst ready ms': 30 }, { calls: 3, 'worst ready ms': 20, kills: 1 })
  assert.deepEqual(sum, { calls: 5, 'worst ready ms': 30, kills: 1 })
})

test('the parts of a proof divide its scale, each with its own seed', () => {
  const parts = partsOf(proof, 700)
  assert.deepEqual(
    parts.map(({ seed }) => seed),
    [700, 701, 702, 703],
  )
  assert.equal(
    parts.reduce((sum, { scale }) => sum + scale, 0),
    proof.scale,
  )
})

describe('a proof', () => {
  const good = { failed: 0, passed: 3, seconds: 2, skipped: [], failures: [], notes: ['B1 sqlite: calls 5; seed 700'] }
  const all = (change: Partial<ProofResult> = {}): ProofResult[] =>
    partsOf(proof, 700).map((part) => ({ ...part, ...good, ...(part.part === 2 && change) }))
  const left = { notes: [], skipped: ['on postgres: PostgreSQL is not installed'] }
  const verdicts: readonly (readonly [when: string, results: readonly ProofResult[], verdict: string])[] = [
    ['whose parts all passed held', all(), 'held'],
    ['of which one part failed is broken', all({ failed: 1 }), 'broken'],
    ['of which a part is missing was cut off', all().slice(1), 'cut off'],
    ['of which a part failed and others are missing is broken', all({ failed: 1 }).slice(0, 2), 'broken'],
    [
      'that says nothing of its row is broken',
      all().map((one) => ({ ...one, notes: ['B2 x: n 5; seed 7'] })),
      'broken',
    ],
    ['that skipped all it had was left out', all().map((one) => ({ ...one, ...left })), 'left out'],
    ['of which no part was run was not run', [], 'not run'],
  ]
  for (const [when, results, verdict] of verdicts)
    test(when, () => assert.equal(proofTotals(proof, results).verdict, verdict))

  test('counts the reports of all its parts, and excludes other proofs', () => {
    const others = all().map((one) => ({ ...one, row: 'B2' }))
    const { figures, seconds } = proofTotals(proof, [...all(), ...others])
    assert.deepEqual([...figures], [['B1 sqlite', { calls: 20 }]])
    assert.equal(seconds, 8)
  })

  test('that failed has the command that repeats its part on its page', () => {
    const page = proofPage('2026-11-21', new Map(), [
      proofTotals(proof, all({ failed: 1, failures: ['It was sold twice.'] })),
    ])
    assert.match(page, /^## B1: broken$/m)
    assert.match(page, /DAYBOOK_TEST_SCALE=2.5 DAYBOOK_TEST_SEED=701 npm test -- test\/a.test.ts/)
    assert.match(page, /It was sold twice\./)
  })
})

test('a part has the outcomes of all its files', () => {
  const outcome = { name: '', seconds: 1, passed: 2, failed: 1, skipped: ['a'], failures: ['b'], notes: ['c'] }
  const [part] = partsOf(proof, 1)
  assert.ok(part)
  assert.deepEqual(resultOf(part, [outcome, outcome]), {
    ...part,
    ...{ seconds: 2, passed: 4, failed: 2, skipped: ['a', 'a'], failures: ['b', 'b'], notes: ['c', 'c'] },
  })
})

test('the remaining time is estimated from parts of the same row', () => {
  const [one, two, ...rest] = partsOf(proof, 1)
  assert.ok(one && two)
  const done = [one, two].map((part, n) => ({ ...resultOf(part, []), seconds: 10 + n * 20 }))
  assert.deepEqual(estimate([...rest, { ...one, row: 'S1' }], done), { seconds: 40, unknown: 1 })
})

for (const [seconds, text] of [
  [4.2, '4 s'],
  [90, '2 min'],
  [3_660, '1 h 1 min'],
] as const)
  test(`${seconds} seconds are ${text}`, () => assert.equal(duration(seconds), text))

test('every row has a unique name, existing files and integer values', () => {
  assert.equal(new Set(proofs.map(({ row }) => row)).size, proofs.length)
  for (const { files, scale, parts } of proofs) {
    for (const file of files) assert.ok(existsSync(file), file)
    assert.ok(files.length > 0 && scale >= 1 && Number.isInteger(parts) && parts >= 1)
  }
})

test('an unknown row is refused with the list of rows', async () => {
  const asked = promisify(execFile)(process.execPath, ['test/prove.ts', '--rows', 'Z9'])
  await assert.rejects(asked, { code: 2, stderr: /There is no row Z9\. Rows are B/ })
})
