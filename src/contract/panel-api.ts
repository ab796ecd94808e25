import type { PanelContract } from './endpoint.ts'
import { secondFactorRoutes } from './panel/access/second-factors.ts'
import { securityRoutes } from './panel/access/security-log.ts'
import { sessionRoutes } from './panel/access/session.ts'
import { tokenRoutes } from './panel/access/tokens.ts'
import { userRoutes } from './panel/access/users.ts'
import { bookingLinkRoutes } from './panel/booking/booking-links.ts'
import { bookingPageRoutes } from './panel/booking/booking-page.ts'
import { hostSecretRoutes } from './panel/booking/host-secret.ts'
import { calendarRoutes, conflictRoutes, timeOffRoutes } from './panel/calendar.ts'
import { calendarAccountRoutes } from './panel/calendars/calendar-accounts.ts'
import { calendarFeedRoutes } from './panel/calendars/calendar-feeds.ts'
import { calendarGrantRoutes } from './panel/calendars/calendar-grants.ts'
import { connectedCalendarRoutes } from './panel/calendars/connected-calendars.ts'
import { customerImportRoutes } from './panel/customer-import.ts'
import { customerRoutes } from './panel/customers.ts'
import { explainRoutes } from './panel/explain.ts'
import { historyRoutes } from './panel/history.ts'
import { liveRoutes } from './panel/live.ts'
import { accountMailRoutes } from './panel/outbound/account-mail.ts'
import { couponRoutes } from './panel/outbound/coupons.ts'
import { deskPaymentRoutes } from './panel/outbound/desk-payments.ts'
import { notificationRoutes } from './panel/outbound/notifications.ts'
import { paymentListRoutes } from './panel/outbound/payment-list.ts'
import { paymentSettingsRoutes } from './panel/outbound/payments.ts'
import { receiptRoutes } from './panel/outbound/receipts.ts'
import { reconciliationRoutes } from './panel/outbound/reconciliation.ts'
import { smsRoutes } from './panel/outbound/sms.ts'
import { voucherRoutes } from './panel/outbound/vouchers.ts'
import { providerRoutes } from './panel/providers.ts'
import { replanningRoutes } from './panel/replanning.ts'
import { reservationRoutes } from './panel/reservations.ts'
import { serviceRoutes } from './panel/services.ts'
import { siteRoutes } from './panel/site.ts'
import { siteFileRoutes } from './panel/site-file.ts'
import { jobRoutes } from './panel/system/jobs.ts'
import { systemRoutes } from './panel/system/system.ts'
import { todayRoutes } from './panel/today.ts'
import { webhookRoutes } from './panel/webhooks.ts'

/**
 * The root path of the API of the panel (the web interface for staff). It is not a public interface: it serves only the
 * panel of the same version.
 */
export const panelRoot = '/admin/api'

/**
 * Every route of the API of the panel (the web interface for staff). Authorisation, validation, and the types of the
 * handlers and of the panel's client are derived from these declarations.
 */
export const panelApi = {
  ...sessionRoutes,
  ...secondFactorRoutes,
  ...securityRoutes,
  ...userRoutes,
  ...tokenRoutes,
  ...siteRoutes,
  ...historyRoutes,
  ...systemRoutes,
  ...jobRoutes,
  ...notificationRoutes,
  ...smsRoutes,
  ...paymentSettingsRoutes,
  ...deskPaymentRoutes,
  ...paymentListRoutes,
  ...reconciliationRoutes,
  ...receiptRoutes,
  ...couponRoutes,
  ...voucherRoutes,
  ...accountMailRoutes,
  ...webhookRoutes,
  ...bookingPageRoutes,
  ...bookingLinkRoutes,
  ...hostSecretRoutes,
  ...siteFileRoutes,
  ...reservationRoutes,
  ...conflictRoutes,
  ...replanningRoutes,
  ...todayRoutes,
  ...customerRoutes,
  ...customerImportRoutes,
  ...liveRoutes,
  ...serviceRoutes,
  ...providerRoutes,
  ...explainRoutes,
  ...connectedCalendarRoutes,
  ...calendarGrantRoutes,
  ...calendarAccountRoutes,
  ...calendarFeedRoutes,
  ...calendarRoutes,
  ...timeOffRoutes,
} as const satisfies PanelContract

export type PanelApi = typeof panelApi
