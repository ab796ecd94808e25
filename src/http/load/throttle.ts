/** The state of one key's limit in the current minute, including the request just counted. */
export interface Standing {
  readonly allowed: boolean
  readonly remaining: number
  /** Seconds until the current minute ends and the counter restarts. */
  readonly reset: number
}

/** A rate limiter that counts the requests of each key, such as an address, in each minute. */
export interface Throttle {
  /** Counts one request of the key `name` in the minute of `now` (Unix seconds) and returns the state of its limit. */
  count(name: string, limit: number, now: number): Standing
}

// The maximum number of keys with a counter, which bounds the memory. Further keys share one counter for the rest of
// the minute. Counters are not evicted within a minute, so that a flood of other keys cannot reset a counter.
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
