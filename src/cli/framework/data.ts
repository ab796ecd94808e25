import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findSite } from '../../catalogue/site/site.sql.ts'
import { clock } from '../../clock.ts'
import { type Config, originOf } from '../../config.ts'
import { isFeedBehind } from '../../db/log/event-log.ts'
import type { operations } from '../../operations.ts'
import { type OpenOptions, type OpenStorage, open } from '../../server/open.ts'
import { runOnServer } from '../serve/command-socket.ts'
import { type Lock, takeLock } from '../serve/lock.ts'
import {
  type CommandApp,
  type CommandCall,
  type CommandRequest,
  type DataCommand,
  type Ending,
  refused,
} from './command.ts'
import { operationsModule } from './operations.ts'
import { performCommand } from './perform.ts'

/**
 * The maximum number of milliseconds that a command waits for a server that starts or stops, or for another command.
 */
const patience = 10_000
const pause = 25

/**
 * Runs a command in the process that can access its data: on PostgreSQL in this process; on SQLite in the server that
 * has the data directory open, or in this process if there is none.
 */
export async function runOnData(command: DataCommand, call: CommandCall, request: CommandRequest): Promise<Ending> {
  const { config } = call
  if (config.databaseUrl !== undefined) return runHere(command, call)
  makeDataDir(config.dataDir)
  for (const until = performance.now() + patience; performance.now() < until; await delay(pause)) {
    const ending = await runOnServer(config.dataDir, request, call.caller)
    if (ending) return ending
    const lock = takeLock(config.dataDir)
    if (lock) return releasing(lock, () => runHere(command, call))
  }
  return refused(`Another process has the data directory ${config.dataDir} and does not answer. Try again in a moment.`)
}

/**
 * Acquires the lock of the data directory for this process; undefined when another process still holds the lock after
 * one second.
 */
export async function acquireDataDir(dataDir: string): Promise<Lock | undefined> {
  makeDataDir(dataDir)
  // One second is long enough for a command to finish, and for the kernel to release the lock of a killed server.
  for (const until = performance.now() + 1_000; performance.now() < until; await delay(pause)) {
    const lock = takeLock(dataDir)
    if (lock) return lock
  }
  return undefined
}

/** Opens the configured database, and inserts the site's row if it is missing. */
export async function openStorage(
  config: Config,
  options: Pick<OpenOptions, 'onCommit' | 'onInvalidation' | 'writer' | 'isShared' | 'migrates'> & {
    readonly now: () => number
    readonly thread: boolean
    readonly warn: (message: string) => void
  },
): Promise<OpenStorage<typeof operations>> {
  const { databaseUrl, dataDir, databasePool } = config
  const opened = await open<typeof operations>({
    at: databaseUrl === undefined ? { dataDir } : { databaseUrl },
    operations: operationsModule,
    thread: options.thread,
    writer: options.writer,
    isShared: options.isShared ?? false,
    migrates: options.migrates ?? true,
    poolSize: databasePool,
    warn: options.warn,
    ...(options.onCommit && { onCommit: options.onCommit }),
    ...(options.onInvalidation && { onInvalidation: options.onInvalidation }),
  })
  if (!(await findSite(opened.db)) || (await isFeedBehind(opened.db))) {
    await performCommand({ ...opened, now: options.now }, 'site.prepare', { siteUrl: config.siteUrl }, { by: 'open' })
  }
  return opened
}

async function runHere(command: DataCommand, call: CommandCall): Promise<Ending> {
  const now = clock(call.config.now)
  const opened = await openStorage(call.config, { now, thread: false, warn: () => {} })
  const { databaseUrl, dataDir, secretKey } = call.config
  const app: CommandApp = {
    ...opened,
    now,
    log: silent,
    dataDir: databaseUrl === undefined ? resolve(dataDir) : undefined,
    secretKey,
    origin: () => originOf(call.config),
  }
  return releasing({ release: opened.close }, () => command.run(app, call))
}

async function releasing<T>(held: { release(): void | Promise<void> }, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    await held.release()
  }
}

// A new data directory is readable only by its owner, since it will contain customer data.
function makeDataDir(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
}

// Commands do not log, since they report their errors on stderr.
const silent = { info: () => {}, warn: () => {}, error: () => {} }
