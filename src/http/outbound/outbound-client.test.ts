import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, isIP, type LookupFunction } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { proved } from '../../../test/support/proof.ts'
import { parseNetworks } from './address.ts'
import { OutboundClient } from './outbound-client.ts'
import { OutboundError } from './outbound-error.ts'

const addresses = [
  ...[
    '127.0.0.1',
    '127.8.9.10',
    '0.0.0.0',
    '10.0.0.1',
    '10.255.255.254',
    '172.16.0.1',
    '172.31.255.254',
    '192.168.0.1',
  ],
  ...['192.168.255.254', '169.254.169.254', '169.254.0.1', '100.64.0.1', '100.100.100.200', '198.18.0.1', '192.0.0.1'],
  ...['192.0.2.1', '203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '168.63.129.16'],
]
const literals6 = [
  ...['::1', '::', '0:0:0:0:0:0:0:1', '0000:0000:0000:0000:0000:0000:0000:0001', '::0.0.0.1', 'fe80::1', 'fc00::1'],
  ...[
    'fd00:ec2::254',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '100::1',
    '64:ff9b:1::7f00:1',
    '2001::7f00:1',
    '2001:10::1',
  ],
]

/** Returns spellings of an IPv4 address, each of which some URL or address parser accepts. */
function spellings(address: string): string[] {
  const parts = address.split('.').map(Number)
  const [a = 0, b = 0, c = 0, d = 0] = parts
  const number = ((a * 256 + b) * 256 + c) * 256 + d
  const hex = (value: number) => value.toString(16)
  const mapped = `${hex(a * 256 + b)}:${hex(c * 256 + d)}`
  return [
    address,
    `${address}.`,
    String(number),
    `0x${hex(number)}`,
    `0${number.toString(8)}`,
    parts.map((part) => `0${part.toString(8)}`).join('.'),
    parts.map((part) => `0x${hex(part)}`).join('.'),
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    [...address].map((char) => `%${char.charCodeAt(0).toString(16)}`).join(''),
    address.replaceAll('.', '\u3002'),
    [...address].map((char) => (char === '.' ? char : String.fromCodePoint(0xff10 + Number(char)))).join(''),
    `[::ffff:${address}]`,
    `[::ffff:${mapped}]`,
    `[0:0:0:0:0:ffff:${mapped}]`,
    `[::${mapped}]`,
    `[64:ff9b::${mapped}]`,
    `[2002:${mapped}::1]`,
    `user:secret@${address}`,
  ]
}

/**
 * Resolves a name such as 1-2-3-4.test or fd00xx1.test ("x" stands for a colon) to the address in it, names joined by
 * "_" to all of their addresses, and any other name to 127.0.0.1.
 */
const lookup: LookupFunction = (hostname, _options, callback) => {
  const name = hostname.replace(/\.test\.?$/, '')
  const found = name
    .split('_')
    .map((one) => (isIP(one.replaceAll('x', ':')) ? one.replaceAll('x', ':') : one.replaceAll('-', '.')))
  const all = found.every((one) => isIP(one) !== 0) ? found : ['127.0.0.1']
  callback(
    null,
    all.map((address) => ({ address, family: isIP(address) })),
  )
}

describe('the outbound client', () => {
  let canary: Server
  let port: number
  let reached = 0
  let respond: (response: ServerResponse, path: string) => void
  before(async () => {
    canary = createServer((request, response) => respond(response, request.url ?? ''))
    canary.on('connection', () => (reached += 1))
    canary.listen(0, '::')
    await once(canary, 'listening')
    ;({ port } = canary.address() as AddressInfo)
  })
  after(() => {
    canary.closeAllConnections()
    canary.close()
  })

  // The time limit ends only a request that hangs, unless a test wants to see one exceeded.
  const ask = (client: OutboundClient, url: string, timeout = 60_000) =>
    client.send({ url, method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: 'x', timeout })
  const faultOf = async (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error) => (error instanceof OutboundError ? error.reason : String(error)),
    )

  test('no spelling of an address that is not public is reached', async (t) => {
    const client = new OutboundClient({ allowed: [], lookup })
    const hosts = [
      ...addresses.flatMap(spellings),
      ...literals6.map((literal) => `[${literal}]`),
      ...addresses.map((address) => `${address.replaceAll('.', '-')}.test`),
      ...addresses.map((address) => `93-184-216-34_${address.replaceAll('.', '-')}.test`),
      ...['localhost', 'LOCALHOST', 'localhost.', 'service.internal', 'metadata'],
    ]
    assert.ok(hosts.length >= 200, String(hosts.length))
    for (const host of hosts)
      for (const scheme of ['https', 'http']) {
        const fault = await faultOf(ask(client, `${scheme}://${host}:${port}/`))
        assert.ok(
          fault === 'address_not_public' || fault === 'url_invalid' || fault === 'not_https',
          `${host}: ${fault}`,
        )
      }
    assert.equal(reached, 0)
    proved(t, 'W5', { spellings: hosts.length, reached })
    await client.close()
  })

  test('other schemes, credentials in the URL and plain http are refused', async () => {
    const client = new OutboundClient({ allowed: [], lookup })
    for (const [url, reason] of [
      ['ftp://example.com/', 'url_invalid'],
      ['file:///etc/passwd', 'url_invalid'],
      ['https://a:b@example.com/', 'url_invalid'],
      ['example.com', 'url_invalid'],
      ['http://example.com/', 'not_https'],
    ] as const)
      assert.equal(await faultOf(ask(client, url)), reason, url)
    await client.close()
  })

  test('a name that is never resolved is looked up once for all requests at the same time', async () => {
    const lookups: string[] = []
    const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>()
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    const hanging: LookupFunction = (hostname, options, callback) => {
      lookups.push(hostname)
      if (!hostname.startsWith('silent')) return lookup(hostname, options, callback)
      asked()
      answered.then(() => callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), ''))
    }
    const client = new OutboundClient({ allowed: parseNetworks('127.0.0.0/8'), lookup: hanging })
    respond = (response) => response.end('hello')
    const silent = Array.from({ length: 8 }, () => faultOf(ask(client, `http://silent.test:${port}/`)))
    await isAsked
    assert.equal((await ask(client, `http://127-0-0-1.test:${port}/`)).status, 200)
    answer()
    assert.deepEqual(new Set(await Promise.all(silent)), new Set(['name_not_resolved']))
    assert.deepEqual(lookups.sort(), ['127-0-0-1.test', 'silent.test'])
    // The next request after the answer looks the name up again.
    assert.equal(await faultOf(ask(client, `http://silent.test:${port}/`)), 'name_not_resolved')
    assert.equal(lookups.length, 3)
    await client.close()
  })

  describe('with an allowed network', () => {
    let client: OutboundClient
    before(() => {
      client = new OutboundClient({ allowed: parseNetworks('127.0.0.0/8'), lookup })
    })
    after(() => client.close())

    test('reaches it over plain http, and other networks as little as before', async () => {
      respond = (response) => response.end('hello')
      const { status, body } = await ask(client, `http://127-0-0-1.test:${port}/hook`)
      assert.deepEqual([status, body], [200, 'hello'])
      assert.equal(await faultOf(ask(client, `http://[::1]:${port}/`)), 'address_not_public')
      assert.equal(await faultOf(ask(client, 'http://93.184.216.34/')), 'not_https')
      assert.equal(await faultOf(ask(client, 'http://10-0-0-1.test/')), 'address_not_public')
    })

    test('does not follow redirects', async () => {
      respond = (response, path) => {
        assert.equal(path, '/start')
        response.writeHead(302, { Location: `http://127.0.0.1:${port}/elsewhere` }).end()
      }
      assert.equal((await ask(client, `http://127.0.0.1:${port}/start`)).status, 302)
    })

    test('reads no more than the start of a long or endless response', async () => {
      respond = (response) => {
        const more = () => {
          while (response.write('y'.repeat(10_000)));
        }
        response.on('drain', more)
        more()
      }
      const { body } = await ask(client, `http://127.0.0.1:${port}/`)
      assert.equal(body.length, 65_536)
    })

    test('gives up on a slow response, and on endless headers', async () => {
      respond = () => {}
      assert.equal(await faultOf(ask(client, `http://127.0.0.1:${port}/`, 200)), 'timeout')
      respond = (response) => {
        response.write('drip')
      }
      assert.equal(await faultOf(ask(client, `http://127.0.0.1:${port}/`, 200)), 'timeout')
      const flood = createTcpServer((socket) => {
        socket.on('error', () => {})
        socket.write('HTTP/1.1 200 OK\r\n')
        const more = () => {
          while (!socket.destroyed && socket.write(`X-Long: ${'z'.repeat(1_000)}\r\n`));
        }
        socket.on('drain', more)
        more()
      })
      flood.listen(0, '127.0.0.1')
      await once(flood, 'listening')
      const { port: at } = flood.address() as AddressInfo
      assert.equal(await faultOf(ask(client, `http://127.0.0.1:${at}/`)), 'connection_failed')
      flood.close()
    })

    test('reports a refused connection', async () => {
      const closed = createTcpServer()
      closed.listen(0, '127.0.0.1')
      await once(closed, 'listening')
      const { port: at } = closed.address() as AddressInfo
      closed.close()
      await once(closed, 'close')
      assert.equal(await faultOf(ask(client, `http://127.0.0.1:${at}/`)), 'connection_failed')
    })
  })
})
