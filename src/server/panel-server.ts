import type { FastifyInstance } from 'fastify'
import { arePasswordsBusy } from '../access/passwords/password-hash.ts'
import { secondFactorHandlers } from '../access/second-factors/second-factors.routes.ts'
import { securityHandlers } from '../access/security-log/security-log.routes.ts'
import { authenticateSession } from '../access/sessions/authenticate-session.routes.ts'
import { sessionHandlers } from '../access/sessions/session.routes.ts'
import { createSignInCounters } from '../access/sessions/sign-in-counters.routes.ts'
import { tokenHandlers } from '../access/tokens/tokens.routes.ts'
import { userHandlers } from '../access/users/users.routes.ts'
import { explainHandlers } from '../availability/explain.routes.ts'
import { hostSecretHandlers } from '../booking-page/host/host-secret.routes.ts'
import { bookingLinkHandlers } from '../booking-page/links/links.routes.ts'
import { bookingPageHandlers } from '../booking-page/panel/page-settings.routes.ts'
import { connectedCalendarHandlers } from '../calendars/calendars.routes.ts'
import { calendarFeedHandlers } from '../calendars/feeds/feeds.routes.ts'
import { providerHandlers } from '../catalogue/providers/providers.routes.ts'
import { serviceHandlers } from '../catalogue/services/services.routes.ts'
import { siteHandlers } from '../catalogue/site/site.routes.ts'
import { timeOffHandlers } from '../catalogue/time-off/time-off.routes.ts'
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
import { calendarFeedRoutes } from '../contract/panel/calendars/calendar-feeds.ts'
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
import { customerHandlers } from '../customers/customers.routes.ts'
import { customerImportHandlers } from '../customers/import/import.routes.ts'
import type { KeySource } from '../encryption.ts'
import { historyHandlers } from '../history/history.routes.ts'
import { Live, liveHandlers } from '../history/live/live.routes.ts'
import { type AdmissionSlots, bind } from '../http/bind.ts'
import type { OutboundClient } from '../http/outbound/outbound-client.ts'
import type { Fail } from '../http/response/errors.ts'
import { servePanelFiles } from '../http/static/panel-files.ts'
import { jobHandlers } from '../maintenance/jobs.routes.ts'
import { type Installation, systemHandlers } from '../maintenance/system.routes.ts'
import { accountMailHandlers } from '../notifications/account/account-mail.routes.ts'
import { notificationHandlers } from '../notifications/notifications.routes.ts'
import { smsHandlers } from '../notifications/sms/sms.routes.ts'
import type { Daybook } from '../operations.ts'
import { couponHandlers } from '../payments/coupons/coupons.routes.ts'
import { deskPaymentHandlers } from '../payments/desk/desk-payments.routes.ts'
import { paymentListHandlers } from '../payments/list/payment-list.routes.ts'
import { receiptHandlers } from '../payments/receipts/receipts.routes.ts'
import { reconciliationHandlers } from '../payments/reconciliation/reconciliation.routes.ts'
import { paymentSettingsHandlers } from '../payments/settings/payment-settings.routes.ts'
import { todayHandlers } from '../reports/today.routes.ts'
import { calendarHandlers } from '../reservations/calendar/calendar.routes.ts'
import { conflictHandlers } from '../reservations/conflicts/conflicts.routes.ts'
import { replanningHandlers } from '../reservations/replanning/replanning.routes.ts'
import { reservationHandlers } from '../reservations/reservations.routes.ts'
import { siteFileHandlers } from '../site-file/site-file.routes.ts'
import { webhookHandlers } from '../webhooks/webhooks.routes.ts'

/** The dependencies of the panel's server. */
export interface PanelOptions {
  readonly app: Daybook
  readonly slots: AdmissionSlots
  readonly findKey: KeySource
  readonly installation: Installation
  /** The client that sends webhooks, which also validates their URLs. */
  readonly outbound: OutboundClient
  /** The origin of `--public-url`, to which passkeys are bound. */
  readonly publicOrigin: string | undefined
  /** Whether the configuration names the SMTP server. */
  readonly smtpGiven: boolean
  /** Whether `X-Forwarded-Host` and `X-Forwarded-Proto` of trusted proxies are trusted. */
  readonly trustForwardedHost: boolean
  /** Returns the public origin of the service, with which links for users begin. */
  origin(): string
}

/** The running panel. */
export interface PanelServer {
  /** Ends the live streams, which do not end by themselves. */
  stop(): void
}

/** Registers the routes of the panel: its API by area, and its files. */
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
  bind(fastify, binding, sessionRoutes, sessionHandlers(panel))
  bind(fastify, binding, secondFactorRoutes, secondFactorHandlers(panel))
  bind(fastify, binding, securityRoutes, securityHandlers(panel))
  bind(fastify, binding, userRoutes, userHandlers(panel))
  bind(fastify, binding, tokenRoutes, tokenHandlers(panel))
  bind(fastify, binding, siteRoutes, siteHandlers(panel))
  bind(fastify, binding, historyRoutes, historyHandlers(panel))
  bind(fastify, binding, systemRoutes, systemHandlers(installation))
  bind(fastify, binding, jobRoutes, jobHandlers(panel))
  bind(fastify, binding, notificationRoutes, notificationHandlers(panel))
  bind(fastify, binding, smsRoutes, smsHandlers(panel))
  bind(fastify, binding, paymentSettingsRoutes, paymentSettingsHandlers(panel))
  bind(fastify, binding, deskPaymentRoutes, deskPaymentHandlers(panel))
  bind(fastify, binding, paymentListRoutes, paymentListHandlers(panel))
  bind(fastify, binding, reconciliationRoutes, reconciliationHandlers(panel))
  bind(fastify, binding, receiptRoutes, receiptHandlers(panel))
  bind(fastify, binding, couponRoutes, couponHandlers(panel))
  bind(fastify, binding, accountMailRoutes, accountMailHandlers(panel))
  bind(fastify, binding, bookingPageRoutes, bookingPageHandlers(panel))
  bind(fastify, binding, hostSecretRoutes, hostSecretHandlers(panel))
  bind(fastify, binding, bookingLinkRoutes, bookingLinkHandlers(panel))
  bind(fastify, binding, webhookRoutes, webhookHandlers(panel))
  bind(fastify, binding, reservationRoutes, reservationHandlers(panel))
  bind(fastify, binding, conflictRoutes, conflictHandlers(panel))
  bind(fastify, binding, replanningRoutes, replanningHandlers(panel))
  bind(fastify, binding, todayRoutes, todayHandlers(panel))
  bind(fastify, binding, customerRoutes, customerHandlers(panel))
  bind(fastify, binding, customerImportRoutes, customerImportHandlers(panel))
  bind(fastify, binding, siteFileRoutes, siteFileHandlers(panel))
  bind(fastify, binding, serviceRoutes, serviceHandlers(panel))
  bind(fastify, binding, providerRoutes, providerHandlers(panel))
  bind(fastify, binding, explainRoutes, explainHandlers(panel))
  bind(fastify, binding, calendarRoutes, calendarHandlers(panel))
  bind(fastify, binding, timeOffRoutes, timeOffHandlers(panel))
  bind(fastify, binding, connectedCalendarRoutes, connectedCalendarHandlers(panel))
  bind(fastify, binding, calendarFeedRoutes, calendarFeedHandlers(panel))
  const live = new Live(app)
  bind(fastify, binding, liveRoutes, liveHandlers(live))
  servePanelFiles(fastify, slots)
  return { stop: () => live.stop() }
}
