import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../network.ts'
import { OpenCounts } from './open-counts.ts'

/** Limits of the connections of one peer. */
export interface ConnectionLimits {
  /** Maximum number of open connections of one IPv4 address or one IPv6 /64. */
  readonly perPeer: number
  /** Whether a peer is a trusted proxy. Proxies have no limit, since they forward the connections of many clients. */
  readonly isProxy: (peer: string) => boolean
  /** Called for each connection beyond `perPeer`, after it was destroyed. */
  readonly onExcess: () => void
}

/**
 * A connection with unsent bytes that sends fewer than `minDrained` bytes in `drainPeriod` milliseconds is destroyed.
 */
const drainPeriod = 30_000
const minDrained = 65_536
/** Milliseconds between two checks of all connections. */
const checkInterval = 2_000

/**
 * When the current period of `drainPeriod` milliseconds began for a connection with unsent bytes (milliseconds of
 * `performance.now()`), and the number of bytes that it had sent until then.
 */
interface Drain {
  readonly since: number
  readonly sent: number
}

/**
 * The open connections of a server. Limits the number of connections of one peer, and destroys connections whose client
 * reads too slowly (see `drainPeriod`).
 */
export class Connections {
  readonly #limits: ConnectionLimits
  readonly #countOf = new OpenCounts()
  readonly #open = new Map<Socket, Drain | undefined>()

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  /** Number of open connections. */
  get count(): number {
    return this.#open.size
  }

  /** Tracks the connections of a server until it is closed. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.#add(socket))
    const timer = setInterval(() => {
      const now = performance.now()
      for (const [socket, drain] of this.#open) this.#open.set(socket, checked(socket, drain, now))
    }, checkInterval)
    timer.unref()
    server.once('close', () => clearInterval(timer))
  }

  #add(socket: Socket): void {
    const address = socket.remoteAddress ?? ''
    const peer = networkOf(address)
    if (!this.#countOf.add(peer, this.#limits.isProxy(address) ? undefined : this.#limits.perPeer)) {
      socket.destroy()
      this.#limits.onExcess()
      return
    }
    this.#open.set(socket, undefined)
    socket.once('close', () => {
      this.#open.delete(socket)
      this.#countOf.remove(peer)
    })
  }
}

/**
 * Returns the current period of `drainPeriod` milliseconds of a connection, or a new period if there is none or the
 * current one has ended; undefined when the connection has no unsent bytes. Destroys the connection at the end of a
 * period in which it sent fewer than `minDrained` bytes.
 */
function checked(socket: Socket, drain: Drain | undefined, now: number): Drain | undefined {
  if (socket.writableLength === 0) return undefined
  const sent = sentBytes(socket)
  if (!drain) return { since: now, sent }
  if (now - drain.since < drainPeriod) return drain
  if (sent - drain.sent < minDrained) socket.destroy()
  return { since: now, sent }
}

/**
 * Returns the number of bytes of this connection that the operating system has accepted. Node's public counters count a
 * chunk as a whole, so they show no progress within a long chunk. The internal handle, which Node's socket timeout also
 * reads, knows how much of a chunk is left.
 */
function sentBytes(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle')
  if (typeof handle !== 'object' || handle === null) return socket.bytesWritten - socket.writableLength
  const written: unknown = Reflect.get(handle, 'bytesWritten')
  const left: unknown = Reflect.get(handle, 'writeQueueSize')
  return typeof written === 'number' && typeof left === 'number'
    ? written - left
    : socket.bytesWritten - socket.writableLength
}
