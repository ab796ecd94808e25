import { type NotificationKind, notificationKinds } from '../../../notifications/notification.ts'
import { type SmsContentType, type SmsMethod, smsContentTypes, smsKinds } from '../../../notifications/sms/sms.ts'
import type { PanelContract } from '../../endpoint.ts'
import { oneOf, orNull, typed } from '../../fields.ts'
import { Type } from '../../schema.ts'
import { admins, leading, none, nothing } from '../row.ts'

const settings = {
  enabled: Type.Boolean({ description: 'Whether customers who agreed receive short messages' }),
  url: typed(2_000, { description: 'URL that receives the requests; https' }),
  method: oneOf<SmsMethod>({ POST: true, PUT: true, GET: true }),
  contentType: Type.Unsafe<SmsContentType>({ type: 'string', enum: [...smsContentTypes] }),
  sender: typed(100),
  user: typed(254, { description: 'User of HTTP Basic authentication; empty for none' }),
  body: Type.String({ maxLength: 20_000, description: 'Liquid template of the body; with GET, of the query string' }),
  refusals: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    maxItems: 20,
    description: 'Texts in a response that say that the number cannot receive messages',
  }),
  kinds: Type.Array(Type.Unsafe<NotificationKind>({ type: 'string', enum: [...smsKinds] }), {
    maxItems: Object.keys(notificationKinds).length,
    uniqueItems: true,
  }),
}

/** The routes that show, change and test the gateway through which short messages are sent. */
export const smsRoutes = {
  'GET /notifications/sms/': {
    summary: 'Return the gateway of short messages; its password and the values of its headers are not shown',
    admits: leading,
    query: none,
    body: null,
    envelope: 'response',
    returns: Type.Object({
      ...settings,
      hasPassword: Type.Boolean(),
      headerNames: Type.Array(Type.String()),
      sending: Type.Boolean({ description: 'Whether notifications are sent at all' }),
    }),
    ok: 200,
  },
  'POST /notifications/sms/edit/': {
    summary: 'Change the gateway of short messages',
    admits: admins,
    fresh: true,
    query: none,
    body: Type.Object({
      ...Type.Partial(Type.Object(settings)).properties,
      password: Type.Optional(orNull(Type.String({ maxLength: 1_000, description: 'null removes it' }))),
      headers: Type.Optional(
        Type.Array(
          Type.Object(
            { name: Type.String({ maxLength: 100 }), value: Type.String({ maxLength: 2_000 }) },
            { additionalProperties: false },
          ),
          { maxItems: 20, description: 'Replace the stored ones' },
        ),
      ),
    }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /notifications/sms/test/': {
    summary: 'Queue a short test message; the log shows its outcome under the returned id',
    admits: admins,
    query: none,
    body: Type.Object({ to: typed(50, { description: 'Number with country code' }) }),
    envelope: 'response',
    returns: Type.Object({ id: Type.String() }),
    ok: 200,
  },
} as const satisfies PanelContract
