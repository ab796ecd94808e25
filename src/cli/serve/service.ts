import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import packageFile from '../../../package.json' with { type: 'json' }
import type { TokenRegister } from '../../access/tokens/token.ts'
import { tokenRegister } from '../../access/tokens/tokens.operations.ts'
import { hashLinkSecret, newLinkSecret } from '../../access/users/users.operations.ts'
import { AvailabilityCache } from '../../availability/cache/availability-cache.ts'
import { answerBookingPage } from '../../booking-page/booking-page.routes.ts'
import { FreeTimes } from '../../booking-page/free-times.operations.ts'
import { storeFunnel } from '../../booking-page/funnel/funnel.job.ts'
import { Funnel } from '../../booking-page/funnel/funnel.ts'
import { loadHostSecret } from '../../booking-page/host/host-secret.routes.ts'
import { answerManagePage } from '../../booking-page/manage/manage.routes.ts'
import { answerVerifyPage } from '../../booking-page/manage/verify.routes.ts'
import { answerOwnBookings } from '../../booking-page/own/own-bookings.routes.ts'
import type { PageSources } from '../../booking-page/page-context.routes.ts'
import { createRateLimits } from '../../booking-page/rate-limits.routes.ts'
import { serveSiteFiles } from '../../booking-page/site-files.routes.ts'
import { loadLanguages } from '../../booking-page/words/language-files.routes.ts'
import type { PageLanguages } from '../../booking-page/words/words.ts'
import { serveFeeds } from '../../calendars/feeds/feeds.routes.ts'
import { currentCalendarFigures } from '../../calendars/sync/sync.operations.ts'
import { serveLogos } from '../../catalogue/site/logo.routes.ts'
import { loadCatalogueVersion } from '../../catalogue/site/site.sql.ts'
import { clock, milliseconds } from '../../clock.ts'
import { type Config, originOf } from '../../config.ts'
import type { StartedWriter } from '../../db/sqlite/start-writer.ts'
import type { KeySource } from '../../encryption.ts'
import { parseNetworks } from '../../http/outbound/address.ts'
import { OutboundClient } from '../../http/outbound/outbound-client.ts'
import { openLog } from '../../log.ts'
import { ClockWatch } from '../../maintenance/clock-watch.job.ts'
import { NodeReport } from '../../maintenance/nodes/node-report.job.ts'
import { contentType } from '../../metrics/exposition.ts'
import { Metrics } from '../../metrics/metrics.ts'
import { canSend, canText } from '../../notifications/notifications.sql.ts'
import { answerUnsubscribe } from '../../notifications/unsubscribe.routes.ts'
import type { Operations } from '../../operations.ts'
import { loadWebhookSecrets } from '../../payments/settings/payment-settings.routes.ts'
import { findProcessor } from '../../payments/settings/payment-settings.sql.ts'
import { receiveStripeEvents } from '../../payments/stripe/stripe-events.routes.ts'
import { apiRoot, createServer } from '../../server/http-server.ts'
import { type RunningJobs, startJobs } from '../../server/jobs.ts'
import type { OpenStorage } from '../../server/open.ts'
import type { OutboundSettings } from '../../server/outbound-thread.ts'
import { servePanel } from '../../server/panel-server.ts'
import { findAvailability, publicHandlers } from '../../server/public-handlers.ts'
import { keyFinder } from '../../server/secret-key.ts'
import { loggingSecurity } from '../../server/security-log.ts'
import { type CommandApp, type CommandHandler, done, type Ending, refused } from '../framework/command.ts'
import { acquireDataDir, openStorage } from '../framework/data.ts'
import { operationsModule } from '../framework/operations.ts'
import { performCommand } from '../framework/perform.ts'
import { listenForCommands } from './command-socket.ts'
import { installationOf } from './installation.ts'

/** Milliseconds that requests and jobs have to finish during a graceful stop. */
const grace = 10_000
const megabyte = 1024 * 1024

/** The open service with its availability and its queue length. */
type ServingApp = CommandApp &
  Pick<OpenStorage<Operations>, 'waitingWrites' | 'applied' | 'connectWriter'> & {
    readonly availability: AvailabilityCache
  }

/** Stops something that was started. */
type Stop = () => void | Promise<void>

/** The options of `runService`. */
export interface StartOptions {
  readonly config: Config
  readonly handle: CommandHandler
  /** Fills an empty site with the demo clinic and prints tokens for it. */
  readonly demo: boolean
  /** The SQLite writer thread, which loads in parallel with this one. */
  readonly writer: StartedWriter | undefined
}

/** Runs the service until a signal, then stops its parts in reverse order of their start. */
export async function runService(start: StartOptions): Promise<Ending> {
  const signal = nextSignal()
  const stops: Stop[] = []
  try {
    return await serveUntil({ ...start, signal, stops })
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}

interface Run extends StartOptions {
  readonly signal: Promise<string>
  readonly stops: Stop[]
}

async function serveUntil({ signal, config, handle, demo, writer, stops }: Run): Promise<Ending> {
  const languages = await loadLanguages(config.pageLanguages)
  if (typeof languages === 'string') return refused(languages)
  const embedded = config.databaseUrl === undefined
  if (embedded) {
    const lock = await acquireDataDir(config.dataDir)
    if (!lock) return refused(`Another Daybook runs on ${config.dataDir}. Stop it, or choose another --data-dir.`)
    stops.push(lock.release)
  }
  const metrics = new Metrics()
  stops.push(() => metrics.stop())
  let listening = ''
  // The jobs start after the storage is open, so commits until then have no jobs to wake.
  let jobs: RunningJobs | undefined
  const onCommit = () => jobs?.wake()
  const began = milliseconds()
  const opened = await openApp({ config, metrics, writer, stops, began, onCommit })
  const app = { ...opened, origin: () => config.publicUrl ?? listening }
  // The demo clinic is written before anything else, so that the service is never ready without it.
  const shown = demo ? await (await import('../demo/demo.ts')).startDemo(app) : undefined
  const tokens = reportingFlushes(metrics, tokenRegister(app), app.now)
  stops.push(async () => void (await tokens.flush()))
  const clockWatch = config.now === undefined ? new ClockWatch({ ...app, clock: () => Date.now() / 1000 }) : undefined
  // The clocks are compared before the first readiness check, which depends on the result.
  await clockWatch?.turn()
  const outbound = new OutboundClient({ allowed: parseNetworks(config.outboundNetworks) })
  stops.push(() => outbound.close())
  const findKey = keyFinder({ ...config, dataDir: embedded ? config.dataDir : undefined })
  const funnel = new Funnel()
  stops.push(() => storeFunnel(app, funnel))
  const started = await startJobs(app, {
    tokens,
    funnel,
    clockWatch,
    nodeReport: embedded ? undefined : new NodeReport(app, thisNode(app.now()), () => app.applied.age()),
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
  listening = await listen({ config, app, tokens, metrics, clockWatch, outbound, findKey, funnel, languages, stops })
  const root = `${listening}${apiRoot}`
  const panel = await panelText(app, listening)
  process.stdout.write(`API root: ${root}\n${panel}${shown?.(root) ?? ''}`)
  app.log.info({ signal: await signal }, 'stopping')
  return done('')
}

function thisNode(startedAt: number) {
  return { id: randomUUID(), name: `${hostname()}:${process.pid}`, version: packageFile.version, startedAt }
}

async function openApp({
  config,
  metrics,
  writer,
  stops,
  began,
  onCommit,
}: Pick<Run, 'config' | 'writer' | 'stops'> & {
  readonly began: number
  readonly metrics: Metrics
  readonly onCommit: () => void
}): Promise<Omit<ServingApp, 'origin'>> {
  const log = openLog(config.logLevel)
  const now = clock(config.now, began)
  if (config.now !== undefined) {
    const start = new Date(config.now * 1000).toISOString()
    process.stderr.write(`NOTICE: the clock started at ${start} (DAYBOOK_NOW). This is not the real time.\n`)
  }
  // Nothing is cached before the storage is open, so no invalidation is missed.
  let cached: AvailabilityCache | undefined
  const opened = await openStorage(config, {
    now,
    thread: true,
    writer,
    warn: (fault) => log.warn({ fault }, 'database'),
    onCommit: (writes, seconds) => {
      metrics.committed(writes, seconds)
      onCommit()
    },
    onInvalidation: (invalidations) => cached?.invalidate(invalidations),
  })
  stops.push(opened.close)
  const availability = new AvailabilityCache(opened.db, {
    maxBytes: config.availabilityMemory * megabyte,
    isFresh: () => opened.applied.isFresh(),
  })
  cached = availability
  const { databaseUrl, dataDir, secretKey } = config
  return {
    ...opened,
    perform: loggingSecurity(opened.perform, log),
    availability,
    now,
    log,
    secretKey,
    dataDir: databaseUrl === undefined ? resolve(dataDir) : undefined,
  }
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
  }
}

interface Listening {
  readonly config: Config
  readonly app: ServingApp
  readonly tokens: TokenRegister
  readonly metrics: Metrics
  readonly clockWatch: ClockWatch | undefined
  readonly outbound: OutboundClient
  readonly findKey: KeySource
  readonly funnel: Funnel
  readonly languages: PageLanguages
  readonly stops: Stop[]
}

async function listen({
  config,
  app,
  tokens,
  metrics,
  clockWatch,
  outbound,
  findKey,
  funnel,
  languages,
  stops,
}: Listening): Promise<string> {
  const { host, port, trustProxy, wrongTokensPerMinute, maxRequests, maxConnections, metricsToken } = config
  const dataDir = config.databaseUrl === undefined ? config.dataDir : undefined
  const drift = () => clockWatch?.drift
  const calendars = () => currentCalendarFigures(app.db, app.now())
  const sources = { ...app, version: packageFile.version, dataDir, drift, calendars }
  const ends: Stop[] = []
  const { fastify, close } = createServer({
    app,
    tokens,
    handlers: publicHandlers(app, app.availability),
    findAvailability: findAvailability(app.availability),
    trustProxy,
    publicUrl: config.publicUrl,
    wrongTokensPerMinute,
    maxRequests,
    maxConnections,
    observer: metrics,
    more: (fastify, fail, slots) => {
      const panel = servePanel(fastify, fail, {
        app,
        slots,
        findKey,
        outbound,
        publicOrigin: config.publicUrl,
        smtpGiven: config.smtpUrl !== undefined,
        trustForwardedHost: config.trustForwardedHost,
        origin: () => app.origin(),
        installation: installationOf({ ...app, migrated: [] }),
      })
      ends.push(() => panel.stop())
      answerUnsubscribe(fastify, { app, slots })
      receiveStripeEvents(fastify, { app, slots, secrets: () => loadWebhookSecrets(app, findKey) })
      serveFeeds(fastify, { app, origin: () => app.origin() })
      const pages: PageSources = {
        app,
        slots,
        freeTimes: new FreeTimes(app.db, app.availability),
        limits: createRateLimits(),
        funnel,
        languages,
        origin: () => app.origin(),
        canMail: (kind) => canSend(app.db, kind),
        canText: () => canText(app.db),
        takesPayments: async () => (await findProcessor(app.db)) !== undefined,
        hostSecret: () => loadHostSecret(app, findKey),
      }
      answerBookingPage(fastify, pages)
      answerVerifyPage(fastify, pages)
      answerOwnBookings(fastify, pages)
      answerManagePage(fastify, pages)
      serveSiteFiles(fastify, pages)
      serveLogos(fastify, app)
    },
    metrics: { contentType, token: metricsToken, text: (load) => metrics.text(sources, load) },
    ready: async () => (clockWatch?.agrees ?? true) && isReady(app),
    isUnavailable: (error) => app.db.dialect.failure(error) === 'unavailable',
  })
  stops.push(() => close(grace), ...ends)
  await fastify.listen({ host, port })
  // From here on requests may grow V8's young generation, which `bin/daybook.js` keeps small while modules are loaded.
  setFlagsFromString('--semi-space-growth-factor=2')
  const address = fastify.server.address()
  return originOf({ publicUrl: undefined, host, port: typeof address === 'object' && address ? address.port : port })
}

/** Returns the URL of the panel and, while no administrator can sign in, the set-up link. */
async function panelText(app: CommandApp, listening: string): Promise<string> {
  const secret = newLinkSecret()
  const { offered } = await performCommand(app, 'set-up.offer', { linkHash: hashLinkSecret(secret) }, { by: 'serve' })
  // The secret is in the fragment, which browsers do not send to servers.
  return `Panel: ${listening}/admin/\n${offered ? `Set-up link: ${app.origin()}/admin/set-up#${secret}\n` : ''}`
}

function reportingFlushes(metrics: Metrics, tokens: TokenRegister, now: () => number): TokenRegister {
  return {
    ...tokens,
    async flush() {
      const written = await tokens.flush()
      if (written) metrics.flushed(now())
      return written
    },
  }
}

function isReady(app: CommandApp): Promise<boolean> {
  return loadCatalogueVersion(app.db).then(
    () => true,
    () => false,
  )
}

/** Resolves with the first stop signal; later signals have no effect. */
function nextSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(signal))
  })
}
