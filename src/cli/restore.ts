import { closeSync, existsSync, linkSync, openSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { clock } from '../clock.ts'
import { type Config, dataSettings } from '../config.ts'
import { databaseFile } from '../data-dir.ts'
import { continueCopy, copyAside, foldLog } from '../storage/sqlite-file.ts'
import { type Caller, done, type Ending, type ProcessCommand, refused } from './command.ts'
import { holdDataDir } from './data.ts'
import { inspectAside } from './inspection.ts'
import { countsText } from './verify.ts'
import { sync } from './whole-file.ts'

/** Puts a backup in the place of the database, once it is known to be sound; what was there is kept beside. */
export const restore: ProcessCommand = {
  on: 'process',
  options: {},
  settings: dataSettings,
  positionals: ['FILE'],
  async run({ config, positionals: [path = ''], caller }) {
    if (config.databaseUrl !== undefined) return refused(useRestore)
    if (!existsSync(path)) return refused(`There is no file ${path}.`)
    if (!statSync(path).isFile()) return refused(`${path} is not a file.`)
    const lock = await holdDataDir(config.dataDir)
    if (!lock) return refused(`A server runs on ${config.dataDir}. Stop it, then restore.`)
    try {
      return await restoreFrom(path, config, caller)
    } finally {
      lock.release()
    }
  },
}

const useRestore =
  'PostgreSQL is restored with its own tools: pg_restore --clean --if-exists --dbname="$DAYBOOK_DATABASE_URL" FILE. Then run "daybook migrate".'

async function restoreFrom(path: string, config: Config, caller: Caller): Promise<Ending> {
  const database = databaseFile(resolve(config.dataDir))
  if (existsSync(database) && realpathSync(path) === realpathSync(database)) {
    return refused('This file is the database itself; restore from a backup of it.')
  }
  const now = clock(config.now)()
  const found = await inspectAside(path, now, caller)
  if (!found.counts || found.faults.length > 0) return notSound(path, found.faults)
  caller.note(`restore: ${path} is sound; copying it …`)
  const fresh = `${database}.restoring`
  try {
    clear(fresh)
    closeSync(openSync(fresh, 'wx', 0o600))
    copyAside(path, fresh)
    await continueCopy(fresh, { now, microseconds: Date.now() * 1000 })
    const { faults } = await inspectAside(fresh, now, caller)
    if (faults.length > 0) return notSound(path, faults)
    const kept = replace(database, fresh)
    const before = kept === undefined ? '' : ` What was there is kept as ${kept}; delete it when it is not needed.`
    return done(`Restored ${path}: ${countsText(found.counts)}.${before}\n`)
  } finally {
    clear(fresh)
  }
}

function notSound(path: string, faults: readonly string[]): Ending {
  return refused(`Nothing was changed: ${path} is not sound.`, ...faults)
}

/** Puts the fresh file in the place of the database, at no moment without one; gives the name the old one is kept by. */
function replace(database: string, fresh: string): string | undefined {
  sync(fresh)
  const kept = existsSync(database) ? keep(database) : undefined
  renameSync(fresh, database)
  sync(resolve(database, '..'))
  return kept
}

function keep(database: string): string {
  const kept = `${database}.${new Date().toISOString().replaceAll(':', '').replace(/\.\d+/, '')}`
  // What is only in the log belongs to the old database: it must not meet the new one.
  foldLog(database)
  for (const suffix of ['-wal', '-shm']) {
    if (existsSync(database + suffix)) renameSync(database + suffix, kept + suffix)
  }
  linkSync(database, kept)
  return kept
}

function clear(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true })
}
