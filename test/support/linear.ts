/**
 * One call of a recorded history, with the times at which its caller began it and received the response. Times are
 * positions of one counter.
 */
export interface Call<Asked> {
  readonly asked: Asked
  readonly began: number
  /** The response; undefined when it was lost, in which case the call may take effect at any later time or never. */
  readonly answer: { readonly at: number; readonly said: string } | undefined
}

/** A sequential specification: the response and the next state of each call. */
export interface Rules<State, Asked> {
  readonly first: State
  /** Performs a call; `next` is the same object if a call with this response never changes any state. */
  happen(state: State, asked: Asked): { readonly said: string; readonly next: State }
  /** Returns a string that is equal for equal states and differs for others. */
  name(state: State): string
}

/**
 * The result of the search: whether some order of the calls explains every response, and otherwise where the longest
 * attempt ended.
 */
export interface Explanation<Asked> {
  readonly verdict: 'explained' | 'impossible' | 'undecided'
  /** The number of calls that the search tried. */
  readonly steps: number
  /** The calls that could have come next in the longest attempt. */
  readonly stuck: readonly Call<Asked>[]
}

/** A call that may come next, and its effect. */
interface Choice<State, Asked> {
  readonly call: Call<Asked>
  readonly next: State
  readonly name: string
}

interface Step<State, Asked> {
  /** The calls not tried yet, the most likely one last. */
  readonly choices: Choice<State, Asked>[]
  /** The call that was performed to reach this state. */
  readonly by: Call<Asked> | undefined
}

const maxSteps = 2_000_000

/**
 * Searches an order of the calls that satisfies the specification, in which every call answered before another began
 * precedes it: Wing and Gong's linearizability check with memoisation. A visited state includes the set of unanswered
 * calls performed: a state that failed with some of them also fails with more.
 */
export function explain<State, Asked>(calls: readonly Call<Asked>[], rules: Rules<State, Asked>): Explanation<Asked> {
  const search = new Search(calls, rules)
  return search.run()
}

class Search<State, Asked> {
  readonly #answered: readonly Call<Asked>[]
  readonly #unanswered: readonly Call<Asked>[]
  readonly #rules: Rules<State, Asked>
  /** The index of a call among the answered calls. */
  readonly #number: ReadonlyMap<Call<Asked>, number>
  readonly #done = new Set<Call<Asked>>()
  /** The sets of unanswered calls that were performed when the search visited a state. */
  readonly #seen = new Map<string, ReadonlySet<Call<Asked>>[]>()
  #steps = 0
  /** The index of the first answered call that is not done. */
  #from = 0

  constructor(calls: readonly Call<Asked>[], rules: Rules<State, Asked>) {
    const sorted = calls.toSorted((one, other) => one.began - other.began)
    this.#answered = sorted.filter(({ answer }) => answer)
    this.#unanswered = sorted.filter(({ answer }) => !answer)
    this.#rules = rules
    this.#number = new Map(this.#answered.map((call, index) => [call, index]))
  }

  run(): Explanation<Asked> {
    const { first } = this.#rules
    const path: Step<State, Asked>[] = [{ choices: this.#choices(first, this.#rules.name(first)), by: undefined }]
    let farthest = -1
    let stuck: readonly Call<Asked>[] = []
    for (let here = path.at(-1); here; here = path.at(-1)) {
      const answered = this.#countAnswered()
      if (answered === this.#answered.length) return { verdict: 'explained', steps: this.#steps, stuck: [] }
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
        path.push({ choices: this.#choices(choice.next, choice.name), by: choice.call })
      }
    }
    return { verdict: 'impossible', steps: this.#steps, stuck }
  }

  /** Performs the call, unless the search has visited the state with no more unanswered calls. */
  #take({ call, name }: Choice<State, Asked>): boolean {
    this.#done.add(call)
    this.#advance()
    const place = `${this.#from} ${this.#ahead()} ${name}`
    const done = new Set(this.#unanswered.filter((one) => this.#done.has(one)))
    const seen = this.#seen.get(place) ?? []
    if (seen.some((before) => before.isSubsetOf(done))) {
      this.#undo(call)
      return false
    }
    this.#seen.set(place, [...seen.filter((before) => !done.isSubsetOf(before)), done])
    return true
  }

  #undo(call: Call<Asked>): void {
    this.#done.delete(call)
    if (call.answer) this.#from = Math.min(this.#from, this.#number.get(call) ?? 0)
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

  /** Yields answered calls from the first one that is not done, until all that could be done are passed. */
  *#beyond(): Generator<Call<Asked>> {
    let end = Number.POSITIVE_INFINITY
    for (let index = this.#from; index < this.#answered.length; index++) {
      const call = this.#answered[index]
      if (!call || call.began > end) return
      yield call
      if (!this.#done.has(call)) end = Math.min(end, call.answer?.at ?? end)
    }
  }

  /** Formats the calls done out of order. */
  #ahead(): string {
    return [...this.#beyond()]
      .filter((call) => this.#done.has(call))
      .map((call) => this.#number.get(call))
      .join(' ')
  }

  /**
   * Returns the answered calls that may come next: no other had been answered when they began. The last answered come
   * first.
   */
  #open(): Call<Asked>[] {
    const left = [...this.#beyond()].filter((call) => !this.#done.has(call))
    const end = Math.min(...left.map(({ answer }) => answer?.at ?? 0))
    return left.filter(({ began }) => began < end).sort((one, other) => (other.answer?.at ?? 0) - (one.answer?.at ?? 0))
  }

  /**
   * Returns the candidates whose response satisfies the specification. A candidate that never changes the state is
   * tried alone, since doing it first loses nothing.
   */
  #choices(state: State, name: string): Choice<State, Asked>[] {
    const open = this.#open()
    const end = Math.min(...open.map(({ answer }) => answer?.at ?? 0))
    const others = this.#unanswered.filter((call) => call.began < end && !this.#done.has(call))
    const choices: Choice<State, Asked>[] = []
    for (const call of [...open.toReversed(), ...others]) {
      this.#steps += 1
      const { said, next } = this.#rules.happen(state, call.asked)
      if (call.answer && call.answer.said !== said) continue
      if (next !== state) choices.push({ call, next, name: this.#rules.name(next) })
      // Without an effect or a response, the call might as well never have happened.
      else if (call.answer) return [{ call, next, name }]
    }
    return choices.reverse()
  }
}
