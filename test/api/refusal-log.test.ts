import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setInterval } from 'node:timers/promises'
import { type ServiceProcess, startService } from '../support/service.ts'

describe('unauthenticated input', { timeout: 600_000 }, () => {
  let service: ServiceProcess
  before(async () => {
    service = await startService({ serve: ['--max-connections', '100'] })
  })
  after(() => service.kill())

  const lines = () =>
    service.stderr
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line): Readonly<Record<string, unknown>> => JSON.parse(line))
  /**
   * Resolves to the log line at position `place`, from 0, among those whose message begins with `message`; waits for
   * the line, because the service may write it after its response.
   */
  const line = async (message: string, place = 0) => {
    for await (const _ of setInterval(10)) {
      const found = lines().filter(({ msg }) => String(msg).startsWith(message))[place]
      if (found) return found
    }
    return undefined
  }

  test('is logged with token and address where access is refused, never with the secret', async () => {
    const { readToken, writeToken } = service
    const made = await service.daybook('token', 'list', '--json')
    const listed: readonly { readonly id: string; readonly scope: string }[] = JSON.parse(made.stdout)
    const idOf = (scope: string) => listed.find((token) => token.scope === scope)?.id
    const scope = await service.call('POST', '/customers/edit/', { token: readToken, body: { id: 'c' } })
    assert.equal(scope.status, 403)
    const forbidden = await line('refused', 0)
    assert.deepEqual([forbidden?.tokenId, forbidden?.address], [idOf('read'), '127.0.0.1'])
    assert.ok(forbidden?.tokenId !== undefined)

    const missing = await service.call('POST', '/customers/edit/', { body: { id: 'none' } })
    assert.equal(missing.status, 404)
    const refused = await line('refused', 1)
    assert.deepEqual([refused?.tokenId, refused?.address], [idOf('write'), undefined])

    assert.equal((await service.call('GET', '/services/get/', { token: 'dbk_wrong' })).status, 401)
    const unknown = await line('refused', 2)
    assert.deepEqual([unknown?.tokenId, unknown?.address], [undefined, '127.0.0.1'])

    assert.equal((await service.daybook('token', 'revoke', String(idOf('read')))).code, 0)
    let status = 200
    while (status === 200) status = (await service.call('GET', '/services/get/', { token: readToken })).status
    assert.equal(status, 401)
    const revoked = await line('refused', 3)
    assert.deepEqual([revoked?.tokenId, revoked?.address], [idOf('read'), '127.0.0.1'])
    assert.ok(!service.stderr.includes(readToken) && !service.stderr.includes(writeToken))
  })

  const open = (): Socket =>
    connect({ host: '127.0.0.1', port: Number(new URL(service.url).port) }).on('error', () => {})
  const head = (line: string, more: string) =>
    `${line} HTTP/1.1\r\nHost: ${new URL(service.url).host}\r\nContent-Type: application/json\r\n${more}\r\n\r\n`
  /** Resolves to everything received until the service closes the connection. */
  const answered = (socket: Socket): Promise<string> =>
    new Promise((resolve) => {
      let text = ''
      socket.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      socket.once('close', () => resolve(text))
    })

  test('a browser report has at most 64 KB, with or without a declared length', async () => {
    const announced = open()
    announced.write(head('POST /admin/reports/', 'Content-Length: 65537'))
    assert.match(await answered(announced), /^HTTP\/1\.1 413 /)
    const chunked = open()
    const end = answered(chunked)
    chunked.write(head('POST /admin/reports/', 'Transfer-Encoding: chunked'))
    const chunk = `8000\r\n${' '.repeat(0x8000)}\r\n`
    for (let at = 0; at < 3; at++) chunked.write(chunk)
    await end
    const small = await fetch(`${service.url}/admin/reports/`, { method: 'POST', body: 'x'.repeat(65_536) })
    assert.equal(small.status, 204)
  })

  test('reports in transit count towards the 64 requests of one address', async () => {
    const sockets: Socket[] = []
    const refused = Promise.withResolvers<void>()
    let limited = 0
    const send = (): void => {
      const socket = open()
      sockets.push(socket)
      socket.write(head('POST /admin/reports/', 'Content-Length: 10'))
      socket.setEncoding('utf8').once('data', (answer: string) => {
        // The busy service shed the request, so another request takes its place.
        if (answer.startsWith('HTTP/1.1 503')) return send()
        assert.match(answer, /^HTTP\/1\.1 429/)
        limited += 1
        if (limited === 6) refused.resolve()
      })
    }
    for (let count = 0; count < 70; count++) send()
    await refused.promise
    // A request to an unknown route counts towards the limit of 64 concurrent requests as well.
    const path = `${service.url}/nothing/here`
    assert.equal((await fetch(path)).status, 429)
    for (const socket of sockets) socket.destroy()
    let status = 429
    while (status === 429) status = (await fetch(path)).status
    assert.equal(status, 404)
  })

  test('the number of refused connections is logged', async () => {
    const sockets = Array.from({ length: 101 }, open)
    await Promise.race(sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve))))
    for (const socket of sockets) socket.destroy()
    const refusedLine = await line('connections refused')
    assert.ok(Number(refusedLine?.count) >= 1, JSON.stringify(refusedLine))
  })
})
