import type { Transporter } from 'nodemailer'

/** The address, encryption and credentials with which an SMTP server is reached. */
export interface SmtpConnection {
  readonly host: string
  readonly port: number
  /** TLS from the start, an upgrade by STARTTLS that is required, or no encryption. */
  readonly security: 'tls' | 'starttls' | 'none'
  readonly user: string
  readonly password: string
}

/** A message for one recipient. Names and subject may contain anything that a user typed. */
export interface MailMessage {
  readonly messageId: string
  /**
   * The id by which mail programs group the messages of one reservation; `''` for a message that belongs to no group.
   */
  readonly thread: string
  readonly from: { readonly name: string; readonly address: string }
  readonly replyTo: string
  readonly to: { readonly name: string; readonly address: string }
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly calendar?: { readonly method: 'REQUEST' | 'CANCEL'; readonly content: string }
  /**
   * The URL for one-click unsubscription (RFC 8058); absent in messages from which the recipient cannot unsubscribe.
   */
  readonly unsubscribeUrl?: string
}

/**
 * The outcome of sending a message. `bounced`: the server refused the recipient permanently; `failed`: any other
 * failure. `why` is the response of the server or the error of the system. `cause` is the same without the text of the
 * response, which may contain the address of the recipient; the job stores it as its last error. `temporary` tells
 * whether a later attempt may succeed.
 */
export type MailOutcome =
  | { readonly state: 'sent' }
  | {
      readonly state: 'bounced' | 'failed'
      readonly why: string
      readonly cause: string
      readonly temporary: boolean
    }

// Timeouts of the SMTP connection and of a message. Until one expires, a server that does not respond occupies one of
// four connections. The idle timeout begins again with each byte from the server, so a message has a limit of its own;
// it includes the time in which the message waits for a connection.
const defaultTimeouts = {
  connectMilliseconds: 10_000,
  idleMilliseconds: 30_000,
  messageMilliseconds: 300_000,
  // When the service stops, its messages have three seconds to be sent, and their connections one second to be closed.
  abortMilliseconds: 3_000,
  closeMilliseconds: 1_000,
}
const maxConnections = 4
const maxMessagesPerConnection = 100

/**
 * Sends mail through one SMTP server over a pool of connections, which is replaced when the settings of the server
 * change.
 */
export class MailTransport {
  readonly #timeouts: typeof defaultTimeouts
  #transporter: Transporter | undefined
  #connection = ''

  constructor(timeouts: Partial<typeof defaultTimeouts> = {}) {
    this.#timeouts = { ...defaultTimeouts, ...timeouts }
  }

  /**
   * Sends a message and resolves with the outcome, also when the server or the network fails. Rejects when the message
   * was not sent within three seconds after `signal` was aborted; the server may then have accepted it nevertheless.
   */
  async send(connection: SmtpConnection, message: MailMessage, signal = AbortSignal.any([])): Promise<MailOutcome> {
    const transporter = await this.#transporterTo(connection)
    const { messageMilliseconds, abortMilliseconds } = this.#timeouts
    const ending = new AbortController()
    const timers = [setTimeout(() => ending.abort(), messageMilliseconds)]
    // Whether a server has accepted a message is unknown until its last response arrives, so the responses that are on
    // their way are awaited: the caller repeats a message that was aborted, with the same Message-ID.
    const onAbort = () => void timers.push(setTimeout(() => ending.abort(), abortMilliseconds))
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    try {
      await transporter.sendMail({ ...toOptions(message), signal: ending.signal })
      return { state: 'sent' }
    } catch (error) {
      if (!ending.signal.aborted) return outcomeOf(error)
      if (signal.aborted) throw error
      const text = `The message was not sent within ${messageMilliseconds / 1000} seconds.`
      return outcomeOf(Object.assign(new Error(text), { code: 'ETIMEDOUT' }))
    } finally {
      signal.removeEventListener('abort', onAbort)
      for (const timer of timers) clearTimeout(timer)
    }
  }

  /**
   * Closes the pool of connections to the SMTP server, with `force` also those that are in use; the next message opens
   * a new one.
   */
  close(options: { readonly force?: boolean } = {}): void {
    this.#transporter?.close(options)
    this.#transporter = undefined
    this.#connection = ''
  }

  async #transporterTo(connection: SmtpConnection): Promise<Transporter> {
    // The mail library is loaded on demand: an installation that sends no mail does not need its memory.
    const { createTransport } = await import('nodemailer')
    const key = JSON.stringify(connection)
    if (this.#transporter && this.#connection === key) return this.#transporter
    this.close()
    const { host, port, security, user, password } = connection
    const { connectMilliseconds, idleMilliseconds, closeMilliseconds } = this.#timeouts
    this.#connection = key
    this.#transporter = createTransport({
      pool: true,
      maxConnections,
      maxMessages: maxMessagesPerConnection,
      host,
      port,
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      ...(user !== '' && { auth: { user, pass: password } }),
      connectionTimeout: connectMilliseconds,
      greetingTimeout: connectMilliseconds,
      socketTimeout: idleMilliseconds,
      socketCloseTimeout: closeMilliseconds,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    return this.#transporter
  }
}

function toOptions({ messageId, thread, from, replyTo, to, subject, text, html, ...more }: MailMessage) {
  const { calendar, unsubscribeUrl } = more
  return {
    messageId,
    ...(thread !== '' && thread !== messageId && { references: thread, inReplyTo: thread }),
    from: { name: line(from.name), address: from.address },
    ...(replyTo !== '' && { replyTo }),
    to: { name: line(to.name), address: to.address },
    subject: line(subject),
    text,
    html,
    ...(calendar && { icalEvent: { method: calendar.method, filename: 'appointment.ics', content: calendar.content } }),
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl !== undefined && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  }
}

/** Returns the text as one line: each run of control characters, which could begin another header, becomes a space. */
function line(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim()
}

interface SmtpError {
  readonly code?: string
  readonly command?: string
  readonly responseCode?: number
  readonly response?: string
  readonly message: string
}

const signInRequired = 530

function outcomeOf(error: unknown): MailOutcome {
  const smtpError: SmtpError = error instanceof Error ? error : new Error()
  const { code = '', command = '', responseCode, response = '', message } = smtpError
  const why = line(`${code} ${message}`).slice(0, 500)
  if (responseCode === undefined) return { state: 'failed', why, cause: code || 'no response', temporary: true }
  const cause = `SMTP ${responseCode}`
  const permanent = responseCode >= 500
  // Only the response to RCPT TO concerns the recipient. A refused sign-in, sender or message does not show that the
  // address is invalid.
  const isOfSender = responseCode === signInRequired || concernsSender(response)
  if (permanent && command === 'RCPT TO' && !isOfSender) return { state: 'bounced', why, cause, temporary: false }
  // A refused client, sign-in or sender is temporary: a later attempt succeeds once an administrator has corrected the
  // settings or the mail server.
  const temporary = !permanent || code === 'EAUTH' || isOfSender
  return { state: 'failed', why, cause, temporary }
}

/**
 * Whether a response that refuses a message permanently is about its sender: the client, the sign-in, the sender's
 * address or the server itself. Mail servers often check these only when they receive RCPT TO. The enhanced status code
 * (RFC 3463) tells: 5.1.7 and 5.1.8 concern the sender's address, 5.3 the server, and 5.7 permissions, such as that to
 * relay. Without one, a response that mentions relaying is about the client.
 */
function concernsSender(response: string): boolean {
  const [, subject, detail] = /(?<![\d.])5\.(\d{1,3})\.(\d{1,3})(?!\.?\d)/.exec(response) ?? []
  if (subject === undefined) return /relay/i.test(response)
  return subject === '7' || subject === '3' || (subject === '1' && (detail === '7' || detail === '8'))
}
