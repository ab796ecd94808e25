import { Type } from 'typebox'
import type { UserRole } from '../../access/users/user.ts'
import type { Message } from '../../messages/message.ts'
import { whole } from '../resources.ts'

/** Every signed-in user. */
export const everyone = ['admin', 'manager', 'provider'] as const satisfies readonly UserRole[]

/** Users who run the site: administrators and managers. */
export const leading = ['admin', 'manager'] as const satisfies readonly UserRole[]

/** Users who answer for the installation, its users and its secrets: administrators. */
export const admins = ['admin'] as const satisfies readonly UserRole[]

/** A query that asks nothing. */
export const none = Type.Object({})

/** An answer that says nothing but that it is done. */
export const nothing = Type.Unsafe<Record<string, never>>(Type.Object({}))

/** Lists of the panel always come by the page. */
export const paging = {
  page: Type.Optional(whole(1, 1_000_000_000, { description: 'Page of the list, from 1; 1 when absent' })),
  per_page: Type.Optional(whole(1, 500, { description: 'Items on a page; 100 when absent' })),
}

/** A secret as it stands in a link or a code; its form is not looked at here. */
export const secret = Type.String({ minLength: 1, maxLength: 200 })

/** Taken as typed: blanks are part of a password. Its length is judged when one is set. */
export const password = Type.String({ maxLength: 4_000 })

/** A message as data, which the panel shows in the language of the person. */
export function message(description: string) {
  return Type.Unsafe<Message>({
    type: 'object',
    description,
    properties: { code: { type: 'string' }, parameters: { type: 'object', additionalProperties: true } },
    required: ['code'],
  })
}
