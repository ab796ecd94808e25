/** Returns the index of the first element of `ascending` that is at least `value`; its length when there is none. */
export function lowerBound(ascending: ArrayLike<number>, value: number): number {
  let low = 0
  let high = ascending.length
  // Most callers cut a list to an interval that contains it.
  if (high === 0 || (ascending[0] ?? 0) >= value) return 0
  if ((ascending[high - 1] ?? 0) < value) return high
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
