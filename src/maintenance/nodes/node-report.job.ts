import { resultOf } from '../../db/perform/outcome.ts'
import { workerContext } from '../../db/perform/worker-context.ts'
import type { Daybook } from '../../operations.ts'
import type { Node } from './node.ts'

const byWorker = workerContext('nodes')

/** Stores a record of this process in the database, which `daybook doctor` and the panel read. */
export class NodeReport {
  readonly #app: Pick<Daybook, 'perform' | 'now'>
  readonly #node: Omit<Node, 'lagMilliseconds'>
  readonly #age: () => number

  /** `age` returns the lag of this node: the seconds by which its caches may be behind the commits of other nodes. */
  constructor(app: Pick<Daybook, 'perform' | 'now'>, node: Omit<Node, 'lagMilliseconds'>, age: () => number) {
    this.#app = app
    this.#node = node
    this.#age = age
  }

  /** Stores the record of this process with its current lag. */
  async report(): Promise<void> {
    const node = { ...this.#node, lagMilliseconds: Math.round(this.#age() * 1000) }
    resultOf(await this.#app.perform('nodes.report', node, { ...byWorker, now: this.#app.now() }))
  }

  /**
   * Removes the record of this process when it stops. A failure of the database is ignored, so that it does not keep
   * the process from stopping.
   */
  async leave(): Promise<void> {
    await this.#app.perform('nodes.remove', { id: this.#node.id }, { ...byWorker, now: this.#app.now() })
  }
}
