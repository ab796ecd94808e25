import type { MessageWords, Templates } from './template.ts'

/** The default templates in English. */
export const en: Templates = {
  verify_email: {
    subject: 'Please confirm your booking: {{ service.name }} on {{ start_date }}',
    body: `Hello {{ customer.name }},

Please confirm your booking with the link below. The time is kept for you until {{ deadline }}, and is then free for others again.

If you did not book, ignore this message: nothing else happens.`,
  },
  request_received: {
    subject: 'We received your request: {{ service.name }} on {{ start_date }}',
    body: `Hello {{ customer.name }},

Thank you for your request. {{ site.name }} will answer it shortly.`,
  },
  confirmed: {
    subject: 'Confirmed: {{ service.name }} on {{ start_date }} at {{ start_time }}',
    body: `Hello {{ customer.name }},

Your appointment is confirmed. We look forward to seeing you.`,
  },
  declined: {
    subject: 'Your request for {{ start_date }} could not be confirmed',
    body: `Hello {{ customer.name }},

Unfortunately we cannot offer you {{ service.name }} on {{ start }}. Please choose another time.`,
  },
  payment_expired: {
    subject: 'Your booking for {{ start_date }} was not completed',
    body: `Hello {{ customer.name }},

Your booking of {{ service.name }} on {{ start }} was not completed, so the time is free for others again. Nothing was charged. You can book again.`,
  },
  payment_returned: {
    subject: 'Your payment for {{ start_date }} goes back to you',
    body: `Hello {{ customer.name }},

Your payment for {{ service.name }} on {{ start }} came when the booking no longer stood. The full amount goes back to you. You can book another time.`,
  },
  card_returned: {
    subject: 'Your card was saved too late for {{ start_date }}',
    body: `Hello {{ customer.name }},

Your card for {{ service.name }} on {{ start }} was saved when the booking no longer stood. We have removed the card, and nothing was charged. You can book another time.`,
  },
  fee_charged: {
    subject: 'No-show fee for {{ start_date }}: {{ fee }}',
    body: `Hello {{ customer.name }},

You did not come to {{ service.name }} on {{ start }}. As agreed when you booked, we have charged {{ fee }} to your card.`,
  },
  fee_requested: {
    subject: 'Please pay the no-show fee for {{ start_date }}: {{ fee }}',
    body: `Hello {{ customer.name }},

You did not come to {{ service.name }} on {{ start }}. As agreed when you booked, a no-show fee is due: {{ fee }}. Your card could not be charged. Please pay with the link below, which is open for 23 hours.`,
  },
  rescheduled: {
    subject: 'New time: {{ service.name }} on {{ start_date }} at {{ start_time }}',
    body: `Hello {{ customer.name }},

Your appointment has been moved{% if previous_start != "" %} from {{ previous_start }}{% endif %} to {{ start }}.`,
  },
  cancelled: {
    subject: 'Cancelled: {{ service.name }} on {{ start_date }}',
    body: `Hello {{ customer.name }},

Your appointment on {{ start }} has been cancelled.`,
  },
  reminder: {
    subject: 'Reminder: {{ service.name }} on {{ start_date }} at {{ start_time }}',
    body: `Hello {{ customer.name }},

This is a reminder of your appointment on {{ start }}. If you cannot come, please let us know as early as possible.`,
  },
  follow_up: {
    subject: 'Thank you for your visit',
    body: `Hello {{ customer.name }},

Thank you for your visit on {{ start_date }}. We would be glad to see you again.`,
  },
  provider_new: {
    subject: 'New booking: {{ customer.name }}, {{ start_date }} at {{ start_time }}',
    body: `{{ customer.name }} has booked {{ service.name }} with you on {{ start }}.`,
  },
  provider_changed: {
    subject: 'Changed booking: {{ customer.name }}, {{ start_date }} at {{ start_time }}',
    body: `The appointment of {{ customer.name }} has been moved{% if previous_start != "" %} from {{ previous_start }}{% endif %} to {{ start }}.`,
  },
  provider_cancelled: {
    subject: 'Cancelled: {{ customer.name }}, {{ start_date }} at {{ start_time }}',
    body: `The appointment of {{ customer.name }} on {{ start }} no longer takes place with you.`,
  },
  staff_approval: {
    subject: 'Waiting for approval: {{ customer.name }}, {{ start_date }} at {{ start_time }}',
    body: `{{ customer.name }} has requested {{ service.name }} with {{ provider.name }} on {{ start }}. Confirm or decline the request in the panel.`,
  },
  agenda: {
    subject: 'Your appointments on {{ date }}: {{ count }}',
    body: `Your appointments on {{ date }}:`,
  },
  bookings_link: {
    subject: 'Your bookings at {{ site.name }}',
    body: `See and change your bookings at {{ site.name }} with this link, which works once and for one hour:

If you did not ask for it, ignore this message.`,
  },
  invitation: {
    subject: 'Your account at {{ site.name }}',
    body: `An account has been created for you at {{ site.name }}. Set your password with this link, which works once and for one hour:

If the link has expired, ask your administrator for a new one.`,
  },
  password_reset: {
    subject: 'Reset your password at {{ site.name }}',
    body: `Set a new password with this link, which works once and for one hour:

If you did not ask for it, ignore this message; your password stays as it is.`,
  },
  password_changed: {
    subject: 'Your password at {{ site.name }} was changed',
    body: `The password of your account has been changed. If it was not you, tell your administrator at once.`,
  },
  second_factor_changed: {
    subject: 'The second factors of your account at {{ site.name }} were changed',
    body: `An authenticator app, a passkey or recovery codes of your account have been changed. If it was not you, tell your administrator at once.`,
  },
  new_sign_in: {
    subject: 'New sign-in to your account at {{ site.name }}',
    body: `Your account was used to sign in with a browser that has not signed in before: {{ detail }}. If it was not you, set a new password and end the session in your profile, and tell your administrator.`,
  },
  webhook_disabled: {
    subject: 'A webhook of {{ site.name }} was switched off',
    body: `The webhook {{ detail }} has been switched off, as its deliveries failed for five days or its receiver is gone. Its events are kept: switch it on again in the panel and replay them.`,
  },
  webhook_failing: {
    subject: 'A webhook of {{ site.name }} is failing',
    body: `The webhook {{ detail }} has had no success for a day. Deliveries are repeated; after five days without success it is switched off. Its delivery log in the panel says why.`,
  },
  backup_overdue: {
    subject: 'A backup of {{ site.name }} is overdue',
    body: `No backup of {{ site.name }} has succeeded within the set time. Last backup: {{ detail }}. Make one in the panel under Settings → System and backup, and check the timer that makes them.`,
  },
  payment_disputed: {
    subject: 'A payment to {{ site.name }} is disputed',
    body: `A customer disputed a payment of {{ detail }} with the bank, which has taken the money back or asks for an explanation. Answer in the Stripe dashboard by the date that it shows; without an answer the dispute is lost. The reservation stays as it is.`,
  },
  dispute_decided: {
    subject: 'The dispute over a payment to {{ site.name }} is decided',
    body: `The bank has decided about the disputed payment of {{ detail }}. The payment in the panel shows the outcome; the books are up to date.`,
  },
  payments_differ: {
    subject: 'The books of {{ site.name }} differ from the payment processor',
    body: `The nightly comparison of the books with the payment processor found something that differs, and still did when it was compared again. Number of differences: {{ detail }}. Settings → Payments in the panel lists them: look at each in the Stripe dashboard, and settle it.`,
  },
}

/** The fixed texts of messages in English. */
export const enWords: MessageWords = {
  when: 'When',
  service: 'Service',
  provider: 'With',
  meeting: 'Online at',
  customer: 'Customer',
  email: 'E-mail',
  phone: 'Phone',
  timesIn: 'Times are in the time zone {zone}.',
  unsubscribe: 'Stop reminders and follow-ups',
  manage: 'View, move or cancel this appointment',
  receipt: 'Receipt',
  verify: 'Confirm my booking',
  pay: 'Pay now',
  pending: 'waits for approval',
  panel: 'Open in the panel',
}
