import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Semaphore } from './semaphore.ts'

test('permits go to those who wait in the order they came', async () => {
  const permits = new Semaphore(1)
  await permits.acquire()
  const order: string[] = []
  const waiting = ['first', 'second', 'third'].map((name) => permits.acquire().then(() => void order.push(name)))
  for (const one of waiting) {
    permits.release()
    await one
  }
  assert.deepEqual(order, ['first', 'second', 'third'])
})

test('one who waits while nobody gives a permit back is told so', async () => {
  const permits = new Semaphore(1)
  assert.equal(await permits.acquire(), true)
  const began = performance.now()
  assert.equal(await permits.acquire({ stuck: 30, most: 10_000 }), false)
  assert.ok(performance.now() - began >= 29)
  permits.release()
  assert.equal(await permits.acquire({ stuck: 30, most: 10_000 }), true)
})

test('patience lasts while permits keep coming back, but not for ever', async () => {
  const permits = new Semaphore(1)
  await permits.acquire()
  const last = permits.acquire({ stuck: 60_000, most: 20 })
  assert.equal(await last, false)
})
