import { createServer, type RequestListener, type Server } from 'node:http'

/**
 * Creates an HTTP server in place of another system to which the service sends requests. It closes no idle connection:
 * after a pause of a busy machine, the service might already be sending its next request over it.
 */
export function createStandInServer(listener?: RequestListener): Server {
  return createServer({ keepAliveTimeout: 0 }, listener)
}
