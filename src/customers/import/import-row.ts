import { sameJson } from '../../data.ts'
import type { Customer } from '../customer.ts'
import { contactKey } from '../customer-email.ts'

/** One row of an imported table, its fields in order; empty fields are absent. */
export interface ImportRow {
  readonly name: string
  /** Empty for none; then there is a phone number. */
  readonly email: string
  readonly phone?: string
  readonly timezone?: string | null
  readonly language?: string
}

/** The verdict on a row: a new customer, an existing one, a new one at a known address, or ambiguous. */
export type ImportVerdict =
  | { readonly is: 'new' }
  | { readonly is: 'update' | 'same'; readonly before: Customer; readonly after: Customer }
  | { readonly is: 'shared'; readonly others: readonly Customer[] }
  | { readonly is: 'unclear'; readonly others: readonly Customer[] }

/**
 * Compares a row with the customers at its address, or at its phone number without an address. Customers share
 * addresses, such as parent and child: only name and address together identify one. Empty fields of the row change
 * nothing.
 */
export function checkRow(row: ImportRow, ofAddress: readonly Customer[]): ImportVerdict {
  const alike = ofAddress.filter(({ name }) => nameKey(name) === nameKey(row.name))
  const [before, ...more] = alike
  if (more.length > 0) return { is: 'unclear', others: alike }
  if (!before) return ofAddress.length > 0 ? { is: 'shared', others: ofAddress } : { is: 'new' }
  const { phone = before.phone, timezone = before.timezone, language = before.language } = row
  const after = { ...before, phone, timezone, language }
  return { is: sameJson(before, after) ? 'same' : 'update', before, after }
}

/** What the names and addresses of one person have in common, however they were typed. */
export function customerKey({ name, email, phone }: Pick<ImportRow, 'name' | 'email' | 'phone'>): string {
  return `${nameKey(name)} <${contactKey({ email, ...(phone !== undefined && { phone }) })}>`
}

function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim()
}
