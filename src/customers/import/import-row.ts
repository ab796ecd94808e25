import { sameJson } from '../../data.ts'
import type { Customer } from '../customer.ts'
import { contactKey } from '../customer-email.ts'

/**
 * One valid row of an imported table of customers. A phone number, time zone or language is absent when its cell is
 * empty.
 */
export interface ImportRow {
  readonly name: string
  /** The e-mail address in the row; empty for none, in which case the row has a phone number. */
  readonly email: string
  readonly phone?: string
  readonly timezone?: string | null
  readonly language?: string
}

/**
 * The result of comparing an imported row with the known customers. `new`: no customer has the row's contact, which is
 * its e-mail address, or its phone number when it has no address. `update` and `same`: one customer with this contact
 * has the row's name; the row changes this customer, or does not. `shared`: only customers with other names have this
 * contact. `unclear`: several customers with this contact have the row's name.
 */
export type ImportVerdict =
  | { readonly is: 'new' }
  | { readonly is: 'update' | 'same'; readonly before: Customer; readonly after: Customer }
  | { readonly is: 'shared'; readonly others: readonly Customer[] }
  | { readonly is: 'unclear'; readonly others: readonly Customer[] }

/**
 * Compares an imported row with `ofAddress`: the customers who have the row's e-mail address, or the row's phone number
 * when the row has no address. A customer matches when the name is equal as well, because several people may share an
 * address, such as parent and child. Empty fields of a row change nothing.
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

/**
 * Returns a key of a customer's name and e-mail address, or phone number when there is no address. Spellings that
 * differ only in case, in the blanks of the name or in the separators of the phone number have the same key.
 */
export function customerKey({ name, email, phone }: Pick<ImportRow, 'name' | 'email' | 'phone'>): string {
  return `${nameKey(name)} <${contactKey({ email, ...(phone !== undefined && { phone }) })}>`
}

function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim()
}
