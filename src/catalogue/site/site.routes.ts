import type { PanelContext } from '../../access/sessions/panel-session.routes.ts'
import type { siteRoutes } from '../../contract/panel/site.ts'
import type { Handlers } from '../../http/call.ts'
import { Unavailable } from '../../http/response/errors.ts'
import type { Operations } from '../../operations.ts'
import { arePublicHolidaysBusy, listPublicHolidays } from '../holidays/public-holidays.ts'
import { showSite } from './site.operations.ts'

/** Route handlers that show and change the site's settings and logo, and list public holidays. */
export function siteHandlers({ app }: Pick<PanelContext, 'app'>): Handlers<typeof siteRoutes, Operations> {
  return {
    'GET /site/': () => showSite(app.db),
    'POST /site/edit/': ({ body, perform }) => perform('site.edit', body),
    'GET /public-holidays/': ({ query }) => {
      if (arePublicHolidaysBusy()) throw new Unavailable('Too many lists of public holidays wait to be made.')
      return listPublicHolidays({ ...query, years: query.years ?? 1 })
    },
    'POST /site/logo/': ({ body, perform }) => perform('site.logo', body),
  }
}
