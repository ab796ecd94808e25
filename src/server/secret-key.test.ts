import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { freshFolder } from '../../test/support/daybook.ts'
import { keyFinder } from './secret-key.ts'

test('concurrent first uses of a secret create one key', async () => {
  const find = keyFinder({ secretKey: undefined, dataDir: freshFolder() })
  const [one, other] = await Promise.all([find(), find()])
  assert.deepEqual(one, other)
  assert.deepEqual(await find(), one)
})

test('a key that could not be written is created at the next use of a secret', async () => {
  const dataDir = join(freshFolder(), 'data')
  const find = keyFinder({ secretKey: undefined, dataDir })
  await assert.rejects(find(), { code: 'ENOENT' })
  mkdirSync(dataDir)
  assert.equal((await find())?.length, 1)
})
