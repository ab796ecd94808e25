// The command of mutation tests. `node test/mutation/run.ts` makes small faults (mutants) in copies of the files of
// test/mutation/table.ts, one at a time, and fails when the tests detect too few of them. Results of a part of the
// table are stored in .mutation/, so that an interrupted run continues. With names of parts or paths of files as
// arguments, only those are tested, and their undetected mutants are listed.
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { MutantResult } from '@stryker-mutator/api/core'
import { Stryker } from '@stryker-mutator/core'
import { groups, type MutationPart, minScore, parts } from './table.ts'

/** The results of the mutants of one file; `noticed` is the number of detected mutants. */
interface Found {
  readonly file: string
  readonly noticed: number
  /** How many of `noticed` ended in a timeout, which a busy machine may have caused. */
  readonly givenUp: number
  /** The undetected mutants, one line each. */
  readonly missed: readonly string[]
}

const state = '.mutation'
// Test databases go to a file system in memory where one exists, since they are opened for every mutant.
if (existsSync('/dev/shm')) process.env.TMPDIR = '/dev/shm'

// Stryker ignores the path of a renamed file, so the mutants of that file would be missing without notice.
const gone = groups.flatMap(({ files }) => files).filter((file) => !existsSync(file))
if (gone.length > 0) throw new Error(`test/mutation/table.ts names what is not there: ${gone.join(', ')}.`)

const wanted = process.argv.slice(2)
if (wanted.length > 0) {
  for (const part of parts.filter(({ name, files }) => [name, ...files].some((one) => wanted.includes(one)))) {
    const files = part.files.filter((file) => wanted.includes(file))
    for (const found of await mutate({ ...part, files: files.length > 0 ? files : part.files }))
      console.log([lineOf(found.file, [found]), ...found.missed].join('\n'))
  }
} else {
  const sum = sumOfAll()
  const founds: Found[] = []
  for (const part of parts) {
    const ofPart = kept(part, sum) ?? keep(part, sum, await mutate(part))
    // A file of types alone has no mutants.
    for (const found of ofPart.filter((one) => one.noticed + one.missed.length > 0))
      console.log(lineOf(found.file, [found]))
    founds.push(...ofPart)
  }
  console.log('')
  for (const { name, files } of groups) {
    const ofGroup = founds.filter(({ file }) => files.includes(file))
    console.log(lineOf(name, ofGroup))
    if (scoreOf(ofGroup) < minScore) process.exitCode = 1
  }
  if (process.exitCode) console.log(`Each group needs ${minScore} %. Name a part or a file to see what its tests miss.`)
}

/** Runs every mutant of the part's files against the part's tests; returns the results by file. */
async function mutate({ files, tests }: MutationPart): Promise<Found[]> {
  const options = { configFile: 'test/mutation/stryker.json', mutate: [...files], daybook: tests }
  const results = await new Stryker(options).runMutationTest()
  return files.map((file) => {
    const own = results.filter(({ fileName }) => fileName.replaceAll('\\', '/').endsWith(`/${file}`))
    return {
      file,
      noticed: own.filter(({ status }) => status === 'Killed' || status === 'Timeout').length,
      givenUp: own.filter(isGivenUp).length,
      missed: own.filter(({ status }) => status === 'Survived' || status === 'NoCoverage').map(sentenceOf),
    }
  })
}

function isGivenUp({ status, statusReason }: MutantResult): boolean {
  return status === 'Timeout' && !statusReason?.startsWith('Hit limit')
}

function sentenceOf({ location, mutatorName, replacement, status }: MutantResult): string {
  const { line, column } = location.start
  const text = (replacement ?? '').replaceAll(/\s+/g, ' ').slice(0, 100)
  return `  ${line}:${column} ${mutatorName} ${status === 'NoCoverage' ? '(no test comes here) ' : ''}→ ${text}`
}

function lineOf(name: string, founds: readonly Found[]): string {
  const [noticed, missed] = countsOf(founds)
  const givenUp = founds.reduce((total, found) => total + found.givenUp, 0)
  const byClock = givenUp === 0 ? '' : ` (${givenUp} by the clock)`
  return `${name}: ${noticed + missed} mutants, ${noticed} noticed${byClock}, ${missed} missed, ${scoreOf(founds).toFixed(1)} %`
}

function scoreOf(founds: readonly Found[]): number {
  const [noticed, missed] = countsOf(founds)
  return (noticed / Math.max(1, noticed + missed)) * 100
}

function countsOf(founds: readonly Found[]): readonly [noticed: number, missed: number] {
  const sum = (of: (found: Found) => number) => founds.reduce((total, found) => total + of(found), 0)
  return [sum(({ noticed }) => noticed), sum(({ missed }) => missed.length)]
}

/** Returns a digest of what determines the result of a mutant: code, tests, npm packages and the version of Node. */
function sumOfAll(): string {
  const hash = createHash('sha256').update(process.version)
  for (const path of [...globSync('{src,test}/**/*.{ts,sql,json}'), 'package-lock.json'].sort())
    hash.update(path).update(readFileSync(path))
  return hash.digest('hex')
}

function kept(part: MutationPart, sum: string): readonly Found[] | undefined {
  const path = `${state}/${part.name}.json`
  const known = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
  return known?.sum === sum ? known.founds : undefined
}

function keep(part: MutationPart, sum: string, founds: readonly Found[]): readonly Found[] {
  mkdirSync(state, { recursive: true })
  writeFileSync(`${state}/${part.name}.json`, JSON.stringify({ sum, founds }))
  return founds
}
