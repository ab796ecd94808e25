import { existsSync, statSync } from 'node:fs'
import { clock } from '../../clock.ts'
import { dataSettings } from '../../config.ts'
import type { Inspection } from '../../db/sqlite/sqlite-file.ts'
import { done, type Ending, type ProcessCommand, refused } from '../framework/command.ts'
import { inspectInThread } from './inspection.ts'

/** Reports whether a backup file can be restored: complete, of a known schema, and consistent. */
export const verify: ProcessCommand = {
  on: 'process',
  options: { json: { description: 'Prints the findings as JSON.' } },
  // The command reads only FILE. It ignores these settings, and accepts them because every command does.
  settings: dataSettings,
  positionals: ['FILE'],
  async run({ config, flags, positionals: [path = ''], caller }) {
    if (!existsSync(path)) return refused(`There is no file ${path}.`)
    if (!statSync(path).isFile()) return refused(`${path} is not a file.`)
    const inspection = await inspectInThread(path, clock(config.now)(), caller)
    return flags.json === true ? asJson(inspection) : asText(path, inspection)
  },
}

/** Formats the numbers of rows in a database as a text, such as `3 services, 2 providers`. */
export function countsText(counts: NonNullable<Inspection['counts']>): string {
  return Object.entries(counts)
    .map(([noun, count]) => `${count} ${noun}`)
    .join(', ')
}

function asText(path: string, { faults, counts, pending }: Inspection): Ending {
  if (!counts || faults.length > 0) return refused(`${path} is not sound.`, ...faults)
  const older = pending.length > 0 ? ' It is of an earlier version; restoring brings it up to date.' : ''
  return done(`${path} is sound: ${countsText(counts)}.${older}\n`)
}

function asJson({ faults, counts, pending }: Inspection): Ending {
  const sound = faults.length === 0 && counts !== undefined
  return { ...done(`${JSON.stringify({ sound, faults, counts: counts ?? null, pending })}\n`), exit: sound ? 0 : 1 }
}
