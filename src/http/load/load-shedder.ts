/** Called once for a queued request: with true when its work may begin, with false when it is shed. */
export type Grant = (admitted: boolean) => void

/**
 * Milliseconds of queued work that one turn of the event loop may begin; most pieces of work take far less than a turn
 * costs.
 */
const maxTurn = 1
/** Maximum number of queued pieces of work that begin in one turn of the event loop. */
const maxBatch = 16
/** A request is shed on arrival when its expected wait is longer than this, in milliseconds. */
const maxWait = 800
/** A request that has been queued for less than this many milliseconds is a newcomer, to which `maxWait` applies. */
const newcomerAge = 25
// Maximum expected wait of a queued request in milliseconds. A queue can become longer than expected when work becomes
// slower. Within this limit, a response still arrives well within the four seconds after which clients give up; beyond
// it, queued requests are shed as well.
const maxQueueTime = 2_000
/** A request that has been queued for longer than this, in milliseconds, is shed instead of started. */
const maxAge = 2_500
/** The weight of the last turn in the moving average of durations. */
const smoothing = 1 / 32
// Turns of the event loop longer than this many milliseconds count as this long: they say more about other load of
// the machine, or about start-up, than about the turns to come.
const maxSample = 25
/**
 * While both queues have entries, one of this many pieces of work is for an unauthenticated request: clients without
 * credentials must not delay API clients.
 */
const openShare = 4

/** A piece of work that waits in a queue. */
interface Waiting {
  readonly go: Grant
  readonly since: number
}

/**
 * Load shedding by queueing time. Each turn of the event loop begins about a millisecond's worth of queued work, so
 * that a new arrival, such as a health check, is seen soon. A request whose expected wait is too long, as estimated
 * from recent durations, is shed at once.
 */
export class LoadShedder {
  /** Requests with credentials, verified or not. */
  readonly #waiting: Waiting[] = []
  /** Requests of routes that are open to everyone. */
  readonly #open: Waiting[] = []
  #turnActive = false
  #beganAt = 0
  /** Number of pieces of work begun in the current turn of the event loop. */
  #begun = 0
  /** When the first queued piece of work of the current turn began. */
  #workingSince: number | undefined
  /** Moving average of the duration of one piece of work, in milliseconds. */
  #duration = 0
  #turnCount = 0
  #shifts = 0

  /** Whether a request with credentials that arrives now would be shed. */
  get full(): boolean {
    return this.#isFull(this.#waiting)
  }

  /**
   * Calls `go` when the work may begin, at once if the queue is empty; calls `go(false)` when the expected wait is too
   * long.
   */
  enter(go: Grant, { open = false }: { readonly open?: boolean } = {}): void {
    const queue = open ? this.#open : this.#waiting
    if (this.share()) go(true)
    else if (this.#isFull(queue)) go(false)
    else queue.push({ go, since: performance.now() })
  }

  #isFull(queue: readonly Waiting[]): boolean {
    return queue.length > 0 && this.#expected(queue, queue.length + 1) > maxWait
  }

  /** Returns the milliseconds until the first `length` entries of a queue are expected to have begun. */
  #expected(queue: readonly Waiting[], length: number): number {
    const shared = this.#waiting.length > 0 && this.#open.length > 0
    const slowdown = queue === this.#open ? openShare : openShare / (openShare - 1)
    return length * this.#duration * (shared ? slowdown : 1)
  }

  get #length(): number {
    return this.#waiting.length + this.#open.length
  }

  /**
   * Whether work may begin now: nothing is queued, and the current turn of the event loop is short so far. Counts the
   * piece of work as begun.
   */
  share(): boolean {
    if (!this.#turnActive) this.#begin()
    else if (this.#length > 0 || performance.now() - this.#beganAt > maxTurn) return false
    this.#begun += 1
    return true
  }

  #begin(): void {
    this.#turnActive = true
    this.#beganAt = performance.now()
    this.#begun = 0
    this.#workingSince = undefined
    // Each piece of work runs in an immediate of its own, so that the microtasks it queues, such as parsing a body that has
    // already arrived, run before the next piece and count towards this turn.
    for (let count = Math.min(this.#length, maxBatch); count > 0; count -= 1) setImmediate(this.#beginOne)
    setImmediate(this.#endTurn)
  }

  readonly #beginOne = (): void => {
    const now = performance.now()
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
    const now = performance.now()
    const took = Math.min(maxSample, now - this.#beganAt) / Math.max(1, this.#begun)
    this.#duration += (took - this.#duration) * Math.max(smoothing, 1 / ++this.#turnCount)
    this.#shed(this.#waiting, now)
    this.#shed(this.#open, now)
    const worked = this.#workingSince !== undefined
    this.#turnActive = false
    if (this.#length === 0) return
    this.#begin()
    if (!worked) this.#work(now)
  }

  // The newest entries are shed first, since older ones will be served sooner.
  #shed(queue: Waiting[], now: number): void {
    for (let last = queue.at(-1); last && queue.length > 1; last = queue.at(-1)) {
      const expected = this.#expected(queue, queue.length)
      if (expected <= (now - last.since < newcomerAge ? maxWait : maxQueueTime)) return
      queue.pop()
      last.go(false)
    }
  }
}
