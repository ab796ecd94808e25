import fc from 'fast-check'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { publicApi } from '../../src/contract/public-api.ts'
import type { Schema } from '../../src/http/request/schema.ts'
import { invalidValues, Ref, ref, validValues } from './values.ts'

/**
 * What the contract says about a request: one that `fits` must not be refused as malformed, a `broken` one must be
 * refused, and for `either` the schemas of the contract alone do not decide.
 */
export type Expectation = 'fits' | 'broken' | 'either'

/** A generated request; its references to objects are resolved when the request is sent. */
export interface FuzzCall {
  readonly row: string
  readonly query: readonly (readonly [string, unknown])[]
  readonly body: unknown
  /** The bytes that are sent instead of the body. */
  readonly raw: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly expectation: Expectation
}

type Fields = readonly (readonly [string, unknown])[]
type Drawn = { readonly fields: Fields; readonly broken: boolean }

const rows: Readonly<Record<string, Endpoint>> = publicApi

/**
 * Routes on which the schema alone does not decide whether a request is valid: limits of dates, sizes after merging, or
 * positions in the event log matter as well.
 */
const decidedByMore = new Set([
  'POST /reservations/edit/',
  'POST /services/edit/',
  'POST /providers/edit/service/',
  'GET /availability/explain/',
  'GET /events/get/',
])

/** The pools of objects to which a field refers, by the field's name. */
const refersTo: Readonly<Record<string, readonly Ref['pool'][]>> = {
  serviceId: ['service', 'gone'],
  customerId: ['customer', 'gone'],
  providerId: ['provider'],
  after: ['event'],
}
const idOf: Readonly<Record<string, readonly Ref['pool'][]>> = {
  reservations: ['reservation', 'gone'],
  customers: ['customer', 'gone'],
  services: ['service', 'gone'],
  providers: ['provider'],
}
const slotFields = ['serviceId', 'providerId', 'availabilityId', 'start', 'end'] as const

function named(row: string, name: string, schema: Schema): fc.Arbitrary<unknown> {
  const [, resource = ''] = (row.split(' ')[1] ?? '').split('/')
  const pools = name === 'id' ? (idOf[resource] ?? []) : (refersTo[name] ?? [])
  if (pools.length === 0) return validValues(schema)
  return fc.oneof(
    ...pools.map((pool) => ({ weight: pool === 'gone' ? 1 : 6, arbitrary: ref(pool) })),
    validValues(schema),
  )
}

/**
 * Generates a body with some of the fields, including all required ones; occasionally a field is invalid, or a
 * required one is missing.
 */
function fieldsOf(row: string, schema: Schema): fc.Arbitrary<Drawn> {
  const properties = Object.entries(schema.properties ?? {})
  if (properties.length === 0) return fc.constant({ fields: [], broken: false })
  const required = new Set(schema.required ?? [])
  const one = fc.tuple(
    ...properties.map(([name, property]) =>
      required.has(name)
        ? named(row, name, property).map((value) => [name, value] as const)
        : fc.option(
            named(row, name, property).map((value) => [name, value] as const),
            { nil: undefined, freq: 1 },
          ),
    ),
  )
  const whole = one.map((fields) => ({ fields: fields.filter((field) => field !== undefined), broken: false }))
  const hurt = fc
    .tuple(
      one,
      fc.oneof(...properties.map(([name, property]) => invalidValues(property).map((value) => [name, value] as const))),
    )
    .map(([fields, worse]) => ({
      fields: [...fields.filter((field) => field !== undefined && field[0] !== worse[0]), worse] as Fields,
      broken: true,
    }))
  const lacking = [...required].map((name) =>
    one.map((fields) => ({
      fields: fields.filter((field) => field !== undefined && field[0] !== name) as Fields,
      broken: true,
    })),
  )
  return fc.oneof({ weight: 14, arbitrary: whole }, { weight: 5, arbitrary: hurt }, ...lacking)
}

/** Generates a query that may be invalid: with a wrong value or a duplicate name, or without a required parameter. */
function queryOf(row: string, endpoint: Endpoint): fc.Arbitrary<Drawn> {
  const schema: Schema = endpoint.query
  const properties = Object.entries(schema.properties ?? {})
  const required = new Set(schema.required ?? [])
  const whole = fc
    .tuple(
      ...properties.map(([name, property]) => {
        const value = named(row, name, property).map((drawn) => [name, drawn] as const)
        return required.has(name) ? value : fc.option(value, { nil: undefined, freq: 1 })
      }),
    )
    .map((fields) => ({ fields: fields.filter((field) => field !== undefined) as Fields, broken: false }))
  const worse = properties.flatMap(([name, property]) => brokenQuery(property).map((text) => [name, text] as const))
  const twice = properties.map(([name]) => name)
  const hurt =
    worse.length === 0
      ? []
      : [
          fc.tuple(whole, fc.constantFrom(...worse)).map(([{ fields }, broken]) => ({
            fields: [...fields.filter(([name]) => name !== broken[0]), broken],
            broken: true,
          })),
        ]
  const repeated =
    twice.length === 0
      ? []
      : [
          fc.tuple(whole, fc.constantFrom(...twice)).map(([{ fields }, name]) => ({
            fields: [...fields.filter((field) => field[0] !== name), [name, '1'], [name, '1']] as Fields,
            broken: true,
          })),
        ]
  const lacking = [...required].map((name) =>
    whole.map(({ fields }) => ({ fields: fields.filter((field) => field[0] !== name), broken: true })),
  )
  return fc.oneof({ weight: 14, arbitrary: whole }, ...hurt, ...repeated, ...lacking)
}

function brokenQuery({ type, reads, enum: words, minimum = 0 }: Schema): string[] {
  if (type === 'integer')
    return ['', 'x', '1.5', ' 1', '1e3', '0x10', '9007199254740992', ...(minimum > 0 ? ['0', '-1'] : [])]
  if (reads === 'flag') return ['maybe', '2', 'null', '[]']
  return words ? ['other', 'PENDING', '[]'] : []
}

const extras = fc.dictionary(
  fc.constantFrom('created', 'Name', '__proto__', 'constructor', 'toString', 'ünï', ''),
  fc.constantFrom<unknown>(1, 'x', null, [], {}),
  { maxKeys: 2 },
)
const headers = fc.oneof(
  { weight: 12, arbitrary: fc.constant({ sent: {}, broken: false }) },
  { weight: 1, arbitrary: fc.nat(30).map((key) => ({ sent: { 'Idempotency-Key': `k${key}` }, broken: false })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('1', 'TRUE').map((word) => ({ sent: { 'X-SVC-Dry-Run': word }, broken: false })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom<Record<string, string>>(
        { 'X-SVC-Dry-Run': 'maybe' },
        { 'Idempotency-Key': 'two words' },
        { 'Idempotency-Key': 'x'.repeat(256) },
      )
      .map((sent) => ({ sent, broken: true })),
  },
)
const noJson = fc.constantFrom(
  '',
  '{',
  '[]',
  'null',
  '1',
  '"x"',
  '{"a":1,"a":2}',
  '{"a":1e400}',
  '{"a":"\\u0000"}',
  '{"a":"\\ud800"}',
  '\ufeff{}',
  '{"a":NaN}',
  "{'a':1}",
  '{"a":1}}',
  `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`,
)

/** Generates any request to one route of the contract. */
function callOf(row: string, endpoint: Endpoint): fc.Arbitrary<FuzzCall> {
  const bodySchema: Schema | undefined = endpoint.body ?? undefined
  const body = bodySchema ? fieldsOf(row, bodySchema) : fc.constant(undefined)
  const raw = bodySchema ? fc.oneof({ weight: 30, arbitrary: fc.constant(undefined) }, noJson) : fc.constant(undefined)
  const slot =
    row === 'POST /reservations/add/' || row === 'POST /reservations/edit/'
      ? fc.option(fc.nat(1000), { freq: 2, nil: undefined })
      : fc.constant(undefined)
  return fc
    .tuple(
      queryOf(row, endpoint),
      body,
      raw,
      slot,
      extras,
      row.startsWith('POST') ? headers : fc.constant({ sent: {}, broken: false }),
    )
    .map(([query, drawn, rawBody, nth, more, { sent, broken }]) => {
      const whole = drawn && nth !== undefined && !drawn.broken ? withSlot(drawn.fields, nth) : drawn?.fields
      const wrong = query.broken || broken || drawn?.broken === true || rawBody !== undefined
      return {
        row,
        query: query.fields,
        // Of two entries with the same name the last wins, so the fields of the route follow the extra ones.
        body: whole && Object.fromEntries([...Object.entries(more), ...whole]),
        raw: rawBody,
        headers: sent,
        expectation: wrong ? 'broken' : decidedByMore.has(row) ? 'either' : 'fits',
      }
    })
}

/** Replaces the fields of a slot in a body by references to one slot that availability has listed. */
function withSlot(fields: Fields, nth: number): Fields {
  const own = fields.filter(([name]) => !slotFields.some((field) => field === name))
  return [...own, ...slotFields.map((field) => [field, new Ref('slot', nth, field)] as const)]
}

/** Generates any request to any route of the contract; requests that create objects come more often. */
export const anyCall: fc.Arbitrary<FuzzCall> = fc.oneof(
  ...Object.entries(rows).map(([row, endpoint]) => ({
    weight: row === 'POST /reservations/add/' ? 4 : row.endsWith('/add/') ? 2 : 1,
    arbitrary: callOf(row, endpoint),
  })),
)
