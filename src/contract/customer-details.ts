import { maxPhones, maxTags } from '../customers/details/customer-details.ts'
import { localDate, orNull, phone, typed } from './fields.ts'
import { Type } from './schema.ts'

/** The schema of one tag of a customer. */
export const tag = typed(40, { minLength: 1 })

/** The schema of a list of tags; duplicates and tags that differ only in case are stored once. */
export const tags = Type.Array(tag, { maxItems: maxTags })

/** The schema of a further phone number of a customer, with a label. */
export const labelledPhone = Type.Object({ label: typed(40), number: phone })

/**
 * The schemas of the details that the front desk stores about a customer; an absent field is unchanged, and lists are
 * replaced as a whole.
 */
export const customerDetails = {
  birthday: Type.Optional(orNull(localDate)),
  tags: Type.Optional(tags),
  phones: Type.Optional(Type.Array(labelledPhone, { maxItems: maxPhones })),
}
