import { type NotificationKind, notificationKinds } from '../../../notifications/notification.ts'
import { type SmtpSecurity, type SwitchableKind, switchableKinds } from '../../../notifications/settings.ts'
import { type Locale, mailKinds, type TemplateKind } from '../../../notifications/templates/template.ts'
import type { PanelContract } from '../../endpoint.ts'
import { calendarInstant, oneOf, orNull, whole } from '../../fields.ts'
import { reservationStatus } from '../../resources.ts'
import { Type } from '../../schema.ts'
import { admins, leading, none, nothing, paging, staff } from '../row.ts'

const kind = Type.Unsafe<NotificationKind>({ type: 'string', enum: Object.keys(notificationKinds) })
const templateKinds = [...Object.keys(notificationKinds), ...mailKinds]
const templateKind = Type.Unsafe<TemplateKind>({ type: 'string', enum: templateKinds })
const loggedKind = Type.Unsafe<TemplateKind | 'test'>({ type: 'string', enum: [...templateKinds, 'test'] })
const switchable = Type.Unsafe<SwitchableKind>({ type: 'string', enum: [...switchableKinds] })
const locale = oneOf<Locale>({ en: true, de: true, es: true, fr: true })
const state = oneOf<'sent' | 'failed' | 'skipped' | 'retrying'>({
  ...{ sent: true, failed: true, skipped: true, retrying: true },
})
// The pattern of an address that may be sent to an SMTP server: one @, no white space and none of `<>"(),:;\`.
const addressPattern = '^[^\\s@<>"(),:;\\\\]+@[^\\s@<>"(),:;\\\\]+$'
const address = Type.String({ maxLength: 254, pattern: addressPattern })
const optionalAddress = Type.String({ maxLength: 254, pattern: `^$|${addressPattern}` })
const time = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })
const minutes = whole(5, 60 * 24 * 60)

const settings = {
  enabled: Type.Boolean({ description: 'Whether anything is sent' }),
  smtp: Type.Object({
    host: Type.String({ maxLength: 253 }),
    port: whole(1, 65_535),
    security: oneOf<SmtpSecurity>({ tls: true, starttls: true, none: true }),
    user: Type.String({ maxLength: 254 }),
  }),
  from: Type.Object({ name: Type.String({ maxLength: 100 }), address: optionalAddress }),
  replyTo: optionalAddress,
  staffAddress: optionalAddress,
  reminders: Type.Array(minutes, { maxItems: 100, uniqueItems: true, description: 'Minutes before the start' }),
  followUp: orNull(whole(5, 60 * 24 * 60, { description: 'Minutes after the end' })),
  quietHours: orNull(Type.Object({ from: time, until: time })),
  agendaAt: orNull(time),
  disabled: Type.Array(switchable, { maxItems: 50, uniqueItems: true, description: 'Kinds that are not sent' }),
}

const channel = oneOf<'email' | 'sms'>({ email: true, sms: true })

const templateKey = {
  kind: templateKind,
  locale,
  channel: Type.Optional(channel),
  serviceId: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'A service with its own text; all when absent, and for mails that are not about one reservation',
    }),
  ),
}
const subject = Type.String({ maxLength: 500 })
const body = Type.String({ maxLength: 10_000 })

/**
 * The routes of notifications, such as those that show and change settings and templates, and list sent messages and
 * suppressed addresses.
 */
export const notificationRoutes = {
  'GET /notifications/settings/': {
    summary: 'Return the settings of notifications; the password is not shown',
    admits: leading,
    query: none,
    body: null,
    envelope: 'response',
    returns: Type.Object({
      ...settings,
      hasPassword: Type.Boolean(),
      smtpGiven: Type.Boolean({
        description: 'Whether the configuration names the SMTP server, instead of the settings',
      }),
    }),
    ok: 200,
  },
  'POST /notifications/settings/edit/': {
    summary: 'Change the settings of notifications',
    admits: admins,
    fresh: true,
    query: none,
    body: Type.Object({
      ...Type.Partial(Type.Object(settings)).properties,
      password: Type.Optional(orNull(Type.String({ maxLength: 1_000, description: 'null removes it' }))),
    }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /notifications/test/': {
    summary: 'Queue a test message; the log shows its outcome under the returned id',
    admits: admins,
    query: none,
    body: Type.Object({ to: address }),
    envelope: 'response',
    returns: Type.Object({ id: Type.String() }),
    ok: 200,
  },
  'GET /notifications/': {
    summary: 'List messages with their outcome, the newest first; a total of 10,001 means more than that',
    admits: leading,
    query: Type.Object({
      id: Type.Optional(Type.String({ maxLength: 100 })),
      kind: Type.Optional(loggedKind),
      state: Type.Optional(state),
      reservationId: Type.Optional(Type.String({ maxLength: 100 })),
      customerId: Type.Optional(Type.String({ maxLength: 100 })),
      recipient: Type.Optional(Type.String({ maxLength: 254, description: 'A part of the address' })),
      ...paging,
    }),
    body: null,
    envelope: 'list',
    returns: Type.Object({
      id: Type.String(),
      kind: loggedKind,
      reservationId: orNull(Type.String()),
      customerId: orNull(Type.String()),
      recipient: Type.String(),
      locale: Type.String(),
      channel,
      subject: Type.String({ description: 'Subject of a mail, text of a short message' }),
      state,
      reason: Type.String({ description: 'bounced, unsubscribed, or the explanation of the server' }),
      attempts: Type.Integer(),
      createdAt: calendarInstant,
      updatedAt: calendarInstant,
    }),
    ok: 200,
  },
  'GET /notifications/templates/': {
    summary: 'List the templates that differ from the defaults',
    admits: leading,
    query: Type.Object(paging),
    body: null,
    envelope: 'list',
    returns: Type.Object({
      kind: templateKind,
      locale,
      channel,
      serviceId: Type.String({ description: 'Empty for all services' }),
    }),
    ok: 200,
  },
  'GET /notifications/template/': {
    summary: 'Return the template that applies, the default, and earlier versions',
    admits: leading,
    query: Type.Object(templateKey),
    body: null,
    envelope: 'response',
    returns: Type.Object({
      subject: Type.String(),
      body: Type.String(),
      isDefault: Type.Boolean(),
      placeholders: Type.Array(Type.String()),
      versions: Type.Array(
        Type.Object({
          version: Type.Integer(),
          subject: Type.String(),
          body: Type.String(),
          by: Type.String({ description: 'Name of the user' }),
          createdAt: calendarInstant,
        }),
      ),
    }),
    ok: 200,
  },
  'POST /notifications/template/edit/': {
    summary: 'Save a template; an empty text returns to the default. Only administrators save those of mails to users',
    admits: leading,
    query: none,
    body: Type.Object({ ...templateKey, subject, body }),
    envelope: 'response',
    returns: Type.Object({ version: Type.Integer() }),
    ok: 200,
  },
  'POST /notifications/preview/': {
    summary: 'Compose a message without sending it, about a reservation or an invented one',
    admits: leading,
    query: none,
    body: Type.Object({ ...templateKey, subject, body, reservationId: Type.Optional(Type.String({ maxLength: 100 })) }),
    envelope: 'response',
    returns: Type.Object({ subject: Type.String(), text: Type.String(), html: Type.String() }),
    ok: 200,
  },
  'GET /notifications/announcement/': {
    summary: 'Compose the message that a change of a reservation, or a new one, would send to the customer',
    admits: staff,
    query: Type.Object({
      id: Type.Optional(Type.String({ maxLength: 100, description: 'The reservation; absent for a new one' })),
      status: Type.Optional(reservationStatus),
      serviceId: Type.Optional(Type.String({ maxLength: 100 })),
      customerId: Type.Optional(Type.String({ maxLength: 100 })),
      providerId: Type.Optional(whole(0)),
      start: Type.Optional(calendarInstant),
      end: Type.Optional(calendarInstant),
    }),
    body: null,
    envelope: 'response',
    returns: Type.Object({
      message: orNull(
        Type.Object({
          kind,
          name: Type.String({ description: 'Name of the customer' }),
          address: Type.String(),
          subject: Type.String(),
          text: Type.String(),
        }),
      ),
    }),
    ok: 200,
  },
  'GET /notifications/suppressions/': {
    summary: 'List addresses to which no mail, or no optional mail, is sent',
    admits: leading,
    query: Type.Object({ address: Type.Optional(Type.String({ maxLength: 254 })), ...paging }),
    body: null,
    envelope: 'list',
    returns: Type.Object({
      address: Type.String(),
      reason: oneOf<'bounced' | 'unsubscribed'>({ bounced: true, unsubscribed: true }),
      detail: Type.String(),
      createdAt: calendarInstant,
      unsubscribedAt: orNull(calendarInstant),
    }),
    ok: 200,
  },
  'POST /notifications/suppressions/remove/': {
    summary: 'Allow mail to an address again; after a bounce, an unsubscription remains',
    admits: leading,
    query: none,
    body: Type.Object({ address: Type.String({ maxLength: 254 }) }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
} as const satisfies PanelContract
