import { type Cipheriv, createCipheriv, createHmac, timingSafeEqual } from 'node:crypto'
import { providerIdLimit } from '../catalogue/providers/provider.ts'
import { maxDrift } from '../db/clock/clock-drift.ts'
import type { RequestedSlot } from '../scheduling/plan/plan.ts'
import type { Interval } from '../scheduling/time/interval.ts'

/**
 * The length of a bucket, the period for which a slot keeps its id, in seconds. An id is valid in the bucket in which
 * it was created and in the next one.
 */
export const bucketSeconds = 900

// The maximum number of seconds by which the clock of the server that listed a slot may be ahead of the clock of the
// server that books it. Each clock may deviate from the true time by `maxDrift`.
const maxAhead = 2 * maxDrift
const blockBytes = 16
const tagBytes = 12
const tagLetters = 16
const keptCiphers = 2_000
const shape = /^(0|[1-9a-z][0-9a-z]{0,10})\.([A-Za-z0-9_-]{16})$/

/**
 * The result of checking a slot id: `good` for a valid id of the slot, `stale` for one that has expired, `invalid` for
 * any other text.
 */
export type SlotIdVerdict = 'good' | 'stale' | 'invalid'

type Timed = Pick<RequestedSlot, 'providerId' | 'start' | 'end'>

/**
 * Returns the ids of one service's slots at `now`, in the order of `slots`. Within a bucket of 15 minutes, equal slots
 * (provider, start and end) have equal ids. An id cannot be computed without the site's secret. See
 * docs/decisions/0009.
 */
export function slotIds(secret: string, serviceId: string, now: number, slots: readonly Timed[]): string[] {
  const bucket = bucketAt(serviceId, now)
  const prefix = `${bucket.toString(36)}.`
  const tags = encrypt(secret, serviceId, bucket, slots)
  // The first twelve bytes of each encrypted block become the sixteen base64 characters of one id. All ids are encoded
  // as one string, which is then cut; encoding them one by one is slower.
  for (let index = 1; index < slots.length; index += 1)
    tags.copyWithin(index * tagBytes, index * blockBytes, index * blockBytes + tagBytes)
  const text = tags.toString('base64url', 0, slots.length * tagBytes)
  return slots.map((_, index) => prefix + text.slice(index * tagLetters, (index + 1) * tagLetters))
}

/** Returns the interval around `now` in which the slots of a service keep their ids. */
export function bucketOf(serviceId: string, now: number): Interval {
  const start = bucketAt(serviceId, now) * bucketSeconds - staggerOf(serviceId)
  return { start, end: start + bucketSeconds }
}

/**
 * Returns the id of one slot (see `slotIds`); `''` for a slot that does not fit the encoding, such as one of 2^24
 * seconds (about half a year) or longer, or one before 1970.
 */
export function slotId(secret: string, wanted: RequestedSlot, now: number): string {
  if (!fitsBlock(wanted)) return ''
  const bucket = bucketAt(wanted.serviceId, now)
  return `${bucket.toString(36)}.${tagAt(encrypt(secret, wanted.serviceId, bucket, [wanted]), 0).toString('base64url')}`
}

/**
 * Checks whether `id` was created for exactly the slot `wanted`. An id is good in its bucket and in the next one, and
 * stale later. An id of a future bucket is accepted only within the tolerated clock drift between two servers.
 */
export function checkSlotId(secret: string, id: string, wanted: RequestedSlot, now: number): SlotIdVerdict {
  const match = shape.exec(id)
  if (!match?.[1] || !match[2] || !fitsBlock(wanted)) return 'invalid'
  const bucket = Number.parseInt(match[1], 36)
  const current = bucketAt(wanted.serviceId, now)
  if (bucket > bucketAt(wanted.serviceId, now + maxAhead)) return 'invalid'
  const expected = tagAt(encrypt(secret, wanted.serviceId, bucket, [wanted]), 0)
  if (!timingSafeEqual(expected, Buffer.from(match[2], 'base64url'))) return 'invalid'
  return bucket >= current - 1 ? 'good' : 'stale'
}

function bucketAt(serviceId: string, now: number): number {
  return Math.floor((now + staggerOf(serviceId)) / bucketSeconds)
}

// Buckets of different services begin at different seconds, so that not all ids of a site change at the same time.
function staggerOf(serviceId: string): number {
  let stagger = 0
  for (let i = 0; i < serviceId.length; i++) stagger = (stagger * 31 + serviceId.charCodeAt(i)) % bucketSeconds
  return stagger
}

function fitsBlock({ providerId, start, end }: Timed): boolean {
  const duration = end - start
  const fitsTime = start >= 0 && start < 2 ** 48 && duration > 0 && duration < 2 ** 24
  return fitsTime && providerId > 0 && providerId < providerIdLimit
}

function encrypt(secret: string, serviceId: string, bucket: number, slots: readonly Timed[]): Buffer {
  const blocks = Buffer.allocUnsafe(slots.length * blockBytes)
  const words = new DataView(blocks.buffer, blocks.byteOffset, blocks.byteLength)
  for (let index = 0; index < slots.length; index += 1) {
    const { providerId, start, end } = slots[index] ?? nothing
    const at = index * blockBytes
    // Layout: six bytes start, three bytes duration, one byte zero, six bytes provider. Writing 32-bit words is several
    // times as fast as writing each field.
    words.setUint32(at, Math.floor(start / 2 ** 16))
    words.setUint32(at + 4, ((start % 2 ** 16) * 2 ** 16 + Math.floor((end - start) / 2 ** 8)) >>> 0)
    words.setUint32(at + 8, ((end - start) % 2 ** 8) * 2 ** 24 + Math.floor(providerId / 2 ** 32))
    words.setUint32(at + 12, providerId % 2 ** 32)
  }
  return cipherOf(secret, serviceId, bucket).update(blocks)
}

const nothing: Timed = { providerId: 0, start: 0, end: 0 }

function tagAt(tags: Buffer, index: number): Buffer {
  return tags.subarray(index * blockBytes, index * blockBytes + tagBytes)
}

const ciphers = new Map<string, Cipheriv>()

// Ciphers are cached, because deriving a key and setting up AES takes microseconds, whereas encrypting a block takes
// tens of nanoseconds.
function cipherOf(secret: string, serviceId: string, bucket: number): Cipheriv {
  const name = `${secret}\n${serviceId}\n${bucket}`
  const kept = ciphers.get(name)
  if (kept) return kept
  const key = createHmac('sha256', secret).update(`${serviceId}\n${bucket}`).digest().subarray(0, 16)
  const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false)
  if (ciphers.size >= keptCiphers) ciphers.clear()
  ciphers.set(name, cipher)
  return cipher
}
