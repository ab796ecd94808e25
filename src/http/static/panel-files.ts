import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AdmissionSlots } from '../bind.ts'
import { discardBody } from '../request/discard-body.ts'
import { noRoute } from '../response/errors.ts'
import { send, sendStatus } from '../response/response.ts'
import { readFresh, readStatic } from './static-files.ts'

const place = '/admin/'
const folder = new URL('../../../dist/admin/', import.meta.url)
const reports = '/admin/reports/'

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  webmanifest: 'application/manifest+json',
  woff2: 'font/woff2',
}

/** The placeholder of the nonce in the built page, replaced at each request. */
const nonceMark = '__NONCE__'

/**
 * The content security policy: only the panel's own files and API, styles with this nonce, images in `data:` URLs, and
 * frames of its own origin.
 */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    // The panel shows the preview of the booking page in a frame.
    "frame-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    'report-to csp',
    `report-uri ${reports}`,
  ].join('; ')
}

/** The constant headers of the panel's pages. */
const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), publickey-credentials-get=(self)',
  'Referrer-Policy': 'no-referrer',
  'Reporting-Endpoints': `csp="${reports}"`,
} as const

const notBuilt = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>The panel is not built</title>
<h1>The panel is not built yet</h1>
<p>The service runs, but the files of its panel are missing. Where it is installed, run
<code>node bin/build-panel.js</code>, then load this page again. The API is not touched by this.</p>
</html>
`

/**
 * Serves the panel, a single-page application: its built files, and its HTML page at every other path below `/admin/`
 * that neither belongs to the API nor has the form of a file name.
 */
export function servePanelFiles(fastify: FastifyInstance, slots: Pick<AdmissionSlots, 'suspend'>): void {
  const page = { config: { row: `GET ${place}`, open: true } } as const
  fastify.get(place, page, (_request, reply) => sendPage(reply))
  fastify.get(`${place}*`, page, (request, reply) => {
    const path = pathOf(request)
    if (path.startsWith('api/')) throw noRoute()
    return isFile(path) ? sendAsset(request, reply, path) : sendPage(reply)
  })
  // Browsers report violations of the content security policy to this route. The metrics of the route count the
  // reports; their content is ignored, since anyone can send them.
  fastify.post(reports, { config: { row: `POST ${reports}`, open: true } }, ({ raw: request }, reply) => {
    reply.hijack()
    // The report is answered once its body has arrived. Until then the request holds no admission slot (the slots limit
    // how many requests are handled at once), but counts towards the limit of requests in flight per client network
    // (`maxOpenPerClient`).
    slots.suspend(reply.raw)
    discardBody(request, (complete) => {
      if (complete) return sendStatus(reply.raw, 204)
      reply.raw.once('finish', () => request.destroy())
      send(reply.raw, { status: 413, headers: { Connection: 'close' }, body: '' })
    })
  })
}

function pathOf(request: FastifyRequest): string {
  const { params } = request
  return typeof params === 'object' && params !== null && '*' in params ? String(params['*']) : ''
}

// The build generates file names with an extension and without unusual characters.
function isFile(path: string): boolean {
  return /^(?:[\w-]+\/)*[\w-][\w.-]*\.[a-z0-9]+$/.test(path) && !path.includes('..')
}

const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

async function sendAsset(request: FastifyRequest, reply: FastifyReply, path: string): Promise<void> {
  const type = types[path.slice(path.lastIndexOf('.') + 1)]
  const accepted = (request.headers['accept-encoding'] ?? '').split(',').map((part) => part.split(';')[0]?.trim())
  const headers = {
    'Content-Type': type ?? 'application/octet-stream',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': isHashed(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
    Vary: 'Accept-Encoding',
  }
  for (const [encoding, ending] of encodings) {
    const body = accepted.includes(encoding) ? await fileAt(path + ending) : undefined
    if (body) return hand(reply, { ...headers, 'Content-Encoding': encoding }, body)
  }
  const body = type === undefined ? undefined : await fileAt(path)
  if (!body) throw noRoute()
  return hand(reply, headers, body)
}

async function sendPage(reply: FastifyReply): Promise<void> {
  const nonce = randomBytes(16).toString('base64url')
  const html = (await fileAt('index.html'))?.toString('utf8').replaceAll(nonceMark, nonce)
  const headers = { ...pageHeaders, 'Content-Security-Policy': policy(nonce), 'Cache-Control': 'no-store' }
  return hand(reply, headers, html ?? notBuilt, html === undefined ? 503 : 200)
}

function hand(reply: FastifyReply, headers: Record<string, string>, body: string | Uint8Array, status = 200): void {
  reply.hijack()
  send(reply.raw, { status, headers, body })
}

/**
 * Returns the content of a built file; undefined when it does not exist. Files below `assets/` are cached, since they
 * have a hash of their content in the name and never change.
 */
function fileAt(path: string): Promise<Buffer | undefined> {
  const file = new URL(path, folder)
  return isHashed(path) ? readStatic(file) : readFresh(file)
}

function isHashed(path: string): boolean {
  return path.startsWith('assets/')
}
