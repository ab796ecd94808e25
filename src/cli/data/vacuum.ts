import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { dataSettings } from '../../config.ts'
import { databaseFile, panelBackupFile } from '../../db/data-dir.ts'
import { openPool } from '../../db/postgres/postgres.ts'
import { rewriteFile } from '../../db/sqlite/sqlite-file.ts'
import { done, type Ending, type ProcessCommand, refused } from '../framework/command.ts'
import { acquireDataDir } from '../framework/data.ts'

/** Rewrites the database, so that no byte of deleted or erased rows remains. */
export const vacuum: ProcessCommand = {
  on: 'process',
  options: {},
  settings: dataSettings,
  positionals: [],
  async run({ config, caller }) {
    if (config.databaseUrl !== undefined) {
      caller.note('vacuum: each table is locked while it is rewritten …')
      return rewritePostgres(config.databaseUrl)
    }
    const file = databaseFile(resolve(config.dataDir))
    if (!existsSync(file)) return refused(`There is no database in ${config.dataDir}.`)
    const lock = await acquireDataDir(config.dataDir)
    if (!lock) return refused(`A server runs on ${config.dataDir}. Stop it, then vacuum.`)
    try {
      const before = statSync(file).size
      rewriteFile(file)
      const backup = panelBackupFile(resolve(config.dataDir))
      const warning = existsSync(backup) ? `${backup} still holds what was erased since that backup: delete it.\n` : ''
      return done(`Rewritten: ${before} bytes before, ${statSync(file).size} now.\n${warning}`)
    } finally {
      lock.release()
    }
  },
}

async function rewritePostgres(url: string): Promise<Ending> {
  const pool = openPool({ url, size: 1, warn: () => {} })
  try {
    await pool.query('vacuum full')
    return done('Rewritten. The server’s write-ahead log and backups keep deleted rows for as long as they are kept.\n')
  } finally {
    await pool.end()
  }
}
