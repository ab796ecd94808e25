/** Told once: whether the work may begin. */
export type Grant = (admitted: boolean) => void

/** Pieces share a turn until they took so long together: most are far shorter than what a turn itself costs is worth. */
const sharedTurn = 1
/** No more of those that waited begin in one turn. */
const mostTogether = 16
/** Who comes when the queue needs longer than this is told so at once. */
const longestWait = 800
/** Whoever has waited for so long was let in: only later ones are turned away. */
const newcomer = 25
// Turns that have become slower make the queue longer than was expected of it. With the work itself an answer then still
// comes well within the four seconds after which nobody waits for it; beyond this those let in are told, too.
const longestQueue = 2_000
/** Whoever has waited for so long, whatever was expected, is not begun any more. */
const tooLate = 2_500
/** How much the last turn counts in what pieces take, once there were more of them. */
const freshness = 1 / 32
// A turn that took longer says more of what else the machine does, or of a start, than of the turns to come.
const longestTurn = 25
/** While both queues are waiting, one of so many pieces is unauthenticated: strangers must not delay API clients. */
const openShare = 4

/** A piece of work that waits for its turn. */
interface Waiting {
  readonly go: Grant
  readonly since: number
}

/**
 * Lets work begin piece by piece, a millisecond's worth a turn of the event loop, so that what arrives meanwhile, a health
 * check among it, is seen within little more than one piece's time. Whoever would wait too long, as pieces have gone of
 * late, is told so at once.
 */
export class LoadShedder {
  /** Requests that bring credentials, checked or not. */
  readonly #waiting: Waiting[] = []
  /** Requests of routes that are open to everyone. */
  readonly #open: Waiting[] = []
  #taken = false
  #beganAt = 0
  /** Pieces begun in this turn. */
  #begun = 0
  /** When the first of those that waited began in this turn. */
  #workingSince: number | undefined
  /** Milliseconds that a piece takes, of late. */
  #pace = 0
  #shedder = 0
  #shifts = 0

  /** Whether the turn of a request with credentials that comes now would be too long in coming. */
  get full(): boolean {
    return this.#isFull(this.#waiting)
  }

  /** Tells when the turn has come, at once if nobody waits; false when it would be too long in coming. */
  enter(go: Grant, { open = false }: { readonly open?: boolean } = {}): void {
    const queue = open ? this.#open : this.#waiting
    if (this.share()) go(true)
    else if (this.#isFull(queue)) go(false)
    else queue.push({ go, since: performance.now() })
  }

  #isFull(queue: readonly Waiting[]): boolean {
    return queue.length > 0 && this.#expected(queue, queue.length + 1) > longestWait
  }

  /** Milliseconds until so many of a queue have begun. */
  #expected(queue: readonly Waiting[], length: number): number {
    const shared = this.#waiting.length > 0 && this.#open.length > 0
    const slowdown = queue === this.#open ? openShare : openShare / (openShare - 1)
    return length * this.#pace * (shared ? slowdown : 1)
  }

  get #length(): number {
    return this.#waiting.length + this.#open.length
  }

  /** Whether a piece of work may begin now: nobody waits, and what this turn did so far was short. */
  share(): boolean {
    if (!this.#taken) this.#begin()
    else if (this.#length > 0 || performance.now() - this.#beganAt > sharedTurn) return false
    this.#begun += 1
    return true
  }

  #begin(): void {
    this.#taken = true
    this.#beganAt = performance.now()
    this.#begun = 0
    this.#workingSince = undefined
    // Each apart, as only between two of them is what a piece put off, such as waiting for its body, done and timed.
    for (let count = Math.min(this.#length, mostTogether); count > 0; count -= 1) setImmediate(this.#another)
    setImmediate(this.#next)
  }

  readonly #another = (): void => {
    const now = performance.now()
    if (this.#workingSince === undefined) this.#workingSince = now
    else if (now - this.#workingSince > sharedTurn) return
    this.#work(now)
  }

  #work(now: number): void {
    let next = this.#shift()
    for (; next && now - next.since > tooLate; next = this.#shift()) next.go(false)
    if (!next) return
    this.#begun += 1
    next.go(true)
  }

  #shift(): Waiting | undefined {
    this.#shifts += 1
    const openFirst = this.#waiting.length === 0 || this.#shifts % openShare === 0
    return (openFirst ? this.#open.shift() : undefined) ?? this.#waiting.shift()
  }

  readonly #next = (): void => {
    const now = performance.now()
    const took = Math.min(longestTurn, now - this.#beganAt) / Math.max(1, this.#begun)
    this.#pace += (took - this.#pace) * Math.max(freshness, 1 / ++this.#shedder)
    this.#turnAway(this.#waiting, now)
    this.#turnAway(this.#open, now)
    const worked = this.#workingSince !== undefined
    this.#taken = false
    if (this.#length === 0) return
    this.#begin()
    if (!worked) this.#work(now)
  }

  // The last to come go first: those before them have the better prospects.
  #turnAway(queue: Waiting[], now: number): void {
    for (let last = queue.at(-1); last && queue.length > 1; last = queue.at(-1)) {
      const expected = this.#expected(queue, queue.length)
      if (expected <= (now - last.since < newcomer ? longestWait : longestQueue)) return
      queue.pop()
      last.go(false)
    }
  }
}
