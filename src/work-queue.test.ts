import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WorkQueue } from './work-queue.ts'

/**
 * Adds a task to the queue. The task runs until `end` or `fail` is called, and its `id` is in `running` meanwhile;
 * `done` is the promise of its outcome.
 */
function task(queue: WorkQueue, running: Set<number>, id: number) {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const done = queue.run(async () => {
    running.add(id)
    return promise.finally(() => running.delete(id))
  })
  return { end: () => resolve(id), fail: () => reject(new Error('failed')), done }
}

test('two tasks run at once, the others wait in order, and a full queue says so', async () => {
  const queue = new WorkQueue({ concurrency: 2, maxWaiting: 2 })
  const running = new Set<number>()
  const [first, second, third] = [1, 2, 3].map((id) => task(queue, running, id))
  assert.ok(first && second && third)
  assert.deepEqual([...running], [1, 2])
  assert.equal(queue.isFull, false)
  const fourth = task(queue, running, 4)
  assert.equal(queue.isFull, true)
  second.end()
  assert.equal(await second.done, 2)
  assert.deepEqual([...running], [1, 3])
  assert.equal(queue.isFull, false)
  for (const one of [first, third, fourth]) one.end()
  assert.deepEqual(await Promise.all([first.done, third.done, fourth.done]), [1, 3, 4])
  assert.equal(running.size, 0)
})

test('a task that fails gives its place to the next one', async () => {
  const queue = new WorkQueue({ concurrency: 1, maxWaiting: 1 })
  const running = new Set<number>()
  const failing = task(queue, running, 1)
  const next = task(queue, running, 2)
  failing.fail()
  await assert.rejects(failing.done, /failed/)
  next.end()
  assert.equal(await next.done, 2)
  const free = task(queue, running, 3)
  assert.deepEqual([...running], [3])
  free.end()
  await free.done
})
