// RFC 2606 reserves the top-level domain: no mail can reach it.
const placeholderDomain = 'no-email.invalid'

interface Addressed {
  readonly id: string
  /** `''` when the customer has no e-mail address. */
  readonly email: string
}

/**
 * Returns the address for the API: a placeholder for a customer without one, so that the field is always an e-mail
 * address.
 */
export function shownEmail({ id, email }: Addressed): string {
  return email === '' ? `${id}@${placeholderDomain}` : email
}

/** Returns the e-mail address, or `''` when it is a placeholder. */
export function withoutPlaceholder(email: string): string {
  return email.toLowerCase().endsWith(`@${placeholderDomain}`) ? '' : email
}

/**
 * Returns the address to store for the address `sent` by a caller: the stored one when `sent` is the customer's own
 * placeholder; undefined, to be refused, when it is the placeholder of another or of a new customer.
 */
export function emailToKeep(sent: string, customer?: Addressed): string | undefined {
  if (sent === '' || withoutPlaceholder(sent) !== '') return sent
  const own = customer && `${customer.id}@${placeholderDomain}`.toLowerCase()
  return customer && sent.toLowerCase() === own ? customer.email : undefined
}

/** Returns a customer record of the event log with `''` in place of a placeholder address. */
export function recordWithoutPlaceholder<Thing extends Readonly<Record<string, unknown>>>(record: Thing): Thing {
  const { email } = record
  return typeof email === 'string' ? { ...record, email: withoutPlaceholder(email) } : record
}

/**
 * Returns the key that two records of the same customer share: the e-mail address, or else the digits of the phone
 * number.
 */
export function contactKey({ email = '', phone = '' }: { readonly email?: string; readonly phone?: string }): string {
  const address = withoutPlaceholder(email)
  return address === '' ? `tel:${phone.replace(/\D/g, '')}` : address.normalize('NFC').toLowerCase()
}

const local = /^[^\s\p{Cc}()<>[\]:;,@\\"]{1,64}$/u
const label = /^[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?$/u

/** Whether a text is an e-mail address: one `@`, no blanks, a domain of two or more labels; any script. */
export function isEmail(text: string): boolean {
  const [name = '', domain = '', ...more] = text.split('@')
  if (more.length > 0 || !local.test(name) || /^\.|\.\.|\.$/.test(name)) return false
  const labels = domain.split('.')
  return labels.length > 1 && labels.every((part) => part.length <= 63 && label.test(part))
}
