import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

const lineMilliseconds = 20

/** A server that greets as an SMTP server does, and then sends line after line of a response that never ends. */
export class EndlessSmtpServer {
  readonly port: number
  /** Resolves when a client has received a part of the response. */
  readonly asked: Promise<void>
  readonly #server: Server
  readonly #sockets: ReadonlySet<Socket>

  private constructor(server: Server, asked: Promise<void>, sockets: ReadonlySet<Socket>) {
    this.#server = server
    this.#sockets = sockets
    this.asked = asked
    this.port = (server.address() as AddressInfo).port
  }

  /** Starts a server on a free port. */
  static async open(): Promise<EndlessSmtpServer> {
    const { promise: asked, resolve } = Promise.withResolvers<void>()
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.write('220 ready\r\n')
      socket.once('data', () => {
        const timer = setInterval(() => socket.write('250-wait\r\n', () => resolve()), lineMilliseconds)
        socket.once('close', () => clearInterval(timer))
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new EndlessSmtpServer(server, asked, sockets)
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
