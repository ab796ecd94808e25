/** Called at most once for a request: with true when its work may begin, with false when it is shed. */
export type AdmissionCallback = (admitted: boolean) => void

/** Milliseconds of work after which no further work begins in the same turn of the event loop. */
const maxTurn = 1
/** Maximum number of queued pieces of work that begin in one turn of the event loop. */
const maxBatch = 16
/** A request is shed on arrival when its expected wait is longer than this, in milliseconds. */
const maxWait = 800
/**
 * A request that has been queued for fewer milliseconds than this, that has been queued since the first turns, or that
 * arrives now, is shed when its expected wait exceeds `maxWait`. A request that has been queued for longer is shed when
 * its expected wait exceeds `maxQueueTime`.
 */
const newcomerAge = 25
// Maximum expected further wait in milliseconds of a request that has been queued for at least `newcomerAge`; beyond
// it, the request is shed. It exceeds `maxWait`, because the wait can become longer than expected on arrival when work
// becomes slower. Within this limit, a response still arrives within four seconds, for which most clients wait.
const maxQueueTime = 2_000
/** A request that has been queued for longer than this, in milliseconds, is shed instead of started. */
const maxAge = 2_500
/**
 * The weight of the latest turn in the moving average of the duration of a piece of work; the first 32 turns since the
 * queues were last empty have equal weights.
 */
const smoothing = 1 / 32
/**
 * The number of turns since the queues were last empty in which no request is shed. Turns before them do not count for
 * the average: a request that comes alone can take many times as long as one of a burst, because code is not compiled
 * yet, caches are cold or other programs had the processor.
 */
const firstTurns = 8
// A turn of the event loop longer than this many milliseconds, and longer than `maxGrowth` average pieces, counts as
// the longer of the two: a single long turn is usually caused by other load on the machine or by start-up, and does not
// predict the turns to come. If all turns are that long, the average still reaches their duration.
const maxSample = 25
const maxGrowth = 4
/**
 * While both queues have entries, every fourth piece of work is for an unknown route or one without authentication, so
 * that clients of such routes delay API clients only little.
 */
const openShare = 4

/** A piece of work that waits in a queue. */
interface Waiting {
  readonly go: AdmissionCallback
  readonly since: number
}

/**
 * Load shedding by expected queueing time. Each turn of the event loop begins about one millisecond of queued work, so
 * that new arrivals, such as health checks, are noticed soon. A request whose expected wait, estimated from recent
 * durations, is too long is shed on arrival, or later from the queue.
 */
export class LoadShedder {
  /** The queue of requests to routes that need authentication, authenticated already or not. */
  readonly #waiting: Waiting[] = []
  /** The queue of requests to routes that need no authentication, and to unknown routes. */
  readonly #open: Waiting[] = []
  #turnActive = false
  #beganAt = 0
  /** Number of pieces of work begun in the current turn of the event loop. */
  #begun = 0
  /**
   * The time at which the first `setImmediate` callback for queued work ran in the current turn of the event loop, in
   * milliseconds; undefined before that.
   */
  #workingSince: number | undefined
  /** The moving average of the duration of one piece of work, in milliseconds. */
  #duration = 0
  /** Number of turns of the event loop since both queues were last empty. */
  #turnCount = 0
  #shifts = 0
  readonly #now: () => number

  /** `now` returns milliseconds that never decrease. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Whether a request to a route that needs authentication would be shed if it arrived now. */
  get full(): boolean {
    return this.#isFull(this.#waiting)
  }

  /**
   * Calls `go(true)` when the work may begin, at once if `share` allows it; calls `go(false)` at once if the expected
   * wait is too long, or later if the request is shed from the queue.
   */
  enter(go: AdmissionCallback, { open = false }: { readonly open?: boolean } = {}): void {
    const queue = open ? this.#open : this.#waiting
    if (this.share()) go(true)
    else if (this.#isFull(queue)) go(false)
    else queue.push({ go, since: this.#now() })
  }

  #isFull(queue: readonly Waiting[]): boolean {
    return queue.length > 0 && this.#expected(queue, queue.length + 1) > maxWait
  }

  /**
   * Returns the milliseconds until the first `length` entries of a queue are expected to have begun; 0 in the first
   * turns, in which the duration of the work to come is unknown.
   */
  #expected(queue: readonly Waiting[], length: number): number {
    if (this.#turnCount < firstTurns) return 0
    const shared = this.#waiting.length > 0 && this.#open.length > 0
    const slowdown = queue === this.#open ? openShare : openShare / (openShare - 1)
    return length * this.#duration * (shared ? slowdown : 1)
  }

  get #length(): number {
    return this.#waiting.length + this.#open.length
  }

  /**
   * Whether a piece of work may begin now: nothing is queued, and the current turn of the event loop has taken at most
   * `maxTurn` milliseconds so far. If so, counts the piece as begun.
   */
  share(): boolean {
    if (!this.#turnActive) this.#begin()
    else if (this.#length > 0 || this.#now() - this.#beganAt > maxTurn) return false
    this.#begun += 1
    return true
  }

  #begin(): void {
    this.#turnActive = true
    this.#beganAt = this.#now()
    this.#begun = 0
    this.#workingSince = undefined
    // Each piece of work runs in a `setImmediate` callback of its own. The microtasks that it queues, such as parsing a
    // body that has arrived, then run before the next piece, and their time counts towards this turn of the event loop.
    for (let count = Math.min(this.#length, maxBatch); count > 0; count -= 1) setImmediate(this.#beginOne)
    setImmediate(this.#endTurn)
  }

  readonly #beginOne = (): void => {
    const now = this.#now()
    if (this.#workingSince === undefined) this.#workingSince = now
    else if (now - this.#workingSince > maxTurn) return
    this.#work(now)
  }

  #work(now: number): void {
    let next = this.#shift()
    for (; next && now - next.since > maxAge; next = this.#shift()) next.go(false)
    if (!next) return
    this.#begun += 1
    next.go(true)
  }

  #shift(): Waiting | undefined {
    this.#shifts += 1
    const openFirst = this.#waiting.length === 0 || this.#shifts % openShare === 0
    return (openFirst ? this.#open.shift() : undefined) ?? this.#waiting.shift()
  }

  readonly #endTurn = (): void => {
    const now = this.#now()
    const longest = Math.max(maxSample, maxGrowth * this.#duration)
    const took = Math.min(longest, now - this.#beganAt) / Math.max(1, this.#begun)
    this.#duration += (took - this.#duration) * Math.max(smoothing, 1 / ++this.#turnCount)
    this.#shed(this.#waiting, now)
    this.#shed(this.#open, now)
    const worked = this.#workingSince !== undefined
    this.#turnActive = false
    if (this.#length === 0) {
      this.#turnCount = 0
      return
    }
    this.#begin()
    if (!worked) this.#work(now)
  }

  // Removes entries with too long a wait from a queue, but never its last remaining one, and refuses their requests.
  // The newest entries are removed first, since older entries are closer to being served.
  #shed(queue: Waiting[], now: number): void {
    for (let last = queue.at(-1); last && queue.length > 1; last = queue.at(-1)) {
      const expected = this.#expected(queue, queue.length)
      const isNew = now - last.since < newcomerAge || this.#turnCount === firstTurns
      if (expected <= (isNew ? maxWait : maxQueueTime)) return
      queue.pop()
      last.go(false)
    }
  }
}
