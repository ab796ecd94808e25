import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { MailTransport } from '../../src/mail/smtp.ts'
import { insertSignedInUser } from '../support/browser-client.ts'
import { standardSite } from '../support/clinic.ts'
import { pause } from '../support/pause.ts'
import { domain, hasPostfix, Postfix, password, user } from '../support/postfix.ts'
import { type ServiceProcess, startService } from '../support/service.ts'
import { openSql, type Sql } from '../support/sql.ts'

const skip = hasPostfix() ? false : 'Postfix is not installed, or this is not root'

describe('mail through Postfix', { skip, timeout: 600_000 }, () => {
  let postfix: Postfix
  let service: ServiceProcess
  const opened: Sql[] = []
  before(async () => {
    postfix = await Postfix.start()
    service = await startService({ site: standardSite, env: { NODE_EXTRA_CA_CERTS: postfix.authority } })
  })
  after(async () => {
    for (const sql of opened) await sql.close()
    await service?.kill()
    postfix?.stop()
  })

  /**
   * Saves settings of the mail server and sends a test message; resolves to the message's entry in the notification
   * log.
   */
  async function send(change: object = {}, { sign = password, to = 'jo' } = {}) {
    const sql = openSql(service)
    opened.push(sql)
    const now = Math.floor(Date.now() / 1000)
    const session = { lastSeenAt: now, expiresAt: now + 40_000, authenticatedAt: now }
    const { browser } = await insertSignedInUser({ server: service, sql }, 'admin', session)
    const saved = await browser.post('/notifications/settings/edit/', {
      smtp: { host: 'localhost', port: postfix.port, security: 'starttls', user, ...change },
      from: { name: 'The clinic', address: `desk@${domain}` },
      password: sign,
    })
    assert.equal(saved.status, 200, saved.text)
    const { id } = Object((await browser.post('/notifications/test/', { to: `${to}@${domain}` })).body.response)
    for (;;) {
      const [found] = (await browser.get(`/notifications/?id=${id}`)).body.response
      if (found) return found
      await pause()
    }
  }

  test('a certificate of an unknown authority is refused', async () => {
    // Unlike the service, the test process does not trust the certificate authority of the mail server.
    const transport = new MailTransport()
    const connection = { host: 'localhost', port: postfix.port, security: 'starttls', user, password } as const
    const outcome = await transport.send(connection, {
      ...{ messageId: '<one@clinic.example>', thread: '', replyTo: '', subject: 'Hello', text: 'Hello', html: 'Hello' },
      from: { name: 'The clinic', address: `desk@${domain}` },
      to: { name: 'Jo', address: `jo@${domain}` },
    })
    transport.close()
    assert.ok('why' in outcome && /certificate/.test(outcome.why), JSON.stringify(outcome))
  })

  test('a wrong password, and a connection without STARTTLS, are explained and suppress nobody', async () => {
    const wrong = await send({}, { sign: 'Rotkehlchen' })
    assert.deepEqual([wrong.state, /^EAUTH/.test(String(wrong.reason))], ['failed', true])
    const plain = await send({ security: 'none', user: '' })
    assert.equal(plain.state, 'failed')
    assert.match(String(plain.reason), /STARTTLS/)
    const sql = openSql(service)
    opened.push(sql)
    assert.deepEqual(await sql('select * from mail_suppression'), [])
  })

  test('with the authority trusted, a message is signed in, encrypted and delivered', async () => {
    const { state, reason } = await send()
    assert.deepEqual([state, reason], ['sent', ''], postfix.log)
    const mail = await postfix.delivered()
    assert.match(mail, new RegExp(`^Delivered-To: jo@${domain}$`, 'm'))
    assert.match(mail, /^From: The clinic <desk@clinic\.example>$/m)
    // ESMTPSA means SMTP with TLS and authentication.
    assert.match(mail, /with ESMTPSA id/)
    assert.match(mail, /^Subject: Test message of The clinic$/m)
    assert.match(postfix.log, new RegExp(`sasl_username=${user}`))
  })

  test('over TLS from the start it is sent as well, and an unknown recipient is refused', async () => {
    const { state, reason } = await send({ port: postfix.tlsPort, security: 'tls' })
    assert.deepEqual([state, reason], ['sent', ''], postfix.log)
    const unknown = await send({ port: postfix.tlsPort, security: 'tls' }, { to: 'nobody' })
    assert.equal(unknown.state, 'failed')
    assert.match(String(unknown.reason), /550 5\.1\.1 .*User unknown/)
  })
})
