import { createHmac, timingSafeEqual } from 'node:crypto'

// Seconds by which the time of a signature may differ from ours.
const signatureTolerance = 300

/**
 * Whether a header `Stripe-Signature` signs this body with one of the secrets, at about this time. Several secrets are
 * accepted while an endpoint's secret is rotated, and several signatures in a header.
 */
export function isSignedByStripe(
  body: Uint8Array,
  header: string,
  { secrets, now }: { readonly secrets: readonly string[]; readonly now: number },
): boolean {
  const parts = header.slice(0, 2_000).split(',', 20)
  const [, time = ''] = parts.map((part) => /^\s*t=(\d{1,12})$/.exec(part)).find((match) => match !== null) ?? []
  if (time === '' || Math.abs(now - Number(time)) > signatureTolerance) return false
  const sent = parts.flatMap((part) => /^\s*v1=([0-9a-f]{64})$/.exec(part)?.[1] ?? [])
  const expected = secrets.filter(Boolean).map((secret) => digest(secret, time, body))
  // Every pair is compared, so that the time taken does not tell which secret came close.
  const same = expected.flatMap((one) => sent.map((other) => timingSafeEqual(one, Buffer.from(other, 'hex'))))
  return same.includes(true)
}

function digest(secret: string, time: string, body: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${time}.`).update(body).digest()
}
