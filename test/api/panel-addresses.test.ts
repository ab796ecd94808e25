import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { authenticator } from '../support/authenticator.ts'
import { addUser, password } from '../support/panel.ts'
import { askRaw } from '../support/raw.ts'
import { type ServiceProcess, startService } from '../support/service.ts'

const publicUrl = 'https://book.example'
const entry = JSON.stringify({ email: 'admin@clinic.example', password })

describe('the origin at which a browser reaches the panel', () => {
  const services: ServiceProcess[] = []
  const started = async (...serve: string[]) => {
    const service = await startService({ serve })
    services.push(service)
    await addUser(service, 'admin')
    return service
  }
  let plain: ServiceProcess
  let named: ServiceProcess
  let trusting: ServiceProcess
  before(async () => {
    plain = await started('--trust-proxy', '127.0.0.1')
    named = await started('--trust-proxy', '127.0.0.1', '--public-url', publicUrl)
    trusting = await started('--trust-proxy', '127.0.0.1', '--trust-forwarded-host', 'yes')
  })
  after(async () => {
    for (const service of services) await service.kill()
  })

  const signIn = async (service: ServiceProcess, origin: string, host: string, ...more: string[]) => {
    const headers = ['Origin', origin, 'Content-Type', 'application/json', ...more]
    return (await askRaw(`${service.url}/admin/api/session/sign-in/`, 'POST', headers, entry, host)).status
  }
  const forwarded = ['X-Forwarded-Host', 'book.example', 'X-Forwarded-Proto', 'https'] as const

  test('is taken from the Host header, and from no header that a proxy adds', async () => {
    assert.equal(await signIn(plain, publicUrl, 'book.example'), 200)
    assert.equal(await signIn(plain, publicUrl, 'inner.example', ...forwarded), 403)
    assert.equal(await signIn(plain, 'https://evil.example', 'book.example', 'X-Forwarded-Host', 'evil.example'), 403)
  })

  test('is taken from forwarding headers where the operator trusts them', async () => {
    assert.equal(await signIn(trusting, publicUrl, 'inner.example', ...forwarded), 200)
    assert.equal(await signIn(trusting, 'https://evil.example', 'inner.example', ...forwarded), 403)
  })

  test('can be --public-url where the proxy changes Host', async () => {
    assert.equal(await signIn(named, publicUrl, 'inner.example'), 200)
    assert.equal(await signIn(named, 'https://evil.example', 'inner.example'), 403)
  })

  test('is the one of passkeys, also behind a proxy that terminates TLS', async () => {
    const headers = ['Origin', publicUrl, 'Content-Type', 'application/json']
    const post = (path: string, body: string, ...more: string[]) =>
      askRaw(`${plain.url}/admin/api${path}`, 'POST', [...headers, ...more], body, 'book.example')
    const signedIn = await post('/session/sign-in/', entry)
    const cookies = signedIn.headers.getSetCookie().map((one) => one.split(';', 1))
    const cookie = ['Cookie', cookies.join('; ')]
    const asked = await post('/second-factor/passkeys/options/', '{}', ...cookie)
    const device = authenticator(publicUrl)
    const created = device.create(Object(asked.body.response).options.challenge)
    const key = JSON.stringify({ name: 'Key', credential: created })
    const registered = await post('/second-factor/passkeys/register/', key, ...cookie)
    assert.equal(registered.status, 200, registered.text)
    const { response } = (await post('/session/passkey/options/', '{}')).body
    const credential = device.get(Object(response).options.challenge)
    const entered = await post('/session/passkey/sign-in/', JSON.stringify({ credential }))
    assert.equal(entered.status, 200, entered.text)
  })

  test('has Strict-Transport-Security only for the host of an https --public-url', async () => {
    const sent = async (service: ServiceProcess, host: string) => {
      const answers = await Promise.all(
        ['/admin/', '/admin/api/session/', '/api/docs/'].map((path) => askRaw(service.url + path, 'GET', [], '', host)),
      )
      const values = answers.map(({ headers }) => headers.get('strict-transport-security'))
      assert.equal(new Set(values).size, 1, values.join())
      return values[0]
    }
    assert.equal(await sent(named, 'book.example'), 'max-age=31536000')
    assert.equal(await sent(named, 'other.example'), null)
    assert.equal(await sent(plain, 'book.example'), null)
  })
})
