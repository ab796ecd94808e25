// The benchmark p15-token.ts runs this file as a separate process: the HTTP server with the public API, with or without
// recording the use of tokens.

import { tokenRegister } from '../src/access/tokens/tokens.operations.ts'
import { AvailabilityCache } from '../src/availability/cache/availability-cache.ts'
import { Funnel } from '../src/booking-page/funnel/funnel.ts'
import type { operations } from '../src/operations.ts'
import { createServer } from '../src/server/http-server.ts'
import { startJobs } from '../src/server/jobs.ts'
import { open } from '../src/server/open.ts'
import { publicHandlers } from '../src/server/public-handlers.ts'
import { now } from './site.ts'

const [dataDir = '', recorded] = process.argv.slice(2)
const silent = () => {}
const opened = await open<typeof operations>({
  at: { dataDir },
  operations: new URL('../src/operations.ts', import.meta.url),
})
const app = { ...opened, now: () => now, log: { info: silent, warn: silent, error: silent } }
const register = tokenRegister(app)
const tokens = recorded === 'recorded' ? register : { ...register, recordUse: silent }
const { fastify } = createServer({
  app,
  tokens,
  handlers: publicHandlers(app, new AvailabilityCache(app.db, { maxBytes: 0 })),
  trustProxy: false,
  ready: async () => true,
  isUnavailable: () => false,
})
const settings = { at: { dataDir }, operations: '', clock: { startAt: now, began: 0 }, networks: '' } as const
const more = {
  secretKey: undefined,
  logLevel: 'error',
  version: '',
  stripeUrl: '',
  grantUrls: { google: '', microsoft: '' },
} as const
// The outbound thread, which runs the job queue, is not started, since no request adds an event.
const outbound = { settings: { ...settings, ...more }, connectWriter: opened.connectWriter, origin: () => '' }
await startJobs(app, {
  tokens,
  clockWatch: undefined,
  nodeReport: undefined,
  funnel: new Funnel(),
  outbound,
  onDisplaced: silent,
})
await fastify.listen({ host: '127.0.0.1', port: 0 })
const address = fastify.server.address()
console.log(typeof address === 'object' && address ? address.port : 0)
process.on('SIGTERM', () => process.exit())
