// The command of mutation tests. `node test/mutation/run.ts` puts small faults into the files of the table, one at a time,
// and fails when the tests notice too few; what has been found is kept in .mutation/, so that a run that was stopped goes on
// where it was. Paths name the files to run instead, whatever is kept, and show what was not noticed.
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { MutantResult, PartialStrykerOptions } from '@stryker-mutator/api/core'
import { Stryker } from '@stryker-mutator/core'
import { groups, leastScore, testsOf } from './table.ts'

interface Found {
  readonly file: string
  readonly noticed: number
  /** Those that no test noticed, a line each. */
  readonly missed: readonly string[]
  readonly seconds: number
}

const state = '.mutation'
// Fewer cases than elsewhere and always the same: a mutant is then found or missed again in every run.
process.env.DAYBOOK_TEST_CASES = '30'
process.env.DAYBOOK_TEST_SEED = '1'
// Where there is a file system in memory, databases of tests go there: they are opened for every mutant.
if (existsSync('/dev/shm')) process.env.TMPDIR = '/dev/shm'

const wanted = process.argv.slice(2)
if (wanted.length > 0) {
  for (const file of wanted) {
    const found = await mutate(file)
    console.log([lineOf(file, [found]), ...found.missed].join('\n'))
  }
} else {
  const sum = sumOfAll()
  const founds = new Map<string, Found>()
  for (const file of new Set(groups.flatMap(({ files }) => files))) {
    const found = kept(file, sum) ?? keep(await mutate(file), sum)
    founds.set(file, found)
    if (found.noticed + found.missed.length > 0) console.log(lineOf(file, [found]))
  }
  console.log('')
  for (const { name, files } of groups) {
    const all = files.flatMap((file) => founds.get(file) ?? [])
    console.log(lineOf(name, all))
    if (scoreOf(all) < leastScore) process.exitCode = 1
  }
  if (process.exitCode) console.log(`Each group needs ${leastScore} %. Name a file to see what its tests miss.`)
}

/** Every mutant of one file against the tests that speak of it. */
async function mutate(file: string): Promise<Found> {
  const since = performance.now()
  const options: PartialStrykerOptions = {
    mutate: [file],
    daybook: testsOf(file),
    testRunner: 'daybook',
    plugins: [resolve('test/mutation/runner.ts')],
    appendPlugins: [],
    reporters: ['event-recorder'],
    coverageAnalysis: 'perTest',
    concurrency: 1,
    // What was loaded for a mutant stays in memory.
    maxTestRunnerReuse: 300,
    timeoutMS: 20_000,
    timeoutFactor: 4,
    disableTypeChecks: false,
    ignorePatterns: ['**', '!src/**/*', '!test/**/*', '!package.json'],
    tempDirName: `${state}/copy`,
    cleanTempDir: 'always',
    allowConsoleColors: false,
  }
  const results = await new Stryker(options).runMutationTest()
  const seconds = (performance.now() - since) / 1000
  const missed = results.filter(({ status }) => status === 'Survived' || status === 'NoCoverage').map(sentenceOf)
  const noticed = results.filter(({ status }) => status === 'Killed' || status === 'Timeout').length
  return { file, noticed, missed, seconds }
}

function sentenceOf({ location, mutatorName, replacement, status }: MutantResult): string {
  const { line, column } = location.start
  const text = (replacement ?? '').replaceAll(/\s+/g, ' ').slice(0, 100)
  return `  ${line}:${column} ${mutatorName} ${status === 'NoCoverage' ? '(no test comes here) ' : ''}→ ${text}`
}

function lineOf(name: string, founds: readonly Found[]): string {
  const noticed = founds.reduce((sum, found) => sum + found.noticed, 0)
  const missed = founds.reduce((sum, found) => sum + found.missed.length, 0)
  const seconds = founds.reduce((sum, found) => sum + found.seconds, 0)
  const score = scoreOf(founds).toFixed(1)
  return `${name}: ${noticed + missed} mutants, ${noticed} noticed, ${missed} missed, ${score} %, ${seconds.toFixed(0)} s`
}

function scoreOf(founds: readonly Found[]): number {
  const noticed = founds.reduce((sum, found) => sum + found.noticed, 0)
  const all = founds.reduce((sum, found) => sum + found.noticed + found.missed.length, 0)
  return all === 0 ? 100 : (noticed / all) * 100
}

/** Of everything that a mutant's fate can hang on: code, tests, packages, the runtime. */
function sumOfAll(): string {
  const hash = createHash('sha256').update(process.version)
  for (const path of [...globSync('{src,test}/**/*.{ts,sql}'), 'package-lock.json'].sort())
    hash.update(path).update(readFileSync(path))
  return hash.digest('hex')
}

function kept(file: string, sum: string): Found | undefined {
  const path = keptAt(file)
  const found = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
  return found?.sum === sum ? found.found : undefined
}

function keep(found: Found, sum: string): Found {
  mkdirSync(state, { recursive: true })
  writeFileSync(keptAt(found.file), JSON.stringify({ sum, found }))
  return found
}

function keptAt(file: string): string {
  return `${state}/${file.replaceAll('/', '.')}.json`
}
