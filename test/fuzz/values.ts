import fc from 'fast-check'
import type { Schema } from '../../src/http/request/schema.ts'

/** The kinds of objects to which requests refer; `gone` holds the ids of removed objects. */
export type Pool = 'customer' | 'service' | 'provider' | 'reservation' | 'slot' | 'event' | 'gone'

/**
 * A placeholder for an object of a pool, the objects of one kind that a client knows. When the request is sent, the
 * placeholder is replaced by the id of the object or by a field of the slot, or by an invented value when the pool is
 * empty.
 */
export class Ref {
  readonly pool: Pool
  readonly nth: number
  /** The name of the slot's field that is inserted; used only for slots. */
  readonly field: string

  constructor(pool: Pool, nth: number, field = 'id') {
    this.pool = pool
    this.nth = nth
    this.field = field
  }

  toString(): string {
    return `<${this.pool} ${this.nth} ${this.field}>`
  }
}

const text = fc.string({ unit: 'grapheme', maxLength: 30 }).map((one) => one.toWellFormed().replaceAll('\0', ''))
const anyNumber = fc.nat(1000)

/** Generates a reference to a random object of a pool. */
export function ref(pool: Pool, field?: string): fc.Arbitrary<Ref> {
  return anyNumber.map((nth) => new Ref(pool, nth, field))
}

const goodTexts: Readonly<Record<string, readonly string[]>> = {
  email: ['a@b.de', 'Jo.O+x@mail.example', 'jö@exämple.de', '用户@例子.广告', `${'x'.repeat(64)}@${'y'.repeat(63)}.de`],
  color: ['#fff', '#3366CC80', 'RebeccaPurple', 'rgb(1, 2, 3)', 'hsl(120 50% 50%)'],
  timezone: ['Europe/Berlin', 'asia/calcutta', 'Europe/Kiev', 'UTC', 'Etc/GMT+12', 'Australia/Lord_Howe'],
  language: ['', 'en', 'pt-BR', 'zh_Hant_TW', 'de-1996'],
}
const badTexts: Readonly<Record<string, readonly string[]>> = {
  email: ['', 'a', 'a@b', '@b.de', 'a@b@c.de', 'a b@c.de', 'a@b..de', '.a@b.de', 'a@b.de\r\nBcc: x@y.de'],
  color: ['', '#12', 'bluish', 'url(x)', '#fff;x'],
  timezone: ['', '+02:00', 'Mars/Olympus', 'Europe/Berlin ', 'utc+2', '../etc'],
  language: ['e', 'english language', 'de-', '-', 'de--AT'],
}
const wrongTypes: readonly unknown[] = [null, true, 1, 1.5, 'x', '5', [], {}, [1], { a: 1 }]

/** Generates values that a schema allows. */
export function validValues(schema: Schema): fc.Arbitrary<unknown> {
  const noted = fittingNote(schema)
  if (noted) return noted
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(validValues))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'string':
      return fittingText(schema)
    case 'integer':
      return fittingInteger(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(validValues(schema.items ?? {}), { maxLength: 5 })
    default:
      if (schema.properties) return fittingRecord(schema, schema.properties)
      return fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }).map(plain), { maxKeys: 6 })
  }
}

function fittingRecord({ required = [] }: Schema, properties: Readonly<Record<string, Schema>>): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, validValues(property)]))
  return fc.record(fields, { requiredKeys: Object.keys(properties).filter((name) => required.includes(name)) })
}

/** Generates a record with one invalid field, or without a required one. */
function brokenRecord(schema: Schema, properties: Readonly<Record<string, Schema>>): fc.Arbitrary<unknown> {
  const whole = fittingRecord(schema, properties)
  const broken = Object.entries(properties).map(([name, property]) =>
    fc.tuple(whole, invalidValues(property)).map(([record, value]) => ({ ...Object(record), [name]: value })),
  )
  const lacking = (schema.required ?? []).map((name) =>
    whole.map((record) => Object.fromEntries(Object.entries(Object(record)).filter(([key]) => key !== name))),
  )
  return fc.oneof(...broken, ...lacking)
}

function fittingNote({ reads }: Schema): fc.Arbitrary<unknown> | undefined {
  const ids = (one: fc.Arbitrary<Ref>) =>
    fc.array(fc.oneof(one, fc.constant(' '), text.map(withoutComma)), { maxLength: 4 })
  if (reads === 'provider') return fc.oneof(ref('provider'), fc.integer(), fc.maxSafeInteger(), text)
  if (reads === 'hostUser') return fc.oneof(fc.nat(), fc.constantFrom('', 0, Number.MAX_SAFE_INTEGER))
  if (reads === 'flag') return fc.constantFrom('true', 'FALSE', '1', '0', 'yes', 'No', 'on', 'off', '')
  if (reads === 'ids') return ids(fc.oneof(ref('customer'), ref('service')))
  if (reads === 'providers') return ids(ref('provider'))
  return undefined
}

function withoutComma(one: string): string {
  return one.replaceAll(',', '')
}

function fittingText({ format, minLength = 0, maxLength = 400, reads }: Schema): fc.Arbitrary<unknown> {
  const good = goodTexts[format ?? '']
  if (good) return fc.constantFrom(...good)
  const longest = Array.from({ length: maxLength }, () => '😀').join('')
  const short = text.map((one) => [...one].slice(0, maxLength).join(''))
  const some = minLength === 0 ? short : short.map((one) => (one.trim() === '' ? 'x' : one))
  const around = reads === 'trimmed' ? some.map((one) => ` ${one}\t`) : some
  return fc.oneof({ weight: 20, arbitrary: some }, { weight: 2, arbitrary: around }, fc.constant(longest))
}

function fittingInteger({ minimum = -Number.MAX_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: Schema) {
  const near = fc.constantFrom(minimum, maximum, Math.max(minimum, 0), Math.min(maximum, Math.max(minimum, 1)))
  return fc.oneof(near, fc.integer({ min: Math.max(minimum, -(2 ** 31)), max: Math.min(maximum, 2 ** 31 - 1) }))
}

/**
 * Generates values that a schema forbids. The schema must declare a type, a constant, an enumeration or alternatives
 * (`anyOf`).
 */
export function invalidValues(schema: Schema): fc.Arbitrary<unknown> {
  const { reads, type } = schema
  if (reads === 'provider') return fc.constantFrom(null, true, 1.5, [], {}, ['1'])
  if (reads === 'hostUser') return fc.constantFrom(null, true, -1, 1.5, 'x', '1', 2 ** 53, [], {})
  if (schema.anyOf) {
    const [only] = schema.anyOf.filter((branch) => branch.type !== 'null')
    return invalidValues(only ?? {}).filter((value) => value !== null)
  }
  if (schema.const !== undefined || schema.enum) return fc.constantFrom('other', '', null, 7, true, [], {})
  const types = fc.constantFrom(
    ...wrongTypes.filter((value) => typeOf(value) !== (type === 'integer' ? 'number' : type)),
  )
  if (type === 'string') return fc.oneof(types, brokenText(schema))
  if (type === 'integer') return fc.oneof(types, fc.constantFrom(...brokenNumbers(schema)))
  if (type === 'array')
    return fc.oneof(
      types,
      invalidValues(schema.items ?? {}).map((item) => [item]),
    )
  if (type === 'object' && schema.properties) return fc.oneof(types, brokenRecord(schema, schema.properties))
  if (type === 'object') return fc.oneof(types, fc.constantFrom(...brokenObjects(schema)))
  return types
}

function brokenText({ format, minLength = 0, maxLength }: Schema): fc.Arbitrary<unknown> {
  const bad: unknown[] = [...(badTexts[format ?? ''] ?? []), 'half \ud800', 'nul \0']
  if (maxLength !== undefined) bad.push('x'.repeat(maxLength + 1), '😀'.repeat(maxLength + 1))
  if (minLength > 0) bad.push('', '  ')
  return fc.constantFrom(...bad)
}

function brokenNumbers({ minimum = -Number.MAX_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: Schema): number[] {
  return [
    0.5,
    1e300,
    -1e300,
    2 ** 53,
    -(2 ** 53),
    ...[minimum - 1, maximum + 1].filter((one) => one !== 0 || minimum > 0),
  ]
}

function brokenObjects({ maxProperties, maxBytes, maxDepth }: Schema): object[] {
  const many =
    maxProperties === undefined
      ? []
      : [Object.fromEntries(Array.from({ length: maxProperties + 1 }, (_, at) => [`k${at}`, at]))]
  const large = maxBytes === undefined ? [] : [{ x: 'x'.repeat(maxBytes) }]
  const deep = maxDepth === undefined ? [] : [nested(maxDepth + 1), nested(31 - 1)]
  return [...many, ...large, ...deep]
}

function nested(levels: number): object {
  return levels <= 1 ? {} : { a: nested(levels - 1) }
}

/** Returns a value without NUL characters and lone surrogates in its strings and names, which the API refuses. */
function plain(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '')
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [String(plain(key)), plain(one)]))
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
