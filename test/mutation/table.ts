import { globSync } from 'node:fs'

/** A piece of the product whose tests must notice nearly every change to it. */
export interface Group {
  readonly name: string
  readonly files: readonly string[]
}

/** Of a hundred small faults put into a group, at least so many must make a test fail. */
export const leastScore = 85

const domain = globSync('src/domain/*.ts')
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !path.endsWith('.test.ts'))
  .sort()

export const groups: readonly Group[] = [
  { name: 'domain', files: domain },
  {
    name: 'reservations',
    files: ['booking', 'reservations', 'reservation-edit'].map((name) => `src/operations/${name}.ts`),
  },
  { name: 'slot ids', files: ['src/operations/slot-id.ts'] },
  { name: 'authentication', files: ['src/http/authenticate.ts', 'src/domain/token.ts'] },
  { name: 'idempotency', files: ['src/perform.ts', 'src/storage/idempotency.ts', 'src/http/headers.ts'] },
]

const ofEngine = 'availability explain judge lane ledger limits occupancy opening pool reach routing slot-list'
const ofTime = 'date schedule zone'
const inDomain = (names: string) => names.split(' ').map((name) => `src/domain/${name}.ts`)

/** The tests that speak of a file, those that need least first: none starts a process, a thread or PostgreSQL. */
export function testsOf(file: string): readonly string[] {
  if (inDomain(ofEngine).includes(file)) return [...unitTests(file), 'test/properties/availability.test.ts']
  if (inDomain(ofTime).includes(file)) return unitTests(file)
  if (file.startsWith('src/domain/')) return unitTests(file)
  if (file === 'src/operations/slot-id.ts') return ['src/operations/slot-id.test.ts']
  if (file.startsWith('src/operations/')) return globSync('test/operations/reservation*.test.ts').sort()
  if (file.startsWith('src/http/')) return ['src/http/authenticate.test.ts', 'src/http/headers.test.ts']
  return ['test/operations/perform.test.ts']
}

/** Every test beside the domain, the file's own first. */
function unitTests(file: string): string[] {
  const own = file.replace(/\.ts$/, '.test.ts')
  const tests = globSync('src/domain/*.test.ts').sort()
  return [...tests.filter((test) => test === own), ...tests.filter((test) => test !== own)]
}
