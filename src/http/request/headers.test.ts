import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { refusalOutcome, startTestHttpServer, type TestHttpServer } from '../../../test/support/test-http-server.ts'
import { refusal } from '../../messages/refusal.ts'
import { ignoredFields } from './headers.ts'

let server: TestHttpServer
before(async () => {
  server = await startTestHttpServer({
    perform: ({ context, body }) => {
      if (JSON.stringify(body).includes('refuse')) return { ...refusalOutcome(refusal('slot_full')), replayed: true }
      return context.idempotency?.key === 'again' ? { ok: { id: 'r_1' }, replayed: true } : { ok: { id: 'r_1' } }
    },
  })
})
after(() => server.close())

const edit = (json: object, headers: Record<string, string> = {}, token = 'writer') =>
  server.call('/services/edit/', { json, headers, token })
const context = () => server.writes.at(-1)?.context

test('a write has the actor, the time and the id of its request', async () => {
  await edit({ id: 's' })
  const { requestId, ...rest } = context() ?? {}
  const actor = { kind: 'token', id: 't_writer' }
  assert.deepEqual(rest, { now: server.clock.now, actor, dryRun: false, idempotency: null })
  await edit({ id: 's' })
  assert.notEqual(context()?.requestId, requestId)
})

for (const [value, dryRun] of [
  ['1', true],
  ['true', true],
  ['TRUE', true],
  ['0', false],
  ['false', false],
] as const) {
  test(`X-SVC-Dry-Run: ${value} ${dryRun ? 'stores nothing' : 'writes'}`, async () => {
    const response = await edit({ id: 's' }, { 'X-SVC-Dry-Run': value })
    assert.equal(response.status, 200)
    assert.equal(context()?.dryRun, dryRun)
    assert.equal(response.headers.get('x-svc-dry-run'), dryRun ? '1' : null)
  })
}

test('an invalid X-SVC-Dry-Run is refused, so that a typo does not write', async () => {
  for (const value of ['yes', '2', '']) {
    const { status, body } = await edit({ id: 's' }, { 'X-SVC-Dry-Run': value })
    assert.equal(status, 400)
    assert.deepEqual(body.details, { 'X-SVC-Dry-Run': 'Must be 1 for a dry run, or 0.' })
  }
})

test('an Idempotency-Key is 1 to 255 visible ASCII characters', async () => {
  for (const key of ['a', '!~', 'k'.repeat(255)]) {
    assert.equal((await edit({ id: 's' }, { 'Idempotency-Key': key })).status, 200)
    assert.equal(context()?.idempotency?.key, key)
  }
  for (const key of ['', 'two words', 'é', 'k'.repeat(256)]) {
    const { status, body } = await edit({ id: 's' }, { 'Idempotency-Key': key })
    const sentence = 'Must be 1 to 255 visible ASCII characters, sent once.'
    assert.deepEqual([status, body.details], [400, { 'Idempotency-Key': sentence }])
  }
})

test('idempotency keys are scoped to token and route, and their hashes cover the request', async () => {
  const idempotencyOf = async (path: string, json: object, token = 'writer') => {
    await server.call(path, { json, token, headers: { 'Idempotency-Key': 'k' } })
    return context()?.idempotency
  }
  const first = await idempotencyOf('/services/edit/', { id: 's', data: { a: 1, b: 2 } })
  assert.equal(first?.scope, 't_writer POST /services/edit/')
  assert.match(first?.hash ?? '', /^[0-9a-f]{64}$/)
  assert.deepEqual(await idempotencyOf('/services/edit?x=1', { data: { b: 2, a: 1 }, id: 's' }), first)
  assert.notEqual((await idempotencyOf('/services/edit/', { id: 's', data: { a: 1, b: 3 } }))?.hash, first?.hash)
  assert.notEqual((await idempotencyOf('/services/edit/', { id: 's' }, 'slow'))?.scope, first?.scope)
  assert.notEqual((await idempotencyOf('/customers/edit/', { id: 's' }))?.scope, first?.scope)
})

test('a replayed response is marked, whether success or refusal', async () => {
  assert.equal((await edit({ id: 's' }, { 'Idempotency-Key': 'again' })).headers.get('idempotency-replayed'), 'true')
  const no = await edit({ id: 'refuse' }, { 'Idempotency-Key': 'again' })
  assert.deepEqual([no.status, no.headers.get('idempotency-replayed')], [403, 'true'])
  assert.equal((await edit({ id: 's' }, { 'Idempotency-Key': 'new' })).headers.get('idempotency-replayed'), null)
})

test('the names of ignored fields are encoded for a header', () => {
  assert.equal(ignoredFields([]), '')
  assert.equal(ignoredFields(['a', 'größe', 'two words']), 'a, gr%C3%B6%C3%9Fe, two%20words')
  const names = (count: number, last = '') => [...Array.from({ length: count }, () => 'x'.repeat(98)), last]
  assert.equal(ignoredFields(names(9, 'y'.repeat(100))).length, 1_000)
  const cut = `${names(9).slice(0, 9).join(', ')}, ...`
  assert.equal(ignoredFields(names(9, 'y'.repeat(101))), cut)
  assert.equal(ignoredFields(names(30)), `${names(10).slice(0, 10).join(', ')}, ...`)
  assert.equal(ignoredFields(['x'.repeat(1_001), 'y']), '...')
})
