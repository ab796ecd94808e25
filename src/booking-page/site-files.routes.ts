import type { FastifyInstance, FastifyReply } from 'fastify'
import { send } from '../http/response/response.ts'
import { readStatic } from '../http/static/static-files.ts'
import { choiceView, listedServices, servicePath } from './month.routes.ts'
import { openRequest, type PageSources, pageScript, redirect } from './page-context.routes.ts'
import { onwardUrl } from './views/choices.ts'
import { sitemap } from './views/sitemap.ts'
import type { PageLanguage, PageLanguages } from './words/words.ts'

/**
 * Serves files of the booking page, such as scripts, fonts, the sitemap and `robots.txt`. Also redirects `/` to the
 * booking page while it is enabled, with the parameters of the address, and to the panel otherwise. `HEAD` is answered
 * like `GET`.
 */
export function serveSiteFiles(fastify: FastifyInstance, sources: PageSources): void {
  const route = (row: string) => ({ config: { row, open: true }, exposeHeadRoute: true })
  fastify.get('/', route('GET /'), async (request, reply) => {
    const page = await openRequest(sources, request, reply)
    const { enabled } = page.pages.settings
    redirect(reply, enabled ? onwardUrl('/book/', choiceView(page)) : '/admin/', 303)
  })
  fastify.get('/robots.txt', route('GET /robots.txt'), async (request, reply) => {
    const { pages, view } = await openRequest(sources, request, reply)
    const { enabled, indexed } = pages.settings
    const allowed = enabled && indexed ? `Allow: /book/\nSitemap: ${view.origin}/sitemap.xml\n` : ''
    answer(reply, 'text/plain; charset=utf-8', `User-agent: *\n${allowed}Disallow: /\n`)
  })
  fastify.get('/sitemap.xml', route('GET /sitemap.xml'), async (request, reply) => {
    const page = await openRequest(sources, request, reply)
    const { enabled, indexed } = page.pages.settings
    const paths = enabled && indexed ? ['/book/', ...listedServices(page).map((one) => servicePath(page, one))] : []
    answer(reply, 'application/xml; charset=utf-8', sitemap(paths.map((path) => page.view.origin + path)))
  })
  fastify.get('/book/-/page.js', route('GET /book/-/page.js'), async (_request, reply) => {
    // The URL of the script contains a hash of its content, so the script can be cached indefinitely.
    answer(reply, script, await pageScript(), { 'Cache-Control': 'public, max-age=31536000, immutable' })
  })
  fastify.get('/book/-/preview.png', route('GET /book/-/preview.png'), async (_request, reply) => {
    const body = await readStatic(new URL('../../web/booking/preview.png', import.meta.url))
    if (!body) throw new Error('The installation has no web/booking/preview.png.')
    answer(reply, 'image/png', body, { 'Cache-Control': 'public, max-age=86400' })
  })
  for (const [path, file] of proofFiles)
    fastify.get(path, route(`GET ${path}`), async (_request, reply) => {
      const body = await readStatic(file)
      if (!body) throw new Error(`The installation has no ${file.pathname}.`)
      answer(reply, script, body, { 'Cache-Control': 'public, max-age=3600' })
    })
  fastify.get('/book/-/fonts/:file', route('GET /book/-/fonts/:file'), async (request, reply) => {
    const file = fontFiles.get(String((request.params as Readonly<Record<string, unknown>>).file ?? ''))
    const body = file && (await readStatic(file))
    if (body) return answer(reply, 'font/woff2', body, { 'Cache-Control': 'public, max-age=31536000, immutable' })
    reply.hijack()
    return send(reply.raw, { status: 404, headers: { 'Content-Type': 'text/plain' }, body: '' })
  })
  const texts = JSON.stringify(embedTexts(sources.languages))
  fastify.get('/embed.js', route('GET /embed.js'), async (_request, reply) => {
    const body = await readStatic(new URL('../../web/embed/embed.js', import.meta.url))
    if (!body) throw new Error('The installation has no web/embed/embed.js.')
    const withTexts = String(body).replace('__TEXTS__', () => texts)
    answer(reply, script, withTexts, {
      'Cache-Control': 'public, max-age=3600',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    })
  })
}

/** Returns the texts that the script for other sites shows outside of its frame, by language. */
function embedTexts(languages: PageLanguages) {
  const textsOf = ({ bookNow, closeFrame }: PageLanguage['words']) => ({ bookNow, closeFrame })
  return Object.fromEntries([...languages].map(([locale, { words }]) => [locale, textsOf(words)]))
}

/** The files of the bundled fonts, by the names under which the style sheet requests them. */
const fontFiles: ReadonlyMap<string, URL> = new Map([
  [
    'inter-latin.woff2',
    new URL('../../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2', import.meta.url),
  ],
  [
    'inter-latin-ext.woff2',
    new URL('../../node_modules/@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2', import.meta.url),
  ],
  [
    'nunito-latin.woff2',
    new URL(
      '../../node_modules/@fontsource-variable/nunito-sans/files/nunito-sans-latin-wght-normal.woff2',
      import.meta.url,
    ),
  ],
  [
    'nunito-latin-ext.woff2',
    new URL(
      '../../node_modules/@fontsource-variable/nunito-sans/files/nunito-sans-latin-ext-wght-normal.woff2',
      import.meta.url,
    ),
  ],
  [
    'atkinson-latin.woff2',
    new URL(
      '../../node_modules/@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2',
      import.meta.url,
    ),
  ],
  [
    'atkinson-latin-ext.woff2',
    new URL(
      '../../node_modules/@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-ext-wght-normal.woff2',
      import.meta.url,
    ),
  ],
  [
    'serif-latin.woff2',
    new URL(
      '../../node_modules/@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2',
      import.meta.url,
    ),
  ],
  [
    'serif-latin-ext.woff2',
    new URL(
      '../../node_modules/@fontsource-variable/source-serif-4/files/source-serif-4-latin-ext-wght-normal.woff2',
      import.meta.url,
    ),
  ],
])

// The script and the worker that solve the proof of work; browsers request them only when the site requires the proof.
const proofFiles = [
  ['/book/-/proof.js', new URL('../../web/booking/proof.js', import.meta.url)],
  ['/book/-/proof-worker.js', new URL('../../node_modules/altcha/dist/workers/pbkdf2.js', import.meta.url)],
] as const

const script = 'text/javascript; charset=utf-8'

function answer(
  reply: FastifyReply,
  type: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): void {
  reply.hijack()
  send(reply.raw, { status: 200, headers: { 'Content-Type': type, ...headers }, body })
}
