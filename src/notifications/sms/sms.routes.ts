import type { PanelContext } from '../../access/sessions/panel-session.routes.ts'
import type { smsRoutes } from '../../contract/panel/outbound/sms.ts'
import { e164Of } from '../../customers/sms-consent/mobile-number.ts'
import type { Database } from '../../db/database.ts'
import { encrypt, findDecrypted, type KeyRing } from '../../encryption.ts'
import type { Handlers } from '../../http/call.ts'
import type { OutboundClient } from '../../http/outbound/outbound-client.ts'
import { untilStored } from '../../http/until-stored.ts'
import { message } from '../../messages/message.ts'
import { type Details, refusal, wrongFields } from '../../messages/refusal.ts'
import type { Operations } from '../../operations.ts'
import { wrongHeaders } from '../../webhooks/endpoint.ts'
import { liquidFault, rendersJson } from '../mail/liquid.ts'
import { gatewayPlace } from '../notifications.operations.ts'
import { loadSettings } from '../notifications.sql.ts'
import { sampleSms } from '../templates/sample.operations.ts'
import type { SmsSettings } from './sms.ts'
import type { GatewaySecrets } from './sms-gateway.job.ts'

/** The dependencies of the handlers of short messages. */
export interface SmsContext extends Pick<PanelContext, 'app' | 'findKey'> {
  readonly outbound: Pick<OutboundClient, 'accepts'>
}

type Header = { readonly name: string; readonly value: string }

/** Returns the handlers of the panel's routes that show, change and test the gateway of short messages. */
export function smsHandlers({ app, findKey, outbound }: SmsContext): Handlers<typeof smsRoutes, Operations> {
  const { db } = app
  const keys = async (): Promise<KeyRing> => {
    const found = await findKey()
    if (!found) throw refusal('secret_key_missing')
    return found
  }
  return {
    'GET /notifications/sms/': async () => {
      const { settings, sealedGateway } = await loadSettings(db)
      const ring = sealedGateway === null ? undefined : await findKey()
      const { password, headers } = secretsOf(sealedGateway, ring)
      const shown = { hasPassword: password !== '', headerNames: Object.keys(headers), sending: settings.enabled }
      return { ...settings.sms, refusals: [...settings.sms.refusals], kinds: [...settings.sms.kinds], ...shown }
    },

    'POST /notifications/sms/edit/': async ({ body: { password, headers, ...sms }, now, perform }) => {
      await untilStored(async () => {
        const { settings, sealedGateway } = await loadSettings(db)
        await requireCallable({ db, now, outbound }, { ...settings.sms, ...sms }, headers)
        if (password === undefined && headers === undefined) return perform('notifications.sms.edit', { sms })
        const ring = await keys()
        const before = secretsOf(sealedGateway, ring)
        const secrets: GatewaySecrets = {
          password: password === undefined ? before.password : (password ?? ''),
          headers: headers ? valuesOf(headers) : before.headers,
        }
        const to = encrypt(ring, JSON.stringify(secrets), gatewayPlace)
        return perform('notifications.sms.edit', { sms, secrets: { from: sealedGateway, to } })
      })
      return {}
    },

    'POST /notifications/sms/test/': async ({ body, perform }) => {
      const to = await e164Of(body.to)
      if (to === undefined) throw wrongFields({ to: message('mobile_number_wrong') })
      return perform('notifications.sms.test', { to })
    },
  }
}

/**
 * Returns the secrets of the gateway; empty ones if none are stored, or if they were encrypted with a key that is lost.
 */
function secretsOf(sealed: string | null, ring: KeyRing | undefined): GatewaySecrets {
  const text = sealed !== null && ring ? findDecrypted(ring, sealed, gatewayPlace) : undefined
  return text === undefined ? { password: '', headers: {} } : JSON.parse(text)
}

function valuesOf(headers: readonly Header[]): Record<string, string> {
  return Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]))
}

/** Throws a refusal that names the invalid fields if URL, headers or body are invalid; accepts an empty URL or body. */
async function requireCallable(
  { db, now, outbound }: Pick<SmsContext, 'outbound'> & { readonly db: Database; readonly now: number },
  { url, body, method, contentType, sender }: SmsSettings,
  headers: readonly Header[] = [],
): Promise<void> {
  const names = wrongHeaders(valuesOf(headers))
  const sample = await sampleSms(db, now, sender)
  const fault = body === '' ? undefined : await liquidFault(body, sample)
  const mustBeJson = fault === undefined && body !== '' && method !== 'GET' && contentType === 'application/json'
  const faults: Details = {
    ...(url !== '' && !outbound.accepts(url) && { url: message('webhook_url_wrong') }),
    ...(names.length > 0 && { headers: message('webhook_headers_wrong', { names }) }),
    ...(fault !== undefined && { body: message('template_invalid', { fault }) }),
    ...(mustBeJson && !(await rendersJson(body, sample)) && { body: message('sms_body_not_json') }),
  }
  if (Object.keys(faults).length > 0) throw wrongFields(faults)
}
