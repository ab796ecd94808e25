/**
 * One call of a recorded history, with the times at which its caller began the call and received the response. Times
 * are values of one counter.
 */
export interface RecordedCall<Request> {
  readonly request: Request
  readonly began: number
  /** The response; undefined when it was lost, in which case the call may take effect at any later time or never. */
  readonly response: { readonly at: number; readonly text: string } | undefined
}

/** A sequential specification: the response and the next state of each call. */
export interface SequentialSpecification<State, Request> {
  readonly initial: State
  /** Performs a call; `next` is `state` itself only if a call with this response never changes any state. */
  apply(state: State, request: Request): { readonly response: string; readonly next: State }
  /** Returns a string that is equal for equal states and differs for others. */
  stateKey(state: State): string
}

/**
 * The result of `checkLinearizability`: whether some order of the calls explains every response. Unless the verdict is
 * `linearizable`, `stuck` shows where the order with the most answered calls could not be continued.
 */
export interface LinearizabilityResult<Request> {
  readonly verdict: 'linearizable' | 'not linearizable' | 'undecided'
  /** The number of calls that the search tried. */
  readonly steps: number
  /**
   * Where the search ended: after the order with the most answered calls that it found, the answered calls that may
   * come next, as far as their times show. Empty if the calls are linearizable.
   */
  readonly stuck: readonly RecordedCall<Request>[]
}

/** A call that may come next in the order, the state after the call, and the key of that state. */
interface Choice<State, Request> {
  readonly call: RecordedCall<Request>
  readonly next: State
  readonly key: string
}

interface Step<State, Request> {
  /**
   * The calls that the search has not tried from this state. It tries the last one first; answered calls are at the
   * end, the one with the earliest response last.
   */
  readonly choices: Choice<State, Request>[]
  /** The call that was performed to reach this state; undefined for the initial state. */
  readonly by: RecordedCall<Request> | undefined
}

const maxSteps = 2_000_000

/**
 * Searches for an order of the calls that satisfies the specification and in which each call precedes all calls that
 * began after its response (Wing and Gong's linearizability check, with memoisation). The search skips a state that it
 * has visited after the same answered calls and the same unanswered calls or a subset of them, because every call that
 * is left now was left at that visit, too.
 */
export function checkLinearizability<State, Request>(
  calls: readonly RecordedCall<Request>[],
  specification: SequentialSpecification<State, Request>,
): LinearizabilityResult<Request> {
  const search = new Search(calls, specification)
  return search.run()
}

class Search<State, Request> {
  readonly #answered: readonly RecordedCall<Request>[]
  readonly #unanswered: readonly RecordedCall<Request>[]
  readonly #specification: SequentialSpecification<State, Request>
  /** The index of each answered call in `#answered`. */
  readonly #number: ReadonlyMap<RecordedCall<Request>, number>
  readonly #done = new Set<RecordedCall<Request>>()
  /**
   * By visited state and the answered calls that led to it, the sets of unanswered calls that had been performed at a
   * visit.
   */
  readonly #seen = new Map<string, ReadonlySet<RecordedCall<Request>>[]>()
  #steps = 0
  /** The index in `#answered` of the first call that the search has not performed. */
  #from = 0

  constructor(calls: readonly RecordedCall<Request>[], specification: SequentialSpecification<State, Request>) {
    const sorted = calls.toSorted((one, other) => one.began - other.began)
    this.#answered = sorted.filter(({ response }) => response)
    this.#unanswered = sorted.filter(({ response }) => !response)
    this.#specification = specification
    this.#number = new Map(this.#answered.map((call, index) => [call, index]))
  }

  run(): LinearizabilityResult<Request> {
    const { initial: first } = this.#specification
    const path: Step<State, Request>[] = [
      { choices: this.#choices(first, this.#specification.stateKey(first)), by: undefined },
    ]
    let farthest = -1
    let stuck: readonly RecordedCall<Request>[] = []
    for (let here = path.at(-1); here; here = path.at(-1)) {
      const answered = this.#countAnswered()
      if (answered === this.#answered.length) return { verdict: 'linearizable', steps: this.#steps, stuck: [] }
      if (answered > farthest) {
        farthest = answered
        stuck = this.#open()
      }
      if (this.#steps > maxSteps) return { verdict: 'undecided', steps: this.#steps, stuck }
      const choice = here.choices.pop()
      if (!choice) {
        path.pop()
        if (here.by) this.#undo(here.by)
      } else if (this.#take(choice)) {
        path.push({ choices: this.#choices(choice.next, choice.key), by: choice.call })
      }
    }
    return { verdict: 'not linearizable', steps: this.#steps, stuck }
  }

  /**
   * Performs a call and returns true; returns false and undoes the call if the search has visited the resulting state
   * after the same answered calls and the same unanswered calls or a subset of them.
   */
  #take({ call, key }: Choice<State, Request>): boolean {
    this.#done.add(call)
    this.#advance()
    const visited = `${this.#from} ${this.#ahead()} ${key}`
    const done = new Set(this.#unanswered.filter((one) => this.#done.has(one)))
    const seen = this.#seen.get(visited) ?? []
    if (seen.some((before) => before.isSubsetOf(done))) {
      this.#undo(call)
      return false
    }
    this.#seen.set(visited, [...seen.filter((before) => !done.isSubsetOf(before)), done])
    return true
  }

  #undo(call: RecordedCall<Request>): void {
    this.#done.delete(call)
    if (call.response) this.#from = Math.min(this.#from, this.#number.get(call) ?? 0)
  }

  #advance(): void {
    for (let call = this.#answered[this.#from]; call && this.#done.has(call); call = this.#answered[this.#from])
      this.#from += 1
  }

  #countAnswered(): number {
    let count = this.#from
    for (const call of this.#beyond()) if (this.#done.has(call)) count += 1
    return count
  }

  /**
   * Yields the answered calls in the order in which they began, starting with the first that is not in `#done`, and
   * ends before the first call that began after the response to a call that is not in `#done`.
   */
  *#beyond(): Generator<RecordedCall<Request>> {
    let end = Number.POSITIVE_INFINITY
    for (let index = this.#from; index < this.#answered.length; index++) {
      const call = this.#answered[index]
      if (!call || call.began > end) return
      yield call
      if (!this.#done.has(call)) end = Math.min(end, call.response?.at ?? end)
    }
  }

  /** Formats the indexes of the answered calls that are in `#done` although an earlier call is not. */
  #ahead(): string {
    return [...this.#beyond()]
      .filter((call) => this.#done.has(call))
      .map((call) => this.#number.get(call))
      .join(' ')
  }

  /**
   * Returns the answered calls that may come next in the order: of those that the search has not placed yet, each that
   * began before the earliest response to any of them. The call with the latest response comes first.
   */
  #open(): RecordedCall<Request>[] {
    const left = [...this.#beyond()].filter((call) => !this.#done.has(call))
    const end = Math.min(...left.map(({ response }) => response?.at ?? 0))
    return left
      .filter(({ began }) => began < end)
      .sort((one, other) => (other.response?.at ?? 0) - (one.response?.at ?? 0))
  }

  /**
   * Returns the calls that may come next, without answered calls whose response contradicts the specification. If an
   * answered call never changes the state, returns only that call, since performing it first excludes no order.
   */
  #choices(state: State, key: string): Choice<State, Request>[] {
    const open = this.#open()
    const end = Math.min(...open.map(({ response }) => response?.at ?? 0))
    const others = this.#unanswered.filter((call) => call.began < end && !this.#done.has(call))
    const choices: Choice<State, Request>[] = []
    for (const call of [...open.toReversed(), ...others]) {
      this.#steps += 1
      const { response, next } = this.#specification.apply(state, call.request)
      if (call.response && call.response.text !== response) continue
      if (next !== state) choices.push({ call, next, key: this.#specification.stateKey(next) })
      // A call without response that changes no state is left out, because no other response depends on that call.
      else if (call.response) return [{ call, next, key }]
    }
    return choices.reverse()
  }
}
