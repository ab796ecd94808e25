import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layOutBlocks } from './layout.ts'

for (const [what, expected] of [
  ['0-30 30-60', '0-30 0/1, 30-60 0/1'],
  ['0-60 30-90', '0-60 0/2, 30-90 1/2'],
  ['0-60 30-90 60-120', '0-60 0/2, 30-90 1/2, 60-120 0/2'],
  ['0-30 0-30 0-30 40-50', '0-30 0/3, 0-30 1/3, 0-30 2/3, 40-50 0/1'],
  ['40-50 0-30', '0-30 0/1, 40-50 0/1'],
] as const)
  test(`overlapping blocks are placed side by side: ${what}`, () => {
    const items = what.split(' ').map((item) => {
      const [top = 0, end = 0] = item.split('-').map(Number)
      return { item, block: { top, height: end - top } }
    })
    const placed = layOutBlocks(items).map(({ item, track, trackCount }) => `${item} ${track}/${trackCount}`)
    assert.equal(placed.join(', '), expected)
  })
