import { resolve } from 'node:path'
import type { FastifyListenOptions } from 'fastify'
import packageFile from '../../../package.json' with { type: 'json' }
import type { TokenRegister } from '../../access/tokens/token.ts'
import { tokenRegister } from '../../access/tokens/tokens.operations.ts'
import { AvailabilityCache } from '../../availability/cache/availability-cache.ts'
import { answerBookingPage } from '../../booking-page/booking-page.routes.ts'
import { BookableTimes } from '../../booking-page/free-times.operations.ts'
import { storeFunnel } from '../../booking-page/funnel/funnel.job.ts'
import { Funnel } from '../../booking-page/funnel/funnel.ts'
import { loadHostSecret } from '../../booking-page/host/host-secret.routes.ts'
import { answerManagePage } from '../../booking-page/manage/manage.routes.ts'
import { answerVerifyPage } from '../../booking-page/manage/verify.routes.ts'
import { answerOwnBookings } from '../../booking-page/own/own-bookings.routes.ts'
import type { PageSources } from '../../booking-page/page-context.routes.ts'
import { createRateLimits } from '../../booking-page/rate-limits.routes.ts'
import { serveSiteFiles } from '../../booking-page/site-files.routes.ts'
import type { PageLanguages } from '../../booking-page/words/words.ts'
import { serveFeeds } from '../../calendars/feeds/feeds.routes.ts'
import { receiveCalendarChanges } from '../../calendars/push/changes.routes.ts'
import { currentCalendarFigures } from '../../calendars/sync/sync.operations.ts'
import { serveLogos } from '../../catalogue/site/logo.routes.ts'
import { loadCatalogueVersion } from '../../catalogue/site/site.sql.ts'
import { clock, machineClock } from '../../clock.ts'
import { type Config, originOf } from '../../config.ts'
import type { KeySource } from '../../encryption.ts'
import { parseNetworks } from '../../http/outbound/address.ts'
import { OutboundClient } from '../../http/outbound/outbound-client.ts'
import { openLog } from '../../log.ts'
import { ClockWatch } from '../../maintenance/clock-watch.job.ts'
import type { Installation } from '../../maintenance/system.routes.ts'
import { contentType } from '../../metrics/exposition.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import { canSend, canText } from '../../notifications/notifications.sql.ts'
import { answerUnsubscribe } from '../../notifications/unsubscribe.routes.ts'
import type { Operations } from '../../operations.ts'
import { loadWebhookSecrets } from '../../payments/settings/payment-settings.routes.ts'
import { findProcessor } from '../../payments/settings/payment-settings.sql.ts'
import { receiveStripeEvents } from '../../payments/stripe/stripe-events.routes.ts'
import type { OnInvalidation } from '../../scheduling/invalidation.ts'
import { createServer, type HttpServer } from '../../server/http-server.ts'
import type { BesideStorage } from '../../server/open.ts'
import { servePanel } from '../../server/panel-server.ts'
import { findAvailability, publicHandlers } from '../../server/public-handlers.ts'
import { keyFinder } from '../../server/secret-key.ts'
import { loggingSecurity } from '../../server/security-log.ts'
import type { CommandApp } from '../framework/command.ts'

/**
 * The parts of the service that a thread needs to answer requests: those that commands use, and the thread's own cache
 * of availability.
 */
export type ServingApp = Omit<CommandApp, 'migrated'> &
  Pick<BesideStorage<Operations>, 'waitingWrites' | 'applied'> & {
    readonly availability: AvailabilityCache
  }

/** Stops a part of the service that was started. */
export type Stop = () => void | Promise<void>

/**
 * Stops the parts of a thread of the service in reverse order of their start. A part that fails to stop does not keep
 * the others running; the first error is thrown at the end.
 */
export async function stopAll(stops: readonly Stop[]): Promise<void> {
  const errors: unknown[] = []
  for (const stop of stops.toReversed()) {
    try {
      await stop()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}

/** Milliseconds that running requests and commands have to finish when the service stops gracefully. */
export const grace = 10_000
const megabyte = 1024 * 1024

/** The callbacks and the clock with which the storage of a thread is opened. */
export interface StorageCallbacks {
  readonly now: () => number
  readonly warn: (fault: string) => void
  readonly onInvalidation: OnInvalidation
}

/**
 * Opens the storage of this thread and creates its cache of availability; `began` is the value of the monotonic clock,
 * in milliseconds, at which the service's clock started.
 */
export async function openServingApp<Opened extends BesideStorage<Operations>>(
  config: Config,
  began: number,
  openWith: (callbacks: StorageCallbacks) => Promise<Opened>,
): Promise<Opened & Omit<ServingApp, 'origin'>> {
  const log = openLog(config.logLevel)
  const now = clock(config.now, began)
  // Until the storage is open, `cached` is undefined and invalidations are ignored. None is missed, because nothing is
  // cached before.
  let cached: AvailabilityCache | undefined
  const opened = await openWith({
    now,
    warn: (fault) => log.warn({ fault }, 'database'),
    onInvalidation: (invalidations) => cached?.invalidate(invalidations),
  })
  const availability = new AvailabilityCache(opened.db, {
    maxBytes: config.availabilityMemory * megabyte,
    isFresh: () => opened.applied.isFresh(),
    isShared: config.workers > 1,
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

/** The parts of a thread that answers requests. */
export interface Serving {
  readonly config: Config
  readonly app: ServingApp
  readonly tokens: TokenRegister
  readonly metrics: Metrics
  /**
   * The comparison of this machine's clock with the database's; undefined when the configuration sets the service's
   * clock.
   */
  readonly clockWatch: ClockWatch | undefined
  readonly outbound: OutboundClient
  readonly findKey: KeySource
  readonly funnel: Funnel
  readonly languages: PageLanguages
  readonly installation: Installation
  readonly stops: Stop[]
}

/** Creates the parts of this thread that requests need; the functions that stop them are added to `stops`. */
export async function prepareServing(
  parts: Pick<Serving, 'config' | 'app' | 'metrics' | 'languages' | 'installation' | 'stops'>,
): Promise<Serving> {
  const { config, app, metrics, stops } = parts
  const tokens = reportingFlushes(metrics, tokenRegister(app), app.now)
  stops.push(async () => void (await tokens.flush()))
  const clockWatch = config.now === undefined ? new ClockWatch({ ...app, clock: machineClock }) : undefined
  // The clocks are compared before the first readiness check, which depends on the result.
  await clockWatch?.turn()
  const outbound = new OutboundClient({ allowed: parseNetworks(config.outboundNetworks) })
  stops.push(() => outbound.close())
  const findKey = keyFinder({ ...config, dataDir: app.dataDir })
  const funnel = new Funnel()
  stops.push(() => storeFunnel(app, funnel))
  return { ...parts, tokens, clockWatch, outbound, findKey, funnel }
}

/** The port on which a thread of the service listens, and its role in the process. */
export interface Listening {
  readonly port: number
  /** Whether other threads of this process listen on the same port. */
  readonly isShared: boolean
  /** Whether this is a thread other than the main one; `scrape` then omits the metrics of the process as a whole. */
  readonly isBeside?: boolean
  /**
   * Returns the metrics of the whole process, which the endpoint for metrics then serves; absent to serve those of this
   * thread.
   */
  readonly metricsText?: () => Promise<string>
}

/** A thread of the service that listens for requests. */
export interface Listener {
  /** The URL at which the thread answers, such as `http://127.0.0.1:8080`. */
  readonly url: string
  readonly port: number
  /** Returns the metrics of this thread in the text format of Prometheus. */
  scrape(): Promise<string>
  /** Makes the readiness check of this thread fail from now on; requests are still answered. */
  drain(): void
}

/** Starts to answer requests in this thread; functions that stop it are added to `stops`. */
export async function listen(
  { config, app, tokens, metrics, clockWatch, outbound, findKey, funnel, languages, installation, stops }: Serving,
  { port: wantedPort, isShared, isBeside = false, metricsText }: Listening,
): Promise<Listener> {
  const { host, trustProxy, wrongTokensPerMinute, maxRequests, maxConnections, metricsToken } = config
  const drift = () => clockWatch?.drift
  const calendars = () => currentCalendarFigures(app.db, app.now())
  const sources = { ...app, version: packageFile.version, drift, calendars }
  const ends: Stop[] = []
  let isDraining = false
  const drain = (): void => {
    isDraining = true
  }
  const scrape = async (): Promise<string> =>
    isBeside ? metrics.threadText(server.load()) : metrics.text(sources, server.load())
  const server: HttpServer = createServer({
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
        grantUrls: { google: config.googleUrl, microsoft: config.microsoftUrl },
        smtpGiven: config.smtpUrl !== undefined,
        trustForwardedHost: config.trustForwardedHost,
        origin: () => app.origin(),
        installation,
      })
      ends.push(() => panel.stop())
      answerUnsubscribe(fastify, { app, slots })
      receiveStripeEvents(fastify, { app, slots, secrets: () => loadWebhookSecrets(app, findKey) })
      receiveCalendarChanges(fastify, { app, slots })
      serveFeeds(fastify, { app, origin: () => app.origin() })
      const pages: PageSources = {
        app,
        slots,
        freeTimes: new BookableTimes(app.db, app.availability),
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
    metrics: { contentType, token: metricsToken, text: metricsText ?? scrape },
    // The database is asked first: a request that arrives after `drain` may share a call that began before it.
    ready: async () => (await isReady(app)) && !isDraining && (clockWatch?.agrees ?? true),
    isUnavailable: (error) => app.db.dialect.failure(error) === 'unavailable',
  })
  stops.push(() => server.close(grace), ...ends)
  const { fastify } = server
  // Fastify passes options on to Node that its own types omit, such as `reusePort`.
  const place: FastifyListenOptions & { readonly reusePort: boolean } = { host, port: wantedPort, reusePort: isShared }
  await fastify.listen(place)
  const address = fastify.server.address()
  const port = typeof address === 'object' && address ? address.port : wantedPort
  return { url: originOf({ publicUrl: undefined, host, port }), port, scrape, drain }
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

function isReady(app: ServingApp): Promise<boolean> {
  return loadCatalogueVersion(app.db).then(
    () => true,
    () => false,
  )
}
