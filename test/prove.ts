import { execFileSync } from 'node:child_process'
// The proof command. `node test/prove.ts` runs the tests of every promise in test/support/proofs.ts at full size, part
// by part, and continues an interrupted run. `--rows B1,B6` runs only the proofs with these ids; `--again` repeats
// parts that are done. The report is docs/proof/<day>.md, with a number in its name if that file is a report on other
// tested files.
import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { circumstances, pagePath, proofPage, repetition } from './support/proof-page.ts'
import { duration, estimate, type ProofPart, partsOf, proofTotals, resultOf } from './support/proof-parts.ts'
import { loadState, saveState, treeDigest } from './support/proof-state.ts'
import { type ProofDefinition, proofs } from './support/proofs.ts'
import { lines } from './support/report.ts'
import { needsPanel, preferOwnPrograms, runFile, startSharedServers } from './support/runner.ts'

const { values: options } = parseArgs({
  options: { rows: { type: 'string' }, again: { type: 'boolean', default: false } },
})
const wanted = options.rows?.split(',') ?? proofs.map(({ row }) => row)
const unknown = wanted.filter((row) => !proofs.some((proof) => proof.row === row))
if (unknown.length > 0) {
  console.error(`There is no row ${unknown.join(', ')}. Rows are ${proofs.map(({ row }) => row).join(', ')}.`)
  process.exit(2)
}

const startedAt = performance.now()
preferOwnPrograms()
const chosen = proofs.filter(({ row }) => wanted.includes(row))
const tree = treeDigest()
const now = new Date()
const firstSeed = (Math.floor(now.getTime() / 1000) % 100_000) * 1_000
let state = loadState({ tree, now, firstSeed, again: options.again ? wanted : [] })
const files = chosen.flatMap((proof) => proof.files)
const provided = await startSharedServers(files, true)
if (files.some(needsPanel)) execFileSync(process.execPath, ['bin/build-panel.js'])
const about = await circumstances(tree, provided.postgresUrl)
const queue = chosen.flatMap((proof) =>
  partsOf(proof, state.firstSeed)
    .filter(({ row, part }) => !state.results.some((result) => result.row === row && result.part === part))
    .map((part) => ({ proof, part })),
)
for (const [index, { proof, part }] of queue.entries()) {
  const left = queue.slice(index).map((one) => one.part)
  console.log(`${part.row}, part ${part.part} of ${proof.parts}; ${progress(left)}`)
  await run(proof, part)
}
await provided.stop()
const page = writePage()
const tallies = chosen.map((proof) => proofTotals(proof, state.results))
for (const { proof, verdict, seconds } of tallies) console.log(`${proof.row} ${verdict}, ${duration(seconds)}`)
console.log(`See ${page}.`)
process.exitCode = tallies.every(({ verdict }) => verdict === 'held' || verdict === 'left out') ? 0 : 1

async function run(proof: ProofDefinition, part: ProofPart): Promise<void> {
  const env = { ...process.env, DAYBOOK_TEST_SCALE: String(part.scale), DAYBOOK_TEST_SEED: String(part.seed) }
  const outcomes = []
  for (const file of proof.files) {
    const outcome = await runFile(file, env)
    console.log(lines(outcome).replace(/^/gm, '  '))
    outcomes.push(outcome)
  }
  const result = resultOf(part, outcomes)
  if (treeDigest() !== tree) {
    console.error('The files changed meanwhile: what was just run proves neither. Start again.')
    process.exit(1)
  }
  if (result.failed > 0) console.log(`  Repeat it: ${repetition(proof, part)}`)
  state = { ...state, results: [...state.results, result] }
  saveState(state)
  writePage()
}

function progress(left: readonly ProofPart[]): string {
  const { seconds, unknown } = estimate(left, [...state.results, ...state.earlier])
  const more = unknown > 0 ? ` and ${unknown} parts that were never timed` : ''
  return `${duration((performance.now() - startedAt) / 1000)} gone, about ${duration(seconds)}${more} to go`
}

function writePage(): string {
  const day = state.startedAt.slice(0, 10)
  const path = pagePath('docs/proof', day, tree)
  mkdirSync('docs/proof', { recursive: true })
  const all = proofs.map((proof) => proofTotals(proof, state.results))
  writeFileSync(path, proofPage(day, about, all))
  return path
}
