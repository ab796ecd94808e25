import { constants, crc32, deflateRawSync } from 'node:zlib'

/** Bytes in the form in which they stand in a gzip stream, and what its end must say of them. */
interface Packed {
  readonly blocks: readonly Uint8Array[]
  readonly size: number
  /** Bytes unpacked. */
  readonly length: number
  readonly crc: number
}

// Each piece is packed by itself up to a whole byte, so that packed pieces can follow each other in any combination.
const aside = { level: 1, finishFlush: constants.Z_SYNC_FLUSH } as const
const packed = new WeakMap<Uint8Array, Packed>()

/**
 * The pieces as one gzip stream. Each is packed once as long as it lives; those that are `passing`, made for this answer
 * alone, stand in it as they are. See decisions/0017.
 */
export function gzipped(
  pieces: readonly Uint8Array[],
  passing: readonly Uint8Array[],
): { readonly pieces: readonly Uint8Array[]; readonly size: number } {
  const out: Uint8Array[] = [header]
  let size = header.length
  let length = 0
  let crc = 0
  for (const piece of pieces) {
    const one = passing.includes(piece) ? stored(piece) : packedOnce(piece)
    out.push(...one.blocks)
    size += one.size
    length += one.length
    crc = (times(shift(one.length), crc) ^ one.crc) >>> 0
  }
  const end = Buffer.alloc(10)
  // An empty block that is the last one, then the sum and the length of all.
  end.writeUInt16LE(3, 0)
  end.writeUInt32LE(crc, 2)
  end.writeUInt32LE(length % 2 ** 32, 6)
  out.push(end)
  return { pieces: out, size: size + end.length }
}

const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

function packedOnce(piece: Uint8Array): Packed {
  const known = packed.get(piece)
  if (known) return known
  const block = deflateRawSync(piece, aside)
  const made = { blocks: [block], size: block.length, length: piece.length, crc: crc32(piece) }
  packed.set(piece, made)
  return made
}

const longestStored = 65_535

function stored(piece: Uint8Array): Packed {
  const blocks: Uint8Array[] = []
  let size = 0
  for (let at = 0; at < piece.length; at += longestStored) {
    const part = piece.subarray(at, at + longestStored)
    const head = Buffer.alloc(5)
    head.writeUInt16LE(part.length, 1)
    head.writeUInt16LE(0xffff - part.length, 3)
    blocks.push(head, part)
    size += head.length + part.length
  }
  return { blocks, size, length: piece.length, crc: crc32(piece) }
}

// The sum of two texts one after the other, from the sums of both: the first, times x to the bits of the second, plus
// the second; in polynomials over two elements modulo the one of CRC-32, lowest power in the highest bit.
const polynomial = 0xedb88320
const one = 0x8000_0000
/** x to the power of 1, 2, 4, 8 and so on. */
const powers = [0x4000_0000]
for (let index = 1; index < 32; index += 1) {
  const root = powers[index - 1] ?? 0
  powers.push(times(root, root))
}

/** x to the power of so many bytes' bits. */
function shift(bytes: number): number {
  let power = one
  for (let index = 3, rest = bytes; rest > 0; index += 1, rest = Math.floor(rest / 2))
    if (rest % 2 === 1) power = times(powers[index % 32] ?? 0, power)
  return power
}

function times(left: number, right: number): number {
  let product = 0
  let rest = right
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if (left & bit) product ^= rest
    rest = rest & 1 ? (rest >>> 1) ^ polynomial : rest >>> 1
  }
  return product >>> 0
}
