import { resetAccess } from './access/reset.operations.ts'
import {
  beginTotp,
  confirmTotp,
  registerPasskey,
  removePasskey,
  removeTotp,
  renewCodes,
  resealTotp,
} from './access/second-factors/second-factors.operations.ts'
import { dismissNotice, reportSecurity, requireSecondFactor } from './access/security-log/security-log.operations.ts'
import {
  endSessions,
  renewAuthentication,
  startSession,
  touchSessionUse,
} from './access/sessions/sessions.operations.ts'
import { createToken, recordTokenUse, revokeToken } from './access/tokens/tokens.operations.ts'
import { finishSetUp, offerSetUp } from './access/users/set-up.operations.ts'
import {
  createUser,
  editUser,
  inviteUser,
  removeUser,
  setPassword,
  setUserLanguage,
} from './access/users/users.operations.ts'
import { bookForm } from './booking-page/book.operations.ts'
import { storeCounts } from './booking-page/funnel/funnel.operations.ts'
import { removeHostSecret, resealHostSecret, setHostSecret } from './booking-page/host/host-secret.operations.ts'
import { addLink, revokeLink } from './booking-page/links/links.operations.ts'
import { answerBooking, cancelBooking, moveBooking, rateBooking } from './booking-page/manage/manage.operations.ts'
import { verifyBooking } from './booking-page/manage/verify.operations.ts'
import { endAccess, issueAccess, openAccess } from './booking-page/own/access.operations.ts'
import { editPageSettings, editServicePage } from './booking-page/panel/page-settings.operations.ts'
import {
  chooseCalendars,
  claimExchange,
  connectAccount,
  editAccount,
  recordAccount,
  refreshAccount,
  releaseExchange,
  removeAccount,
  resealAccount,
} from './calendars/accounts/accounts.operations.ts'
import {
  connectCalendar,
  editCalendar,
  removeCalendar,
  requestSync,
  resealCalendar,
} from './calendars/calendars.operations.ts'
import {
  calendarConsumer,
  consumeForCalendars,
  setDestination,
} from './calendars/destinations/destinations.operations.ts'
import {
  forgetEvent,
  intendEvent,
  makeDestinationDue,
  queueEvent,
  recordComparison,
  recordDestinationFault,
  recordEvent,
  recordEventFault,
  restoreEvent,
} from './calendars/destinations/events.operations.ts'
import { addFeed, recordFeedRead, revokeFeed } from './calendars/feeds/feeds.operations.ts'
import { beginGrant, finishGrant, resealApp, setApp } from './calendars/oauth/oauth.operations.ts'
import { receiveChanges, recordWatch } from './calendars/push/watches.operations.ts'
import { confirmCalendars, planSyncs, recordCalendarFault, storeCalendar } from './calendars/sync/sync.operations.ts'
import {
  addProvider,
  editProvider,
  editProviderService,
  offerService,
  removeProvider,
} from './catalogue/providers/providers.operations.ts'
import {
  addService,
  editService,
  moveService,
  removeService,
  setService,
} from './catalogue/services/services.operations.ts'
import { setLogo } from './catalogue/site/logo.operations.ts'
import { editSite, prepareSite, rotateSiteSecret } from './catalogue/site/site.operations.ts'
import { addTimeOff, addTimeOffToAll, editTimeOff, removeTimeOff } from './catalogue/time-off/time-off.operations.ts'
import { addCustomer, editCustomer, removeCustomer } from './customers/customers.operations.ts'
import { declineDeletion, requestDeletion } from './customers/deletion/deletion.operations.ts'
import { tagCustomers } from './customers/details/tags.operations.ts'
import { eraseCustomer } from './customers/erasure/erasure.operations.ts'
import { importCustomers, undoImport } from './customers/import/import.operations.ts'
import { mergeCustomers } from './customers/merge/merge.operations.ts'
import { addCustomerNote, removeCustomerNote } from './customers/notes/notes.operations.ts'
import { indexMissingCustomers } from './customers/search/search-index.operations.ts'
import { setSmsConsent } from './customers/sms-consent/sms-consent.operations.ts'
import type { App, OperationTable } from './db/perform/app.ts'
import { relayOperation } from './jobs/event-relay.ts'
import { queueOperations, runnerOperations } from './jobs/operations.ts'
import { recordBackup, setBackupOverdue, watchBackup } from './maintenance/backups/backup.operations.ts'
import { removeNode, reportNode } from './maintenance/nodes/nodes.operations.ts'
import { sweep } from './maintenance/sweep.operations.ts'
import { mailInvitation, mailPasswordReset } from './notifications/account/account-mail.operations.ts'
import { planAgendas } from './notifications/agenda/agenda.operations.ts'
import { askForBookings } from './notifications/bookings/bookings-mail.operations.ts'
import {
  allowAddress,
  consumeEvents,
  consumerName,
  editSettings as editNotificationSettings,
  editTemplate,
  planReminders,
  recordMessage,
  resealSecret,
  sendTestMail,
  unsubscribe,
} from './notifications/notifications.operations.ts'
import { editSms, sendTestSms } from './notifications/sms/sms.operations.ts'
import { postponeCard, recordRemovedCard } from './payments/cards/card-release.operations.ts'
import { chargeNoShow, failNoShow, saveCard, sendFeeLink } from './payments/cards/cards.operations.ts'
import {
  checkPayments,
  closePayment,
  consumePayments,
  openPayment,
  paymentsConsumer,
  receiveEvent,
  settlePayment,
} from './payments/checkout/checkout.operations.ts'
import { bookPaid, returnPaid } from './payments/checkout/settlement.operations.ts'
import { addCoupon, applyCoupon, editCoupon } from './payments/coupons/coupons.operations.ts'
import { refundReservation, takeOnSite, writeOff } from './payments/desk/desk-payments.operations.ts'
import { recordDispute } from './payments/disputes/disputes.operations.ts'
import { setReceiptSettings } from './payments/receipts/receipts.operations.ts'
import {
  queueReconciliation,
  recordReconciliation,
  resolveDifference,
} from './payments/reconciliation/reconciliation.operations.ts'
import { refundCancelled } from './payments/refunds/cancellation.operations.ts'
import { recordRefund } from './payments/refunds/refunds.operations.ts'
import {
  connectProcessor,
  disconnectProcessor,
  recordCheck,
  resealProcessor,
  testProcessor,
} from './payments/settings/payment-settings.operations.ts'
import { closeVoucher, extendVoucher, issueVoucher, redeemVoucher } from './payments/vouchers/vouchers.operations.ts'
import { markAttendance } from './reservations/attendance/attendance.operations.ts'
import { recordMeeting } from './reservations/booking/created-meeting.operations.ts'
import { editReservation } from './reservations/booking/edit.operations.ts'
import { answerForm } from './reservations/booking/form-answers.operations.ts'
import { setNote } from './reservations/booking/note.operations.ts'
import { addReservation, removeReservation } from './reservations/booking/reservations.operations.ts'
import { bookByStaff, moveByStaff, setStatusByStaff } from './reservations/booking/staff.operations.ts'
import { keepConflict } from './reservations/conflicts/conflicts.operations.ts'
import { expire, extendHold, placeHold, releaseHold } from './reservations/holds/holds.operations.ts'
import { replanReservation } from './reservations/replanning/replanning.operations.ts'
import { followZone, reportZoneChange } from './reservations/zone-changes/zone-changes.operations.ts'
import { applySite } from './site-file/apply/apply.operations.ts'
import { undoChange, undoOwnChange } from './undo/undo.operations.ts'

import {
  beginReplay,
  cancelDiscarded,
  recordAttempt,
  redeliver,
  relayToWebhooks,
  replayEvents,
  reportAvailability,
  sendTestEvent,
} from './webhooks/deliveries.operations.ts'
import { deliveryKind } from './webhooks/delivery-kind.ts'
import {
  addEndpoint,
  editEndpoint,
  removeEndpoint,
  resealEndpoint,
  rotateEndpointSecret,
} from './webhooks/endpoints.operations.ts'

/** The operations of the service, through which requests, jobs and commands write, by their names for `app.perform`. */
export const operations = {
  'reservations.add': addReservation,
  'reservations.edit': editReservation,
  'reservations.remove': removeReservation,
  'reservations.holds.place': placeHold,
  'reservations.holds.extend': extendHold,
  'reservations.holds.release': releaseHold,
  'reservations.expire': expire,
  'booking-page.book': bookForm,
  'booking-page.verify': verifyBooking,
  'booking-page.move': moveBooking,
  'booking-page.cancel': cancelBooking,
  'booking-page.answer': answerBooking,
  'booking-page.rate': rateBooking,
  'booking-page.links.add': addLink,
  'booking-page.links.revoke': revokeLink,
  'booking-page.host-secret.set': setHostSecret,
  'booking-page.host-secret.remove': removeHostSecret,
  'booking-page.host-secret.reseal': resealHostSecret,
  'booking-page.bookings.issue': issueAccess,
  'booking-page.bookings.open': openAccess,
  'booking-page.bookings.leave': endAccess,
  'bookings-mail.ask': askForBookings,
  'booking-page.count': storeCounts,
  'booking-page.edit': editPageSettings,
  'booking-page.service.edit': editServicePage,
  'reservations.staff.book': bookByStaff,
  'reservations.staff.move': moveByStaff,
  'reservations.staff.answer': answerForm,
  'reservations.staff.status': setStatusByStaff,
  'reservations.staff.attendance': markAttendance,
  'reservations.staff.note': setNote,
  'reservations.staff.undo': undoOwnChange,
  'reservations.meeting': recordMeeting,
  'reservations.conflicts.keep': keepConflict,
  'reservations.replan': replanReservation,
  'customers.add': addCustomer,
  'customers.edit': editCustomer,
  'customers.remove': removeCustomer,
  'customers.words': indexMissingCustomers,
  'customers.merge': mergeCustomers,
  'customers.erase': eraseCustomer,
  'customers.deletion.request': requestDeletion,
  'customers.deletion.decline': declineDeletion,
  'customers.import': importCustomers,
  'customers.import.undo': undoImport,
  'customers.sms': setSmsConsent,
  'customers.tag': tagCustomers,
  'customers.notes.add': addCustomerNote,
  'customers.notes.remove': removeCustomerNote,
  'services.add': addService,
  'services.edit': editService,
  'services.set': setService,
  'services.move': moveService,
  'services.remove': removeService,
  'providers.add': addProvider,
  'providers.edit': editProvider,
  'providers.edit.service': editProviderService,
  'providers.offer': offerService,
  'providers.remove': removeProvider,
  'time-off.add': addTimeOff,
  'time-off.add-to-all': addTimeOffToAll,
  'time-off.edit': editTimeOff,
  'time-off.remove': removeTimeOff,
  'calendars.connect': connectCalendar,
  'calendars.edit': editCalendar,
  'calendars.remove': removeCalendar,
  'calendars.sync': requestSync,
  'calendars.reseal': resealCalendar,
  'calendars.accounts.connect': connectAccount,
  'calendars.accounts.edit': editAccount,
  'calendars.accounts.refresh': refreshAccount,
  'calendars.accounts.record': recordAccount,
  'calendars.accounts.choose': chooseCalendars,
  'calendars.accounts.remove': removeAccount,
  'calendars.accounts.reseal': resealAccount,
  'calendars.accounts.claim': claimExchange,
  'calendars.accounts.release': releaseExchange,
  'calendars.destinations.set': setDestination,
  'calendars.destinations.due': makeDestinationDue,
  'calendars.destinations.record': recordComparison,
  'calendars.destinations.fault': recordDestinationFault,
  'calendars.events.intend': intendEvent,
  'calendars.events.record': recordEvent,
  'calendars.events.fault': recordEventFault,
  'calendars.events.forget': forgetEvent,
  'calendars.events.restore': restoreEvent,
  'calendars.events.queue': queueEvent,
  'calendars.apps.set': setApp,
  'calendars.apps.reseal': resealApp,
  'calendars.grants.begin': beginGrant,
  'calendars.grants.finish': finishGrant,
  'calendars.feeds.add': addFeed,
  'calendars.feeds.revoke': revokeFeed,
  'calendars.feeds.read': recordFeedRead,
  'calendars.watch': recordWatch,
  'calendars.changed': receiveChanges,
  'calendars.plan': planSyncs,
  'calendars.store': storeCalendar,
  'calendars.confirm': confirmCalendars,
  'calendars.fault': recordCalendarFault,
  'history.undo': undoChange,
  'tokens.create': createToken,
  'tokens.revoke': revokeToken,
  'tokens.used': recordTokenUse,
  'users.create': createUser,
  'users.edit': editUser,
  'users.remove': removeUser,
  'users.invite': inviteUser,
  'users.password': setPassword,
  'access.reset': resetAccess,
  'users.notice.dismiss': dismissNotice,
  'users.language': setUserLanguage,
  'security.report': reportSecurity,
  'security.require-second-factor': requireSecondFactor,
  'sessions.start': startSession,
  'sessions.authenticate': renewAuthentication,
  'sessions.touch': touchSessionUse,
  'sessions.end': endSessions,
  'second-factors.totp.begin': beginTotp,
  'second-factors.totp.confirm': confirmTotp,
  'second-factors.totp.remove': removeTotp,
  'second-factors.totp.reseal': resealTotp,
  'second-factors.codes.renew': renewCodes,
  'second-factors.passkeys.register': registerPasskey,
  'second-factors.passkeys.remove': removePasskey,
  'set-up.offer': offerSetUp,
  'set-up.finish': finishSetUp,
  'site.prepare': prepareSite,
  'site.edit': editSite,
  'site.logo': setLogo,
  'site.rotate-secret': rotateSiteSecret,
  'site.apply': applySite,
  sweep,
  'nodes.report': reportNode,
  'nodes.remove': removeNode,
  'backups.record': recordBackup,
  'backups.overdue': setBackupOverdue,
  'backups.watch': watchBackup,
  'webhooks.add': addEndpoint,
  'webhooks.edit': editEndpoint,
  'webhooks.remove': removeEndpoint,
  'webhooks.rotate': rotateEndpointSecret,
  'webhooks.reseal': resealEndpoint,
  'webhooks.test': sendTestEvent,
  'webhooks.redeliver': redeliver,
  'webhooks.replay.begin': beginReplay,
  'webhooks.replay': replayEvents,
  'webhooks.availability': reportAvailability,
  'webhooks.attempted': recordAttempt,
  ...runnerOperations,
  ...queueOperations({ [deliveryKind]: cancelDiscarded }),
  'events.relay': relayOperation({
    webhooks: relayToWebhooks,
    [consumerName]: consumeEvents,
    [paymentsConsumer]: consumePayments,
    [calendarConsumer]: consumeForCalendars,
  }),
  'notifications.settings.edit': editNotificationSettings,
  'account-mail.invite': mailInvitation,
  'account-mail.password-reset': mailPasswordReset,
  'notifications.plan': planReminders,
  'notifications.reseal': resealSecret,
  'notifications.sms.edit': editSms,
  'notifications.sms.test': sendTestSms,
  'notifications.record': recordMessage,
  'notifications.agendas': planAgendas,
  'notifications.test': sendTestMail,
  'notifications.templates.edit': editTemplate,
  'notifications.allow': allowAddress,
  'notifications.unsubscribe': unsubscribe,
  'payments.connect': connectProcessor,
  'payments.disconnect': disconnectProcessor,
  'payments.reseal': resealProcessor,
  'payments.test': testProcessor,
  'payments.checked': recordCheck,
  'payments.opened': openPayment,
  'payments.settle': settlePayment,
  'payments.book': bookPaid,
  'payments.return': returnPaid,
  'payments.close': closePayment,
  'payments.cards.save': saveCard,
  'payments.cards.later': postponeCard,
  'payments.cards.removed': recordRemovedCard,
  'payments.fee.charge': chargeNoShow,
  'payments.fee.failed': failNoShow,
  'payments.fee.link': sendFeeLink,
  'payments.event': receiveEvent,
  'payments.check': checkPayments,
  'payments.refunds.record': recordRefund,
  'payments.disputes.record': recordDispute,
  'payments.reconciliation.queue': queueReconciliation,
  'payments.reconciliation.record': recordReconciliation,
  'payments.differences.resolve': resolveDifference,
  'payments.receipts.set': setReceiptSettings,
  'payments.coupons.add': addCoupon,
  'payments.coupons.edit': editCoupon,
  'payments.coupons.apply': applyCoupon,
  'payments.vouchers.issue': issueVoucher,
  'payments.vouchers.extend': extendVoucher,
  'payments.vouchers.close': closeVoucher,
  'payments.vouchers.redeem': redeemVoucher,
  'payments.refund': refundReservation,
  'payments.refund-cancelled': refundCancelled,
  'payments.write-off': writeOff,
  'payments.on-site': takeOnSite,
  'zones.follow': followZone,
  'zones.report': reportZoneChange,
} as const satisfies OperationTable

export type Operations = typeof operations

/** The service: `App` with the operations of this file, as routes, jobs and commands receive it. */
export type Daybook = App<Operations>
