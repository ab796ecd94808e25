import type { FastifyInstance } from 'fastify'
import { send } from '../../http/response/response.ts'
import type { Daybook } from '../../operations.ts'
import { logoFormatOfId, logoFormats } from './appearance.ts'
import { findLogo } from './logo.sql.ts'

const place = '/site-logo/'

// SVG files may contain scripts. The headers prevent a browser that opens a logo as a page from running them; mail
// programs may still load the image from another origin.
const headers = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'public, max-age=31536000, immutable',
} as const

/**
 * Serves the site's logos without authentication. A logo's id is a digest of its content, so the content never changes.
 */
export function serveLogos(fastify: FastifyInstance, { db }: Pick<Daybook, 'db'>): void {
  fastify.get(place, { config: { row: `GET ${place}`, open: true } }, async ({ url }, reply) => {
    const id = new URLSearchParams(url.split('?')[1]).get('id') ?? ''
    const format = logoFormatOfId(id)
    const content = format && (await findLogo(db, id))
    reply.hijack()
    if (!format || !content) send(reply.raw, { status: 404, headers: { 'Content-Type': 'text/plain' }, body: '' })
    else send(reply.raw, { status: 200, headers: { ...headers, 'Content-Type': logoFormats[format] }, body: content })
  })
}
