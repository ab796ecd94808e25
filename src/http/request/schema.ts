import type { Conversion } from '../../contract/resources.ts'
import { conversions } from './conversions.ts'
import { formats } from './formats.ts'

/** The part of JSON Schema that the contract uses, with the contract's own notes. */
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
  /** true: other keys pass as they came; false: they are faults; a schema: every key has such a value; absent: dropped. */
  readonly additionalProperties?: boolean | Schema
  readonly maxProperties?: number
  readonly maxBytes?: number
  readonly maxDepth?: number
  readonly reads?: Conversion
}

/** What to send for the schema, to follow "must be" and "send". */
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

/** A text within its bounds, in words. */
export function schemaText({ minLength = 0, maxLength }: Schema): string {
  if (maxLength === undefined) return 'a text'
  const most = grouped(maxLength)
  return minLength > 0 ? `a text of ${minLength} to ${most} characters` : `a text of at most ${most} characters`
}

/** A whole number within its bounds, in words. */
export function wholeOf({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: Schema): string {
  if (maximum < Number.MAX_SAFE_INTEGER) return `a whole number from ${grouped(minimum)} to ${grouped(maximum)}`
  return minimum === Number.MIN_SAFE_INTEGER ? 'a whole number' : `a whole number from ${grouped(minimum)} up`
}

/** 10080 → 10,080. */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',')
}
