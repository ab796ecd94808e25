import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stopAll } from './serving.ts'

test('the parts are stopped in reverse order, also those after one that fails, whose error is thrown', async () => {
  const stopped: string[] = []
  const failing = (name: string) => async () => {
    stopped.push(name)
    throw new Error(name)
  }
  const stopping = stopAll([() => void stopped.push('first'), failing('second'), failing('third')])
  await assert.rejects(stopping, /^Error: third$/)
  assert.deepEqual(stopped, ['third', 'second', 'first'])
})
