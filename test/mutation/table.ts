import { globSync } from 'node:fs'

/** A piece of the product whose tests must notice nearly every change to it. */
export interface Group {
  readonly name: string
  readonly files: readonly string[]
}

/** Files that are tried together, and the tests that speak of them. */
export interface Part {
  readonly name: string
  readonly files: readonly string[]
  /** None starts a process, a thread or PostgreSQL: a mutant then costs a few hundredths of a second. */
  readonly tests: readonly string[]
}

/** Of a hundred small faults put into a group, at least so many must make a test fail. */
export const leastScore = 85

const unitTests = globSync('src/domain/*.test.ts').sort()
const domain = globSync('src/domain/*.ts')
  .filter((file) => !unitTests.includes(file))
  .sort()
const files = (folder: string, names: string) => names.split(' ').map((name) => `${folder}/${name}.ts`)
const time = files('src/domain', 'date schedule zone')
const engine = files(
  'src/domain',
  'availability explain judge lane ledger limits occupancy opening pool reach routing slot-list',
)
const operations = files('src/operations', 'booking reservations reservation-edit')
const slotIds = files('src/operations', 'slot-id')
const http = files('src/http', 'authenticate headers')
const seam = ['src/db/perform/perform.ts', 'src/db/perform/idempotency.ts']

export const groups: readonly Group[] = [
  { name: 'domain', files: domain },
  { name: 'reservations', files: operations },
  { name: 'slot ids', files: slotIds },
  { name: 'authentication', files: ['src/access/tokens/authenticate-token.routes.ts', 'src/access/tokens/token.ts'] },
  { name: 'idempotency', files: [...seam, 'src/http/request/headers.ts'] },
]

export const parts: readonly Part[] = [
  { name: 'records', files: domain.filter((file) => ![...time, ...engine].includes(file)), tests: unitTests },
  { name: 'time', files: time, tests: unitTests },
  { name: 'engine', files: engine, tests: unitTests },
  { name: 'operations', files: operations, tests: globSync('test/operations/reservation*.test.ts').sort() },
  { name: 'slot ids', files: slotIds, tests: besides(slotIds) },
  { name: 'http', files: http, tests: besides(http) },
  { name: 'seam', files: seam, tests: ['test/operations/perform.test.ts'] },
]

/** The tests that stand beside files. */
function besides(files: readonly string[]): string[] {
  return files.map((file) => file.replace(/\.ts$/, '.test.ts'))
}
