import type { Message } from '../../messages/message.ts'
import { orNull, whole } from '../fields.ts'
import { Type } from '../schema.ts'

export { admins, desk, everyone, leading, leadingAndProviders, staff } from '../../access/users/role-groups.ts'

/** The schema of a query without parameters. */
export const none = Type.Object({})

/** The schema of a response without content. */
export const nothing = Type.Unsafe<Record<string, never>>(Type.Object({}))

/** The schema of the response to a change of a reservation, which `POST /reservations/undo/` can undo. */
export const changed = Type.Object({
  change: orNull(Type.String({ description: 'Id of the entry of the history; null when nothing changed' })),
})

/** The query parameters that select a page of a list; the panel's lists are paginated even without them. */
export const paging = {
  page: Type.Optional(whole(1, 1_000_000_000, { description: 'Page of the list, from 1; 1 when absent' })),
  per_page: Type.Optional(whole(1, 500, { description: 'Items on a page; 100 when absent' })),
}

/** The schema of a secret from a link or a code; the operation that receives it checks its form. */
export const secret = Type.String({ minLength: 1, maxLength: 200 })

/**
 * The schema of a password as typed, including blanks. The length of a password is checked when the password is set.
 */
export const password = Type.String({ maxLength: 4_000 })

/** Returns the schema of a `Message` (a code with parameters), which the panel shows in the user's language. */
export function message(description: string) {
  return Type.Unsafe<Message>({
    type: 'object',
    description,
    properties: { code: { type: 'string' }, parameters: { type: 'object', additionalProperties: true } },
    required: ['code'],
  })
}
