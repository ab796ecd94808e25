import assert from 'node:assert/strict'
import { createCipheriv, createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { bucketOf, bucketSeconds, checkSlotId, slotId, slotIds } from './slot-id.ts'

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

test('an id of a node whose clock is ahead is good on one that is behind, as far as clocks of nodes may differ', () => {
  const { end } = bucketOf(wanted.serviceId, now)
  const id = slotId(secret, wanted, end)
  assert.equal(checkSlotId(secret, id, wanted, end - 4), 'good')
  assert.equal(checkSlotId(secret, id, wanted, end - 5), 'invalid')
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
  const ids = slotIds(secret, wanted.serviceId, now, slots)
  assert.equal(new Set(ids).size, 1_000)
  assert.deepEqual(
    ids,
    slots.map((slot) => slotId(secret, slot, now)),
  )
})

const longest = 2 ** 24
for (const [what, change, has] of [
  ['of one second', { end: wanted.start + 1 }, true],
  ['of no time', { end: wanted.start }, false],
  ['of half a year', { end: wanted.start + longest - 1 }, true],
  ['longer than that', { end: wanted.start + longest }, false],
  ['at the beginning of 1970', { start: 0, end: 60 }, true],
  ['before 1970', { start: -1, end: 60 }, false],
  ['at the last second there is', { start: 2 ** 48 - 1, end: 2 ** 48 }, true],
  ['after it', { start: 2 ** 48, end: 2 ** 48 + 60 }, false],
  ['of the first provider', { providerId: 1 }, true],
  ['of no provider', { providerId: 0 }, false],
  ['of the last provider', { providerId: 2 ** 48 - 1 }, true],
  ['of one beyond', { providerId: 2 ** 48 }, false],
] as const)
  test(`a slot ${what} has ${has ? 'an' : 'no'} id`, () => {
    const slot = { ...wanted, ...change }
    const id = slotId(secret, slot, now)
    assert.equal(id !== '', has)
    assert.equal(checkSlotId(secret, id, slot, now), has ? 'good' : 'invalid')
    assert.equal(checkSlotId(secret, slotId(secret, wanted, now), slot, now), 'invalid')
  })

test('every byte of a slot is in its id', () => {
  const parts = [
    ...Array.from({ length: 48 }, (_, bit) => ({ start: 2 ** bit, end: 2 ** bit + 60 })),
    ...Array.from({ length: 24 }, (_, bit) => ({ end: wanted.start + 2 ** bit })),
    ...Array.from({ length: 48 }, (_, bit) => ({ providerId: 2 ** bit })),
  ]
  const ids = parts.map((part) => slotId(secret, { ...wanted, ...part }, now))
  assert.equal(new Set(ids).size, parts.length)
})

test('ids change together within a service, at another second in another', () => {
  const prefixOf = (serviceId: string, at: number) => slotId(secret, { ...wanted, serviceId }, at).split('.')[0]
  const change = (serviceId: string) =>
    Array.from({ length: bucketSeconds }, (_, second) => now + second).filter(
      (at) => prefixOf(serviceId, at) !== prefixOf(serviceId, at + 1),
    )
  const changes = ['s_a', 's_b', 's_ab', 's_ba'].map(change)
  for (const seconds of changes) assert.equal(seconds.length, 1)
  assert.equal(new Set(changes.flat()).size, 4)
})

for (const serviceId of ['s_a', 's_checkup', 's_ba'])
  test(`the ids of ${serviceId} stay from the first to the last second of a stretch`, () => {
    const idAt = (at: number) => slotId(secret, { ...wanted, serviceId }, at)
    const { start, end } = bucketOf(serviceId, now)
    assert.ok(start <= now && now < end)
    assert.equal(end - start, bucketSeconds)
    assert.deepEqual([idAt(start), idAt(end - 1)], [idAt(now), idAt(now)])
    assert.notEqual(idAt(start - 1), idAt(now))
    assert.notEqual(idAt(end), idAt(now))
  })

test('an id outlives the version that made it: enciphered are six bytes of start, three of length, six of provider', () => {
  for (const slot of [
    wanted,
    { ...wanted, start: 2 ** 40 + 77, end: 2 ** 40 + 77 + 2 ** 20 + 5, providerId: 2 ** 40 + 9 },
  ]) {
    const id = slotId(secret, slot, now)
    const [bucket = '', tag] = id.split('.')
    const key = createHmac('sha256', secret)
      .update(`${slot.serviceId}\n${Number.parseInt(bucket, 36)}`)
      .digest()
    const block = Buffer.alloc(16)
    block.writeUIntBE(slot.start, 0, 6)
    block.writeUIntBE(slot.end - slot.start, 6, 3)
    block.writeUIntBE(slot.providerId, 10, 6)
    const cipher = createCipheriv('aes-128-ecb', key.subarray(0, 16), null)
    assert.equal(tag, cipher.update(block).subarray(0, 12).toString('base64url'))
  }
})
