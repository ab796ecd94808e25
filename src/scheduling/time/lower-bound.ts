/** The index of the first of `rising` that is at least `value`; their number when none is. */
export function lowerBound(rising: ArrayLike<number>, value: number): number {
  let low = 0
  let high = rising.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((rising[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
