import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Maximum number of requests queued on a connection. */
const maxWaiting = 64
/**
 * Maximum total characters of the heads (URL and headers) of the requests queued on a connection, which bounds the
 * memory that pipelining can take.
 */
const maxWaitingHeads = 65_536

interface Pipelined {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

interface Pipeline {
  busy: boolean
  headLength: number
  readonly waiting: Pipelined[]
}

/**
 * Returns a listener that runs the pipelined requests of a connection one at a time, in order; Node would start all
 * parsed requests at once, up to thousands from one packet. The next request starts when the previous response has been
 * handed to the operating system, so a client that does not read delays only itself. A connection whose queued requests
 * are too many or too long is destroyed; requests after a response that closes the connection never start.
 */
export function serializeRequests(listener: RequestListener): RequestListener {
  const pipelines = new WeakMap<Socket, Pipeline>()

  const run = (pipeline: Pipeline, { request, response }: Pipelined): void => {
    pipeline.busy = true
    response.once('close', () => {
      // The connection is closing: the pipeline stays marked as busy, so that no further request starts.
      if (request.socket.destroyed || request.socket.writableEnded) return
      pipeline.busy = false
      const next = pipeline.waiting.shift()
      if (!next) return
      pipeline.headLength -= headLength(next.request)
      run(pipeline, next)
    })
    listener(request, response)
  }

  return (request, response) => {
    const { socket } = request
    let pipeline = pipelines.get(socket)
    if (!pipeline) {
      pipeline = { busy: false, headLength: 0, waiting: [] }
      pipelines.set(socket, pipeline)
    }
    if (!pipeline.busy) return run(pipeline, { request, response })
    pipeline.waiting.push({ request, response })
    pipeline.headLength += headLength(request)
    if (pipeline.waiting.length > maxWaiting || pipeline.headLength > maxWaitingHeads) socket.destroy()
  }
}

function headLength({ url = '', rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((length, text) => length + text.length, url.length)
}
