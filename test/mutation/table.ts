import { globSync } from 'node:fs'
import { roleOf } from '../support/architecture.ts'
import { rules } from '../support/import-rules.ts'

/** A group of source files; the tests must detect at least `minScore` percent of the mutants in these files. */
export interface Group {
  readonly name: string
  readonly files: readonly string[]
}

/** Files that are mutated together, with their tests. */
export interface MutationPart {
  readonly name: string
  readonly files: readonly string[]
  /**
   * Paths of tests that start no process, thread or PostgreSQL server, so that a mutant takes a few hundredths of a
   * second.
   */
  readonly tests: readonly string[]
}

/** The minimum percentage of the mutants of a group that the tests must detect. */
export const minScore = 85

const pure = globSync('src/**/*.ts')
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => roleOf(path, rules) === 'pure' && !/^src\/(?:contract|api-docs|operations)/.test(path))
  .sort()
const unitTests = pure.filter((path) => path.endsWith('.test.ts'))
const domain = pure.filter((path) => !path.endsWith('.test.ts'))
const time = domain.filter((path) => /^src\/scheduling\/(?:time\/|opening-hours)/.test(path))
const engine = domain.filter((path) => path.startsWith('src/scheduling/') && !time.includes(path))
const operations = ['offer', 'reservations', 'edit'].map((name) => `src/reservations/booking/${name}.operations.ts`)
const slotIds = ['src/availability/slot-id.ts']
const http = ['src/access/tokens/authenticate-token.routes.ts', 'src/http/request/headers.ts']
const seam = ['src/db/perform/perform.ts', 'src/db/perform/idempotency.ts']

export const groups: readonly Group[] = [
  { name: 'domain', files: domain },
  { name: 'reservations', files: operations },
  { name: 'slot ids', files: slotIds },
  { name: 'authentication', files: ['src/access/tokens/authenticate-token.routes.ts', 'src/access/tokens/token.ts'] },
  { name: 'idempotency', files: [...seam, 'src/http/request/headers.ts'] },
]

export const parts: readonly MutationPart[] = [
  { name: 'records', files: domain.filter((file) => !time.includes(file) && !engine.includes(file)), tests: unitTests },
  { name: 'time', files: time, tests: unitTests },
  { name: 'engine', files: engine, tests: unitTests },
  { name: 'operations', files: operations, tests: globSync('test/operations/reservation*.test.ts').sort() },
  { name: 'slot ids', files: slotIds, tests: besides(slotIds) },
  { name: 'http', files: http, tests: besides(http) },
  { name: 'seam', files: seam, tests: ['test/operations/perform.test.ts'] },
]

/** Returns the paths of the unit tests beside the files. */
function besides(files: readonly string[]): string[] {
  return files.map((file) => file.replace(/\.ts$/, '.test.ts'))
}
