import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestHttpServer, type TestHttpServer } from '../../../test/support/test-http-server.ts'
import type { PreparedList } from '../../contract/endpoint.ts'

const slot = `{"note":"${'Seat '.repeat(20)}"}`

/** Returns a list of `count` items that are serialised in pieces of ten, as the route for availability returns it. */
function listOf(count: number, tag: string | undefined): PreparedList {
  const pieces: Buffer[] = []
  for (let at = 0; at < count; at += 10) {
    const items = Array.from({ length: Math.min(10, count - at) }, () => slot).join(',')
    pieces.push(Buffer.from(at === 0 ? items : `,${items}`))
  }
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0)
  return { pieces, size, total: count, tag }
}

const lists: Readonly<Record<string, PreparedList>> = {
  short: listOf(3, 'a.1'),
  middle: listOf(100, 'a.2'),
  long: listOf(3_000, 'a.3'),
  untagged: listOf(100, undefined),
}

let server: TestHttpServer
before(async () => {
  server = await startTestHttpServer({
    handlers: { 'GET /availability/get/': ({ query }) => lists[query.services?.[0] ?? ''] ?? { all: [] } },
  })
})
after(() => server.close())

function ask(name: string, headers: Record<string, string> = {}, more = '') {
  const path = `/availability/get/?min_timestamp=1&max_timestamp=2&services=${name}${more}`
  return server.call(path, { headers: { 'Accept-Encoding': 'identity', ...headers } })
}

for (const [name, count] of [
  ['short', 3],
  ['middle', 100],
  ['long', 3_000],
  ['untagged', 100],
] as const)
  test(`a ${name} prepared list arrives complete, plain and compressed`, async () => {
    for (const encoding of ['identity', 'gzip, deflate, br']) {
      const { status, headers, text, body } = await ask(name, { 'Accept-Encoding': encoding })
      assert.equal(status, 200)
      assert.equal(body.response.length, count)
      const packed = encoding !== 'identity' && name !== 'short' && name !== 'untagged'
      assert.equal(headers.get('content-encoding'), packed ? 'gzip' : null)
      const length = Number(headers.get('content-length'))
      if (packed) assert.ok(length < text.length / 2, `${length} of ${text.length}`)
      else assert.equal(length, Buffer.byteLength(text))
    }
  })

test('a prepared list is cacheable by its client alone, and revalidated by its tag', async () => {
  const { headers } = await ask('middle')
  const tag = headers.get('etag') ?? ''
  assert.match(tag, /^W\/"[^"]+"$/)
  assert.equal(headers.get('cache-control'), 'private, no-cache')
  assert.equal(headers.get('vary'), 'Accept-Encoding')
  for (const known of [tag, `"other", ${tag}`, '*']) {
    const unchanged = await ask('middle', { 'If-None-Match': known })
    assert.equal(unchanged.status, 304, known)
    assert.equal(unchanged.text, '')
    assert.equal(unchanged.headers.get('etag'), tag)
  }
  assert.equal((await ask('long', { 'If-None-Match': tag })).status, 200)
})

test('a client that does not accept gzip receives plain text', async () => {
  for (const encoding of ['gzip;q=0', 'br', 'gzip; q=0.0, br']) {
    const { headers, body } = await ask('long', { 'Accept-Encoding': encoding })
    assert.equal(headers.get('content-encoding'), null, encoding)
    assert.equal(body.response.length, 3_000)
  }
})

test('a page of a prepared list has the totals of the complete list', async () => {
  const { headers } = await ask('middle', {}, '&page=2&per_page=10')
  assert.equal(headers.get('x-wp-total'), '100')
  assert.equal(headers.get('x-wp-totalpages'), '10')
  assert.match(headers.get('link') ?? '', /rel="next"/)
})

test('a response without a tag is not cacheable', async () => {
  const { headers } = await ask('untagged')
  assert.equal(headers.get('etag'), null)
  assert.equal(headers.get('cache-control'), 'no-store')
})
