import { constants, crc32, deflateRawSync } from 'node:zlib'

/** A compressed piece, and what the trailer of the stream needs to know about it. */
interface Packed {
  readonly blocks: readonly Uint8Array[]
  readonly size: number
  /** Uncompressed bytes. */
  readonly length: number
  readonly crc: number
}

// Each piece is flushed to a byte boundary, so that compressed pieces can be concatenated in any combination.
const aside = { level: 1, finishFlush: constants.Z_SYNC_FLUSH } as const
const packed = new WeakMap<Uint8Array, Packed>()

/**
 * Concatenates pieces to one gzip stream. The compressed form of a piece is cached as long as the piece exists;
 * `passing` pieces, made for this response alone, are stored uncompressed. See decisions/0017.
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
  // An empty final block, then the CRC and the length of all pieces.
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

const maxStoredBlock = 65_535

function stored(piece: Uint8Array): Packed {
  const blocks: Uint8Array[] = []
  let size = 0
  for (let at = 0; at < piece.length; at += maxStoredBlock) {
    const part = piece.subarray(at, at + maxStoredBlock)
    const head = Buffer.alloc(5)
    head.writeUInt16LE(part.length, 1)
    head.writeUInt16LE(0xffff - part.length, 3)
    blocks.push(head, part)
    size += head.length + part.length
  }
  return { blocks, size, length: piece.length, crc: crc32(piece) }
}

// Combines the CRCs of two texts: the first, multiplied by x to the number of bits of the second, plus the second; as
// polynomials over GF(2) modulo that of CRC-32, lowest power in the highest bit.
const polynomial = 0xedb88320
const one = 0x8000_0000
/** x to the power of 1, 2, 4, 8 and so on. */
const powers = [0x4000_0000]
for (let index = 1; index < 32; index += 1) {
  const root = powers[index - 1] ?? 0
  powers.push(times(root, root))
}

/** Returns x to the power of the bits of so many bytes. */
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
