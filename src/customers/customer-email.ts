// RFC 2606 reserves the top-level domain: no mail can reach it.
const placeholderDomain = 'no-email.invalid'

interface Addressed {
  readonly id: string
  /** `''` when there is none. */
  readonly email: string
}

/**
 * Returns the address for the API: a placeholder for a customer without one, so that the field is always an e-mail
 * address.
 */
export function shownEmail({ id, email }: Addressed): string {
  return email === '' ? `${id}@${placeholderDomain}` : email
}

/** Returns the address, or `''` for any placeholder. */
export function withoutPlaceholder(email: string): string {
  return email.toLowerCase().endsWith(`@${placeholderDomain}`) ? '' : email
}

/**
 * Returns the address to store when `sent` arrives: the customer's own placeholder changes nothing. Undefined for a
 * placeholder of another or a new customer.
 */
export function emailToKeep(sent: string, customer?: Addressed): string | undefined {
  if (sent === '' || withoutPlaceholder(sent) !== '') return sent
  const own = customer && `${customer.id}@${placeholderDomain}`.toLowerCase()
  return customer && sent.toLowerCase() === own ? customer.email : undefined
}

/** Returns a record of the log with `''` for a placeholder. */
export function recordWithoutPlaceholder<Thing extends Readonly<Record<string, unknown>>>(record: Thing): Thing {
  const { email } = record
  return typeof email === 'string' ? { ...record, email: withoutPlaceholder(email) } : record
}

/**
 * Returns the key by which two records of one customer are recognised: the address, or the digits of the phone number.
 */
export function contactKey({ email = '', phone = '' }: { readonly email?: string; readonly phone?: string }): string {
  const address = withoutPlaceholder(email)
  return address === '' ? `tel:${phone.replace(/\D/g, '')}` : address.normalize('NFC').toLowerCase()
}
