import type { Conversion } from '../../contract/fields.ts'
import { type Message, message } from '../../messages/message.ts'
import { nearest } from '../../scheduling/nearest.ts'
import { conversions } from './conversions.ts'
import { formats } from './formats.ts'
import { isObject } from './json.ts'
import { expectation, type Schema, schemaText } from './schema.ts'

/** Receives each validation error with the path of the value and a message. */
export interface Report {
  wrong(path: string, fault: Message): void
  missing(path: string, fault: Message): void
}

/**
 * Validates a value, reports every error, and returns the converted value; the result may be used only if nothing was
 * reported.
 */
export type Validator = (value: unknown, path: string, report: Report) => unknown

/** Compiles the validator of a schema; values are converted only where the contract says so. */
export function compileValidator(schema: Schema): Validator {
  if (schema.reads !== undefined && schema.reads !== 'trimmed') return noted(schema.reads)
  if (schema.anyOf) return union(schema.anyOf)
  if (schema.const !== undefined) return among([schema.const])
  if (schema.enum) return among(schema.enum)
  switch (schema.type) {
    case 'string':
      return text(schema)
    case 'integer':
      return integer(schema)
    case 'boolean':
      return boolean
    case 'null':
      return among([null])
    case 'array':
      return array(schema)
    case 'object':
      return object(schema)
    default:
      throw new Error(`The contract uses a schema that the validator does not support: ${JSON.stringify(schema)}`)
  }
}

function noted(reading: Exclude<Conversion, 'trimmed'>): Validator {
  const { read, expected } = conversions[reading]
  return (value, path, report) => {
    const taken = read(value)
    if (taken === undefined) report.wrong(path, message('must_be', { expected }))
    return taken?.value
  }
}

/**
 * Returns the validator of a union, which applies the branch of the union that has the type of the value. If the union
 * consists of one schema and null, errors are described in terms of that schema.
 */
function union(branches: readonly Schema[]): Validator {
  const readers = new Map(branches.map((branch) => [branch.type, compileValidator(branch)]))
  const [only, ...others] = branches.filter(({ type }) => type !== 'null')
  if (!only || readers.size !== branches.length)
    throw new Error('The validator tells the branches of a union apart by their type.')
  const otherwise = others.length > 0 ? among(branches, { anyOf: branches }) : compileValidator(only)
  return (value, path, report) => (readers.get(typeName(value)) ?? otherwise)(value, path, report)
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' ? 'integer' : typeof value
}

function among(values: readonly unknown[], schema: Schema = { enum: values }): Validator {
  return (value, path, report) => {
    if (!values.includes(value)) report.wrong(path, mustBe(schema))
    return value
  }
}

function mustBe(schema: Schema): Message {
  return message('must_be', { expected: expectation(schema) })
}

const boolean: Validator = (value, path, report) => {
  if (typeof value !== 'boolean') report.wrong(path, message('must_be_boolean'))
  return value
}

function integer(schema: Schema): Validator {
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema
  return (value, path, report) => {
    if (!Number.isSafeInteger(value) || Number(value) < minimum || Number(value) > maximum)
      report.wrong(path, mustBe(schema))
    return value
  }
}

function text(schema: Schema): Validator {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, reads } = schema
  const format = formats.get(schema.format ?? '')
  const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern, 'u')
  return (value, path, report) => {
    if (typeof value !== 'string') {
      report.wrong(path, mustBe(schema))
      return value
    }
    const taken = reads === 'trimmed' ? value.trim() : value
    // A character may take two UTF-16 code units, so characters are counted only when the length in code units exceeds
    // the maximum.
    const length = taken.length > maxLength ? [...taken].length : taken.length
    if (length < minLength || length > maxLength)
      report.wrong(path, message('must_be', { expected: schemaText(schema) }))
    else if (format?.test(taken) === false || pattern?.test(taken) === false) report.wrong(path, mustBe(schema))
    return taken
  }
}

function array({ items = {}, maxItems = Number.POSITIVE_INFINITY }: Schema): Validator {
  const read = compileValidator(items)
  return (value, path, report) => {
    if (!Array.isArray(value)) {
      report.wrong(path, message('must_be_list'))
      return value
    }
    if (value.length > maxItems) report.wrong(path, message('must_be_list_up_to', { count: maxItems }))
    return value.map((item, index) => read(item, `${path}[${index}]`, report))
  }
}

/**
 * Returns the validator of objects. Its result is the value itself where the contract allows any undeclared keys, a new
 * object with all keys where a schema describes the undeclared keys, and otherwise a new object with the declared
 * fields.
 */
function object(schema: Schema): Validator {
  const others = schema.additionalProperties
  if (typeof others === 'object') return map(others)
  const open = others === true
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    read: compileValidator(field),
    field,
    required: schema.required?.includes(name) === true,
  }))
  return (value, path, report) => {
    if (!isObject(value)) {
      report.wrong(path, message('must_be_object'))
      return value
    }
    const taken: Record<string, unknown> = {}
    for (const { name, read, field, required } of fields) {
      const at = inside(path, name)
      if (Object.hasOwn(value, name)) {
        const item = read(value[name], at, report)
        if (item !== undefined) taken[name] = item
      } else if (required) report.missing(at, message('missing_send', { expected: expectation(field) }))
    }
    if (others === false)
      reportUnknown(value, schema.properties ?? {}, (key, fault) => report.wrong(inside(path, key), fault))
    if (open) {
      const fault = tooMuch(value, schema)
      if (fault !== undefined) report.wrong(path === '' ? 'body' : path, fault)
    }
    return open ? value : taken
  }
}

function map(schema: Schema): Validator {
  const read = compileValidator(schema)
  return (value, path, report) => {
    if (isObject(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, read(item, inside(path, key), report)]),
      )
    }
    report.wrong(path, message('must_be_object'))
    return value
  }
}

function inside(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

function reportUnknown(value: object, known: object, report: Report['wrong']): void {
  for (const key of Object.keys(value)) {
    if (Object.hasOwn(known, key)) continue
    const close = nearest(key, Object.keys(known))
    report(key, close ? message('unknown_field_nearest', { name: close }) : message('unknown_field'))
  }
}

function tooMuch(value: Readonly<Record<string, unknown>>, schema: Schema): Message | undefined {
  const { maxProperties = Number.POSITIVE_INFINITY, maxBytes, maxDepth } = schema
  if (Object.keys(value).length > maxProperties) return message('must_hold_keys', { count: maxProperties })
  if (maxDepth !== undefined && depthOf(value) > maxDepth) return message('must_nest_levels', { count: maxDepth })
  if (maxBytes === undefined || Buffer.byteLength(JSON.stringify(value)) <= maxBytes) return undefined
  return message('must_be_bytes', { count: maxBytes })
}

// The recursion is bounded, because `parseObject` accepts at most 32 levels.
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Object.values(value).reduce<number>((deepest, item) => Math.max(deepest, depthOf(item)), 0)
}
