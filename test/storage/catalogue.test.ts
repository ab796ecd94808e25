import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadCatalogue } from '../../src/catalogue/catalogue.sql.ts'
import type { Catalogue } from '../../src/catalogue/catalogue.ts'
import type { Context } from '../../src/db/perform/app.ts'
import type { operations } from '../../src/operations.ts'
import type { OpenStorage } from '../../src/server/open.ts'
import { contextWith, databasesHere, withStorage } from '../support/databases.ts'

type Storage = OpenStorage<typeof operations>
const table = new URL('../../src/operations.ts', import.meta.url)

/** Adds a service and returns the catalogue that readers see then. */
async function afterAdding(name: string, storage: Storage, given: Partial<Context> = {}): Promise<Catalogue> {
  const outcome = await storage.perform('services.add', { name }, contextWith(given))
  assert.ok('ok' in outcome, JSON.stringify(outcome))
  return loadCatalogue(storage.db)
}

for (const { kind, skip } of await databasesHere()) {
  describe(`the catalogue on ${kind}`, { skip, timeout: 600_000 }, () => {
    const onFresh = (work: (storage: Storage) => Promise<void>) =>
      withStorage<typeof operations>(kind, table, async (storage) => {
        await storage.perform('site.prepare', { siteUrl: '' }, contextWith())
        await work(storage)
      })

    test('is the same object while nothing changes, also for concurrent readers', () =>
      onFresh(async (storage) => {
        const first = await afterAdding('One', storage)
        const [second, third] = await Promise.all([loadCatalogue(storage.db), storage.db.snapshot(loadCatalogue)])
        assert.ok(second === first && third === first)
      }))

    test('is a new object after a change, in order of creation, indexed by id', () =>
      onFresh(async (storage) => {
        const before = await afterAdding('Z', storage)
        const after = await afterAdding('A', storage)
        assert.notEqual(after.version, before.version)
        assert.deepEqual(
          after.services.map((service) => service.name),
          ['Z', 'A'],
        )
        assert.equal(after.service(after.services[1]?.id ?? ''), after.services[1])
        assert.equal(before.services.length, 1)
      }))

    test('a change that was rolled back is never visible, nor confused with the next one', () =>
      onFresh(async (storage) => {
        const before = await afterAdding('One', storage)
        assert.equal(await afterAdding('Dry', storage, { dryRun: true }), before)
        const after = await afterAdding('Two', storage)
        assert.deepEqual(
          after.services.map((service) => service.name),
          ['One', 'Two'],
        )
      }))
  })
}
