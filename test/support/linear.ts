/** One call of a history, as its caller saw it. Moments are of one counter for all callers. */
export interface Call<Asked> {
  readonly asked: Asked
  readonly began: number
  /** Without one it may have happened at any later moment, or never. */
  readonly answer: { readonly at: number; readonly said: string } | undefined
}

/** What a thing does when it is asked one thing after the other. */
export interface Rules<State, Asked> {
  readonly first: State
  happen(state: State, asked: Asked): { readonly said: string; readonly next: State }
  /** The same for equal states, another for others. */
  name(state: State): string
}

/** Whether one order of the calls explains every answer, and if none does, where the best attempt ended. */
export interface Explanation<Asked> {
  readonly verdict: 'explained' | 'impossible' | 'undecided'
  /** How many calls were tried. */
  readonly steps: number
  /** Those that could have come next where the longest attempt got no further. */
  readonly stuck: readonly Call<Asked>[]
}

interface Step<State, Asked> {
  readonly state: State
  /** What may still come next here, the likeliest last. */
  readonly choices: Call<Asked>[]
  /** The one that led here. */
  readonly by: Call<Asked> | undefined
}

const mostSteps = 2_000_000

/**
 * Looks for an order of the calls in which every answer is what the rules say, and no call comes before one that had
 * been answered when it began: Wing and Gong's search, which remembers where it has been.
 */
export function explain<State, Asked>(calls: readonly Call<Asked>[], rules: Rules<State, Asked>): Explanation<Asked> {
  const search = new Search(calls, rules)
  return search.run()
}

class Search<State, Asked> {
  readonly #answered: readonly Call<Asked>[]
  readonly #unanswered: readonly Call<Asked>[]
  readonly #rules: Rules<State, Asked>
  /** Its place among those answered, or behind them. */
  readonly #number: ReadonlyMap<Call<Asked>, number>
  readonly #done = new Set<Call<Asked>>()
  readonly #seen = new Set<string>()
  /** All answered calls before this one are done. */
  #from = 0

  constructor(calls: readonly Call<Asked>[], rules: Rules<State, Asked>) {
    const sorted = calls.toSorted((one, other) => one.began - other.began)
    this.#answered = sorted.filter(({ answer }) => answer)
    this.#unanswered = sorted.filter(({ answer }) => !answer)
    this.#rules = rules
    this.#number = new Map([...this.#answered, ...this.#unanswered].map((call, index) => [call, index]))
  }

  run(): Explanation<Asked> {
    const path: Step<State, Asked>[] = [{ state: this.#rules.first, choices: this.#choices(), by: undefined }]
    let steps = 0
    let farthest = -1
    let stuck: readonly Call<Asked>[] = []
    for (let here = path.at(-1); here; here = path.at(-1)) {
      const answered = this.#countAnswered()
      if (answered === this.#answered.length) return { verdict: 'explained', steps, stuck: [] }
      if (answered > farthest) {
        farthest = answered
        stuck = here.choices.filter(({ answer }) => answer)
      }
      const call = here.choices.pop()
      if (!call) {
        path.pop()
        if (here.by) this.#undo(here.by)
        continue
      }
      if (++steps > mostSteps) return { verdict: 'undecided', steps, stuck }
      const next = this.#take(here.state, call)
      if (next) path.push({ state: next.state, choices: this.#choices(), by: call })
    }
    return { verdict: 'impossible', steps, stuck }
  }

  /** Lets the call happen, if the rules say what it was answered and this is no place where the search has been. */
  #take(state: State, call: Call<Asked>): { readonly state: State } | undefined {
    const { said, next } = this.#rules.happen(state, call.asked)
    if (call.answer && call.answer.said !== said) return undefined
    const name = this.#rules.name(next)
    // Without an effect, it might as well never have happened.
    if (!call.answer && name === this.#rules.name(state)) return undefined
    this.#done.add(call)
    this.#advance()
    const place = `${this.#from} ${this.#ahead()} ${name}`
    if (!this.#seen.has(place)) {
      this.#seen.add(place)
      return { state: next }
    }
    this.#undo(call)
    return undefined
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

  /** Answered calls from the first that is not done, until all that could be done are past. */
  *#beyond(): Generator<Call<Asked>> {
    let end = Number.POSITIVE_INFINITY
    for (let index = this.#from; index < this.#answered.length; index++) {
      const call = this.#answered[index]
      if (!call || call.began > end) return
      yield call
      if (!this.#done.has(call)) end = Math.min(end, call.answer?.at ?? end)
    }
  }

  /** What was done out of the order in which it began, and what without an answer. */
  #ahead(): string {
    const answered = [...this.#beyond()].filter((call) => this.#done.has(call))
    const others = this.#unanswered.filter((call) => this.#done.has(call))
    return [...answered, ...others].map((call) => this.#number.get(call)).join(' ')
  }

  /** Calls that may come next: no other had been answered when they began. Those answered first are tried first. */
  #choices(): Call<Asked>[] {
    const answered = [...this.#beyond()].filter((call) => !this.#done.has(call))
    const end = Math.min(...answered.map(({ answer }) => answer?.at ?? 0))
    const open = answered
      .filter(({ began }) => began < end)
      .sort((one, other) => (other.answer?.at ?? 0) - (one.answer?.at ?? 0))
    const others = this.#unanswered.filter((call) => call.began < end && !this.#done.has(call))
    return [...others, ...open]
  }
}
