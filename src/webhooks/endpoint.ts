/** Why an endpoint was disabled: by a user, after a response 410, or after failing for five days without a success. */
export type DisabledBecause = 'user' | 'gone' | 'failing'

/** A receiver of events. Its signing secrets and extra headers are stored encrypted. */
export interface WebhookEndpoint {
  readonly id: string
  readonly url: string
  readonly description: string
  /** The subscriptions: event types, kinds with `.*`, or `*`. */
  readonly events: readonly string[]
  /** Encrypted JSON of the extra headers. */
  readonly headers: string
  /** A LiquidJS template of the request body; null to send the payload unchanged. */
  readonly template: string | null
  readonly payloadVersion: 'v1'
  readonly secret: string
  /** The signing secret before the last rotation, which signs in addition until `previousUntil`. */
  readonly previousSecret: string | null
  readonly previousUntil: number | null
  readonly enabled: boolean
  readonly disabledBecause: DisabledBecause | null
  readonly disabledAt: number | null
  /**
   * The time (Unix seconds) of the first failure since the last success, or since the endpoint was enabled again; null
   * for none.
   */
  readonly failingSince: number | null
  readonly lastSuccessAt: number | null
  readonly createdAt: number
}

/** Returns the endpoint as the events of the log contain it, without secrets and headers. */
export function shownEndpoint(endpoint: WebhookEndpoint) {
  const { id, url, description, events, template, payloadVersion, enabled, disabledBecause } = endpoint
  return { id, url, description, events, template, payloadVersion, enabled, disabledBecause }
}

/**
 * Returns the state of an endpoint in an event of the log without the parts that may contain secrets: of the URL only
 * the origin remains, and the template is left out.
 */
export function withoutEndpointSecrets({ template: _, url, ...shown }: Readonly<Record<string, unknown>>) {
  return { ...shown, ...(typeof url === 'string' && { url: URL.canParse(url) ? new URL(url).origin : '' }) }
}

const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/
const headerValue = /^[\t\x20-\x7e]{0,1000}$/
// Headers of the signature, and headers that only the HTTP client may set; extra headers must not contain them.
const ownHeaders =
  /^(?:webhook-.*|host|content-length|transfer-encoding|connection|upgrade|te|trailer|expect|keep-alive|proxy-.*)$/i

/** Returns the names of the extra headers that cannot be sent. */
export function wrongHeaders(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name, value]) => !headerName.test(name) || ownHeaders.test(name) || !headerValue.test(value))
    .map(([name]) => name)
}
