import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { startTestHttpServer, type TestHttpServer } from '../../test/support/test-http-server.ts'
import { openApi } from '../contract/openapi.ts'
import { publicApi } from '../contract/public-api.ts'

let server: TestHttpServer
before(async () => {
  server = await startTestHttpServer()
})
after(() => server.close())

const runs = Number(process.env.DAYBOOK_TEST_CASES ?? 600)
const envelope = Type.Object(
  {
    status: Type.Literal('KO'),
    code: Type.Integer(),
    error: Type.String({ minLength: 5 }),
    reason: Type.String({ pattern: '^[a-z_]+$' }),
    details: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  { additionalProperties: false },
)
const restError = Type.Object(
  {
    code: Type.String({ pattern: '^rest_[a-z_]+$' }),
    message: Type.String({ minLength: 5 }),
    data: Type.Object({ status: Type.Integer() }),
  },
  { additionalProperties: false },
)

const fieldNames = [
  ...new Set(
    Object.values(publicApi).flatMap(({ query, body }) => [
      ...Object.keys(query.properties),
      ...Object.keys(body && 'properties' in body && body.properties ? body.properties : {}),
    ]),
  ),
]
const key = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...fieldNames, 'host_user') }, fc.string())
const scalar = fc.oneof(
  fc.constantFrom('a@b.de', 'true', '3', 'appointment', 'pending', 'Europe/Berlin', '#fff', '', 1, 3, 0, null, true),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.string({ unit: 'grapheme' }),
)
const field = fc.oneof({ weight: 4, arbitrary: scalar }, fc.jsonValue())
const text = fc.oneof(
  { weight: 8, arbitrary: fc.dictionary(key, field, { maxKeys: 12 }).map((value) => JSON.stringify(value)) },
  fc.json(),
  fc.string(),
)
const queryValue = fc.oneof(
  scalar.map(String),
  fc.string({ unit: 'binary' }).map((value) => value.toWellFormed()),
)
const query = fc.array(fc.tuple(key, queryValue), { maxLength: 6 })

test('any input is answered with a documented status and a body of the documented shape', async () => {
  const { paths } = JSON.parse(JSON.stringify(openApi(publicApi, '/api/v1')))
  const row = fc.constantFrom(...Object.keys(publicApi))
  const seen = new Set<number>()
  await fc.assert(
    fc.asyncProperty(row, query, text, async (name, parameters, body) => {
      const [method = '', path = ''] = name.split(' ')
      const url = `${path}?${new URLSearchParams(parameters.map(([one, value]) => [one.toWellFormed(), value]))}`
      const response = await server.call(url, { method, ...(method === 'POST' && { body }) })
      assert.ok(
        String(response.status) in paths[path][method.toLowerCase()].responses,
        `${response.status} ${response.text}`,
      )
      assert.ok(response.status < 500, response.text)
      if (response.status < 300) assert.equal(response.body.status, 'OK')
      else assert.ok(Check(method === 'GET' ? restError : envelope, response.body), response.text)
      seen.add(response.status)
    }),
    { numRuns: runs },
  )
  for (const status of [200, 400, 404]) assert.ok(seen.has(status), `status ${status} occurred`)
})
