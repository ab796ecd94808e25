/** The position of a block in the column of a day, in minutes: `top` since midnight, and `height`. */
export interface Block {
  readonly top: number
  readonly height: number
}

/**
 * A block with the index, from 0, of its track and the number of tracks in its cluster. Blocks that overlap are side by
 * side in different tracks; a cluster contains all blocks that overlap each other directly or through other blocks.
 */
export interface PositionedBlock<T> {
  readonly item: T
  readonly block: Block
  readonly track: number
  readonly trackCount: number
}

/**
 * Places overlapping blocks side by side in the smallest number of tracks; a block without overlap takes the full
 * width.
 */
export function layOutBlocks<T>(items: readonly { readonly item: T; readonly block: Block }[]): PositionedBlock<T>[] {
  const sorted = [...items].sort(
    (one, other) => one.block.top - other.block.top || one.block.height - other.block.height,
  )
  const placed: PositionedBlock<T>[] = []
  let cluster: { readonly item: T; readonly block: Block; readonly track: number }[] = []
  let ends: number[] = []
  const close = (): void => {
    for (const one of cluster) placed.push({ ...one, trackCount: ends.length })
    cluster = []
    ends = []
  }
  for (const { item, block } of sorted) {
    if (ends.every((end) => end <= block.top)) close()
    const free = ends.findIndex((end) => end <= block.top)
    const track = free === -1 ? ends.length : free
    ends[track] = block.top + block.height
    cluster.push({ item, block, track })
  }
  close()
  return placed
}
