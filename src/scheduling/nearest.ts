/**
 * Returns the known name with the smallest edit distance to a mistyped one, ignoring case; undefined when the distance
 * exceeds two, or half of the length of `typed`.
 */
export function nearest(typed: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = Math.min(2, Math.floor(typed.length / 2)) + 1
  for (const name of known) {
    const edits = editDistance(typed.toLowerCase(), name.toLowerCase())
    if (edits < least) {
      best = name
      least = edits
    }
  }
  return best
}

/** Returns the Levenshtein distance of two texts: the least number of characters to replace, insert or delete. */
export function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 0; i < one.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < other.length; j++) {
      const kept = (row[j] ?? 0) + (one[i] === other[j] ? 0 : 1)
      next.push(Math.min(kept, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
