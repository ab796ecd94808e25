import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bucketSeconds, checkSlotId, slotId, slotIds } from './slot-id.ts'

const secret = 'a'.repeat(64)
const now = 1_790_000_000
const wanted = { serviceId: 's_checkup', providerId: 3, start: now + 3_600, end: now + 5_400 }

test('a slot keeps its id within a bucket, and the id is good for that slot', () => {
  const id = slotId(secret, wanted, now)
  assert.equal(slotId(secret, wanted, now), id)
  assert.deepEqual(slotIds(secret, wanted.serviceId, now, [wanted, { ...wanted, providerId: 4 }])[0], id)
  assert.equal(checkSlotId(secret, id, wanted, now), 'good')
})

test('an id is good for a whole bucket after it was shown, stale two buckets later, and never good before its time', () => {
  const id = slotId(secret, wanted, now)
  assert.equal(checkSlotId(secret, id, wanted, now + bucketSeconds), 'good')
  assert.equal(checkSlotId(secret, id, wanted, now + 2 * bucketSeconds), 'stale')
  assert.equal(checkSlotId(secret, id, wanted, now + 400 * bucketSeconds), 'stale')
  assert.equal(checkSlotId(secret, id, wanted, now - bucketSeconds), 'invalid')
})

test('an id is good for no other slot and under no other secret', () => {
  const id = slotId(secret, wanted, now)
  const others = [
    { ...wanted, serviceId: 's_other' },
    { ...wanted, providerId: 4 },
    { ...wanted, providerId: 3 + 2 ** 32 },
    { ...wanted, start: wanted.start - 60 },
    { ...wanted, end: wanted.end + 60 },
    { ...wanted, end: wanted.start },
    { ...wanted, start: -wanted.start },
  ]
  for (const other of others) assert.equal(checkSlotId(secret, id, other, now), 'invalid')
  assert.equal(checkSlotId('b'.repeat(64), id, wanted, now), 'invalid')
})

test('no changed character leaves an id good', () => {
  const id = slotId(secret, wanted, now)
  fc.assert(
    fc.property(
      fc.nat(id.length - 1),
      fc.constantFrom(...'0123456789abcdefghijklmnopqrstuvwxyzABCXYZ-_. '),
      (at, char) => {
        fc.pre(id[at] !== char)
        assert.notEqual(checkSlotId(secret, id.slice(0, at) + char + id.slice(at + 1), wanted, now), 'good')
      },
    ),
    { numRuns: 5_000 },
  )
  for (const broken of ['', id.slice(1), `${id}A`, `0${id}`, id.toUpperCase(), ` ${id}`, '.', 'null'])
    assert.notEqual(checkSlotId(secret, broken, wanted, now), 'good')
})

test('the ids of different slots differ', () => {
  const slots = Array.from({ length: 1_000 }, (_, i) => ({
    ...wanted,
    start: wanted.start + i * 60,
    end: wanted.end + i * 60,
  }))
  assert.equal(new Set(slotIds(secret, wanted.serviceId, now, slots)).size, 1_000)
})
