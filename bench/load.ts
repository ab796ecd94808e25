import { connect, type Socket } from 'node:net'

/** The host and port of a server that receives the load. */
export interface LoadTarget {
  readonly host: string
  readonly port: number
}

/** The results of one round of load: the number of responses by status and in all, and the duration in seconds. */
export interface LoadResult {
  readonly answers: ReadonlyMap<number, number>
  readonly total: number
  readonly seconds: number
}

/** Returns the next HTTP request of a connection as text; undefined when no requests are left. */
export type NextRequest = () => string | undefined

/** Returns a request to the API as text, ready to be sent repeatedly. */
export function requestText(
  method: string,
  path: string,
  token: string,
  { body = '', headers = [] }: { readonly body?: string; readonly headers?: readonly string[] } = {},
): string {
  const more = headers.map((header) => `${header}\r\n`).join('')
  const head = `${method} /api/v1${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\n${more}`
  if (body === '') return `${head}\r\n`
  return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

/** Keep-alive connections: each sends a request, waits for the complete response, and repeats. */
export class LoadClients {
  readonly #sockets: Socket[]

  private constructor(sockets: Socket[]) {
    this.#sockets = sockets
  }

  static async open({ host, port }: LoadTarget, connections: number): Promise<LoadClients> {
    const sockets = Array.from({ length: connections }, () => connect({ host, port, noDelay: true }))
    await Promise.all(sockets.map((socket) => new Promise<void>((open) => socket.once('connect', open))))
    return new LoadClients(sockets)
  }

  /**
   * Sends requests on all connections, one at a time on each. Stops when `milliseconds` have passed and at least
   * `minRequests` requests were sent in all, or when `next` returns undefined.
   */
  async sendRequests(
    next: NextRequest,
    { milliseconds, minRequests }: { milliseconds: number; minRequests: number },
  ): Promise<LoadResult> {
    const answers = new Map<number, number>()
    const since = performance.now()
    let asked = 0
    const more = (): string | undefined => {
      if (asked >= minRequests && performance.now() - since >= milliseconds) return undefined
      asked += 1
      return next()
    }
    const onStatus = (status: number) => answers.set(status, (answers.get(status) ?? 0) + 1)
    await Promise.all(this.#sockets.map((socket) => converse(socket, { next: more, onStatus })))
    const total = [...answers.values()].reduce((sum, count) => sum + count, 0)
    return { answers, total, seconds: (performance.now() - since) / 1000 }
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}

interface Conversation {
  readonly next: NextRequest
  readonly onStatus: (status: number) => void
}

/**
 * Sends the requests of one connection; resolves when the last response has arrived, and rejects when the server closes
 * the connection.
 */
function converse(socket: Socket, { next, onStatus }: Conversation): Promise<void> {
  return new Promise((over, failed) => {
    let answer = noAnswer()
    const ask = (): void => {
      const text = next()
      if (text !== undefined) socket.write(text, 'latin1')
      else {
        socket.off('data', take).off('close', broken)
        over()
      }
    }
    const take = (bytes: Buffer): void => {
      answer = read(answer, bytes)
      if (answer.status === undefined || answer.missing > 0) return
      onStatus(answer.status)
      answer = noAnswer()
      ask()
    }
    const broken = (): void => failed(new Error('The server closed a connection.'))
    socket.on('data', take).on('close', broken)
    ask()
  })
}

interface Partial {
  /** The bytes of an incomplete response head. */
  readonly head: Buffer
  readonly status: number | undefined
  /** The number of missing bytes of the body; infinite until the last chunk of a chunked body. */
  readonly missing: number
}

function noAnswer(): Partial {
  return { head: Buffer.alloc(0), status: undefined, missing: 0 }
}

const endOfHead = Buffer.from('\r\n\r\n')
const lastChunk = Buffer.from('0\r\n\r\n')

function read(answer: Partial, bytes: Buffer): Partial {
  if (answer.status !== undefined) return { ...answer, missing: left(answer.missing, bytes) }
  const whole = answer.head.length > 0 ? Buffer.concat([answer.head, bytes]) : bytes
  const at = whole.indexOf(endOfHead)
  if (at < 0) return { ...answer, head: whole }
  const head = whole.toString('latin1', 0, at)
  const status = Number(head.slice(9, 12))
  const body = whole.subarray(at + endOfHead.length)
  const length = /content-length: (\d+)/i.exec(head)?.[1]
  if (status === 304) return { ...answer, status }
  return { ...answer, status, missing: left(length === undefined ? chunked : Number(length), body) }
}

const chunked = Number.POSITIVE_INFINITY

function left(missing: number, bytes: Buffer): number {
  if (missing !== chunked) return missing - bytes.length
  return bytes.subarray(-lastChunk.length).equals(lastChunk) ? 0 : chunked
}
