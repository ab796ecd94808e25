import type { PanelContext } from '../../access/sessions/panel-session.routes.ts'
import type { paymentSettingsRoutes } from '../../contract/panel/outbound/payments.ts'
import { encrypt, type KeySource } from '../../encryption.ts'
import type { Handlers } from '../../http/call.ts'
import { untilStored } from '../../http/until-stored.ts'
import { message } from '../../messages/message.ts'
import { type Details, refusal, wrongFields } from '../../messages/refusal.ts'
import type { Daybook, Operations } from '../../operations.ts'
import { findLastEventAt, findLastPaidAt } from '../payments.sql.ts'
import { eventsPath } from '../processor.ts'
import { openKeys, type ProcessorKeys, processorPlace } from './payment-settings.operations.ts'
import { findProcessor } from './payment-settings.sql.ts'

/** The dependencies of the handlers that show and change the payment processor of the site. */
export interface PaymentSettingsContext extends Pick<PanelContext, 'app' | 'findKey'> {
  origin(): string
}

/** Returns the handlers of the panel's routes that show, connect, test and disconnect the payment processor. */
export function paymentSettingsHandlers(
  context: PaymentSettingsContext,
): Handlers<typeof paymentSettingsRoutes, Operations> {
  const { app, findKey, origin } = context
  return {
    'GET /payments/settings/': async () => {
      const stored = await findProcessor(app.db)
      const keys = stored && (await openKeys(findKey, stored))
      return {
        connected: stored !== undefined,
        account: stored?.account ?? '',
        live: stored?.live ?? false,
        fault: stored?.fault ?? '',
        checkedAt: stored?.checkedAt ?? null,
        connectedAt: stored?.connectedAt ?? null,
        hasWebhookSecret: (keys?.webhookSecrets.length ?? 0) > 0,
        webhookUrl: `${origin()}${eventsPath}`,
        lastEventAt: await findLastEventAt(app.db),
        lastPaidAt: await findLastPaidAt(app.db),
      }
    },

    'POST /payments/connect/': async ({ body, perform }) => {
      const ring = await findKey()
      if (!ring) throw refusal('secret_key_missing')
      await untilStored(async () => {
        const stored = await findProcessor(app.db)
        const before = (stored && (await openKeys(findKey, stored))) ?? { secretKey: '', webhookSecrets: [] }
        const keys = keysOf(before, body)
        const live = /^(?:sk|rk)_live_/.test(keys.secretKey)
        const sealed = encrypt(ring, JSON.stringify(keys), processorPlace)
        return perform('payments.connect', { from: stored?.sealed ?? null, sealed, live })
      })
      return {}
    },

    'POST /payments/test/': ({ perform }) => perform('payments.test', {}),

    'POST /payments/disconnect/': ({ perform }) => perform('payments.disconnect', {}),
  }
}

/**
 * Returns the stored keys, with those that the request contains replaced; refuses malformed keys. A new webhook secret
 * is used together with the previous one, so that no event is rejected during the replacement.
 */
function keysOf(
  before: ProcessorKeys,
  { secretKey = before.secretKey, webhookSecret }: { readonly secretKey?: string; readonly webhookSecret?: string },
): ProcessorKeys {
  const faults: Details = {
    ...(!/^(?:sk|rk)_(?:test|live)_\w{8,}$/.test(secretKey) && { secretKey: message('payment_key_wrong') }),
    ...(webhookSecret !== undefined &&
      !/^whsec_\S{8,}$/.test(webhookSecret) && { webhookSecret: message('webhook_secret_wrong') }),
  }
  if (Object.keys(faults).length > 0) throw wrongFields(faults)
  const webhookSecrets =
    webhookSecret === undefined || webhookSecret === before.webhookSecrets[0]
      ? before.webhookSecrets
      : [webhookSecret, ...before.webhookSecrets.slice(0, 1)]
  return { secretKey, webhookSecrets }
}

/** Returns the secrets that sign the processor's events; empty without a processor, or if they cannot be decrypted. */
export async function loadWebhookSecrets({ db }: Pick<Daybook, 'db'>, findKey: KeySource): Promise<readonly string[]> {
  const stored = await findProcessor(db)
  return (stored && (await openKeys(findKey, stored)))?.webhookSecrets ?? []
}
