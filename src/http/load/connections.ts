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
 * The last check of a connection with unsent bytes that was its first or found another `minDrained` bytes sent: the time
 * in milliseconds of `performance.now()`, and the number of bytes that the connection had sent.
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
    const timer = setInterval(() => this.check(performance.now()), checkInterval)
    timer.unref()
    server.once('close', () => clearInterval(timer))
  }

  /** Destroys the connections whose client reads too slowly. `now` is the time in milliseconds, which may not decrease. */
  check(now: number): void {
    for (const [socket, drain] of this.#open) this.#open.set(socket, checked(socket, drain, now))
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
 * Returns the current `Drain` of a connection; undefined when it has no unsent bytes. Destroys the connection when it has
 * sent fewer than `minDrained` bytes for `drainPeriod` milliseconds, whenever that began.
 */
function checked(socket: Socket, drain: Drain | undefined, now: number): Drain | undefined {
  if (socket.writableLength === 0) return undefined
  const sent = sentBytes(socket)
  if (!drain || sent - drain.sent >= minDrained) return { since: now, sent }
  if (now - drain.since >= drainPeriod) socket.destroy()
  return drain
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
