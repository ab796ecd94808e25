/** A stretch of one day, in minutes from its midnight. */
export interface Block {
  readonly top: number
  readonly height: number
}

/** A block beside those that it overlaps: in which of how many slot sources. */
export interface Laid<T> {
  readonly item: T
  readonly block: Block
  readonly slotSource: number
  readonly slotSources: number
}

/** Lays blocks that overlap side by side, in as few slot sources as they need; the others have all the width. */
export function sideBySide<T>(items: readonly { readonly item: T; readonly block: Block }[]): Laid<T>[] {
  const sorted = [...items].sort(
    (one, other) => one.block.top - other.block.top || one.block.height - other.block.height,
  )
  const laid: Laid<T>[] = []
  let cluster: { readonly item: T; readonly block: Block; readonly slotSource: number }[] = []
  let ends: number[] = []
  const close = (): void => {
    for (const one of cluster) laid.push({ ...one, slotSources: ends.length })
    cluster = []
    ends = []
  }
  for (const { item, block } of sorted) {
    if (ends.every((end) => end <= block.top)) close()
    const free = ends.findIndex((end) => end <= block.top)
    const slotSource = free === -1 ? ends.length : free
    ends[slotSource] = block.top + block.height
    cluster.push({ item, block, slotSource })
  }
  close()
  return laid
}
