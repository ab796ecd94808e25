import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { clock } from '../../clock.ts'
import { type Config, dataSettings } from '../../config.ts'
import { databaseFile } from '../../db/data-dir.ts'
import type { Inspection } from '../../db/sqlite/sqlite-file.ts'
import { type CommandCaller, done, type Ending, type ProcessCommand, refused } from '../framework/command.ts'
import { madeData } from '../framework/data.ts'
import { megabytes } from './inspection.ts'
import { countsText } from './verify.ts'
import { writeWhole } from './whole-file.ts'

/** Copies the embedded database as of one moment, checked, while the service goes on writing. */
export const backup: ProcessCommand = {
  on: 'process',
  options: { force: { sentence: 'Replaces FILE when it exists.' } },
  settings: dataSettings,
  positionals: ['FILE'],
  async run({ config, flags, positionals: [path = ''], caller }) {
    if (config.databaseUrl !== undefined) return refused(useDump)
    if (!existsSync(dirname(resolve(path)))) return refused(`There is no folder ${dirname(path)}.`)
    if (existsSync(path) && flags.force !== true) return refused(`${path} exists; --force replaces it.`)
    return backUp(config, resolve(path), caller)
  },
}

const useDump =
  'PostgreSQL is backed up with its own tools: pg_dump --format=custom --file=FILE "$DAYBOOK_DATABASE_URL".'

async function backUp(config: Config, path: string, caller: CommandCaller): Promise<Ending> {
  await madeData(config)
  let ending = refused('The backup was not written.')
  await writeWhole(path, async (partial) => {
    const from = databaseFile(resolve(config.dataDir))
    const { faults, counts } = await copied({ from, to: partial, now: clock(config.now)() }, caller)
    const whole = counts !== undefined && faults.length === 0
    ending = whole
      ? done(`Backed up to ${path}: ${countsText(counts)}.\n`)
      : refused(
          'Nothing was written: the copy is not sound, as the database is not. Restore an earlier backup.',
          ...faults,
        )
    return whole
  })
  return ending
}

interface Copy {
  readonly from: string
  readonly to: string
  readonly now: number
}

/** Copies the database in a thread of its own, and checks the copy. */
export async function copied(copy: Copy, caller: Pick<CommandCaller, 'note'>): Promise<Inspection> {
  const worker = new Worker(new URL('./backup-thread.ts', import.meta.url), { workerData: copy, execArgv: [] })
  let checking = false
  const progress = () => {
    const [written, all] = [megabytes(copy.to), megabytes(copy.from)]
    caller.note(checking ? `backup: checking ${written} MB …` : `backup: ${written} of about ${all} MB …`)
  }
  const timer = setInterval(progress, 1_000)
  try {
    // Rejected by the error of a thread that fails.
    await once(worker, 'message')
    checking = true
    const [inspection] = await once(worker, 'message')
    return inspection
  } finally {
    clearInterval(timer)
  }
}
