// The domain of the placeholder addresses that the API shows for customers without an e-mail address. RFC 2606 reserves
// the top-level domain `.invalid`, so no mail server can receive mail for a placeholder.
const placeholderDomain = 'no-email.invalid'

interface Addressed {
  readonly id: string
  /** The e-mail address as stored; `''` when the customer has none. */
  readonly email: string
}

/**
 * Returns a customer's e-mail address as the API shows it. A customer without an address gets a placeholder, because
 * the API contract promises an e-mail address in this field.
 */
export function shownEmail({ id, email }: Addressed): string {
  return email === '' ? `${id}@${placeholderDomain}` : email
}

/**
 * Returns an e-mail address, or `''` for a placeholder: any address in the domain that the API uses for customers
 * without an e-mail address.
 */
export function withoutPlaceholder(email: string): string {
  return email.toLowerCase().endsWith(`@${placeholderDomain}`) ? '' : email
}

/**
 * Returns the e-mail address to store when a caller sends the address `sent`. For the placeholder address that the API
 * shows for this customer, returns the stored address. For any other placeholder, returns undefined, and the caller
 * refuses the request. Otherwise returns `sent` itself.
 */
export function emailToKeep(sent: string, customer?: Addressed): string | undefined {
  if (sent === '' || withoutPlaceholder(sent) !== '') return sent
  const own = customer && `${customer.id}@${placeholderDomain}`.toLowerCase()
  return customer && sent.toLowerCase() === own ? customer.email : undefined
}

/**
 * Returns a copy of an object that an entry of the event log contains, such as a customer. If its `email` is the
 * placeholder that the API shows for a customer without an e-mail address, the copy has `''` instead.
 */
export function recordWithoutPlaceholder<Thing extends Readonly<Record<string, unknown>>>(record: Thing): Thing {
  const { email } = record
  return typeof email === 'string' ? { ...record, email: withoutPlaceholder(email) } : record
}

/**
 * Returns the key by which customers and rows of an import are matched: the normalised e-mail address, or `tel:` and
 * the digits of the phone number when there is no address.
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
