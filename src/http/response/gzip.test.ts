import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { gzipped } from './gzip.ts'

test('separately compressed pieces form one gzip stream', () => {
  const piece = fc.tuple(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 400 }), fc.boolean())
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (drawn) => {
      const pieces = drawn.map(([bytes, times]) => Buffer.concat(Array.from({ length: times }, () => bytes)))
      const passing = pieces.filter((_, index) => drawn[index]?.[2])
      const made = gzipped(pieces, passing)
      assert.equal(Buffer.concat(made.pieces).length, made.size)
      assert.deepEqual(gunzipSync(Buffer.concat(made.pieces)), Buffer.concat(pieces))
      assert.deepEqual(gunzipSync(Buffer.concat(gzipped(pieces, passing).pieces)), Buffer.concat(pieces))
    }),
    { numRuns: 150 },
  )
})
