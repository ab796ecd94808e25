import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'
const secretBytes = 32

/** Generates a secret of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return prefix + randomBytes(secretBytes).toString('base64')
}

/** The content of a delivery that is signed. */
export interface SignedContent {
  readonly id: string
  /** The time of the attempt at the delivery, in Unix seconds. */
  readonly timestamp: number
  readonly body: string
}

/**
 * Returns the headers of Standard Webhooks 1.0.0, with one signature per secret, so that a receiver can verify with
 * either secret during a rotation.
 */
export function signedHeaders({ id, timestamp, body }: SignedContent, secrets: readonly string[]) {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}
