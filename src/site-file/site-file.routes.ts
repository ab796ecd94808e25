import type { PanelContext } from '../access/sessions/panel-session.routes.ts'
import type { siteFileRoutes } from '../contract/panel/site-file.ts'
import type { Handlers } from '../http/call.ts'
import type { Operations } from '../operations.ts'
import { exportSite } from './export.operations.ts'
import { writeSite } from './write-site-file.routes.ts'

/** Returns the handlers of the panel's routes that check, apply and export a JSON site file. */
export function siteFileHandlers({ app }: Pick<PanelContext, 'app'>): Handlers<typeof siteFileRoutes, Operations> {
  return {
    'POST /site-file/check/': async ({ body, perform }) =>
      perform('site.apply', await read(body.text), { dryRun: true }),
    'POST /site-file/apply/': async ({ body, perform }) => perform('site.apply', await read(body.text)),

    'GET /site-file/': ({ query }) => {
      const reservations = query.reservations === true
      const customers = reservations || query.customers === true
      return {
        name: 'site.json',
        type: 'application/json; charset=utf-8',
        file: async (write) => {
          await exportSite(app.db, { customers, reservations }, (site) => writeSite(site, { write, note: () => {} }))
        },
      }
    },
  }
}

// The module is imported on first use, since few installations import JSON site files.
async function read(text: string) {
  return (await import('./read-site-file.routes.ts')).readSiteFile(text)
}
