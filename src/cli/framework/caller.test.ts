import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withProgress } from './caller.ts'

test('a long command says once a second that it is at work, unless it reports progress itself', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const notes: string[] = []
  const caller = { write: async () => {}, note: (message: string) => void notes.push(message) }
  await withProgress(caller, 'export', async (own) => {
    t.mock.timers.tick(2_000)
    own.note('half of it is written')
    t.mock.timers.tick(1_000)
  })
  t.mock.timers.tick(5_000)
  assert.deepEqual(
    notes.map((note) => note.replace(/\d+ s/, 'N s')),
    ['export: at work for N s …', 'export: at work for N s …', 'half of it is written'],
  )
})
