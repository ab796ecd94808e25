import type { Conversion } from '../../contract/resources.ts'
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
   * true: other keys are allowed; false: they are errors; a schema: it applies to every other key; absent: they are
   * dropped.
   */
  readonly additionalProperties?: boolean | Schema
  readonly maxProperties?: number
  readonly maxBytes?: number
  readonly maxDepth?: number
  readonly reads?: Conversion
}

/** Describes the expected value, phrased to follow "must be" and "send". */
export function expectation(schema: Schema): string {
  if (schema.reads !== undefined && schema.reads !== 'trimmed') return conversions[schema.reads].expected
  if (schema.anyOf) return schema.anyOf.map(expectation).reduce((one, other) => `${one}, or ${other}`)
  const words = schema.const === undefined ? schema.enum : [schema.const]
  if (words) return words.length === 1 ? String(words[0]) : `one of ${words.join(', ')}`
  const format = formats.get(schema.format ?? '')
  if (format) return format.expected
  return schema.type === 'string' ? schemaText(schema) : (names[schema.type ?? ''] ?? wholeOf(schema))
}

const names: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

/** Describes a string with its length limits. */
export function schemaText({ minLength = 0, maxLength }: Schema): string {
  if (maxLength === undefined) return 'a text'
  const most = grouped(maxLength)
  return minLength > 0 ? `a text of ${minLength} to ${most} characters` : `a text of at most ${most} characters`
}

/** Describes an integer with its limits. */
export function wholeOf({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: Schema): string {
  if (maximum < Number.MAX_SAFE_INTEGER) return `a whole number from ${grouped(minimum)} to ${grouped(maximum)}`
  return minimum === Number.MIN_SAFE_INTEGER ? 'a whole number' : `a whole number from ${grouped(minimum)} up`
}

/** Formats 10080 as 10,080. */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',')
}
