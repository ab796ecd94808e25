import { closeSync, existsSync, linkSync, openSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { AccessReset } from '../../access/reset.operations.ts'
import { loadRevocations, type Revocations } from '../../access/reset.sql.ts'
import { hashLinkSecret, newLinkSecret } from '../../access/users/users.operations.ts'
import { clock } from '../../clock.ts'
import { type Config, dataSettings, originOf } from '../../config.ts'
import { databaseFile } from '../../db/data-dir.ts'
import { openToWrite } from '../../db/sqlite/sqlite.ts'
import { checkpointLog, copyOffline, migrateCopy, readOffline } from '../../db/sqlite/sqlite-file.ts'
import { SqliteWrites } from '../../db/sqlite/sqlite-writes.ts'
import { refreshStatistics } from '../../db/statistics.ts'
import { sync } from '../../db/sync.ts'
import { operations } from '../../operations.ts'
import { passwordLink } from '../access/one-time-link.ts'
import { type CommandCaller, done, type Ending, type ProcessCommand, refused } from '../framework/command.ts'
import { acquireDataDir, openStorage } from '../framework/data.ts'
import { performCommand } from '../framework/perform.ts'
import { inspectInThread } from './inspection.ts'
import { countsText } from './verify.ts'

/**
 * Replaces the embedded database with a verified backup; the previous file is renamed. The operation `resetAccess`
 * deletes users' sessions, links, passwords and passkeys, among other things, pauses outbound jobs, and revokes again
 * the API tokens, calendar feeds, private links and access of users that were revoked since the backup (see
 * docs/decisions/0025). With `--reset-access`, the command replaces no file and only performs `resetAccess` in the
 * configured database.
 */
export const restore: ProcessCommand = {
  on: 'process',
  options: {
    'reset-access': {
      description:
        'Restores no file: after a restore by PostgreSQL tools, clears sessions, links and passwords, pauses outbound work and continues the event feed.',
    },
  },
  settings: [...dataSettings, 'publicUrl'],
  positionals: ['[FILE]'],
  faults: (flags, [path]) => {
    if (flags['reset-access'] === true) return path === undefined ? [] : ['--reset-access takes no FILE.']
    return path === undefined ? ['FILE is missing.'] : []
  },
  async run({ config, flags, positionals: [path = ''], caller }) {
    if (flags['reset-access'] === true) return resetHere(config)
    if (config.databaseUrl !== undefined) return refused(useRestore)
    if (!existsSync(path)) return refused(`There is no file ${path}.`)
    if (!statSync(path).isFile()) return refused(`${path} is not a file.`)
    const lock = await acquireDataDir(config.dataDir)
    if (!lock) return refused(`A server runs on ${config.dataDir}. Stop it, then restore.`)
    try {
      return await restoreFrom(path, config, caller)
    } finally {
      lock.release()
    }
  },
}

const useRestore =
  'PostgreSQL is restored with its own tools: pg_restore --clean --if-exists --dbname="$DAYBOOK_DATABASE_URL" FILE. Then run "daybook restore --reset-access".'

async function restoreFrom(path: string, config: Config, caller: CommandCaller): Promise<Ending> {
  const database = databaseFile(resolve(config.dataDir))
  if (existsSync(database) && realpathSync(path) === realpathSync(database)) {
    return refused('This file is the database itself; restore from a backup of it.')
  }
  const now = clock(config.now)()
  const found = await inspectInThread(path, now, caller)
  if (!found.counts || found.faults.length > 0) return notSound(path, found.faults)
  caller.note(`restore: ${path} is sound; copying it …`)
  const fresh = `${database}.restoring`
  try {
    clear(fresh)
    closeSync(openSync(fresh, 'wx', 0o600))
    copyOffline(path, fresh)
    await migrateCopy(fresh, now)
    const { faults } = await inspectInThread(fresh, now, caller)
    if (faults.length > 0) return notSound(path, faults)
    const access = await resetIn(fresh, { revoked: await readOffline(database, loadRevocations), now })
    const previous = replace(database, fresh)
    const before =
      previous.length === 0 ? '' : ` What was there is kept as ${previous.join(', ')}; delete it when it is not needed.`
    const ending = done(`Restored ${path}: ${countsText(found.counts)}.${before}\n${accessText(access)}`)
    return { ...ending, out: ending.out + linkText(config, access) }
  } finally {
    clear(fresh)
  }
}

interface Access extends AccessReset {
  readonly secret: string
}

/**
 * Resets access (sessions, links, passwords, passkeys and more) with the operation `resetAccess`, in a SQLite file that
 * no server has open. The returned `secret` is that of the administrator's one-time link.
 */
async function resetIn(
  file: string,
  { revoked, now }: { readonly revoked: Revocations | undefined; readonly now: number },
): Promise<Access> {
  const secret = newLinkSecret()
  const writes = new SqliteWrites(openToWrite(file), operations)
  try {
    const input = { linkHash: hashLinkSecret(secret), ...(revoked && { revoked }) }
    const actor = { kind: 'command', id: 'restore' } as const
    const context = { now, actor, requestId: null, dryRun: false, idempotency: null }
    const [outcome] = await writes.perform([{ name: 'access.reset', input, context }])
    if (!outcome || !('ok' in outcome)) throw new Error(`Access was not cleared: ${JSON.stringify(outcome)}`)
    return { secret, ...(outcome.ok as AccessReset) }
  } finally {
    writes.close()
  }
}

/**
 * Resets access (sessions, links, passwords, passkeys and more) with the operation `resetAccess`, in the configured
 * database; refuses while a server has the SQLite database open.
 */
async function resetHere(config: Config): Promise<Ending> {
  const now = clock(config.now)
  const lock = config.databaseUrl === undefined ? await acquireDataDir(config.dataDir) : undefined
  if (config.databaseUrl === undefined && !lock) return refused(`A server runs on ${config.dataDir}. Stop it first.`)
  const opened = await openStorage(config, { now, thread: false, warn: () => {} })
  try {
    const secret = newLinkSecret()
    const input = { linkHash: hashLinkSecret(secret) }
    const access = { secret, ...(await performCommand({ ...opened, now }, 'access.reset', input, { by: 'restore' })) }
    await refreshStatistics(opened.db)
    return done(accessText(access) + linkText(config, access))
  } finally {
    await opened.close()
    lock?.release()
  }
}

function accessText({ administrator, reinstated, users, tokens, calendarFeeds }: Access): string {
  const sentences = [
    'Everyone is signed out, and every password and passkey is void: "daybook user link" makes a link for each person.',
    ...(users > 0
      ? [
          `${users} users are active and can ask for a link by mail; the panel shows them under Team, disable those who must not.`,
        ]
      : []),
    ...(reinstated
      ? [
          `${administrator} was disabled, removed or given another role since the backup, and is active as the only administrator: give the role to another user.`,
        ]
      : []),
    ...(tokens > 0
      ? [`${tokens} API tokens are in use; "daybook token list" shows them, revoke those that must not be.`]
      : []),
    ...(calendarFeeds > 0
      ? [
          `${calendarFeeds} calendar feeds are in use; the panel shows them under Calendars, revoke those that must not be.`,
        ]
      : []),
    'Messages to customers and other systems wait until an administrator resumes them in the panel, under Settings → Jobs.',
  ]
  return sentences.map((sentence) => `${sentence}\n`).join('')
}

function linkText(config: Config, { administrator, secret }: Access): string {
  if (administrator === null) return ''
  return `For ${administrator}, once, within the hour: ${passwordLink(originOf(config), secret)}\n`
}

function notSound(path: string, faults: readonly string[]): Ending {
  return refused(`Nothing was changed: ${path} is not sound.`, ...faults)
}

/**
 * Replaces the database file atomically with the file `fresh`; returns the new paths of the previous file and of the
 * files that SQLite left beside it, if there were any.
 */
function replace(database: string, fresh: string): string[] {
  sync(fresh)
  const previous = preserve(database)
  renameSync(fresh, database)
  sync(resolve(database, '..'))
  return previous
}

function preserve(database: string): string[] {
  const previous = `${database}.${new Date().toISOString().replaceAll(':', '').replace(/\.\d+/, '')}`
  // Frames that are only in the write-ahead log belong to the previous database, and must not be applied to the
  // restored one. The log of a killed server remains when an operator moves the database file alone.
  const isThere = existsSync(database)
  if (isThere) checkpointLog(database)
  const beside = besideDatabase.filter((suffix) => existsSync(database + suffix))
  for (const suffix of beside) renameSync(database + suffix, previous + suffix)
  if (isThere) linkSync(database, previous)
  return (isThere ? ['', ...beside] : beside).map((suffix) => previous + suffix)
}

// The suffixes of the files in which SQLite stores changes that are not in the database file yet.
const besideDatabase = ['-wal', '-shm', '-journal']

function clear(file: string): void {
  for (const suffix of ['', ...besideDatabase]) rmSync(file + suffix, { force: true })
}
