import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** A message that the SMTP server accepted. */
export interface ReceivedMail {
  readonly to: readonly string[]
  /** The complete message, headers and body, as it was transferred. */
  readonly raw: string
  /** The headers by lower-case name, unfolded; a repeated header has its last value. */
  readonly headers: ReadonlyMap<string, string>
}

/**
 * Returns the SMTP status with which the server refuses a recipient, or its complete response, such as
 * `550 5.1.1 User unknown`; undefined to accept.
 */
export type Answering = (to: string) => Answer | Promise<Answer>
type Answer = number | string | undefined

/** An SMTP server on a port of this machine that stores the messages it receives. */
export class MailServer {
  readonly received: ReceivedMail[] = []
  readonly port: number
  readonly #server: SMTPServer
  #arrived = Promise.withResolvers<void>()

  private constructor(server: SMTPServer, port: number) {
    this.#server = server
    this.port = port
  }

  /** Starts a server on a free port; `answer` may refuse recipients. */
  static async open(answer: Answering = () => undefined, options: SMTPServerOptions = {}): Promise<MailServer> {
    const stored: ReceivedMail[] = []
    let arrived = () => {}
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      ...options,
      async onRcptTo({ address }, _, callback) {
        const response = await answer(address)
        const [, status = response, text = `<${address}> is refused`] = /^(\d{3}) (.*)$/.exec(String(response)) ?? []
        callback(response === undefined ? null : Object.assign(new Error(text), { responseCode: Number(status) }))
      },
      onData(stream, { envelope }, callback) {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          const raw = Buffer.concat(chunks).toString('utf8')
          stored.push({ to: envelope.rcptTo.map(({ address }) => address), raw, headers: headersOf(raw) })
          callback()
          arrived()
        })
      },
    })
    server.on('error', () => {})
    server.listen(0, '127.0.0.1')
    await once(server.server, 'listening')
    const mailServer = new MailServer(server, (server.server.address() as AddressInfo).port)
    mailServer.#share(stored)
    arrived = () => {
      mailServer.#arrived.resolve()
      mailServer.#arrived = Promise.withResolvers()
    }
    return mailServer
  }

  #share(stored: ReceivedMail[]): void {
    Object.assign(this, { received: stored })
  }

  /** Returns the messages to one address so far, the oldest first. */
  to(address: string): readonly ReceivedMail[] {
    return this.received.filter(({ to }) => to.includes(address))
  }

  /**
   * Resolves with the first message to one address that `isWanted` accepts; the message may have arrived before the
   * call.
   */
  async firstTo(address: string, isWanted: (mail: ReceivedMail) => boolean = () => true): Promise<ReceivedMail> {
    for (;;) {
      const mail = this.to(address).find(isWanted)
      if (mail) return mail
      await this.#arrived.promise
    }
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(resolve))
  }
}

function headersOf(raw: string): ReadonlyMap<string, string> {
  const [head = ''] = raw.split('\r\n\r\n', 1)
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  return new Map(
    lines.map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
    }),
  )
}

/** Returns the decoded content of a message's first MIME part with this content type; undefined when it has none. */
export function partOf({ raw }: ReceivedMail, type: string): string | undefined {
  const at = raw.toLowerCase().indexOf(`content-type: ${type}`)
  if (at < 0) return undefined
  const start = raw.indexOf('\r\n\r\n', at)
  const begin = raw.lastIndexOf('\r\n--', at)
  const head = raw.slice(begin, start).toLowerCase()
  // The part ends at its boundary, the line before its headers. Other lines may begin with two hyphens too, such as the
  // rest of a link.
  const boundary = begin < 0 ? undefined : raw.slice(begin, raw.indexOf('\r\n', begin + 2))
  const end = boundary === undefined ? -1 : raw.indexOf(boundary, start)
  const body = raw.slice(start + 4, end < 0 ? undefined : end)
  if (head.includes('base64')) return Buffer.from(body, 'base64').toString('utf8')
  if (!head.includes('quoted-printable')) return body
  const bytes = body.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => `%${hex}`)
  return decodeURIComponent(bytes.replace(/%(?![0-9A-F]{2})/g, '%25'))
}
