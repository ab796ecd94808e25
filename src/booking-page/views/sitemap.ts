import { html } from '../../html.ts'

/** Returns a sitemap, as XML, with the given URLs. */
export function sitemap(addresses: readonly string[]): string {
  const urls = addresses.map((address) => html`<url><loc>${address}</loc></url>`)
  return html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>
`.text
}
