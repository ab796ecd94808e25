import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CacheEntry, ClockCache } from './clock-cache.ts'

function shelfOf(most: number) {
  const gone: string[] = []
  const shelf = new ClockCache(most)
  const put = (name: string, size: number): CacheEntry => {
    const item = { size, used: false, forgotten: () => void gone.push(name) }
    shelf.keep(item)
    return item
  }
  return { shelf, put, gone }
}

test('nothing goes before the shelf settles, then the oldest until the rest fits', () => {
  const { shelf, put, gone } = shelfOf(100)
  for (const name of ['a', 'b', 'c', 'd']) put(name, 40)
  assert.deepEqual(gone, [])
  assert.equal(shelf.size, 160)
  shelf.settle()
  assert.deepEqual(gone, ['a', 'b'])
  assert.equal(shelf.size, 80)
})

test('what was used since the last look outlives what was not', () => {
  const { shelf, put, gone } = shelfOf(100)
  const old = put('old', 40)
  put('idle', 40)
  old.used = true
  put('new', 40)
  shelf.settle()
  assert.deepEqual(gone, ['idle'])
  put('newer', 40)
  shelf.settle()
  assert.deepEqual(gone, ['idle', 'new'])
})

test('what is forgotten is told once and counts no more', () => {
  const { shelf, put, gone } = shelfOf(10)
  const item = put('a', 40)
  shelf.forget(item)
  shelf.forget(item)
  shelf.settle()
  assert.deepEqual(gone, ['a'])
  assert.equal(shelf.size, 0)
})
