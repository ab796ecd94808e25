import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CompiledQuery, sql } from 'kysely'
import { blockedTimes } from '../../src/availability/plan.sql.ts'
import type { Database } from '../../src/db/database.ts'
import { sqlite } from '../../src/db/dialects.ts'
import type { Operations } from '../../src/operations.ts'
import { countByDay, sumPrices, sumReserved } from '../../src/reports/period.sql.ts'
import { listMatching, type ReservationCriteria } from '../../src/reservations/list/reservation-search.sql.ts'
import { listUndoings } from '../../src/undo/undo.sql.ts'
import { withStorage } from '../support/databases.ts'

const operations = new URL('../../src/operations.ts', import.meta.url)
const period = { start: 1_800_000_000, end: 1_800_086_400 }
const days = [period, { start: period.end, end: period.end + 86_400 }]
const page = { limit: 50, offset: 9_950 }
const byProvider = (more: ReservationCriteria = {}) => ({ providerId: 7, ...more })

const figures: [string, (db: Database) => Promise<unknown>][] = [
  ['counts by day', (db) => countByDay(db, days, undefined)],
  ['counts by day of one provider', (db) => countByDay(db, days, [7])],
  ['reserved time by provider', (db) => sumReserved(db, period, [1, 2])],
  ['incomes', (db) => sumPrices(db, period, undefined)],
]
for (const [name, read] of figures)
  test(`${name} are all found by an index, without sorting to count each slot once`, async () => {
    const steps = await stepsOf(read)
    for (const step of steps.filter((one) => one.includes('reservation')))
      assert.match(step, /^SEARCH .* COVERING INDEX/)
    assert.ok(!steps.includes('USE TEMP B-TREE FOR DISTINCT'), steps.join('\n'))
  })

const lists: [string, ReservationCriteria][] = [
  ['everything', {}],
  ['a period', { from: period.start, until: period.end }],
  ['one provider', byProvider()],
  ['one provider and a status', byProvider({ status: 'confirmed' })],
  ['one provider and a service', byProvider({ serviceId: 's' })],
]
for (const [name, sought] of lists)
  test(`a page of the reservations of ${name} skips earlier pages within an index`, async () => {
    const steps = await stepsOf((db) => listMatching(db, sought, 'start', page))
    const [found, ...looked] = steps.filter((step) => step.includes('reservation'))
    assert.match(found ?? '', /COVERING INDEX reservation_by_/)
    assert.deepEqual(looked, ['SEARCH reservation USING INDEX sqlite_autoindex_reservation_1 (id=?)'])
  })

for (const [common, index] of [
  [false, 'reservation_by_customer'],
  [true, 'reservation_by_start'],
] as const)
  test(`reservations of ${common ? 'common' : 'few'} customers are ${common ? 'found along the starts' : 'looked up'}`, async () => {
    const sought = { customerIds: ['c_1', 'c_2'], common }
    const steps = await stepsOf((db) => listMatching(db, sought, 'start', page))
    assert.match(steps.find((step) => step.includes('reservation')) ?? '', new RegExp(index))
  })

test('the undo of entries is found in its index, however long the log', async () => {
  const steps = await stepsOf((db) => listUndoings(db, ['e_1', 'e_2']))
  const found = steps.filter((step) => step.includes('event'))
  assert.deepEqual(new Set(found), new Set(['SEARCH event USING INDEX event_by_undid (undid=?)']))
})

test('the blocked time of a period is found without reading that of later months', async () => {
  const steps: string[] = []
  await withStorage<Operations>('sqlite', operations, async ({ db }) => {
    const { text } = blockedTimes.statement(sqlite)
    const parameters = Array.from(text.matchAll(/\?/g), () => null)
    const query = sql`select 1`.compile(db.build)
    const plan = await db.build.executeQuery<{ detail: string }>({
      ...query,
      sql: `explain query plan ${text}`,
      parameters,
    })
    steps.push(...plan.rows.map(({ detail }) => detail))
  })
  const found = steps.filter((step) => step.includes('busy'))
  assert.ok(
    found.includes('SEARCH busy USING INDEX busy_by_provider (provider_id=? AND end_at>? AND end_at<?)'),
    found.join('\n'),
  )
  assert.ok(
    found.some((step) => step.includes('COVERING INDEX busy_by_length (provider_id=?)')),
    found.join('\n'),
  )
})

/** Runs reads and returns the steps of SQLite's query plans for their statements. */
async function stepsOf(read: (db: Database) => Promise<unknown>): Promise<string[]> {
  const steps: string[] = []
  await withStorage<Operations>('sqlite', operations, async ({ db }) => {
    const build = sqlite.builderOver(async (query) => {
      const plan: CompiledQuery<{ detail: string }> = { ...query, sql: `explain query plan ${query.sql}` }
      steps.push(...(await db.build.executeQuery(plan)).rows.map(({ detail }) => detail))
      return db.build.executeQuery(query)
    })
    await read({ dialect: db.dialect, run: db.run.bind(db), build })
  })
  return steps
}
