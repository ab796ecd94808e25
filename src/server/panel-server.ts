import type { FastifyInstance } from 'fastify'
import { arePasswordsBusy } from '../access/passwords/password-hash.ts'
import { authenticateSession } from '../access/sessions/authenticate-session.routes.ts'
import { sessionHandlers } from '../access/sessions/session.routes.ts'
import { createSignInCounters } from '../access/sessions/sign-in-counters.routes.ts'
import type { GrantUrls } from '../calendars/oauth/oauth.ts'
import type { PanelEndpoint } from '../contract/endpoint.ts'
import { secondFactorRoutes } from '../contract/panel/access/second-factors.ts'
import { securityRoutes } from '../contract/panel/access/security-log.ts'
import { sessionRoutes } from '../contract/panel/access/session.ts'
import { tokenRoutes } from '../contract/panel/access/tokens.ts'
import { userRoutes } from '../contract/panel/access/users.ts'
import { bookingLinkRoutes } from '../contract/panel/booking/booking-links.ts'
import { bookingPageRoutes } from '../contract/panel/booking/booking-page.ts'
import { hostSecretRoutes } from '../contract/panel/booking/host-secret.ts'
import { calendarRoutes, conflictRoutes, timeOffRoutes } from '../contract/panel/calendar.ts'
import { calendarAccountRoutes } from '../contract/panel/calendars/calendar-accounts.ts'
import { calendarFeedRoutes } from '../contract/panel/calendars/calendar-feeds.ts'
import { calendarGrantRoutes } from '../contract/panel/calendars/calendar-grants.ts'
import { connectedCalendarRoutes } from '../contract/panel/calendars/connected-calendars.ts'
import { customerImportRoutes } from '../contract/panel/customer-import.ts'
import { customerRoutes } from '../contract/panel/customers.ts'
import { explainRoutes } from '../contract/panel/explain.ts'
import { historyRoutes } from '../contract/panel/history.ts'
import { liveRoutes } from '../contract/panel/live.ts'
import { accountMailRoutes } from '../contract/panel/outbound/account-mail.ts'
import { couponRoutes } from '../contract/panel/outbound/coupons.ts'
import { deskPaymentRoutes } from '../contract/panel/outbound/desk-payments.ts'
import { notificationRoutes } from '../contract/panel/outbound/notifications.ts'
import { paymentListRoutes } from '../contract/panel/outbound/payment-list.ts'
import { paymentSettingsRoutes } from '../contract/panel/outbound/payments.ts'
import { receiptRoutes } from '../contract/panel/outbound/receipts.ts'
import { reconciliationRoutes } from '../contract/panel/outbound/reconciliation.ts'
import { smsRoutes } from '../contract/panel/outbound/sms.ts'
import { voucherRoutes } from '../contract/panel/outbound/vouchers.ts'
import { providerRoutes } from '../contract/panel/providers.ts'
import { replanningRoutes } from '../contract/panel/replanning.ts'
import { reservationRoutes } from '../contract/panel/reservations.ts'
import { serviceRoutes } from '../contract/panel/services.ts'
import { siteRoutes } from '../contract/panel/site.ts'
import { siteFileRoutes } from '../contract/panel/site-file.ts'
import { jobRoutes } from '../contract/panel/system/jobs.ts'
import { systemRoutes } from '../contract/panel/system/system.ts'
import { todayRoutes } from '../contract/panel/today.ts'
import { webhookRoutes } from '../contract/panel/webhooks.ts'
import { panelRoot } from '../contract/panel-api.ts'
import type { KeySource } from '../encryption.ts'
import { Live, liveHandlers } from '../history/live/live.routes.ts'
import { type AdmissionSlots, bind } from '../http/bind.ts'
import type { Handlers } from '../http/call.ts'
import type { OutboundClient } from '../http/outbound/outbound-client.ts'
import type { Fail } from '../http/response/errors.ts'
import { servePanelFiles } from '../http/static/panel-files.ts'
import { type Installation, systemHandlers } from '../maintenance/system.routes.ts'
import type { Daybook, Operations } from '../operations.ts'

/** The dependencies of the routes of the panel, which `servePanel` registers. */
export interface PanelOptions {
  readonly app: Daybook
  readonly slots: AdmissionSlots
  readonly findKey: KeySource
  readonly installation: Installation
  /** The HTTP client for URLs that users enter, which also validates these URLs. */
  readonly outbound: OutboundClient
  /** The origin of `--public-url`, to which passkeys are bound; undefined when it is not configured. */
  readonly publicOrigin: string | undefined
  readonly grantUrls: GrantUrls
  /** Whether the configuration defines the SMTP server. */
  readonly smtpGiven: boolean
  /** Whether `X-Forwarded-Host` and `X-Forwarded-Proto` are read from trusted proxies. */
  readonly trustForwardedHost: boolean
  /** Returns the public origin of the service, with which links for users begin. */
  origin(): string
}

/** Controls the running panel; the result of `servePanel`. */
export interface PanelServer {
  /** Ends the streams of live changes, which would keep the server from stopping. */
  stop(): void
}

/** Registers the routes of the panel: those of its API, grouped by area, and those of its HTML page and built files. */
export function servePanel(fastify: FastifyInstance, fail: Fail, options: PanelOptions): PanelServer {
  const { app, slots, installation } = options
  const panel = { ...options, attempts: createSignInCounters(arePasswordsBusy) }
  const binding = {
    app,
    fail,
    slots,
    root: panelRoot,
    named: panelRoot,
    admit: (request: Parameters<typeof authenticateSession>[1], row: PanelEndpoint) =>
      authenticateSession(options, request, row),
  }
  // Most requests are those of API clients, so most modules that only the panel needs are imported at their first
  // request.
  const bindLater = <Routes extends Record<string, PanelEndpoint>>(
    routes: Routes,
    load: () => Promise<Handlers<Routes, Operations>>,
  ): void => bind(fastify, binding, routes, loadedLater(routes, load))
  bind(fastify, binding, sessionRoutes, sessionHandlers(panel))
  bindLater(secondFactorRoutes, async () =>
    (await import('../access/second-factors/second-factors.routes.ts')).secondFactorHandlers(panel),
  )
  bindLater(securityRoutes, async () =>
    (await import('../access/security-log/security-log.routes.ts')).securityHandlers(panel),
  )
  bindLater(userRoutes, async () => (await import('../access/users/users.routes.ts')).userHandlers(panel))
  bindLater(tokenRoutes, async () => (await import('../access/tokens/tokens.routes.ts')).tokenHandlers(panel))
  bindLater(siteRoutes, async () => (await import('../catalogue/site/site.routes.ts')).siteHandlers(panel))
  bindLater(historyRoutes, async () => (await import('../history/history.routes.ts')).historyHandlers(panel))
  bind(fastify, binding, systemRoutes, systemHandlers(installation))
  bindLater(jobRoutes, async () => (await import('../maintenance/jobs.routes.ts')).jobHandlers(panel))
  bindLater(notificationRoutes, async () =>
    (await import('../notifications/notifications.routes.ts')).notificationHandlers(panel),
  )
  bindLater(smsRoutes, async () => (await import('../notifications/sms/sms.routes.ts')).smsHandlers(panel))
  bindLater(paymentSettingsRoutes, async () =>
    (await import('../payments/settings/payment-settings.routes.ts')).paymentSettingsHandlers(panel),
  )
  bindLater(deskPaymentRoutes, async () =>
    (await import('../payments/desk/desk-payments.routes.ts')).deskPaymentHandlers(panel),
  )
  bindLater(paymentListRoutes, async () =>
    (await import('../payments/list/payment-list.routes.ts')).paymentListHandlers(panel),
  )
  bindLater(reconciliationRoutes, async () =>
    (await import('../payments/reconciliation/reconciliation.routes.ts')).reconciliationHandlers(panel),
  )
  bindLater(receiptRoutes, async () => (await import('../payments/receipts/receipts.routes.ts')).receiptHandlers(panel))
  bindLater(couponRoutes, async () => (await import('../payments/coupons/coupons.routes.ts')).couponHandlers(panel))
  bindLater(voucherRoutes, async () => (await import('../payments/vouchers/vouchers.routes.ts')).voucherHandlers(panel))
  bindLater(accountMailRoutes, async () =>
    (await import('../notifications/account/account-mail.routes.ts')).accountMailHandlers(panel),
  )
  bindLater(bookingPageRoutes, async () =>
    (await import('../booking-page/panel/page-settings.routes.ts')).bookingPageHandlers(panel),
  )
  bindLater(hostSecretRoutes, async () =>
    (await import('../booking-page/host/host-secret.routes.ts')).hostSecretHandlers(panel),
  )
  bindLater(bookingLinkRoutes, async () =>
    (await import('../booking-page/links/links.routes.ts')).bookingLinkHandlers(panel),
  )
  bindLater(webhookRoutes, async () => (await import('../webhooks/webhooks.routes.ts')).webhookHandlers(panel))
  bindLater(reservationRoutes, async () =>
    (await import('../reservations/reservations.routes.ts')).reservationHandlers(panel),
  )
  bindLater(conflictRoutes, async () =>
    (await import('../reservations/conflicts/conflicts.routes.ts')).conflictHandlers(panel),
  )
  bindLater(replanningRoutes, async () =>
    (await import('../reservations/replanning/replanning.routes.ts')).replanningHandlers(panel),
  )
  bindLater(todayRoutes, async () => (await import('../reports/today.routes.ts')).todayHandlers(panel))
  bindLater(customerRoutes, async () => (await import('../customers/customers.routes.ts')).customerHandlers(panel))
  bindLater(customerImportRoutes, async () =>
    (await import('../customers/import/import.routes.ts')).customerImportHandlers(panel),
  )
  bindLater(siteFileRoutes, async () => (await import('../site-file/site-file.routes.ts')).siteFileHandlers(panel))
  bindLater(serviceRoutes, async () =>
    (await import('../catalogue/services/services.routes.ts')).serviceHandlers(panel),
  )
  bindLater(providerRoutes, async () =>
    (await import('../catalogue/providers/providers.routes.ts')).providerHandlers(panel),
  )
  bindLater(explainRoutes, async () => (await import('../availability/explain.routes.ts')).explainHandlers(panel))
  bindLater(calendarRoutes, async () =>
    (await import('../reservations/calendar/calendar.routes.ts')).calendarHandlers(panel),
  )
  bindLater(timeOffRoutes, async () =>
    (await import('../catalogue/time-off/time-off.routes.ts')).timeOffHandlers(panel),
  )
  bindLater(connectedCalendarRoutes, async () =>
    (await import('../calendars/calendars.routes.ts')).connectedCalendarHandlers(panel),
  )
  bindLater(calendarAccountRoutes, async () =>
    (await import('../calendars/accounts/accounts.routes.ts')).calendarAccountHandlers(panel),
  )
  bindLater(calendarGrantRoutes, async () =>
    (await import('../calendars/oauth/oauth.routes.ts')).calendarGrantHandlers(panel),
  )
  bindLater(calendarFeedRoutes, async () =>
    (await import('../calendars/feeds/feeds.routes.ts')).calendarFeedHandlers(panel),
  )
  const live = new Live(app)
  bind(fastify, binding, liveRoutes, liveHandlers(live))
  servePanelFiles(fastify, slots)
  return { stop: () => live.stop() }
}

/** Returns handlers that import the module of the actual handlers at the first call. */
function loadedLater<Routes extends Record<string, PanelEndpoint>>(
  routes: Routes,
  load: () => Promise<Handlers<Routes, Operations>>,
): Handlers<Routes, Operations> {
  let loading: Promise<Handlers<Routes, Operations>> | undefined
  const handler = (row: keyof Routes) => async (call: never) => {
    loading ??= load()
    return (await loading)[row](call)
  }
  return Object.fromEntries(Object.keys(routes).map((row) => [row, handler(row)])) as Handlers<Routes, Operations>
}
