/** The count of one name in the current minute, including this request. */
export interface Standing {
  readonly allowed: boolean
  readonly remaining: number
  /** Seconds until the minute ends. */
  readonly reset: number
}

/** A rate limiter that counts per key, such as an address, and minute. */
export interface Throttle {
  /**
   * Counts one request of `name` in the current minute (`now` in Unix seconds); returns what remains of `limit` and
   * when the minute ends.
   */
  count(name: string, limit: number, now: number): Standing
}

// The maximum number of counted names, which bounds the memory used by many addresses. Further names share one counter
// for the rest of the minute; a counted name is never evicted, so that other names cannot reset its counter.
const maxNames = 100_000
const shared = ''

/** Creates an empty throttle; counters restart at each full minute. */
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
      const key = counts.has(name) || counts.size < maxNames ? name : shared
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return { allowed: count <= limit, remaining: Math.max(0, limit - count), reset: 60 - (Math.floor(now) % 60) }
    },
  }
}
