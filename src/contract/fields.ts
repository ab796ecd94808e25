import type { TSchema, TSchemaOptions } from 'typebox'
import { Type } from './schema.ts'

/** How the validator converts the value of a field; it leaves a field without a conversion unchanged. */
export type Conversion = 'trimmed' | 'provider' | 'providers' | 'ids' | 'flag' | 'hostUser'

/** The largest integer up to which JavaScript numbers are exact; the upper bound of int64 fields. */
export const largest = Number.MAX_SAFE_INTEGER

/** Returns the schema of a string that a user types: trimmed, then checked for its length. */
export function typed(maxLength: number, options: TSchemaOptions & { minLength?: number; format?: string } = {}) {
  return Type.String({ maxLength, ...options, reads: 'trimmed' satisfies Conversion })
}

/**
 * Returns the schema of a string that is one of several words; the type of the record ensures that no word is missing.
 */
export function oneOf<Word extends string>(words: Readonly<Record<Word, true>>, options: TSchemaOptions = {}) {
  return Type.Unsafe<Word>({ type: 'string', enum: Object.keys(words), ...options })
}

/** Returns the schema of an integer within bounds, both included. */
export function whole(minimum: number, maximum: number = largest, options: TSchemaOptions = {}) {
  return Type.Integer({ minimum, maximum, ...options })
}

/** Returns the schema of a value that may be null. */
export function orNull<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()])
}

/** The schema of the site's brand colour. */
export const brandColor = orNull(Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', description: '#rrggbb; null for none' }))

/** Marks a field that Daybook adds to the API specification that it implements. */
export const addition = { addition: true } as const

export const int64 = whole(-largest, largest, { format: 'int64' })
export const instant = whole(-largest, largest, { format: 'int64', description: 'Unix timestamp in seconds' })

/** The schema of an instant from 1970 to the end of 9999, in Unix seconds. */
export const calendarInstant = whole(0, 253_402_300_799, {
  format: 'int64',
  description: 'Unix timestamp in seconds, from 1970 to the end of 9999',
})

/** The schema of an identifier of any form; whether the object exists is not checked by the schema. */
export const id = Type.String()

/**
 * The schema of a provider id, such as `3` or `"3"` for provider 3. A string or integer that is not a positive integer
 * is converted to 0, which no provider has.
 */
export const providerRef = Type.Unsafe<number>({
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  description: 'Provider identifier; 3 and "3" are the same',
  reads: 'provider' satisfies Conversion,
})

/** Returns the schema of a boolean query parameter: true, 1, yes or on; or false, 0, no, off or empty; in any case. */
export function flag(description: string) {
  return Type.Optional(Type.Unsafe<boolean>({ type: 'boolean', description, reads: 'flag' satisfies Conversion }))
}

/** The schema of the providers to which a query is restricted; all when absent. */
export const providerIds = Type.Optional(
  Type.Unsafe<number[]>({
    type: 'string',
    description: 'Comma-separated provider ids',
    reads: 'providers' satisfies Conversion,
  }),
)

/** Returns the schema of an object with arbitrary keys; its size, number of keys and depth are limited. */
export function freeData(limits: { maxProperties: number; maxBytes: number }) {
  return Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    maxProperties: limits.maxProperties,
    maxBytes: limits.maxBytes,
    maxDepth: 6,
  })
}

export const name = typed(200, { minLength: 1, description: 'Display name' })
export const email = typed(254, { format: 'email' })
export const phone = typed(50)
export const description = typed(10_000)
export const color = orNull(typed(100, { format: 'color', description: 'Any CSS colour' }))
export const timezone = orNull(Type.String({ maxLength: 100, format: 'timezone', description: 'IANA time zone' }))
export const language = typed(100, { format: 'language', description: 'BCP 47 tag; empty for none' })
export const hostUserId = Type.Unsafe<number>({
  type: 'integer',
  minimum: 0,
  maximum: largest,
  description: 'Linked user of the host platform; 0 for none',
  reads: 'hostUser' satisfies Conversion,
})
export const appointment = Type.Literal('appointment')

export const currency = Type.String({ format: 'currency', pattern: '^[A-Z]{3}$', description: 'ISO 4217 code' })

export const localDate = Type.String({ format: 'date', description: 'YYYY-MM-DD' })

/** The schema of the meeting link of a provider, or of a template of such links. */
export const meetingLink = Type.String({
  maxLength: 500,
  description:
    'Where online appointments take place: an https address in which {reservation} stands for an unguessable name and {service} for the id of the service; empty for none',
})

/** The schema of the opening hours of one date. */
export const windows = Type.Array(
  Type.String({ description: 'HH:MM-HH:MM; may pass midnight; 24:00 is an end', maxLength: 20, format: 'window' }),
  {
    maxItems: 100,
  },
)
