import type { FastifyInstance } from 'fastify'
import { calendarRows, timeOffRows } from '../contract/admin/calendar.ts'
import { customerImportRows } from '../contract/admin/customer-import.ts'
import { customerRows } from '../contract/admin/customers.ts'
import { historyRows } from '../contract/admin/history.ts'
import { liveRows } from '../contract/admin/live.ts'
import { peopleRows } from '../contract/admin/people.ts'
import { providerRows } from '../contract/admin/providers.ts'
import { reservationRows } from '../contract/admin/reservations.ts'
import { secondFactorRows } from '../contract/admin/second-factor.ts'
import { securityRows } from '../contract/admin/security.ts'
import { serviceRows } from '../contract/admin/services.ts'
import { sessionRows } from '../contract/admin/session.ts'
import { siteRows } from '../contract/admin/site.ts'
import { siteFileRows } from '../contract/admin/site-file.ts'
import { systemRows } from '../contract/admin/system.ts'
import { todayRows } from '../contract/admin/today.ts'
import { tokenRows } from '../contract/admin/tokens.ts'
import { whyRows } from '../contract/admin/why.ts'
import { adminRoot } from '../contract/admin-api.ts'
import type { PanelEndpoint } from '../contract/endpoint.ts'
import type { Daybook } from '../operations/index.ts'
import { arePasswordsBusy } from '../operations/passwords.ts'
import type { FindKey } from '../operations/vault.ts'
import { countAttempts } from './admin/attempts.ts'
import { calendarHandlers } from './admin/calendar.ts'
import { customerImportHandlers } from './admin/customer-import.ts'
import { customerHandlers } from './admin/customers.ts'
import { servePanelFiles } from './admin/files.ts'
import { historyHandlers } from './admin/history.ts'
import { Live, liveHandlers } from './admin/live.ts'
import { peopleHandlers } from './admin/people.ts'
import { providerHandlers } from './admin/providers.ts'
import { reservationHandlers } from './admin/reservations.ts'
import { secondFactorHandlers } from './admin/second-factor.ts'
import { securityHandlers } from './admin/security.ts'
import { serviceHandlers } from './admin/services.ts'
import { sessionHandlers } from './admin/session.ts'
import { siteHandlers } from './admin/site.ts'
import { siteFileHandlers } from './admin/site-file.ts'
import { type Installation, systemHandlers } from './admin/system.ts'
import { timeOffHandlers } from './admin/time-off.ts'
import { todayHandlers } from './admin/today.ts'
import { tokenHandlers } from './admin/tokens.ts'
import { whyHandlers } from './admin/why.ts'
import { bind, type Slots } from './bind.ts'
import type { Fail } from './refuse.ts'
import { admitPerson } from './visit.ts'

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
