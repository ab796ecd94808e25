import { maxPhones, maxTags } from '../customers/details/customer-details.ts'
import { localDate, orNull, phone, typed } from './fields.ts'
import { Type } from './schema.ts'

/** A tag of customers. */
export const tag = typed(40, { minLength: 1 })

/** A list of tags, unique regardless of case. */
export const tags = Type.Array(tag, { maxItems: maxTags })

/** A phone number besides the first. */
export const labelledPhone = Type.Object({ label: typed(40), number: phone })

/** The details that the front desk stores about a customer; an absent field is unchanged, and lists are replaced as a whole. */
export const customerDetails = {
  birthday: Type.Optional(orNull(localDate)),
  tags: Type.Optional(tags),
  phones: Type.Optional(Type.Array(labelledPhone, { maxItems: maxPhones })),
}
