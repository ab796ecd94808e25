import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { clock } from '../../clock.ts'
import { type Config, dataSettings } from '../../config.ts'
import { databaseFile, isDatabaseFile } from '../../db/data-dir.ts'
import type { Inspection } from '../../db/sqlite/sqlite-file.ts'
import {
  type CommandCall,
  type CommandCaller,
  done,
  type Ending,
  type ProcessCommand,
  refused,
  refusedFile,
} from '../framework/command.ts'
import { runOnData } from '../framework/data.ts'
import { writeAtomically } from './atomic-file.ts'
import { megabytes } from './inspection.ts'
import { recordBackup } from './record-backup.ts'
import { countsText } from './verify.ts'

/** Creates a consistent, verified copy of the embedded database while the service continues to write. */
export const backup: ProcessCommand = {
  on: 'process',
  options: { force: { description: 'Replaces FILE when it exists.' } },
  settings: dataSettings,
  positionals: ['FILE'],
  async run({ config, flags, positionals: [path = ''], caller }) {
    if (config.databaseUrl !== undefined) return refused(useDump)
    if (!existsSync(dirname(resolve(path)))) return refused(`There is no folder ${dirname(path)}.`)
    if (!existsSync(databaseFile(config.dataDir))) return refused(`There is no database in ${config.dataDir}.`)
    if (isDatabaseFile(path, config.dataDir)) return refusedFile(path)
    if (existsSync(path) && flags.force !== true) return refused(`${path} exists; --force replaces it.`)
    const ending = await backUp(config, resolve(path), caller)
    return ending.exit === 0 ? recorded(ending, { config, flags: {}, positionals: [], file: '', caller }) : ending
  },
}

const useDump =
  'PostgreSQL is backed up with its own tools: pg_dump --format=custom --file=FILE "$DAYBOOK_DATABASE_URL".'

async function backUp(config: Config, path: string, caller: CommandCaller): Promise<Ending> {
  let ending = refused('The backup was not written.')
  await writeAtomically(path, async (partial) => {
    const from = databaseFile(resolve(config.dataDir))
    const { faults, counts, isNewer } = await copied({ from, to: partial, now: clock(config.now)() }, caller)
    const complete = counts !== undefined && faults.length === 0
    ending = complete
      ? done(`Backed up to ${path}: ${countsText(counts)}.\n`)
      : refused(
          isNewer
            ? 'Nothing was written: this version cannot check the copy. Run the backup with the version of the server.'
            : 'Nothing was written: the copy is not sound, as the database is not. Restore an earlier backup.',
          ...faults,
        )
    return complete
  })
  return ending
}

/**
 * Records the time of a finished backup with the command `record-backup`: in the running server or, when no server is
 * running, in this process. Returns the result of the backup, with a note if the time could not be recorded, for
 * example because the running server has an older version without this command.
 */
async function recorded(ending: Ending, call: CommandCall): Promise<Ending> {
  const { exit, err } = await runOnData(recordBackup, call, { argv: ['record-backup'], file: '' })
  return exit === 0 ? ending : { ...ending, err: `The backup is written, but its time could not be recorded. ${err}` }
}

interface Copy {
  readonly from: string
  readonly to: string
  readonly now: number
}

/** Copies a SQLite database on a separate thread and verifies the copy. */
export async function copied(copy: Copy, caller: Pick<CommandCaller, 'note'>): Promise<Inspection> {
  const worker = new Worker(new URL('./backup-thread.ts', import.meta.url), { workerData: copy, execArgv: [] })
  let checking = false
  const progress = () => {
    const [written, all] = [megabytes(copy.to), megabytes(copy.from)]
    caller.note(checking ? `backup: checking ${written} MB …` : `backup: ${written} of about ${all} MB …`)
  }
  const timer = setInterval(progress, 1_000)
  try {
    // The promise of `once` rejects when the thread fails.
    await once(worker, 'message')
    checking = true
    const [inspection] = await once(worker, 'message')
    return inspection
  } finally {
    clearInterval(timer)
  }
}
