import assert from 'node:assert/strict'
import { Compile, type Validator } from 'typebox/schema'
import { openApi } from '../../src/contract/openapi.ts'
import { publicApi } from '../../src/contract/public-api.ts'
import type { Expectation } from './calls.ts'

/** The status, content type and body of one response. */
export interface FuzzResponse {
  readonly status: number
  readonly type: string | undefined
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
}

type Json = Readonly<Record<string, unknown>>

const document: Json = JSON.parse(JSON.stringify(openApi(publicApi, '/api/v1')))
const validators = new Map<string, Validator>()
const formFaults = new Set(['invalid_json', 'invalid_parameter', 'missing_parameter', 'body_too_large'])

/**
 * Fails unless the OpenAPI document declares the status, content type and body of the response for the route; a
 * status of 500 or more always fails.
 */
export function assertDocumented(row: string, answer: FuzzResponse): void {
  assert.ok(answer.status < 500, 'is a fault of the server')
  const documented = responseOf(row, answer.status)
  assert.ok(documented, `has a status that the document does not have: ${answer.status}`)
  const [type = ''] = (answer.type ?? '').split(';')
  const schema = at(documented, 'content', type, 'schema')
  assert.ok(schema, `has a content type that the document does not have: ${answer.type}`)
  const key = `${row} ${answer.status}`
  const validator = validators.get(key) ?? Compile(resolved(schema))
  validators.set(key, validator)
  if (validator.Check(answer.body)) return
  assert.fail(`has a body of another shape: ${JSON.stringify(validator.Errors(answer.body)[1])}`)
}

/**
 * Fails unless a request that the schema forbids is refused with 4xx, and a request that the schema allows is not
 * refused as malformed with 400.
 */
export function assertExpected(expectation: Expectation, answer: FuzzResponse): void {
  if (expectation === 'broken')
    assert.ok(answer.status >= 400 && answer.status < 500, 'accepts what the schema forbids')
  if (expectation !== 'fits' || answer.status !== 400) return
  assert.ok(!formFaults.has(String(answer.body.reason)), 'refuses the form of what the schema allows')
  assert.ok(!String(answer.body.code).startsWith('rest_'), 'refuses the form of what the schema allows')
}

function responseOf(row: string, status: number): Json | undefined {
  const [method = '', path = ''] = row.split(' ')
  return at(document, 'paths', path, method.toLowerCase(), 'responses', String(status))
}

function at(value: unknown, ...path: readonly string[]): Json | undefined {
  let found: unknown = value
  for (const name of path) found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined
  return isObject(found) ? found : undefined
}

/**
 * Returns a JSON schema with its references resolved and undeclared fields forbidden; the keyword `format` is removed,
 * because it is only an annotation.
 */
function resolved(schema: Json): Json {
  if (typeof schema.$ref === 'string') return resolved(at(document, ...schema.$ref.split('/').slice(1)) ?? {})
  const entries = Object.entries(schema).filter(([key]) => key !== 'format')
  const inner = entries.map(([key, value]) => [key, key === 'properties' ? eachOf(value) : within(value)] as const)
  const closed =
    schema.type === 'object' && schema.properties !== undefined && schema.additionalProperties === undefined
  return { ...Object.fromEntries(inner), ...(closed && { additionalProperties: false }) }
}

function eachOf(properties: unknown): Json {
  const entries = isObject(properties) ? Object.entries(properties) : []
  return Object.fromEntries(entries.map(([name, schema]) => [name, within(schema)]))
}

function within(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(within)
  return isObject(value) ? resolved(value) : value
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
