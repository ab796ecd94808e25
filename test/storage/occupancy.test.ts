import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { OccupancyTable } from '../../src/db/query/tables.ts'
import { contextWith, databasesHere, withStorage } from '../support/databases.ts'
import { operationsAt, type TestCommands } from './test-operations.ts'

const first = seat({ id: 'first', start_at: 100, end_at: 200 })

const cases: [name: string, row: OccupancyTable, taken: boolean][] = [
  ['another slot that starts inside is refused', seat({ slot: 'b', start_at: 150, end_at: 250 }), false],
  ['another slot that ends inside is refused', seat({ slot: 'b', start_at: 50, end_at: 101 }), false],
  ['another slot that lies inside is refused', seat({ slot: 'b', start_at: 120, end_at: 130 }), false],
  ['another slot around it is refused', seat({ slot: 'b', start_at: 50, end_at: 250 }), false],
  ['another slot of the same time is refused', seat({ slot: 'b', start_at: 100, end_at: 200 }), false],
  ['a second seat of the same slot is taken', seat({ seat: 2, start_at: 100, end_at: 200 }), true],
  ['the same seat again is refused', seat({ seat: 1, start_at: 100, end_at: 200 }), false],
  ['a seat of another length is refused', seat({ seat: 2, start_at: 100, end_at: 210 }), false],
  ['a slot that touches its end is taken', seat({ slot: 'b', start_at: 200, end_at: 300 }), true],
  ['a slot that touches its start is taken', seat({ slot: 'b', start_at: 0, end_at: 100 }), true],
  ['the same time of another provider is taken', seat({ resource: 'p2', slot: 'b', start_at: 100, end_at: 200 }), true],
]

for (const { kind, skip } of await databasesHere()) {
  const storage = withStorage<TestCommands>
  describe(kind, { skip }, () => {
    for (const [name, row, taken] of cases) {
      test(`with a seat from 100 to 200, ${name}`, () =>
        storage(kind, operationsAt, async ({ perform, db }) => {
          await perform('occupy', first, contextWith())
          const outcome = await perform('occupy', row, contextWith())
          assert.equal('refused' in outcome ? outcome.refused.code : outcome, taken ? outcome : 'slot_provider_busy')
          const rows = await db.build.selectFrom('occupancy').select('id').execute()
          assert.equal(rows.length, taken ? 2 : 1)
        }))
    }

    test('a seat is never updated', () =>
      storage(kind, operationsAt, async ({ perform }) => {
        await perform('occupy', first, contextWith())
        const outcome = await perform('moveOccupancy', { id: 'first', end: 150 }, contextWith())
        assert.equal('refused' in outcome && outcome.refused.code, 'slot_provider_busy')
      }))

    test('a seat that is neither reserved nor held is refused', () =>
      storage(kind, operationsAt, async ({ perform, db }) => {
        await perform('occupy', seat({ reservation_id: null }), contextWith())
        assert.deepEqual(await db.build.selectFrom('occupancy').select('id').execute(), [])
      }))

    test('of overlapping seats inserted concurrently without locks, no two are stored', () =>
      storage(kind, operationsAt, async ({ perform, db }) => {
        const rows = Array.from({ length: 12 }, (_, i) =>
          seat({ id: `o${i}`, slot: `slot ${i}`, start_at: 100 + i * 5, end_at: 150 + i * 5 }),
        )
        await Promise.all(rows.map((row) => perform('occupy', row, contextWith())))
        const kept = await db.build.selectFrom('occupancy').selectAll().orderBy('start_at').execute()
        assert.ok(kept.length > 0)
        for (const [i, row] of kept.entries())
          assert.ok(row.end_at <= (kept[i + 1]?.start_at ?? Number.POSITIVE_INFINITY))
      }))
  })
}

function seat(given: Partial<OccupancyTable>): OccupancyTable {
  const row = { id: 'second', reservation_id: 'r_1', resource: 'p1', slot: 'a', seat: 1, start_at: 100, end_at: 200 }
  return { ...row, hold_id: null, expires_at: null, ...given }
}
