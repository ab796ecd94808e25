/** A process that serves the site; several nodes can share a PostgreSQL database. */
export interface Node {
  readonly id: string
  /** The machine's host name and the process id, such as `web-1:4711`. */
  readonly name: string
  readonly version: string
  /** When the process started, in Unix seconds by its machine's clock. */
  readonly startedAt: number
  /**
   * The lag of the node at its last report, in milliseconds: by how much the caches of its main thread may have been
   * behind the commits of other nodes. With `--workers`, each thread has caches of its own.
   */
  readonly lagMilliseconds: number
  /**
   * The difference in milliseconds between the clocks of the node's machine and of the database when the node last
   * compared them; null if it does not compare them (see `ClockWatch`).
   */
  readonly clockDriftMilliseconds: number | null
}

/** A stored node, with the time since its last report. */
export interface SeenNode extends Node {
  /** Seconds since the node last reported, by the database's clock. */
  readonly silentSeconds: number
  /** Whether the node has not reported for so long that its process has probably ended or lost the database. */
  readonly lost: boolean
  /**
   * Whether the node's clock differs from the database's by so much that the node is not ready and runs no jobs; false
   * for a lost node, whose last comparison is too old.
   */
  readonly outOfSync: boolean
}

/** Seconds between two reports of a node. */
export const reportSeconds = 5

/** Seconds without a report after which a node is considered lost: several reports in a row are missing. */
export const lostSeconds = 20

/** Seconds without a report after which a node is forgotten. */
export const forgottenSeconds = 3_600

/** Returns what the panel and the command line show of a node. */
export function nodeReport({ id: _, ...node }: SeenNode) {
  return node
}
