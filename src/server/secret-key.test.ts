import assert from 'node:assert/strict'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { freshFolder } from '../../test/support/daybook.ts'
import { keyFinder, keyReader } from './secret-key.ts'

test('concurrent first uses of a secret create one key', async () => {
  const find = keyFinder({ secretKey: undefined, dataDir: freshFolder() })
  const [one, other] = await Promise.all([find(), find()])
  assert.deepEqual(one, other)
  assert.deepEqual(await find(), one)
})

test('threads that use a secret for the first time at the same moment use the same key', async () => {
  const dataDir = freshFolder()
  // Each thread of the service has a source of its own.
  const sources = Array.from({ length: 8 }, () => keyFinder({ secretKey: undefined, dataDir }))
  const rings = await Promise.all(sources.map((find) => find()))
  const [stored] = rings
  assert.equal(stored?.length, 1)
  for (const ring of rings) assert.deepEqual(ring, stored)
  assert.deepEqual(await keyReader({ secretKey: undefined, dataDir })(), stored)
  assert.deepEqual(readdirSync(dataDir), ['secret.key'])
})

test('a key that could not be written is created at the next use of a secret', async () => {
  const dataDir = join(freshFolder(), 'data')
  const find = keyFinder({ secretKey: undefined, dataDir })
  await assert.rejects(find(), { code: 'ENOENT' })
  mkdirSync(dataDir)
  assert.equal((await find())?.length, 1)
})
