import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import {
  refusalOutcome,
  startTestHttpServer,
  type TestHttpServer,
  type TestHttpServerOptions,
} from '../../../test/support/test-http-server.ts'
import { refusals } from '../../contract/errors.ts'
import type { Outcome } from '../../db/perform/app.ts'
import { message } from '../../messages/message.ts'
import { Refusal, type RefusalCode } from '../../messages/refusal.ts'

async function withTestServer(
  options: TestHttpServerOptions,
  use: (server: TestHttpServer) => Promise<void>,
): Promise<void> {
  const server = await startTestHttpServer(options)
  try {
    await use(server)
  } finally {
    await server.close()
  }
}

type Row = { id: number; name: string; email: string }

function listing(rows: () => AsyncIterable<readonly Row[]>): TestHttpServerOptions {
  return { handlers: { 'GET /providers/get/': () => ({ rows: rows() }) } }
}

async function* chunks(count: number, size: number, made: (chunk: number) => void = () => {}) {
  for (let chunk = 0; chunk < count; chunk++) {
    made(chunk)
    yield Array.from({ length: size }, (_, at) => ({ id: chunk * size + at + 1, name: 'N'.repeat(100), email: 'e' }))
  }
}

test('a short streamed list is sent with its length', () =>
  withTestServer(
    listing(() => chunks(2, 3)),
    async (server) => {
      const { body, headers } = await server.call('/providers/get/')
      assert.deepEqual(
        body.response.map(({ id }: Row) => id),
        [1, 2, 3, 4, 5, 6],
      )
      assert.ok(headers.has('content-length'))
    },
  ))

test('an empty streamed list is an empty list', () =>
  withTestServer(
    listing(() => chunks(0, 0)),
    async (server) => assert.equal((await server.call('/providers/get/')).text, '{"status":"OK","response":[]}'),
  ))

test('a long list is streamed in order and valid to the end', () =>
  withTestServer(
    listing(() => chunks(200, 200)),
    async (server) => {
      const { body, headers } = await server.call('/providers/get/')
      assert.equal(headers.has('content-length'), false)
      assert.equal(body.response.length, 40_000)
      assert.ok(body.response.every(({ id }: Row, at: number) => id === at + 1))
    },
  ))

/** Sends a request and returns the response without reading its body. */
async function unread(server: TestHttpServer, path: string): Promise<IncomingMessage> {
  const request = get(`${server.url}/api/v1${path}`, { headers: { Authorization: 'Bearer reader' } })
  const [response] = await once(request, 'response')
  return response
}

test('a list is read no faster than its client consumes it, and reading stops when the client disconnects', async () => {
  let made = 0
  let ended = () => {}
  const end = new Promise<void>((resolve) => {
    ended = resolve
  })
  async function* rows() {
    try {
      yield* chunks(5000, 200, (chunk) => {
        made = chunk
      })
    } finally {
      ended()
    }
  }
  await withTestServer(listing(rows), async (server) => {
    const response = await unread(server, '/providers/get/')
    // Another request is answered while the first response waits for its client to read.
    await server.call('/auth/verify/')
    response.destroy()
    await end
    assert.ok(made < 4000, `read ${made} of 5000 chunks`)
    assert.deepEqual(
      server.logged.filter(({ level }) => level === 'error'),
      [],
    )
  })
})

test('a list that fails midway is cut off, and never ended like a complete one', async () => {
  async function* rows() {
    yield* chunks(20, 200)
    throw new Error('disk')
  }
  await withTestServer(listing(rows), async (server) => {
    await assert.rejects(server.call('/providers/get/'))
    assert.equal(server.logged.filter(({ level }) => level === 'error').length, 1)
    assert.equal((await server.call('/auth/verify/')).status, 200)
  })
})

test('a list that fails before its first byte is a 500', async () => {
  async function* rows() {
    yield* chunks(1, 1)
    throw new Error('disk')
  }
  await withTestServer(listing(rows), async (server) =>
    assert.equal((await server.call('/providers/get/')).status, 500),
  )
})

test('a page has the totals of the list, and its links preserve the other parameters', () =>
  withTestServer({}, async (server) => {
    const page = async (query: string) => {
      const { headers, body } = await server.call(`/providers/get/?${query}`)
      const links = [...(headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)]
      const totals = [headers.get('x-wp-total'), headers.get('x-wp-totalpages')]
      const ids = body.response.map(({ id }: Row) => id)
      return { totals, ids, links: Object.fromEntries(links.map(([, url, relation]) => [relation, url])) }
    }
    const at = (number: number) => `/api/v1/providers/get/?x=%C3%A9&page=${number}&per_page=2`
    assert.deepEqual(await page('x=é&page=2&per_page=2'), {
      totals: ['5', '3'],
      ids: [3, 4],
      links: { first: at(1), prev: at(1), next: at(3), last: at(3) },
    })
    assert.deepEqual((await page('x=é&page=9&per_page=2')).links, { first: at(1), prev: at(3), last: at(3) })
    assert.deepEqual((await page('page=1')).totals, ['5', '1'])
    assert.deepEqual((await page('per_page=4')).ids, [1, 2, 3, 4])
    assert.deepEqual(await page(''), { totals: [null, null], ids: [1, 2, 3, 4, 5], links: {} })
  }))

test('a handler may return one page without loading the complete list', () =>
  withTestServer(
    {
      handlers: {
        'GET /customers/get/': ({ paging }) => {
          assert.deepEqual(paging, { page: 3, perPage: 10, limit: 10, offset: 20 })
          return { page: [], total: 21 }
        },
      },
    },
    async (server) => {
      const { headers } = await server.call('/customers/get/?page=3&per_page=10')
      assert.equal(headers.get('x-wp-total'), '21')
      assert.equal(headers.get('x-wp-totalpages'), '3')
    },
  ))

test('serialised bytes are sent unchanged', () =>
  withTestServer(
    {
      handlers: {
        'GET /services/get/': () => ({ bytes: new TextEncoder().encode('{"status":"OK","response":[]}') }),
        'GET /availability/get/': () => ({ bytes: '{"status":"OK","response":[1]}' }),
      },
    },
    async (server) => {
      assert.deepEqual((await server.call('/services/get/')).body, { status: 'OK', response: [] })
      assert.equal((await server.call('/availability/get/?min_timestamp=1&max_timestamp=2')).body.response[0], 1)
    },
  ))

test('a creation is answered with the new id, an edit with the status alone', () =>
  withTestServer({}, async (server) => {
    const customer = await server.call('/customers/add/', { json: { name: 'Jo', email: 'jo@example.com' } })
    assert.equal(customer.status, 201)
    assert.equal(customer.text, '{"status":"OK","id":"r_1"}')
    const service = await server.call('/services/add/', { json: { name: 'Cut' } })
    assert.deepEqual([service.status, service.text], [200, '{"status":"OK","id":"r_1"}'])
    assert.equal((await server.call('/services/edit/', { json: { id: 's' } })).text, '{"status":"OK"}')
  }))

const said = (text: string) => message('verbatim', { text })
const codes = Object.keys(refusals).filter((code): code is RefusalCode => code in refusals)

for (const code of codes) {
  const { status, reason = code } = refusals[code]
  test(`a refusal ${code} is answered ${status} with the reason ${reason}`, () =>
    withTestServer(
      { perform: () => refusalOutcome(new Refusal({ code, message: said('No.'), details: { start: said('Why.') } })) },
      async (server) => {
        const answer = await server.call('/services/edit/', { json: { id: 's' } })
        assert.equal(answer.status, status)
        const envelope = { status: 'KO', code: status, error: 'No.', reason, details: { start: 'Why.' } }
        assert.equal(answer.text, JSON.stringify(envelope))
        const { requestId, ...rest } = server.logged.at(-1)?.fields ?? {}
        const address = [401, 403, 429].includes(status) ? { address: '127.0.0.1' } : {}
        assert.deepEqual(rest, { route: 'POST /services/edit/', code, tokenId: 't_writer', ...address })
        assert.equal(typeof requestId, 'string')
      },
    ))
}

const faults: readonly [string, TestHttpServerOptions, number][] = [
  ['that says unavailable', { perform: () => faulty('unavailable') }, 503],
  ['of its own', { perform: () => faulty('internal') }, 500],
  ['of a read', { handlers: { 'GET /customers/get/': () => Promise.reject(new Error('secret detail')) } }, 500],
  ['of a read while storage is away', { handlers: { 'GET /customers/get/': () => away() } }, 503],
]

function faulty(fault: 'unavailable' | 'internal'): Outcome<never> {
  return { fault, message: 'secret detail' }
}

function away(): never {
  throw new Error('database is locked')
}

for (const [what, options, status] of faults) {
  test(`${what} is answered ${status} and logged once`, () =>
    withTestServer(options, async (server) => {
      const answer = options.perform
        ? await server.call('/services/edit/', { json: { id: 's' } })
        : await server.call('/customers/get/')
      assert.equal(answer.status, status)
      assert.deepEqual(Object.keys(answer.body), ['code', 'message', 'data'])
      assert.deepEqual(Object.keys(answer.body.data), ['status', 'requestId'])
      assert.doesNotMatch(answer.text, /secret|locked/)
      assert.equal(answer.headers.get('retry-after'), status === 503 ? '1' : null)
      const errors = server.logged.filter(({ level }) => level === 'error')
      assert.deepEqual(
        errors.map(({ fields }) => fields.requestId),
        [answer.body.data.requestId],
      )
    }))
}

test('a success is not logged', () =>
  withTestServer({}, async (server) => {
    await server.call('/auth/verify/')
    await server.call('/services/edit/', { json: { id: 's' } })
    assert.deepEqual(server.logged, [])
  }))
