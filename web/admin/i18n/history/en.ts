import type { EventNames } from '../../../../src/history/event.ts'

/** Texts of the history. */
export const history = {
  history: {
    title: 'History',
    text: 'Who changed what and when, with the values before and after.',
    when: 'When',
    who: 'Who',
    what: 'What',
    object: 'Object',
    type: 'Type of change',
    anyType: 'All',
    objectId: 'Object',
    objectHint: 'For example r_… or 7',
    actor: 'By',
    actorHint: 'ID of a user or token',
    empty: 'No changes yet.',
    undo: 'Undo this change',
    undone: 'Undone: {{type}}, {{object}}.',
    isUndone: 'Undone',
    undid: 'This entry undid an earlier change.',
    asks: {
      move: {
        title: 'Move the reservation back?',
        text: 'The reservation moves back to its previous time. The time must be free; other rules are not applied.',
        action: 'Move back',
      },
      cancel: {
        title: 'Cancel the reservation again?',
        text: 'The reservation was cancelled before this change. It is cancelled again, and its time becomes available to others.',
        action: 'Cancel reservation',
      },
      remove: {
        title: 'Remove what was added?',
        text: 'What this change added is removed. The history keeps its values, but removing it cannot be undone.',
        action: 'Remove',
      },
    },
    events: {
      reservation: {
        created: 'Reservation added',
        updated: 'Reservation changed',
        rescheduled: 'Reservation moved',
        pending: 'Reservation pending again',
        confirmed: 'Reservation confirmed',
        cancelled: 'Reservation cancelled',
        restored: 'Reservation restored',
        removed: 'Reservation deleted',
        attendance: 'Attendance marked',
        zone_changed: 'Reservation affected by changed time zone rules',
      },
      customer: {
        created: 'Customer added',
        updated: 'Customer changed',
        removed: 'Customer deleted',
        merged: 'Customers merged',
        erased: 'Customer erased',
      },
      customer_note: {
        created: 'Note added',
        removed: 'Note deleted',
      },
      sms_consent: {
        given: 'Short messages agreed to',
        withdrawn: 'Consent to short messages withdrawn',
      },
      service: {
        created: 'Service added',
        updated: 'Service changed',
        removed: 'Service deleted',
      },
      provider: {
        created: 'Provider added',
        updated: 'Provider changed',
        removed: 'Provider deleted',
      },
      time_off: {
        created: 'Time off added',
        updated: 'Time off changed',
        removed: 'Time off deleted',
      },
      host_user: {
        created: 'User of the website added',
      },
      token: {
        created: 'API token created',
        revoked: 'API token revoked',
      },
      calendar: {
        created: 'Calendar connected',
        updated: 'Connected calendar changed',
        removed: 'Calendar disconnected',
        feed_created: 'Calendar feed created',
        feed_revoked: 'Calendar feed revoked',
      },
      webhook: {
        created: 'Webhook added',
        updated: 'Webhook changed',
        removed: 'Webhook deleted',
        secret_rotated: 'Secret of a webhook replaced',
        disabled: 'Webhook switched off',
        failing: 'Webhook failing for a day',
      },
      site: {
        updated: 'Site settings changed',
        secret_rotated: 'Secret of slot ids replaced',
        backup_overdue: 'Backup overdue',
      },
      payment: {
        paid: 'Payment received',
        expired: 'Payment expired',
        returned: 'Late payment returned',
        refunded: 'Refund made',
        refund_failed: 'Refund failed',
      },
      payment_settings: {
        updated: 'Payment settings changed',
      },
      notification_settings: {
        updated: 'Notification settings changed',
      },
      notification_template: {
        updated: 'Text of a message changed',
      },
      booking_page: {
        updated: 'Settings of the booking page changed',
        link_created: 'Private booking link made',
        link_revoked: 'Private booking link revoked',
        deletion_requested: 'Customer asked for deletion of their data',
        deletion_declined: 'Request for deletion declined',
        host_secret_set: 'Secret of the host site made',
        host_secret_removed: 'Secret of the host site removed',
      },
      user: {
        created: 'User added',
        updated: 'User changed',
        removed: 'User deleted',
        invited: 'Password link created',
        password_set: 'Password changed',
        second_factor_changed: 'Second factor changed',
        signed_in: 'Signed in',
        signed_out: 'Signed out',
      },
    } satisfies EventNames,
    kinds: {
      token: 'via API',
      command: 'by command line',
      worker: 'automatically',
      user: 'in the panel',
      customer: 'by the customer',
    },
  },
}
