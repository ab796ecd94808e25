import type { Conversion } from '../../contract/fields.ts'
import { type Message, message } from '../../messages/message.ts'
import { conversions } from './conversions.ts'
import { formats } from './formats.ts'

/** The subset of JSON Schema that the contract uses, with the contract's own keywords. */
export interface Schema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly items?: Schema
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[] | undefined
  /**
   * The treatment of undeclared keys. true: they are accepted; false: they are errors; a schema: it validates their
   * values; absent: they are dropped.
   */
  readonly additionalProperties?: boolean | Schema
  readonly maxProperties?: number
  readonly maxBytes?: number
  readonly maxDepth?: number
  readonly reads?: Conversion
}

/** Describes the expected value, phrased to follow "must be" and "send". */
export function expectation(schema: Schema): Message {
  if (schema.reads !== undefined && schema.reads !== 'trimmed') return conversions[schema.reads].expected
  if (schema.anyOf)
    return schema.anyOf.map(expectation).reduce((one, other) => message('expected_either', { expected: one, other }))
  const words = schema.const === undefined ? schema.enum : [schema.const]
  if (words)
    return words.length === 1
      ? message('verbatim', { text: String(words[0]) })
      : message('expected_one_of', { words: words.map(String) })
  const format = formats.get(schema.format ?? '')
  if (format) return format.expected
  return schema.type === 'string' ? schemaText(schema) : (names[schema.type ?? ''] ?? wholeOf(schema))
}

const names: Readonly<Record<string, Message>> = {
  boolean: message('expected_boolean'),
  array: message('expected_list'),
  object: message('expected_object'),
  null: message('expected_null'),
}

/** Describes a string with its length limits. */
export function schemaText({ minLength = 0, maxLength }: Schema): Message {
  if (maxLength === undefined) return message('expected_string')
  return minLength > 0
    ? message('expected_string_between', { least: minLength, most: maxLength })
    : message('expected_string_up_to', { most: maxLength })
}

/** Describes an integer with its limits. */
function wholeOf({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: Schema): Message {
  if (maximum < Number.MAX_SAFE_INTEGER) return message('expected_integer_between', { least: minimum, most: maximum })
  return minimum === Number.MIN_SAFE_INTEGER
    ? message('expected_integer')
    : message('expected_integer_from', { least: minimum })
}
