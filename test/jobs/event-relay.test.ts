import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { resultOf } from '../../src/db/perform/outcome.ts'
import { relayEvents, startEventRelay } from '../../src/jobs/event-relay.ts'
import type { OpenStorage } from '../../src/server/open.ts'
import { contextWith, databasesHere, type FreshDatabase, freshDatabase, openStorage } from '../support/databases.ts'
import type { operations } from './relay-operations.ts'

const table = new URL('./relay-operations.ts', import.meta.url)
const now = 1_800_000_000

type Operations = typeof operations

for (const { kind, skip } of await databasesHere()) {
  describe(`the event relay on ${kind}`, { skip, timeout: 600_000 }, () => {
    let fresh: FreshDatabase
    let storage: OpenStorage<Operations>
    beforeEach(async () => {
      fresh = await freshDatabase(kind)
      storage = await openStorage<Operations>({ at: fresh.at, operations: table })
      await storage.perform('site.prepare', { siteUrl: '' }, contextWith({ now }))
    })
    afterEach(async () => {
      await storage.close()
      await fresh.remove()
    })

    const append = async (...ids: string[]) =>
      resultOf(await storage.perform('test.append', { ids }, contextWith({ now })))
    const relay = () => {
      const log = () => {}
      return relayEvents({ ...storage, now: () => now, log: { info: log, warn: log, error: log } })
    }
    const seen = async () => {
      const rows = await storage.db.build.selectFrom('job').select('payload').orderBy('payload').execute()
      return rows.map(({ payload }) => JSON.parse(payload))
    }

    test('a started consumer receives every later event once', async () => {
      await append('before')
      await storage.perform('test.start', {}, contextWith({ now }))
      await append('a', 'b')
      await relay()
      await append('c')
      await relay()
      await relay()
      assert.deepEqual(await seen(), ['a', 'b', 'c'])
    })

    test('an event of a refused operation is passed to nobody', async () => {
      await storage.perform('test.start', {}, contextWith({ now }))
      await storage.perform('test.append', { ids: ['a'], refused: true }, contextWith({ now }))
      await relay()
      assert.deepEqual(await seen(), [])
    })

    test('a consumer that fails delays no other one, and loses no event', async () => {
      for (const name of ['broken', 'test']) await storage.perform('test.start', { name }, contextWith({ now }))
      await append('a', 'b')
      await assert.rejects(relay())
      assert.deepEqual(await seen(), ['a', 'b'])
      // Its position is unchanged, so the same events are passed to it again.
      await assert.rejects(relay())
      assert.deepEqual(await seen(), ['a', 'b'])
    })

    test('a stopped consumer receives nothing, and starts again with later events', async () => {
      await storage.perform('test.start', {}, contextWith({ now }))
      await storage.perform('test.stop', {}, contextWith({ now }))
      await append('a')
      await relay()
      await storage.perform('test.start', {}, contextWith({ now }))
      await append('b')
      await relay()
      assert.deepEqual(await seen(), ['b'])
    })

    test('a relay that is stopped passes on no further batch, and continues after it when started again', async () => {
      await storage.perform('test.start', {}, contextWith({ now }))
      const ids = Array.from({ length: 250 }, (_, index) => String(index).padStart(3, '0'))
      await append(...ids)
      const passing = Promise.withResolvers<void>()
      const perform: typeof storage.perform = (...call) => {
        passing.resolve()
        return storage.perform(...call)
      }
      const log = () => {}
      const app = { ...storage, perform, now: () => now, log: { info: log, warn: log, error: log } }
      const started = startEventRelay(app)
      await passing.promise
      await started.stop()
      assert.deepEqual(await seen(), ids.slice(0, 100))
      await relay()
      assert.deepEqual(await seen(), ids)
    })

    test('two relays at once pass each of 500 concurrent events once', async () => {
      await storage.perform('test.start', {}, contextWith({ now }))
      const ids = Array.from({ length: 500 }, (_, index) => String(index).padStart(3, '0'))
      const clients = Array.from({ length: 20 }, async (_, client) => {
        for (let at = client; at < ids.length; at += 20) await append(ids[at] ?? '')
      })
      await Promise.all([relay(), relay(), ...clients])
      await Promise.all([relay(), relay()])
      const jobs = await storage.db.build.selectFrom('job').select('revision').execute()
      assert.deepEqual(await seen(), ids)
      assert.ok(jobs.every(({ revision }) => revision === 0))
    })
  })
}
