import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { panelSettings } from '../src/catalogue/services/service-settings.ts'
import { openApi } from '../src/contract/openapi.ts'
import { panelApi } from '../src/contract/panel-api.ts'
import { publicApi } from '../src/contract/public-api.ts'

// The rows of the API specification, typed by hand: route, scope, query parameters, fields of the body (null without a
// body) and status of a success. `name! type` marks a required field. A change of the contract fails here.
const specified = [
  ['GET /auth/verify/', 'read', '', null, 200],
  [
    'GET /availability/get/',
    'read',
    'min_timestamp! int64, max_timestamp! int64, services string, providers string',
    null,
    200,
  ],
  ['GET /services/get/', 'read', 'full boolean', null, 200],
  ['GET /providers/get/', 'read', '', null, 200],
  ['GET /customers/get/', 'read', '', null, 200],
  [
    'GET /reservations/get/',
    'read',
    'full boolean, past boolean, customers string, services string, providers string, status pending|confirmed|cancelled',
    null,
    200,
  ],
  [
    'POST /reservations/add/',
    'write',
    '',
    'serviceId! string, customerId! string, providerId! integer|string, availabilityId! string, start! int64, end! int64, data object',
    200,
  ],
  [
    'POST /reservations/edit/',
    'write',
    '',
    'id! string, serviceId string, customerId string, providerId integer|string, start int64, end int64, status pending|confirmed|cancelled, data object',
    200,
  ],
  ['POST /reservations/remove/', 'write', 'id! string', null, 200],
  [
    'POST /customers/add/',
    'write',
    'createUser boolean',
    'name! string, email! email, phone string, hostUserId integer, timezone string|null, language string',
    201,
  ],
  [
    'POST /customers/edit/',
    'write',
    '',
    'id! string, name string, email email, phone string, hostUserId integer, status integer, timezone string|null',
    200,
  ],
  ['POST /customers/remove/', 'write', 'id! string', null, 200],
  ['POST /services/add/', 'write', '', 'name! string, description string, class appointment, color string|null', 200],
  ['POST /services/edit/', 'write', '', 'id! string, data object', 200],
  ['POST /services/remove/', 'write', 'id! string', null, 200],
  ['POST /providers/edit/', 'write', '', 'id! integer|string, allowedServices string[], restrictServices boolean', 200],
  ['POST /providers/edit/service/', 'write', 'serviceId! string, providerId! integer|string', 'object', 200],
] as const

/**
 * The fields of each route's successful response: those of the objects in `response` or, where there is none, those
 * next to `status`. `name?` marks an optional field.
 */
const shown = {
  'GET /auth/verify/': 'name scopes siteUrl',
  'GET /availability/get/':
    'availabilityId serviceId providerId start end bookable routingMode eligibleProviderIds reservationsCount overrides',
  'GET /services/get/': 'id name description class color data?',
  'GET /providers/get/': 'id name email',
  'GET /customers/get/': 'id name email phone host_user timezone language',
  'GET /reservations/get/': 'id serviceId customerId providerId availabilityId start end status data?',
  'POST /reservations/add/': 'id',
  'POST /customers/add/': 'id',
  'POST /services/add/': 'id',
} as const

const rows = Object.entries(publicApi)
type Shape = Readonly<Record<string, unknown>>

test('the documentation lists every setting of a service that only the panel may change', () => {
  const text = readFileSync('docs/contract.md', 'utf8')
  const [, list = ''] = /set the service's own\.(.*?)are set elsewhere/s.exec(text) ?? []
  const documented = [...list.matchAll(/`(\w+)`/g)].map(([, key]) => key)
  assert.deepEqual(documented.toSorted(), [...panelSettings].toSorted())
})

test('the contract has the rows of the specification in order, then our additions', () => {
  const additions = rows.filter(([, row]) => 'addition' in row).map(([key]) => key)
  assert.deepEqual(additions, ['GET /availability/explain/', 'GET /events/get/'])
  assert.deepEqual(
    rows.map(([key]) => key),
    [...specified.map(([key]) => key), ...additions],
  )
})

for (const [key, scope, query, body, ok] of specified) {
  const row = publicApi[key]

  test(`${key} accepts the parameters of the specification`, () => {
    assert.equal(row.scope, scope)
    assert.equal(row.ok, ok)
    assert.equal(listed(row.query), query)
    assert.equal(row.body && (body === 'object' ? shape(row.body).type : listed(row.body)), body)
  })

  test(`${key} is described in OpenAPI as served`, () => {
    const [method = '', path = ''] = key.split(' ')
    const operation = at(openApi(publicApi, '/api/v1'), 'paths', path, method.toLowerCase())
    const parameters = operation.parameters
    assert.ok(Array.isArray(parameters))
    const own = parameters.filter((parameter) => parameter.in === 'query' && !parameter['x-addition'])
    assert.equal(own.map(({ name, required }) => `${name}${required ? '!' : ''}`).join(', '), names(query))
    assert.equal(operation['x-scope'], scope)
    assert.equal('requestBody' in operation, body !== null)
    assert.ok(String(ok) in shape(operation.responses))
    if (body !== null && body !== 'object') {
      const schema = at(operation, 'requestBody', 'content', 'application/json', 'schema')
      const fields = Object.entries(shape(schema.properties)).filter(([, field]) => !shape(field)['x-addition'])
      assert.deepEqual(fields.map(([name]) => name).join(', '), names(body).replaceAll('!', ''))
      assert.deepEqual(
        schema.required,
        names(body)
          .split(', ')
          .flatMap((name) => name.match(/^(.*)!$/)?.[1] ?? []),
      )
    }
  })

  test(`${key} documents the failures of the specification, and marks ours`, () => {
    const [method = '', path = ''] = key.split(' ')
    const responses = shape(at(openApi(publicApi, '/api/v1'), 'paths', path, method.toLowerCase()).responses)
    const unmarked = Object.keys(responses).filter((status) => !shape(responses[status])['x-addition'])
    assert.deepEqual(unmarked.map(Number), [ok, ...failures(key)])
  })
}

for (const [key, fields] of Object.entries(shown)) {
  test(`${key} returns the fields of the specification`, () => {
    const row = rows.find(([name]) => name === key)?.[1]
    const { properties, required } = shape(row?.returns)
    const own = Object.entries(shape(properties)).filter(([, field]) => !shape(field).addition)
    assert.ok(Array.isArray(required))
    assert.equal(own.map(([name]) => (required.includes(name) ? name : `${name}?`)).join(' '), fields)
  })
}

test('every reference in the OpenAPI document resolves', () => {
  const document = openApi(publicApi, '/api/v1')
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path)
  assert.ok(references.length > 50)
  for (const path of new Set(references)) assert.ok(Object.keys(at(document, ...path.split('/'))).length > 0, path)
})

test('the OpenAPI document describes both ways to send a token, and marks our additions', () => {
  const document = openApi(publicApi, '/api/v1')
  assert.deepEqual(document.security, [{ bearer: [] }, { apiKey: [] }])
  assert.equal(at(document, 'components', 'securitySchemes', 'apiKey').name, 'X-SVC-API-Key')
  assert.equal(at(document, 'paths', '/events/get/', 'get')['x-addition'], true)
  assert.ok(!JSON.stringify(document).includes('"reads"'))
})

/** Returns the statuses with which a route may fail, according to the specification. */
function failures(key: string): number[] {
  if (key.startsWith('GET')) return [401]
  if (key.endsWith('/remove/')) return [401, 403, 404]
  return key === 'POST /services/add/' ? [400, 401, 403] : [400, 401, 403, 404]
}

/**
 * Formats the fields of a schema like the entries of `specified`, such as `id! string, data object`; omits fields that
 * Daybook adds to the API specification.
 */
function listed(schema: object): string {
  const { properties, required } = shape(schema)
  const needed = Array.isArray(required) ? required : []
  return Object.entries(shape(properties))
    .filter(([, field]) => !shape(field).addition)
    .map(([name, field]) => `${name}${needed.includes(name) ? '!' : ''} ${typeOf(shape(field))}`)
    .join(', ')
}

function typeOf(field: Shape): string {
  if (field.reads === 'flag') return 'boolean'
  if (Array.isArray(field.anyOf)) return field.anyOf.map((branch) => typeOf(shape(branch))).join('|')
  if (field.const !== undefined) return String(field.const)
  if (Array.isArray(field.enum) && field.type === 'string') return field.enum.join('|')
  if (field.type === 'array') return `${typeOf(shape(field.items))}[]`
  if (field.format === 'int64' || field.format === 'email') return field.format
  return String(field.type)
}

/** Removes the types from a list of fields: `id! string, data object` becomes `id!, data`. */
function names(list: string): string {
  return list
    .split(', ')
    .map((entry) => entry.split(' ')[0])
    .join(', ')
}

function at(from: unknown, ...path: readonly string[]): Shape {
  return path.reduce<Shape>((level, key) => shape(level[key]), shape(from))
}

function shape(value: unknown): Shape {
  assert.ok(typeof value === 'object' && value !== null, 'is an object')
  return { ...value }
}

test('a response with a secret is not stored under an idempotency key', () => {
  const secrets = /"(?:secret|code|url|link|recoveryCodes)":/
  const stored = Object.entries(panelApi)
    .filter(([row, { returns }]) => row.startsWith('POST ') && secrets.test(JSON.stringify(returns)))
    .filter(([, endpoint]) => !('once' in endpoint))
  assert.deepEqual(
    stored.map(([row]) => row),
    [],
  )
})
