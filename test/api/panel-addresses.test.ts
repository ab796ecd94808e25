import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addPerson, password } from '../support/panel.ts'
import { askRaw } from '../support/raw.ts'
import { type Service, startService } from '../support/service.ts'

const publicUrl = 'https://book.example'
const entry = JSON.stringify({ email: 'admin@clinic.example', password })

describe('the address under which a browser reached the panel', () => {
  const services: Service[] = []
  const started = async (...serve: string[]) => {
    const service = await startService({ serve })
    services.push(service)
    await addPerson(service, 'admin')
    return service
  }
  let plain: Service
  let named: Service
  let trusting: Service
  before(async () => {
    plain = await started('--trust-proxy', '127.0.0.1')
    named = await started('--trust-proxy', '127.0.0.1', '--public-url', publicUrl)
    trusting = await started('--trust-proxy', '127.0.0.1', '--trust-forwarded-host', 'yes')
  })
  after(async () => {
    for (const service of services) await service.kill()
  })

  const signIn = async (service: Service, origin: string, host: string, ...more: string[]) => {
    const headers = ['Origin', origin, 'Content-Type', 'application/json', ...more]
    return (await askRaw(`${service.url}/admin/api/session/sign-in/`, 'POST', headers, entry, host)).status
  }
  const forwarded = ['X-Forwarded-Host', 'book.example', 'X-Forwarded-Proto', 'https'] as const

  test('is the Host header, and no other that a proxy adds', async () => {
    assert.equal(await signIn(plain, publicUrl, 'book.example'), 200)
    assert.equal(await signIn(plain, publicUrl, 'inner.example', ...forwarded), 403)
    assert.equal(await signIn(plain, 'https://evil.example', 'book.example', 'X-Forwarded-Host', 'evil.example'), 403)
  })

  test('is the forwarded one where the operator says so', async () => {
    assert.equal(await signIn(trusting, publicUrl, 'inner.example', ...forwarded), 200)
    assert.equal(await signIn(trusting, 'https://evil.example', 'inner.example', ...forwarded), 403)
  })

  test('may be that of --public-url where the proxy changes Host', async () => {
    assert.equal(await signIn(named, publicUrl, 'inner.example'), 200)
    assert.equal(await signIn(named, 'https://evil.example', 'inner.example'), 403)
  })

  test('has browsers stay with https only where it is that of an https --public-url', async () => {
    const sent = async (service: Service, host: string) => {
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
