import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { blockedTimes } from '../../src/availability/plan.sql.ts'
import { listBusy } from '../../src/reservations/calendar/calendar.sql.ts'
import { contextWith, databasesHere, withStorage } from '../support/databases.ts'
import { scaled, seed } from '../support/scale.ts'
import { operationsAt, type TestCommands } from './test-operations.ts'

// Short times, and times that are longer than most periods, so that a period can lie within one or begin long after it.
const length = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 100, max: 900 }))
const providers = [1, 2, 3]
const time = fc.record({ provider: fc.constantFrom(...providers), start: fc.nat(1_000), length })
const period = fc.record({ from: fc.nat(1_100), length })

for (const { kind, skip } of await databasesHere())
  describe(kind, { skip }, () => {
    test('exactly the blocked times that overlap a period are read, however long they are', () =>
      withStorage<TestCommands>(kind, operationsAt, async ({ perform, db }) => {
        const property = fc.asyncProperty(
          fc.array(time, { maxLength: 20 }),
          fc.array(period),
          async (times, periods) => {
            const rows = times.map(({ provider, start, length }, index) => ({
              ...{ id: `b${index}`, provider_id: provider, source: 'time_off', note: '', calendar_id: null },
              ...{ start_at: start, end_at: start + length },
            }))
            await perform('setBusy', { rows }, contextWith())
            for (const { from, length } of periods) {
              const until = from + length
              const wanted = rows
                .filter((row) => row.provider_id !== 3 && row.end_at > from && row.start_at < until)
                .map((row) => `${row.provider_id} ${row.start_at} ${row.end_at}`)
                .sort()
              const blocked = await db.run(blockedTimes, { providers: [1, 2], from, until, except: '' })
              assert.deepEqual(blocked.map((row) => `${row.provider_id} ${row.start_at} ${row.end_at}`).sort(), wanted)
              const shown = await listBusy(db, { providerIds: [1, 2], from, until })
              assert.deepEqual(shown.map((row) => `${row.providerId} ${row.start} ${row.end}`).sort(), wanted)
            }
          },
        )
        await fc.assert(property, { numRuns: scaled(50), seed })
      }))
  })
