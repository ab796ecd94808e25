import assert from 'node:assert/strict'
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { freshFolder } from '../../../test/support/daybook.ts'
import { checkpointLog } from './sqlite-file.ts'

const skip = process.platform === 'linux' ? false : 'open files are read from /proc'

test('a file that is no database is closed before the checkpoint is given up', { skip }, () => {
  const folder = freshFolder()
  const file = join(folder, 'daybook.db')
  writeFileSync(file, 'no database '.repeat(1_000))
  assert.equal(checkpointLog(file), false)
  const open = readdirSync('/proc/self/fd').flatMap((name) => {
    // The descriptor with which this folder is read is closed by now.
    try {
      return readlinkSync(`/proc/self/fd/${name}`)
    } catch {
      return []
    }
  })
  assert.deepEqual(
    open.filter((path) => path.startsWith(folder)),
    [],
  )
  assert.deepEqual(readdirSync(folder), ['daybook.db'])
})
