import { findDecrypted, type KeySource } from '../../encryption.ts'
import type { OutboundClient } from '../../http/outbound/outbound-client.ts'
import { OutboundError } from '../../http/outbound/outbound-error.ts'
import { retryAfterOf } from '../../http/outbound/response-headers.ts'
import { renderLiquid } from '../mail/liquid.ts'
import { gatewayPlace } from '../notifications.operations.ts'
import type { StoredSettings } from '../notifications.sql.ts'
import { outcomeOfFault, outcomeOfResponse, type SmsOutcome, type SmsVariables } from './sms.ts'

/** The secrets with which requests to the SMS gateway are authenticated; they are stored encrypted. */
export interface GatewaySecrets {
  readonly password: string
  readonly headers: Readonly<Record<string, string>>
}

/** The dependencies of a request to the SMS gateway. */
export interface GatewayOptions {
  readonly client: OutboundClient
  readonly findKey: KeySource
  readonly now: () => number
}

const timeout = 15_000

/**
 * Sends one message through the gateway. Resolves to the outcome, also when the gateway sends an error or no response.
 */
export async function sendThroughGateway(
  { client, findKey, now }: GatewayOptions,
  { settings: { sms }, sealedGateway }: StoredSettings,
  variables: SmsVariables & Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<SmsOutcome> {
  const secrets = await openSecrets(findKey, sealedGateway)
  if (!secrets) return { state: 'failed', why: noKey, cause: noKey, temporary: true, retryAfter: null }
  try {
    const rendered = await renderLiquid(sms.body, variables)
    const { url, method, contentType, user } = sms
    const basic = Buffer.from(`${user}:${secrets.password}`).toString('base64')
    const response = await client.send({
      url: method === 'GET' ? withQuery(url, rendered) : url,
      method,
      headers: {
        ...(method !== 'GET' && { 'content-type': contentType }),
        ...(user !== '' && { authorization: `Basic ${basic}` }),
        // A gateway that supports this header delivers a message only once, even if the request is repeated.
        'idempotency-key': variables.id,
        ...secrets.headers,
      },
      ...(method !== 'GET' && { body: rendered }),
      timeout,
      signal,
    })
    const retryAfter = retryAfterOf(response, now())
    return outcomeOfResponse({ status: response.status, body: response.body, retryAfter }, sms)
  } catch (error) {
    if (error instanceof OutboundError) return outcomeOfFault(error.reason, error.message)
    throw error
  }
}

const noKey = 'The secrets of the gateway cannot be decrypted: no key, or another DAYBOOK_SECRET_KEY.'

async function openSecrets(findKey: KeySource, sealed: string | null): Promise<GatewaySecrets | undefined> {
  if (sealed === null) return { password: '', headers: {} }
  const keys = await findKey()
  const text = keys && findDecrypted(keys, sealed, gatewayPlace)
  return text === undefined ? undefined : JSON.parse(text)
}

function withQuery(url: string, query: string): string {
  const parsed = new URL(url)
  parsed.search = parsed.search === '' ? query : `${parsed.search}&${query}`
  return parsed.href
}
