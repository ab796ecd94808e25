import type { PanelContract } from '../../endpoint.ts'
import { calendarInstant, orNull, typed } from '../../fields.ts'
import { Type } from '../../schema.ts'
import { admins, leading, none, nothing } from '../row.ts'

/** The routes that show, connect, test and disconnect the payment processor. */
export const paymentSettingsRoutes = {
  'GET /payments/settings/': {
    summary: 'Return the payment processor; its keys are not shown',
    admits: leading,
    query: none,
    body: null,
    envelope: 'response',
    returns: Type.Object({
      connected: Type.Boolean(),
      account: Type.String({ description: 'Name of the account; empty until the processor was asked' }),
      live: Type.Boolean({ description: 'Whether the keys move real money' }),
      fault: Type.String({ description: 'Why the processor does not accept the keys; empty when it does' }),
      checkedAt: orNull(calendarInstant),
      connectedAt: orNull(calendarInstant),
      hasWebhookSecret: Type.Boolean(),
      webhookUrl: Type.String({ description: 'The URL that receives the events of the processor' }),
      lastEventAt: orNull(calendarInstant),
      lastPaidAt: orNull(calendarInstant),
    }),
    ok: 200,
  },
  'POST /payments/connect/': {
    summary:
      'Connect the payment processor, or replace keys; an absent key is kept, and the previous webhook secret still counts',
    admits: admins,
    fresh: true,
    query: none,
    body: Type.Object({
      secretKey: Type.Optional(typed(300)),
      webhookSecret: Type.Optional(typed(300)),
    }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /payments/test/': {
    summary: 'Ask the payment processor whether it accepts the keys; the settings show the answer',
    admits: admins,
    query: none,
    body: Type.Object({}),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /payments/disconnect/': {
    summary: 'Disconnect the payment processor, unless a payment or a refund is under way',
    admits: admins,
    fresh: true,
    query: none,
    body: Type.Object({}),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
} as const satisfies PanelContract
