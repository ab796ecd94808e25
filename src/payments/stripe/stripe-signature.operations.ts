import { createHmac, timingSafeEqual } from 'node:crypto'

// Seconds by which the timestamp of a signature may differ from the clock of this service.
const signatureTolerance = 300

/**
 * Whether the header `Stripe-Signature` contains a signature of this body by one of the secrets, with a timestamp
 * within the tolerance. There may be several secrets, after a rotation, and several signatures in the header.
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
  // All pairs are compared, so that the duration does not reveal which secret matches.
  const same = expected.flatMap((one) => sent.map((other) => timingSafeEqual(one, Buffer.from(other, 'hex'))))
  return same.includes(true)
}

function digest(secret: string, time: string, body: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${time}.`).update(body).digest()
}
