import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createStandInServer } from '../support/stand-in-server.ts'

/** A delivery as the receiver got it. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** When the delivery arrived, in milliseconds of `performance.now()`. */
  readonly at: number
}

/** The response of a receiver; `hang` never responds. */
export type ReceiverResponse =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | 'hang'

/** A receiver of webhooks on this machine. */
export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** Resolves once at least `count` deliveries have arrived since the start. */
  atLeast(count: number): Promise<void>
  /** Ends all connections, and thus the deliveries that were not answered. */
  drop(): void
  close(): Promise<void>
}

/** Starts a receiver; without `respond`, the receiver answers every delivery with status 204. */
export async function startReceiver(
  respond: (received: Received) => ReceiverResponse | Promise<ReceiverResponse> = () => ({ status: 204 }),
): Promise<Receiver> {
  const received: Received[] = []
  let arrived = Promise.withResolvers<void>()
  const server = createStandInServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const one = { path: request.url ?? '', headers: request.headers, body, at: performance.now() }
    received.push(one)
    arrived.resolve()
    arrived = Promise.withResolvers()
    const answer = await respond(one)
    if (answer !== 'hang') response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    async atLeast(count) {
      while (received.length < count) await arrived.promise
    },
    drop: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
