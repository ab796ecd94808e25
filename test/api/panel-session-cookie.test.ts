import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { after, before, describe, test } from 'node:test'
import { addUser, password } from '../support/panel.ts'
import { askRaw } from '../support/raw.ts'
import { type ServiceProcess, startService } from '../support/service.ts'

const secureCookie = /^__Host-daybook=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/
const loopbackCookie = /^daybook-loopback=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/

describe('the session cookie', () => {
  let service: ServiceProcess
  before(async () => {
    service = await startService({ serve: ['--host', '0.0.0.0'] })
    await addUser(service, 'admin')
  })
  after(() => service?.kill())

  const port = (): string => new URL(service.url).port

  const signIn = async (host: string, extra: readonly string[] = [], address = '127.0.0.1') => {
    const body = JSON.stringify({ email: 'admin@clinic.example', password })
    const headers = ['Origin', `http://${host}`, 'Sec-Fetch-Site', 'same-origin', 'Content-Type', 'application/json']
    const url = `http://${address}:${port()}/admin/api/session/sign-in/`
    return askRaw(url, 'POST', [...headers, ...extra], body, host)
  }

  const signedIn = async (host: string, cookie: string, extra: readonly string[] = []): Promise<boolean> => {
    const headers = ['Sec-Fetch-Site', 'same-origin', 'Cookie', cookie, ...extra]
    const { body } = await askRaw(`http://127.0.0.1:${port()}/admin/api/session/`, 'GET', headers, '', host)
    const { user } = Object(body.response ?? body) as { readonly user?: object | null }
    assert.ok(user !== undefined, JSON.stringify(body))
    return user !== null
  }

  const cookieOf = (answer: { readonly status: number; readonly text: string; readonly headers: Headers }): string => {
    assert.equal(answer.status, 200, answer.text)
    return answer.headers.getSetCookie()[0] ?? ''
  }

  for (const name of ['localhost', '127.0.0.1', '[::1]'])
    for (const suffix of ['port', ''])
      test(`is accepted by Safari over plain http for the host ${name}${suffix && ' with a port'}`, async () => {
        const host = suffix ? `${name}:${port()}` : name
        const cookie = cookieOf(await signIn(host))
        assert.match(cookie, loopbackCookie)
        const pair = cookie.split(';')[0] ?? ''
        assert.ok(await signedIn(host, pair))
        assert.ok(!(await signedIn('book.example', pair)), 'it counts for another host')
        assert.ok(!(await signedIn(host, pair, ['X-Forwarded-For', '192.0.2.1'])), 'it counts through a proxy')
        assert.ok(!(await signedIn(host, `${pair}; ${pair}`)), 'it counts when sent twice')
        const left = await askRaw(
          `http://127.0.0.1:${port()}/admin/api/session/sign-out/`,
          'POST',
          [
            'Origin',
            `http://${host}`,
            'Sec-Fetch-Site',
            'same-origin',
            'Content-Type',
            'application/json',
            'Cookie',
            pair,
          ],
          '{}',
          host,
        )
        assert.equal(left.headers.get('set-cookie'), 'daybook-loopback=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0')
      })

  for (const host of ['book.example', '127.0.0.1.evil.example', 'localhost.evil.example', '127.0.0.2', '192.0.2.7'])
    test(`is Secure for the host ${host}`, async () => {
      const cookie = cookieOf(await signIn(host))
      assert.match(cookie, secureCookie)
      assert.ok(await signedIn(host, cookie.split(';')[0] ?? ''))
    })

  for (const [name, value] of [
    ['X-Forwarded-Proto', 'http'],
    ['X-Forwarded-Proto', 'https'],
    ['X-Forwarded-For', '127.0.0.1'],
    ['X-Forwarded-Host', 'localhost'],
    ['Forwarded', 'for=127.0.0.1'],
    ['X-Real-IP', '127.0.0.1'],
    ['Via', '1.1 proxy'],
  ] as const)
    test(`is Secure behind a proxy that sends ${name}: ${value}`, async () =>
      assert.match(cookieOf(await signIn('localhost', [name, value])), secureCookie))

  const outer = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

  test('is Secure for a remote peer that claims to request localhost', { skip: outer === undefined }, async () =>
    assert.match(cookieOf(await signIn('localhost', [], outer)), secureCookie),
  )
})
