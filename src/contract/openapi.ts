import type { TSchema } from 'typebox'
import type { PublicContract, PublicEndpoint } from './endpoint.ts'
import * as resources from './resources.ts'
import { webhookSection } from './webhook-payload.ts'

type Json = Readonly<Record<string, unknown>>

const named: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [resources.tokenView, 'Token'],
  [resources.slot, 'AvailabilitySlot'],
  [resources.service, 'Service'],
  [resources.provider, 'Provider'],
  [resources.customer, 'Customer'],
  [resources.reservation, 'Reservation'],
  [resources.verdict, 'Verdict'],
  [resources.loggedEvent, 'Event'],
])

const errorEnvelope = {
  type: 'object',
  description: 'A failure of the application',
  required: ['status', 'code', 'error', 'reason'],
  properties: {
    status: { type: 'string', const: 'KO' },
    code: { type: 'integer', description: 'The HTTP status' },
    error: { type: 'string', description: 'What is wrong and what to do' },
    reason: { type: 'string', description: 'A slug for programs' },
    details: { type: 'object', description: 'Field to sentence', additionalProperties: { type: 'string' } },
  },
}

const wpRestError = {
  type: 'object',
  description: 'A failure of the platform around the application',
  required: ['code', 'message', 'data'],
  properties: {
    code: { type: 'string' },
    message: { type: 'string' },
    data: {
      type: 'object',
      required: ['status'],
      properties: { status: { type: 'integer' } },
      additionalProperties: true,
    },
  },
}

const header = (description: string, schema: Json): Json => ({ description, schema })

const headers: Readonly<Record<string, Json>> = {
  'WWW-Authenticate': header('How to authenticate', { type: 'string', const: 'Bearer' }),
  'Retry-After': header('Seconds to wait', { type: 'integer' }),
  RateLimit: header('What is left for this token, when it has a limit', { type: 'string' }),
  'RateLimit-Policy': header('The limit of this token, when it has one', { type: 'string' }),
  'X-WP-Total': header('Items in the whole list, when a page was asked for', { type: 'integer' }),
  'X-WP-TotalPages': header('Pages in the whole list, when a page was asked for', { type: 'integer' }),
  Link: header('First, previous, next and last page, when a page was asked for', { type: 'string' }),
  ETag: header('Names what was answered; absent where it is made anew each time', { type: 'string' }),
  'X-SVC-Ignored-Fields': header('Fields of the body that were not taken', { type: 'string' }),
  'X-SVC-Dry-Run': header('1 when nothing was kept', { type: 'string' }),
  'Idempotency-Replayed': header('true when this is the first answer again', { type: 'string' }),
}

/**
 * The header parameters that every POST accepts in addition to those of the API specification that Daybook implements.
 */
const writeHeaders = [
  {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'The first answer to a key is kept 24 hours and given again',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    'x-addition': true,
  },
  {
    name: 'X-SVC-Dry-Run',
    in: 'header',
    description: '1 for the full verdict with nothing kept',
    schema: { type: 'string', enum: ['1', 'true', '0', 'false'] },
    'x-addition': true,
  },
]

/** Returns the contract of the public API as an OpenAPI 3.1 document; `root` is the root URL of the API. */
export function openApi(contract: PublicContract, root: string): Json {
  const paths = new Map<string, Record<string, Json>>()
  for (const [key, endpoint] of Object.entries(contract)) {
    const [method = '', path = ''] = key.split(' ')
    paths.set(path, { ...paths.get(path), [method.toLowerCase()]: operation(method, path, endpoint) })
  }
  const schemas = [...named].map(([schema, name]) => [name, described(schema, false)] as const)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Daybook',
      version: '1',
      description: 'Appointment booking. `x-addition` marks what we add.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: root }],
    security: [{ bearer: [] }, { apiKey: [] }],
    paths: Object.fromEntries(paths),
    webhooks: webhookSection(),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API token' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-SVC-API-Key', description: 'An API token' },
      },
      schemas: { ...Object.fromEntries(schemas), ErrorEnvelope: errorEnvelope, WpRestError: wpRestError },
      headers,
    },
  }
}

function operation(method: string, path: string, endpoint: PublicEndpoint): Json {
  const body = endpoint.body && {
    requestBody: { required: true, content: { 'application/json': { schema: withAliases(endpoint, endpoint.body) } } },
  }
  return {
    operationId: operationId(method, path),
    summary: endpoint.summary,
    parameters: [...queryParameters(endpoint), ...(method === 'POST' ? writeHeaders : [])],
    ...body,
    responses: responses(method, path, endpoint),
    'x-scope': endpoint.scope,
    ...(endpoint.addition && { 'x-addition': true }),
  }
}

/** Returns the operation id of a route: `POST /providers/edit/service/` becomes `postProvidersEditService`. */
function operationId(method: string, path: string): string {
  const words = path.split('/').filter((word) => word !== '')
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

function queryParameters({ query }: PublicEndpoint): Json[] {
  const required: readonly string[] = query.required ?? []
  return Object.entries(query.properties).map(([name, schema]) => {
    const { 'x-addition': addition, description, ...rest } = described(schema)
    return {
      name,
      in: 'query',
      required: required.includes(name),
      ...(description !== undefined && { description }),
      schema: rest,
      ...(addition === true && { 'x-addition': true }),
    }
  })
}

function withAliases({ aliases = {} }: PublicEndpoint, body: TSchema): Json {
  const schema = described(body)
  const properties: Readonly<Record<string, unknown>> = { ...schemaProperties(schema) }
  const more = Object.entries(aliases).map(([alias, name]) => [
    alias,
    { description: `Read as ${name}`, 'x-addition': true, type: 'integer' },
  ])
  return more.length === 0 ? schema : { ...schema, properties: { ...properties, ...Object.fromEntries(more) } }
}

function schemaProperties(schema: Json): object {
  return typeof schema.properties === 'object' && schema.properties !== null ? schema.properties : {}
}

function responses(method: string, path: string, endpoint: PublicEndpoint): Json {
  const rest = { $ref: '#/components/schemas/WpRestError' }
  const own = { $ref: '#/components/schemas/ErrorEnvelope' }
  const write = method === 'POST'
  const finds = write && path !== '/services/add/'
  const added = { 'x-addition': true }
  return {
    [endpoint.ok]: response('Success', success(endpoint), successHeaders(method, endpoint)),
    ...(endpoint.tagged && {
      304: {
        description: 'Still what the ETag in If-None-Match was sent with',
        headers: headersNamed(['ETag']),
        ...added,
      },
    }),
    400: {
      ...response('Invalid request or application rule failure', write ? own : rest),
      ...((!write || endpoint.namedInQuery) && added),
    },
    401: response('Missing or invalid API token', rest, ['WWW-Authenticate']),
    403: write
      ? response('Token lacks the scope, or the operation is forbidden', { anyOf: [own, rest] })
      : { ...response('Token lacks the scope', rest), ...added },
    ...(finds && { 404: response('Resource not found', own) }),
    ...(write && {
      409: { ...response('The first call with this Idempotency-Key still runs', own), ...added },
      ...(endpoint.body && { 413: { ...response('The body is larger than 256 KB', own), ...added } }),
      422: { ...response('This Idempotency-Key was used for another request', own), ...added },
    }),
    429: { ...response('Too many requests', rest, ['Retry-After', 'RateLimit', 'RateLimit-Policy']), ...added },
    500: { ...response('A fault of the service; says a request id and no more', rest), ...added },
    503: { ...response('Cannot be served now', rest, ['Retry-After']), ...added },
  }
}

function successHeaders(method: string, endpoint: PublicEndpoint): string[] {
  const limits = ['RateLimit', 'RateLimit-Policy']
  if (endpoint.tagged) return [...limits, 'X-WP-Total', 'X-WP-TotalPages', 'Link', 'ETag']
  if (endpoint.envelope === 'list') return [...limits, 'X-WP-Total', 'X-WP-TotalPages', 'Link']
  if (method === 'GET') return limits
  const body = endpoint.body ? ['X-SVC-Ignored-Fields'] : []
  return [...limits, ...body, 'X-SVC-Dry-Run', 'Idempotency-Replayed']
}

function response(description: string, schema: Json, names: readonly string[] = []): Json {
  return {
    description,
    ...(names.length > 0 && { headers: headersNamed(names) }),
    content: { 'application/json': { schema } },
  }
}

function headersNamed(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function success({ envelope, returns }: PublicEndpoint): Json {
  const status = { type: 'string', const: 'OK' }
  if (envelope === 'nothing') return { type: 'object', required: ['status'], properties: { status } }
  if (envelope === 'id') {
    return { type: 'object', required: ['status', 'id'], properties: { status, id: { type: 'string' } } }
  }
  const shown = envelope === 'list' ? { type: 'array', items: described(returns) } : described(returns)
  return { type: 'object', required: ['status', 'response'], properties: { status, response: shown } }
}

/** The schema keywords that only Daybook's own validator uses; the generated OpenAPI document omits them. */
const doorNotes = new Set(['reads', 'maxBytes', 'maxDepth'])

/** Returns a schema without the keywords of the service's own validator, and with references to named schemas. */
function described(schema: unknown, byName = true): Json {
  const name = byName ? named.get(schema) : undefined
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` }
  const entries = Object.entries(typeof schema === 'object' && schema !== null ? schema : {})
  return Object.fromEntries(
    entries
      .filter(([key]) => !doorNotes.has(key))
      .map(([key, value]) => (key === 'addition' ? ['x-addition', value] : [key, describedValue(key, value)])),
  )
}

function describedValue(key: string, value: unknown): unknown {
  if (key === 'properties' && typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, described(schema)]))
  }
  if (key === 'items') return described(value)
  if (key === 'anyOf' && Array.isArray(value)) return value.map((schema) => described(schema))
  return value
}
