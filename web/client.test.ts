import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestHttpServer, type TestHttpServer } from '../test/support/test-http-server.ts'
import { ApiError, createClient } from './client.ts'

let server: TestHttpServer
before(async () => {
  server = await startTestHttpServer()
})
after(() => server.close())

const client = () => createClient({ root: `${server.url}/api/v1`, token: 'writer' })

test('the client sends a body as the contract declares it', async () => {
  const body = { serviceId: 's', customerId: 'c', providerId: 3, availabilityId: 'a', start: 1, end: 2 }
  const { id } = await client()('POST /reservations/add/', { body }, { 'Idempotency-Key': 'k' })
  assert.equal(id, 'r_1')
  assert.deepEqual(server.writes.at(-1)?.body, body)
  assert.equal(server.writes.at(-1)?.context.idempotency?.key, 'k')
})

test('the client serialises booleans and lists as the query requires', async () => {
  const { response } = await client()('GET /providers/get/', { query: { page: 2, per_page: 2 } })
  assert.deepEqual(
    response.map(({ id }) => id),
    [3, 4],
  )
  await client()('POST /customers/add/', { query: { createUser: true }, body: { name: 'Jo', email: 'jo@example.com' } })
  assert.deepEqual(server.writes.at(-1)?.query, { createUser: true })
})

test("the client throws the service's refusal", async () => {
  const refused = client()('POST /reservations/edit/', { body: { id: 'r', start: 0.5 } })
  await assert.rejects(refused, (error) => {
    assert.ok(error instanceof ApiError)
    assert.equal(error.status, 400)
    assert.match(error.message, /start/)
    return true
  })
})
