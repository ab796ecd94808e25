import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Write } from '../../src/db/perform/perform.ts'
import { WriterPort } from '../../src/db/sqlite/writer-port.ts'
import { type OpenStorage, open } from '../../src/server/open.ts'
import { contextWith } from '../support/databases.ts'
import { operationsAt, type TestCommands } from './test-operations.ts'

describe('writes of another thread', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'daybook-test-'))
  let opened: OpenStorage<TestCommands>
  let invalidations = 0
  let writes = 0
  before(async () => {
    opened = await open<TestCommands>({
      ...{ at: { dataDir }, operations: operationsAt },
      onInvalidation: () => {
        invalidations += 1
      },
      onCommit: (count) => {
        writes += count
      },
    })
  })
  after(() => rmSync(dataDir, { recursive: true, force: true }))

  test('are answered in their order, apart from those of the main thread', async () => {
    const other = connected()
    const names = Array.from({ length: 200 }, (_, n) => `n${n}`)
    const outcomes = await Promise.all(
      names.map((id, n) =>
        n % 3 === 0
          ? opened.perform('add', { id }, contextWith())
          : other.perform(write(n % 3 === 1 ? 'add' : 'refuse', id)),
      ),
    )
    assert.deepEqual(
      outcomes.map((outcome) => ('ok' in outcome ? Object(outcome.ok).id : Object.keys(outcome)[0])),
      names.map((id, n) => (n % 3 === 2 ? 'refused' : id)),
    )
    assert.equal(await count(), names.filter((_, n) => n % 3 !== 2).length)
  })

  test('reach the caches of the main thread before its next read', async () => {
    const other = connected()
    invalidations = 0
    const known = await count()
    await other.perform(write('add', 'invalidating'))
    assert.equal(await count(), known + 1)
    assert.equal(invalidations, 1)
  })

  test('that change nothing in the caches are counted with the next commit', async () => {
    const other = connected()
    writes = 0
    for (let n = 0; n < 3; n++) await other.perform(write('announce', { objectId: 'o', types: ['service.created'] }))
    assert.equal(opened.db.caughtUp(), undefined)
    assert.equal(writes, 0)
    await opened.perform('add', { id: 'counted' }, contextWith())
    assert.equal(writes, 4)
  })

  test('have no outcome after the writer has closed, and close the port', async () => {
    const closed = Promise.withResolvers<void>()
    const other = connected(closed.resolve)
    await opened.close()
    await closed.promise
    const outcome = await other.perform(write('add', 'late'))
    assert.equal('fault' in outcome && outcome.fault, 'unavailable')
  })

  function connected(onClose: () => void = () => {}): WriterPort {
    const connection = opened.connectWriter({ follows: false })
    assert.ok(connection)
    return new WriterPort(connection, { onClose })
  }

  async function count(): Promise<number> {
    const { build } = opened.db
    return (await build.selectFrom('busy').select('id').execute()).length
  }
})

function write(name: string, input: string | object): Write {
  return { name, input: typeof input === 'string' ? { id: input } : input, context: contextWith() }
}
