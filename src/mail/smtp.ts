import type { Transporter } from 'nodemailer'

/** How an SMTP server is reached. */
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
  /** The id that groups the messages of one reservation in mail programs; `''` for a message on its own. */
  readonly thread: string
  readonly from: { readonly name: string; readonly address: string }
  readonly replyTo: string
  readonly to: { readonly name: string; readonly address: string }
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly calendar?: { readonly method: 'REQUEST' | 'CANCEL'; readonly content: string }
  /** The address of one-click unsubscription. */
  readonly unsubscribeUrl?: string
}

/**
 * What became of a message: accepted by the server, refused for good because of its recipient, or not delivered for
 * another reason. `why` is the server's or the system's explanation.
 */
export type MailOutcome =
  | { readonly state: 'sent' }
  | { readonly state: 'bounced' | 'failed'; readonly why: string; readonly temporary: boolean }

// A server that does not answer keeps one of four connections for this long.
const defaultTimeouts = { connectMilliseconds: 10_000, idleMilliseconds: 30_000 }
const maxConnections = 4
const maxMessagesPerConnection = 100

/** Sends mail through one SMTP server over a few reused connections. A changed connection replaces the pool. */
export class MailTransport {
  readonly #timeouts: typeof defaultTimeouts
  #transporter: Transporter | undefined
  #connection = ''

  constructor(timeouts = defaultTimeouts) {
    this.#timeouts = timeouts
  }

  /** Sends a message and resolves with the outcome; failures of the server or the network do not reject. */
  async send(connection: SmtpConnection, message: MailMessage): Promise<MailOutcome> {
    const transporter = await this.#transporterTo(connection)
    try {
      await transporter.sendMail(toOptions(message))
      return { state: 'sent' }
    } catch (error) {
      return outcomeOf(error)
    }
  }

  /** Closes the connections. */
  close(): void {
    this.#transporter?.close()
    this.#transporter = undefined
    this.#connection = ''
  }

  async #transporterTo(connection: SmtpConnection): Promise<Transporter> {
    // Loaded on demand: an installation without mail does not need its memory.
    const { createTransport } = await import('nodemailer')
    const key = JSON.stringify(connection)
    if (this.#transporter && this.#connection === key) return this.#transporter
    this.close()
    const { host, port, security, user, password } = connection
    const { connectMilliseconds, idleMilliseconds } = this.#timeouts
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

/** One line of text: control characters, which could begin another header, become spaces. */
function line(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim()
}

interface SmtpError {
  readonly code?: string
  readonly command?: string
  readonly responseCode?: number
  readonly message: string
}

const signInRequired = 530

function outcomeOf(error: unknown): MailOutcome {
  const { code = '', command = '', responseCode, message }: SmtpError = error instanceof Error ? error : new Error()
  const why = line(`${code} ${message}`).slice(0, 500)
  if (responseCode === undefined) return { state: 'failed', why, temporary: true }
  const permanent = responseCode >= 500
  // Only an answer to RCPT is about the recipient; a refused sign-in, sender or message says nothing about the address.
  if (permanent && command === 'RCPT TO') return { state: 'bounced', why, temporary: false }
  // An administrator corrects the sign-in or the encryption, and the message is sent then.
  return { state: 'failed', why, temporary: !permanent || code === 'EAUTH' || responseCode === signInRequired }
}
