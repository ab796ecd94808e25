import { resultOf } from '../../db/perform/outcome.ts'
import { workerContext } from '../../db/perform/worker-context.ts'
import type { Daybook } from '../../operations.ts'
import type { Node } from './node.ts'

const byWorker = workerContext('nodes')

/** Reports this process to the other nodes, for `daybook doctor` and the panel. */
export class NodeReport {
  readonly #app: Pick<Daybook, 'perform' | 'now'>
  readonly #node: Omit<Node, 'lagMilliseconds'>
  readonly #age: () => number

  /** `age` returns for how many seconds commits of other nodes may not have been applied. */
  constructor(app: Pick<Daybook, 'perform' | 'now'>, node: Omit<Node, 'lagMilliseconds'>, age: () => number) {
    this.#app = app
    this.#node = node
    this.#age = age
  }

  /** Stores that the process runs. */
  async report(): Promise<void> {
    const node = { ...this.#node, lagMilliseconds: Math.round(this.#age() * 1000) }
    resultOf(await this.#app.perform('nodes.report', node, { ...byWorker, now: this.#app.now() }))
  }

  /** Removes the process from the list when it stops; a database without an answer does not delay the stop. */
  async leave(): Promise<void> {
    await this.#app.perform('nodes.remove', { id: this.#node.id }, { ...byWorker, now: this.#app.now() })
  }
}
