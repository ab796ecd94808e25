import type { FastifyInstance } from 'fastify'
import { arePasswordsBusy } from '../access/passwords/password-hash.ts'
import { secondFactorHandlers } from '../access/second-factors/second-factors.routes.ts'
import { securityHandlers } from '../access/security-log/security-log.routes.ts'
import { admitPerson } from '../access/sessions/authenticate-session.routes.ts'
import { sessionHandlers } from '../access/sessions/session.routes.ts'
import { countAttempts } from '../access/sessions/sign-in-counters.routes.ts'
import { tokenHandlers } from '../access/tokens/tokens.routes.ts'
import { peopleHandlers } from '../access/users/users.routes.ts'
import { whyHandlers } from '../availability/explain.routes.ts'
import { providerHandlers } from '../catalogue/providers/providers.routes.ts'
import { serviceHandlers } from '../catalogue/services/services.routes.ts'
import { siteHandlers } from '../catalogue/site/site.routes.ts'
import { timeOffHandlers } from '../catalogue/time-off/time-off.routes.ts'
import type { PanelEndpoint } from '../contract/endpoint.ts'
import { secondFactorRows } from '../contract/panel/access/second-factors.ts'
import { securityRows } from '../contract/panel/access/security-log.ts'
import { sessionRows } from '../contract/panel/access/session.ts'
import { tokenRows } from '../contract/panel/access/tokens.ts'
import { peopleRows } from '../contract/panel/access/users.ts'
import { calendarRows, timeOffRows } from '../contract/panel/calendar.ts'
import { customerImportRows } from '../contract/panel/customer-import.ts'
import { customerRows } from '../contract/panel/customers.ts'
import { whyRows } from '../contract/panel/explain.ts'
import { historyRows } from '../contract/panel/history.ts'
import { liveRows } from '../contract/panel/live.ts'
import { providerRows } from '../contract/panel/providers.ts'
import { reservationRows } from '../contract/panel/reservations.ts'
import { serviceRows } from '../contract/panel/services.ts'
import { siteRows } from '../contract/panel/site.ts'
import { siteFileRows } from '../contract/panel/site-file.ts'
import { systemRows } from '../contract/panel/system.ts'
import { todayRows } from '../contract/panel/today.ts'
import { adminRoot } from '../contract/panel-api.ts'
import { customerHandlers } from '../customers/customers.routes.ts'
import { customerImportHandlers } from '../customers/import/import.routes.ts'
import type { FindKey } from '../encryption.ts'
import { historyHandlers } from '../history/history.routes.ts'
import { Live, liveHandlers } from '../history/live/live.routes.ts'
import { bind, type Slots } from '../http/bind.ts'
import type { Fail } from '../http/response/errors.ts'
import { servePanelFiles } from '../http/static/panel-files.ts'
import { type Installation, systemHandlers } from '../maintenance/system.routes.ts'
import type { Daybook } from '../operations.ts'
import { todayHandlers } from '../reports/today.routes.ts'
import { calendarHandlers } from '../reservations/calendar/calendar.routes.ts'
import { reservationHandlers } from '../reservations/reservations.routes.ts'
import { siteFileHandlers } from '../site-file/site-file.routes.ts'

/** What the panel needs of the service. */
export interface PanelOptions {
  readonly app: Daybook
  readonly slots: Slots
  readonly findKey: FindKey
  readonly installation: Installation
  /** `--public-url`, which passkeys are then bound to. */
  readonly publicOrigin: string | undefined
  /** Whether `X-Forwarded-Host` and `X-Forwarded-Proto` of trusted proxies are believed. */
  readonly trustForwardedHost: boolean
  /** Where people reach the service, as its operator says; links for people begin with it. */
  origin(): string
}

/** The panel being served. */
export interface Served {
  /** Ends what would otherwise never end by itself. */
  stop(): void
}

/** Serves the panel: its API, area by area, and its files. */
export function servePanel(fastify: FastifyInstance, fail: Fail, options: PanelOptions): Served {
  const { app, slots, installation } = options
  const panel = { ...options, attempts: countAttempts(arePasswordsBusy) }
  const binding = {
    app,
    fail,
    slots,
    root: adminRoot,
    named: adminRoot,
    admit: (request: Parameters<typeof admitPerson>[1], row: PanelEndpoint) => admitPerson(options, request, row),
  }
  bind(fastify, binding, sessionRows, sessionHandlers(panel))
  bind(fastify, binding, secondFactorRows, secondFactorHandlers(panel))
  bind(fastify, binding, securityRows, securityHandlers(panel))
  bind(fastify, binding, peopleRows, peopleHandlers(panel))
  bind(fastify, binding, tokenRows, tokenHandlers(panel))
  bind(fastify, binding, siteRows, siteHandlers(panel))
  bind(fastify, binding, historyRows, historyHandlers(panel))
  bind(fastify, binding, systemRows, systemHandlers(installation))
  bind(fastify, binding, reservationRows, reservationHandlers(panel))
  bind(fastify, binding, todayRows, todayHandlers(panel))
  bind(fastify, binding, customerRows, customerHandlers(panel))
  bind(fastify, binding, customerImportRows, customerImportHandlers(panel))
  bind(fastify, binding, siteFileRows, siteFileHandlers(panel))
  bind(fastify, binding, serviceRows, serviceHandlers(panel))
  bind(fastify, binding, providerRows, providerHandlers(panel))
  bind(fastify, binding, whyRows, whyHandlers(panel))
  bind(fastify, binding, calendarRows, calendarHandlers(panel))
  bind(fastify, binding, timeOffRows, timeOffHandlers(panel))
  const live = new Live(app)
  bind(fastify, binding, liveRows, liveHandlers(live))
  servePanelFiles(fastify, slots)
  return { stop: () => live.stop() }
}
