import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CacheEntry, ClockCache } from './clock-cache.ts'

function cacheOf(most: number) {
  const gone: string[] = []
  const cache = new ClockCache(most)
  const put = (name: string, size: number): CacheEntry => {
    const item = { size, used: false, evicted: () => void gone.push(name) }
    cache.add(item)
    return item
  }
  return { cache, put, gone }
}

test('nothing is evicted before it is asked for, then the oldest until the rest fits', () => {
  const { cache, put, gone } = cacheOf(100)
  for (const name of ['a', 'b', 'c', 'd']) put(name, 40)
  assert.deepEqual(gone, [])
  assert.equal(cache.size, 160)
  cache.evict()
  assert.deepEqual(gone, ['a', 'b'])
  assert.equal(cache.size, 80)
})

test('an entry used since the last eviction outlives one that was not', () => {
  const { cache, put, gone } = cacheOf(100)
  const old = put('old', 40)
  put('idle', 40)
  old.used = true
  put('new', 40)
  cache.evict()
  assert.deepEqual(gone, ['idle'])
  put('newer', 40)
  cache.evict()
  assert.deepEqual(gone, ['idle', 'new'])
})

test('a removed entry is reported once and counts no more', () => {
  const { cache, put, gone } = cacheOf(10)
  const item = put('a', 40)
  cache.remove(item)
  cache.remove(item)
  cache.evict()
  assert.deepEqual(gone, ['a'])
  assert.equal(cache.size, 0)
})
