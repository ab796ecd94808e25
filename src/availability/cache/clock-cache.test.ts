import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CacheEntry, ClockCache } from './clock-cache.ts'

function shelfOf(most: number) {
  const gone: string[] = []
  const cache = new ClockCache(most)
  const put = (name: string, size: number): CacheEntry => {
    const item = { size, used: false, forgotten: () => void gone.push(name) }
    cache.keep(item)
    return item
  }
  return { cache, put, gone }
}

test('nothing goes before the shelf settles, then the oldest until the rest fits', () => {
  const { cache, put, gone } = shelfOf(100)
  for (const name of ['a', 'b', 'c', 'd']) put(name, 40)
  assert.deepEqual(gone, [])
  assert.equal(cache.size, 160)
  cache.settle()
  assert.deepEqual(gone, ['a', 'b'])
  assert.equal(cache.size, 80)
})

test('what was used since the last look outlives what was not', () => {
  const { cache, put, gone } = shelfOf(100)
  const old = put('old', 40)
  put('idle', 40)
  old.used = true
  put('new', 40)
  cache.settle()
  assert.deepEqual(gone, ['idle'])
  put('newer', 40)
  cache.settle()
  assert.deepEqual(gone, ['idle', 'new'])
})

test('what is forgotten is told once and counts no more', () => {
  const { cache, put, gone } = shelfOf(10)
  const item = put('a', 40)
  cache.forget(item)
  cache.forget(item)
  cache.settle()
  assert.deepEqual(gone, ['a'])
  assert.equal(cache.size, 0)
})
