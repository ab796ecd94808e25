import type { Panel } from '../../access/sessions/panel-session.routes.ts'
import type { siteRows } from '../../contract/panel/site.ts'
import type { Handlers } from '../../http/call.ts'
import type { Commands } from '../../operations.ts'
import { showSite } from './site.operations.ts'

/** The settings of the site. */
export function siteHandlers({ app }: Pick<Panel, 'app'>): Handlers<typeof siteRows, Commands> {
  return {
    'GET /site/': () => showSite(app.db),
    'POST /site/edit/': ({ body, perform }) => perform('site.edit', body),
  }
}
