/** How one name stands within the current minute, this time counted. */
export interface Standing {
  readonly allowed: boolean
  readonly remaining: number
  /** Seconds until the minute ends. */
  readonly reset: number
}

/** Counts per name and minute. */
export interface Throttle {
  /** Counts once more; `now` in Unix seconds. */
  count(name: string, limit: number, now: number): Standing
}

// Bounds the memory that many addresses can take. Names beyond these share one counter for the rest of the minute: none
// that is counted is ever forgotten, so that no number of other names resets it.
const mostNames = 100_000
const shared = ''

/** A throttle with nothing counted; it starts anew with each minute of the clock. */
export function createThrottle(): Throttle {
  let minute = 0
  let counts = new Map<string, number>()
  return {
    count(name, limit, now) {
      const current = Math.floor(now / 60)
      if (current !== minute) {
        minute = current
        counts = new Map()
      }
      const key = counts.has(name) || counts.size < mostNames ? name : shared
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return { allowed: count <= limit, remaining: Math.max(0, limit - count), reset: 60 - (Math.floor(now) % 60) }
    },
  }
}
