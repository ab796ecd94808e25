import { resultOf } from '../../db/perform/outcome.ts'
import { workerContext } from '../../db/perform/worker-context.ts'
import type { Daybook } from '../../operations.ts'
import type { Node } from './node.ts'

const byWorker = workerContext('nodes')

/** The part of a node's report that is measured anew for each report. */
type Measured = 'lagMilliseconds' | 'clockDriftMilliseconds'

/** What a node measures for each report. */
interface NodeMeasures {
  /** Returns the seconds by which the caches of this node may be behind the commits of other nodes. */
  lag(): number
  /** Returns the difference in seconds between the machine's clock and the database's; undefined if not measured. */
  clockDrift(): number | undefined
}

/** Stores a record of this process in the database, which `daybook doctor` and the panel read. */
export class NodeReport {
  readonly #app: Pick<Daybook, 'perform' | 'now'>
  readonly #node: Omit<Node, Measured>
  readonly #measures: NodeMeasures

  constructor(app: Pick<Daybook, 'perform' | 'now'>, node: Omit<Node, Measured>, measures: NodeMeasures) {
    this.#app = app
    this.#node = node
    this.#measures = measures
  }

  /** Stores the record of this process with its current lag and clock drift. */
  async report(): Promise<void> {
    const drift = this.#measures.clockDrift()
    const node = {
      ...this.#node,
      lagMilliseconds: Math.round(this.#measures.lag() * 1000),
      clockDriftMilliseconds: drift === undefined ? null : Math.round(drift * 1000),
    }
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
