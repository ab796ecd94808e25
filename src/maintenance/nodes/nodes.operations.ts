import type { Operation } from '../../db/perform/app.ts'
import type { Node } from './node.ts'
import { deleteNode, saveNode } from './nodes.sql.ts'

/** Stores the report of a running node (a process that serves the site). */
export const reportNode: Operation<Node, Record<never, never>> = async (tx, node) => {
  await saveNode(tx.db, node)
  return {}
}

/** Removes the record of a node that stops. */
export const removeNode: Operation<{ readonly id: string }, Record<never, never>> = async (tx, { id }) => {
  await deleteNode(tx.db, id)
  return {}
}
