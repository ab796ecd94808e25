import { dataSettings } from '../../config.ts'
import { nodeReport } from '../../maintenance/nodes/node.ts'
import { listNodes } from '../../maintenance/nodes/nodes.sql.ts'
import { sentence } from '../../messages/sentence.ts'
import { type DataCommand, done } from '../framework/command.ts'
import type { Check } from './check.ts'
import { backupChecks, feedChecks, seatChecks, siteChecks, slotChecks, tokenChecks, zoneChecks } from './data-checks.ts'
import { calendarChecks, destinationChecks, jobChecks, webhookChecks } from './job-checks.ts'
import { keyChecks } from './key-checks.ts'
import { clockChecks, databaseChecks, folderChecks, runtimeChecks } from './machine-checks.ts'
import { nodeChecks } from './node-checks.ts'
import { paymentChecks, refundChecks } from './payment-checks.ts'

/**
 * The checks that the panel runs as well. They read no reservations and compute no slots, so they are quick on a large
 * site.
 */
export const quickExaminations = [
  runtimeChecks,
  databaseChecks,
  folderChecks,
  clockChecks,
  nodeChecks,
  siteChecks,
  tokenChecks,
  keyChecks,
  feedChecks,
  jobChecks,
  webhookChecks,
  calendarChecks,
  destinationChecks,
  paymentChecks,
  refundChecks,
  backupChecks,
]
const examinations = [...quickExaminations, slotChecks, seatChecks, zoneChecks]

/**
 * Checks the installation and prints one line per check, then one per node (a process that serves the site). Exits with
 * status 1 when a check fails; warnings do not change the exit status.
 */
export const doctor: DataCommand = {
  on: 'data',
  options: { json: { description: 'Prints the checks and the nodes as JSON.' } },
  settings: dataSettings,
  positionals: [],
  async run(app, { flags }) {
    const checks: Check[] = []
    for (const examine of examinations) checks.push(...(await examine(app)))
    const healthy = checks.every(({ state }) => state !== 'fail')
    const lines = checks.map(({ check, state, message }) => ({
      check: sentence(check),
      state,
      sentence: sentence(message),
    }))
    const nodes = (await listNodes(app.db)).map(nodeReport)
    const text = [
      ...lines.map((line) => `${line.state.padEnd(4)}  ${line.check}: ${line.sentence}\n`),
      ...nodes.map(nodeLine),
    ].join('')
    const out = flags.json === true ? `${JSON.stringify({ healthy, checks: lines, nodes })}\n` : text
    return { ...done(out), exit: healthy ? 0 : 1 }
  },
}

function nodeLine({
  name,
  version,
  startedAt,
  silentSeconds,
  lagMilliseconds,
  clockDriftMilliseconds,
  lost,
  outOfSync,
}: ReturnType<typeof nodeReport>): string {
  const started = new Date(startedAt * 1000).toISOString()
  const figures = `version ${version}, started ${started}, last report ${silentSeconds} s ago, ${lagMilliseconds} ms behind`
  const clock = clockDriftMilliseconds === null ? '' : `, clock drift ${clockDriftMilliseconds} ms`
  return `node  ${name}: ${figures}${clock}${lost ? ', lost' : ''}${outOfSync ? ', out of sync' : ''}.\n`
}
