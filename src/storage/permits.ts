/** Lets at most so many in at once, the others in the order they came. */
export class Permits {
  #free: number
  readonly #count: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
    this.#count = count
  }

  /** How many are in, or wait to be let in. */
  get wanted(): number {
    return this.#count - this.#free + this.#waiting.length
  }

  async take(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1
      return
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  give(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free += 1
  }
}
