import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import packageFile from '../../../package.json' with { type: 'json' }
import { hashLinkSecret, newLinkSecret } from '../../access/users/users.operations.ts'
import { loadLanguages } from '../../booking-page/words/language-files.routes.ts'
import { milliseconds } from '../../clock.ts'
import type { Config } from '../../config.ts'
import type { StartedWriter } from '../../db/sqlite/start-writer.ts'
import { NodeReport } from '../../maintenance/nodes/node-report.job.ts'
import { Metrics } from '../../metrics/metrics.ts'
import { apiRoot } from '../../server/http-server.ts'
import { type RunningJobs, startJobs } from '../../server/jobs.ts'
import type { OutboundSettings } from '../../server/outbound-thread.ts'
import { type CommandApp, type CommandHandler, done, type Ending, refused } from '../framework/command.ts'
import { acquireDataDir, openStorage } from '../framework/data.ts'
import { operationsModule } from '../framework/operations.ts'
import { performCommand } from '../framework/perform.ts'
import { listenForCommands } from './command-socket.ts'
import { installationOf } from './installation.ts'
import { grace, listen, openServingApp, prepareServing, type Stop, stopAll } from './serving.ts'
import { assertUnused, Workers } from './workers.ts'

/** The options of `runService`. */
export interface StartOptions {
  readonly config: Config
  readonly handle: CommandHandler
  /**
   * Whether to fill a site that has never had data with the demo clinic, and to create and print new API tokens and a
   * new password of the demo users.
   */
  readonly demo: boolean
  /** The SQLite writer thread, which was started in advance; undefined on PostgreSQL. */
  readonly writer: StartedWriter | undefined
}

/**
 * Runs the service until SIGTERM, SIGINT or a failure to start, then stops its parts in reverse order of their start.
 */
export async function runService(start: StartOptions): Promise<Ending> {
  const signal = nextSignal()
  const stops: Stop[] = []
  try {
    return await serveUntil({ ...start, signal, stops })
  } finally {
    await stopAll(stops)
  }
}

interface Run extends StartOptions {
  readonly signal: Promise<string>
  readonly stops: Stop[]
}

async function serveUntil({ signal, config, handle, demo, writer, stops }: Run): Promise<Ending> {
  const languages = await loadLanguages(config.pageLanguages)
  if (typeof languages === 'string') return refused(languages)
  const isShared = config.workers > 1
  if (isShared && process.platform !== 'linux') return refused('--workers needs Linux; elsewhere a service has one.')
  const embedded = config.databaseUrl === undefined
  if (embedded) {
    const lock = await acquireDataDir(config.dataDir)
    if (!lock) return refused(`Another Daybook runs on ${config.dataDir}. Stop it, or choose another --data-dir.`)
    stops.push(lock.release)
  }
  const metrics = new Metrics()
  stops.push(() => metrics.stop())
  let listening = ''
  // Jobs are started after the storage has been opened. Until then, `jobs` is undefined, and a commit wakes no job.
  let jobs: RunningJobs | undefined
  const began = milliseconds()
  if (config.now !== undefined) process.stderr.write(clockNotice(config.now))
  const opened = await openServingApp(config, began, async (callbacks) => {
    const onCommit = (writes: number, seconds: number) => {
      metrics.committed(writes, seconds)
      jobs?.wake()
    }
    const storage = await openStorage(config, { ...callbacks, thread: true, writer, isShared, onCommit })
    stops.push(storage.close)
    return storage
  })
  const app = { ...opened, origin: () => config.publicUrl ?? listening }
  // The demo clinic is written before the service listens, so that the service is never ready without it.
  const shown = demo ? await (await import('../demo/demo.ts')).startDemo(app) : undefined
  const installation = installationOf({ ...app, migrated: [] })
  const serving = await prepareServing({ config, app, metrics, languages, installation, stops })
  const measures = { lag: () => app.applied.age(), clockDrift: () => serving.clockWatch?.drift }
  const started = await startJobs(app, {
    ...serving,
    nodeReport: embedded ? undefined : new NodeReport(app, thisNode(app.now()), measures),
    outbound: {
      settings: outboundSettings(config, began),
      connectWriter: app.connectWriter,
      origin: () => app.origin(),
    },
    onDisplaced: (count) => metrics.displaced(count),
  })
  jobs = started
  stops.push(() => started.stop())
  if (embedded) {
    const socket = await listenForCommands(config.dataDir, (request, caller) =>
      handle({ ...app, migrated: [] }, request, caller),
    )
    stops.push(() => socket.close(grace))
  }
  const workers = isShared ? new Workers(app, { config, began, installation, onCommit: () => jobs?.wake() }) : undefined
  const metricsText = workers && (() => workers.metricsText())
  if (isShared) await assertUnused(config)
  const listener = await listen(serving, { port: config.port, isShared, ...(metricsText && { metricsText }) })
  listening = listener.url
  stops.push(async () => workers?.stop())
  await workers?.start(listener)
  const root = `${listening}${apiRoot}`
  const panel = await panelText(app, listening)
  process.stdout.write(`API root: ${root}\n${panel}${shown?.(root) ?? ''}`)
  app.log.info({ signal: await signal }, 'stopping')
  if (config.drainSeconds > 0) {
    listener.drain()
    workers?.drain()
    const ended = new AbortController()
    await Promise.race([delay(config.drainSeconds * 1000, undefined, ended), nextSignal()])
    ended.abort()
  }
  return done('')
}

function clockNotice(startAt: number): string {
  return `NOTICE: the clock started at ${new Date(startAt * 1000).toISOString()} (DAYBOOK_NOW). This is not the real time.\n`
}

function thisNode(startedAt: number) {
  return { id: randomUUID(), name: `${hostname()}:${process.pid}`, version: packageFile.version, startedAt }
}

function outboundSettings(config: Config, began: number): OutboundSettings {
  const { databaseUrl, dataDir, now, secretKey, logLevel, outboundNetworks, smtpUrl, stripeUrl } = config
  return {
    at: databaseUrl === undefined ? { dataDir } : { databaseUrl },
    operations: operationsModule.href,
    clock: { startAt: now, began },
    networks: outboundNetworks,
    version: packageFile.version,
    ...{ secretKey, logLevel, smtpUrl, stripeUrl },
    grantUrls: { google: config.googleUrl, microsoft: config.microsoftUrl },
  }
}

/** Returns the URL of the panel and, while no administrator can sign in, the set-up link. */
async function panelText(app: CommandApp, listening: string): Promise<string> {
  const secret = newLinkSecret()
  const { offered } = await performCommand(app, 'set-up.offer', { linkHash: hashLinkSecret(secret) }, { by: 'serve' })
  // The secret is in the fragment, which browsers do not send to servers.
  return `Panel: ${listening}/admin/\n${offered ? `Set-up link: ${app.origin()}/admin/set-up#${secret}\n` : ''}`
}

/** Resolves with the name of the next signal, SIGTERM or SIGINT. */
function nextSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(signal))
  })
}
