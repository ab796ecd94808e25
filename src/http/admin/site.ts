import type { siteRows } from '../../contract/admin/site.ts'
import type { Commands } from '../../operations/index.ts'
import { showSite } from '../../operations/site.ts'
import type { Handlers } from '../call.ts'
import type { Panel } from './panel.ts'

/** The settings of the site. */
export function siteHandlers({ app }: Pick<Panel, 'app'>): Handlers<typeof siteRows, Commands> {
  return {
    'GET /site/': () => showSite(app.db),
    'POST /site/edit/': ({ body, perform }) => perform('site.edit', body),
  }
}
