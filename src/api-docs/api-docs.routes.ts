import type { FastifyInstance, FastifyReply } from 'fastify'
import { readStatic } from '../http/static/static-files.ts'
import { apiDocs } from './api-docs.ts'

const place = '/api/docs/'
const files = {
  'page.css': 'text/css; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const

/**
 * The content security policy of the API documentation: files and requests of this origin only, no inline code, no
 * framing.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Serves the documentation page of the public API and its files, without authentication. */
export function answerApiDocs(fastify: FastifyInstance, api: { readonly root: string; document(): string }): void {
  let page: string | undefined
  fastify.get(place, { config: { row: `GET ${place}`, open: true } }, async (_request, reply) => {
    page ??= apiDocs(JSON.parse(api.document()), { files: place, document: `${api.root}/openapi.json`, root: api.root })
    return asPage(reply, 'text/html; charset=utf-8').send(page)
  })
  for (const [name, type] of Object.entries(files)) {
    const file = new URL(`../../web/api-docs/${name}`, import.meta.url)
    fastify.get(place + name, { config: { row: `GET ${place}${name}`, open: true } }, async (_request, reply) =>
      asPage(reply, type).send(await readStatic(file)),
    )
  }
}

function asPage(reply: FastifyReply, type: string): FastifyReply {
  return reply.headers({
    'Content-Type': type,
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cache-Control': 'no-cache',
  })
}
