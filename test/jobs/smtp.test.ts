import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { after, afterEach, before, describe, test } from 'node:test'
import type { SMTPServerOptions } from 'smtp-server'
import { type MailOutcome, MailTransport, type SmtpConnection } from '../../src/mail/smtp.ts'
import { EndlessSmtpServer } from '../support/endless-smtp-server.ts'
import { type Answering, MailServer } from '../support/mail-server.ts'

const message = {
  messageId: '<one@clinic.example>',
  thread: '',
  from: { name: 'The clinic', address: 'desk@clinic.example' },
  replyTo: '',
  to: { name: 'Jo', address: 'jo@example.com' },
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello</p>',
}

describe('sending over SMTP', { timeout: 600_000 }, () => {
  const transportOf = (milliseconds: number) =>
    new MailTransport({ connectMilliseconds: milliseconds, idleMilliseconds: milliseconds })
  // Each step of the SMTP dialogue may take 60 s, because a busy machine may take seconds for a step that takes
  // milliseconds on an idle one.
  const patient = transportOf(60_000)
  const hurried = transportOf(300)
  const stepwise = transportOf(6_000)
  let opened: (MailServer | EndlessSmtpServer)[] = []
  let silent: Server
  before(async () => {
    // This server accepts connections and sends nothing, as a hanging server does.
    silent = createServer(() => {})
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
  })
  afterEach(async () => {
    for (const transport of [patient, hurried, stepwise]) transport.close()
    await Promise.all(opened.map((mailServer) => mailServer.close()))
    opened = []
  })
  after(() => silent.close())

  const connectionTo = ({ port }: { readonly port: number }) =>
    ({ host: '127.0.0.1', port, security: 'none', user: '', password: '' }) as const
  async function sendTo(
    options: SMTPServerOptions,
    change: Partial<SmtpConnection> = {},
    { answer, transport = patient }: { answer?: Answering; transport?: MailTransport } = {},
  ): Promise<{ readonly outcome: MailOutcome; readonly mailbox: MailServer }> {
    const mailServer = await MailServer.open(answer, options)
    opened.push(mailServer)
    return { outcome: await transport.send({ ...connectionTo(mailServer), ...change }, message), mailbox: mailServer }
  }
  const withUser: SMTPServerOptions = {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth({ username, password }, _, callback) {
      if (username === 'desk' && password === 'right') callback(null, { user: 'desk' })
      else callback(Object.assign(new Error('Invalid username or password'), { responseCode: 535 }))
    },
  }

  test('a server that requires it gets user and password, and a wrong password is reported as such', async () => {
    const { outcome, mailbox: mailServer } = await sendTo(withUser, { user: 'desk', password: 'right' })
    assert.deepEqual([outcome.state, mailServer.received.length], ['sent', 1])
    const wrong = await sendTo(withUser, { user: 'desk', password: 'wrong' })
    assert.ok('why' in wrong.outcome && /^EAUTH/.test(wrong.outcome.why), JSON.stringify(wrong.outcome))
    // The failure is temporary: the message can be sent when an administrator has corrected the password.
    assert.deepEqual([wrong.outcome.state, wrong.outcome.temporary], ['failed', true])
  })

  test('a certificate that nobody vouches for is refused, over TLS and STARTTLS', async () => {
    for (const [options, security] of [
      [{ secure: true }, 'tls'],
      [{ disabledCommands: [] }, 'starttls'],
    ] as const) {
      const { outcome, mailbox: mailServer } = await sendTo({ ...options, disabledCommands: [] }, { security })
      assert.ok('why' in outcome && /certificate/i.test(outcome.why), JSON.stringify(outcome))
      assert.deepEqual([outcome.state, mailServer.received.length], ['failed', 0])
    }
  })

  test('nothing is sent in clear where STARTTLS is required and the server has none', async () => {
    const { outcome, mailbox: mailServer } = await sendTo({ disabledCommands: ['STARTTLS'] }, { security: 'starttls' })
    assert.deepEqual([outcome.state, mailServer.received.length], ['failed', 0])
  })

  test('a recipient refused for good bounces, one refused for now does not', async () => {
    const gone = await sendTo({}, {}, { answer: () => 550 })
    assert.deepEqual(gone.outcome.state, 'bounced')
    assert.ok('cause' in gone.outcome)
    assert.equal(gone.outcome.cause, 'SMTP 550')
    const busy = await sendTo({}, {}, { answer: () => 451 })
    assert.ok('temporary' in busy.outcome)
    assert.deepEqual([busy.outcome.state, busy.outcome.temporary], ['failed', true])
  })

  for (const response of [
    '554 5.7.1 <jo@example.com>: Relay access denied',
    '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.example.org',
    '550 5.1.8 <desk@clinic.example>: Sender address rejected: Domain not found',
    '553 sorry, that domain is not in my list of allowed rcpthosts (#5.7.1)',
    '550 relay not permitted',
    '530 5.7.0 Authentication required',
    '550 5.3.2 System not accepting network messages',
  ])
    test(`“${response}” says nothing about the recipient, so the message is tried again`, async () => {
      const { outcome } = await sendTo({}, {}, { answer: () => response })
      assert.ok('temporary' in outcome, JSON.stringify(outcome))
      assert.deepEqual([outcome.state, outcome.temporary], ['failed', true])
    })

  for (const response of [
    '550 5.1.1 <jo@example.com>: Recipient address rejected: User unknown in relay recipient table',
    '550 5.4.1 Recipient address rejected: Access denied',
    '552 5.2.2 Mailbox full',
    '550 No such user, says 5.7.1.9',
  ])
    test(`“${response}” bounces`, async () => {
      const { outcome } = await sendTo({}, {}, { answer: () => response })
      assert.equal(outcome.state, 'bounced', JSON.stringify(outcome))
    })

  test('a server that is slow, yet within the limit of each step, gets the message', async () => {
    // Three steps of 2.1 s each are within the limit of 6 s, although their sum is not.
    const later = (callback: () => void) => void setTimeout(callback, 2_100)
    const options: SMTPServerOptions = {
      onConnect: (_, callback) => later(callback),
      onMailFrom: (_, __, callback) => later(callback),
    }
    const answer = () => new Promise<undefined>((resolve) => later(() => resolve(undefined)))
    const { outcome, mailbox: mailServer } = await sendTo(options, {}, { answer, transport: stepwise })
    assert.deepEqual([outcome.state, mailServer.received.length], ['sent', 1])
  })

  test('a server whose response never ends fails the attempt once the time of the message is over', async () => {
    const server = await EndlessSmtpServer.open()
    opened.push(server)
    const limited = new MailTransport({ messageMilliseconds: 500 })
    const outcome = await limited.send(connectionTo(server), message)
    assert.ok('why' in outcome && /^ETIMEDOUT/.test(outcome.why), JSON.stringify(outcome))
    assert.deepEqual([outcome.state, outcome.temporary], ['failed', true])
    limited.close({ force: true })
  })

  test('a message that is aborted still has a moment to be sent, and is then given up', async () => {
    const stopping = new AbortController()
    const answer = () => void stopping.abort()
    const mailServer = await MailServer.open(answer)
    const endless = await EndlessSmtpServer.open()
    opened.push(mailServer, endless)
    const lenient = new MailTransport({ abortMilliseconds: 60_000 })
    assert.equal((await lenient.send(connectionTo(mailServer), message, stopping.signal)).state, 'sent')
    lenient.close()
    const hasty = new MailTransport({ abortMilliseconds: 100 })
    await assert.rejects(hasty.send(connectionTo(endless), message, stopping.signal), { code: 'EABORT' })
    hasty.close({ force: true })
  })

  test('a server that hangs or refuses connections fails the attempt within its time limits', async () => {
    const { port } = silent.address() as AddressInfo
    const connection = connectionTo({ port })
    const hung = await hurried.send(connection, message)
    assert.ok('temporary' in hung)
    assert.deepEqual([hung.state, hung.temporary], ['failed', true])
    const nobody = await patient.send({ ...connection, port: 1 }, message)
    assert.ok('why' in nobody && /ECONNREFUSED/.test(nobody.why), JSON.stringify(nobody))
  })
})
