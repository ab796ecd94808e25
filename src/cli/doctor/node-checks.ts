import type { SeenNode } from '../../maintenance/nodes/node.ts'
import { listNodes } from '../../maintenance/nodes/nodes.sql.ts'
import { message } from '../../messages/message.ts'
import type { CommandApp } from '../framework/command.ts'
import { type Check, ok, warn } from './check.ts'

/**
 * Checks that no node (a process that serves the site) is lost or has a wrong clock, and that all nodes have the same
 * version. Returns no check on SQLite.
 */
export async function nodeChecks({ db }: CommandApp): Promise<Check[]> {
  if (db.dialect.name === 'sqlite') return []
  const nodes = await listNodes(db)
  const namesOf = (some: readonly SeenNode[]) => some.map(({ name }) => name)
  const lost = namesOf(nodes.filter((node) => node.lost))
  const outOfSync = namesOf(nodes.filter((node) => node.outOfSync))
  const running = nodes.filter((node) => !node.lost)
  const versions = [...new Set(running.map(({ version }) => version))].sort()
  const warnings = [
    ...(lost.length > 0 ? [warn('check_nodes', message('nodes_lost', { names: lost }))] : []),
    ...(outOfSync.length > 0 ? [warn('check_nodes', message('nodes_out_of_sync', { names: outOfSync }))] : []),
    ...(versions.length > 1 ? [warn('check_nodes', message('nodes_versions', { versions }))] : []),
  ]
  return warnings.length > 0 ? warnings : [ok('check_nodes', message('nodes_running', { count: running.length }))]
}
