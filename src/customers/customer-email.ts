// RFC 2606 reserves the top-level domain: no mail can reach it.
const placeholderDomain = 'no-email.invalid'

interface Addressed {
  readonly id: string
  /** `''` when there is none. */
  readonly email: string
}

/** The address that the API shows: a placeholder for a customer without one, as the field stays an e-mail address. */
export function shownEmail({ id, email }: Addressed): string {
  return email === '' ? `${id}@${placeholderDomain}` : email
}

/** The address without the placeholder: `''` where the placeholder of any customer stands. */
export function withoutPlaceholder(email: string): string {
  return email.toLowerCase().endsWith(`@${placeholderDomain}`) ? '' : email
}

/**
 * The address to keep when `sent` arrives: the customer's own placeholder changes nothing. Undefined for a placeholder
 * of another customer, or of one that is only now added.
 */
export function emailToKeep(sent: string, customer?: Addressed): string | undefined {
  if (sent === '' || withoutPlaceholder(sent) !== '') return sent
  const own = customer && `${customer.id}@${placeholderDomain}`.toLowerCase()
  return customer && sent.toLowerCase() === own ? customer.email : undefined
}

/** A record of the log with `''` where a placeholder stands. */
export function recordWithoutPlaceholder<Thing extends Readonly<Record<string, unknown>>>(record: Thing): Thing {
  const { email } = record
  return typeof email === 'string' ? { ...record, email: withoutPlaceholder(email) } : record
}

/** By what two records of one person are recognised as such: the address, or the digits of the number without one. */
export function contactKey({ email = '', phone = '' }: { readonly email?: string; readonly phone?: string }): string {
  const address = withoutPlaceholder(email)
  return address === '' ? `tel:${phone.replace(/\D/g, '')}` : address.normalize('NFC').toLowerCase()
}
