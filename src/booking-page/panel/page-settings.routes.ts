import type { PanelContext } from '../../access/sessions/panel-session.routes.ts'
import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import type { bookingPageRoutes } from '../../contract/panel/booking/booking-page.ts'
import type { Handlers } from '../../http/call.ts'
import type { Operations } from '../../operations.ts'
import { dateAt } from '../../scheduling/time/zone.ts'
import { averageRatings, latestRatings, sumCounts } from '../funnel/funnel.sql.ts'
import type { FunnelStep } from '../funnel/funnel.ts'
import { loadPages } from '../settings.sql.ts'
import { maxPreviewLength, sealPreview } from './preview.operations.ts'

const day = 86_400
const maxRatings = 20
const maxSources = 30

/**
 * Route handlers that show and change the booking page's settings, preview them, and show how often visitors took each
 * step of a booking, and customers' ratings.
 */
export function bookingPageHandlers({
  app,
  origin,
}: Pick<PanelContext, 'app'> & { origin(): string }): Handlers<typeof bookingPageRoutes, Operations> {
  return {
    'GET /booking-page/': async () => {
      const catalogue = await loadCatalogue(app.db)
      const pages = await loadPages(app.db, catalogue)
      const url = `${origin()}/book/`
      const services = catalogue.services.map(({ id, name, settings: { active } }) => {
        const slug = pages.slugOf(id)
        return { id, name, active, url: `${url}${slug}/`, slug, page: pages.service(id) }
      })
      const { settings } = pages
      return { url, settings: { ...settings, allowedOrigins: [...settings.allowedOrigins] }, services }
    },
    'POST /booking-page/edit/': ({ body, perform }) => perform('booking-page.edit', body),
    'POST /booking-page/service/edit/': ({ body, perform }) => perform('booking-page.service.edit', body),
    'POST /booking-page/preview/': async ({ body, now }) => {
      const catalogue = await loadCatalogue(app.db)
      const sealed = sealPreview(catalogue, body, now)
      // When the settings are too long for a URL, the preview omits the texts.
      const { texts: _, intro: __, ...look } = body
      const fitting = sealed.length <= maxPreviewLength ? sealed : sealPreview(catalogue, look, now)
      return { path: `/book/?embed=1&preview=${fitting}` }
    },
    'GET /booking-page/insight/': async ({ query: { days = 30 }, now }) => {
      const { services, site } = await loadCatalogue(app.db)
      const since = now - (days - 1) * day
      const counts = await sumCounts(app.db, dateAt(site.timezone, since))
      const scores = new Map((await averageRatings(app.db, since)).map((one) => [one.serviceId, one]))
      const sum = (step: FunnelStep, of: (count: (typeof counts)[number]) => boolean) =>
        counts.reduce((total, one) => total + (one.step === step && of(one) ? one.count : 0), 0)
      const sources = [...new Set(counts.map(({ source }) => source))].map((source) => ({
        source,
        viewed: sum('viewed', (one) => one.source === source),
        booked: sum('booked', (one) => one.source === source),
      }))
      return {
        services: services.map(({ id, name }) => {
          const own = ({ serviceId }: { readonly serviceId: string }) => serviceId === id
          const [viewed, choseTime] = [sum('viewed', own), sum('chose_time', own)]
          const [startedForm, booked] = [sum('started_form', own), sum('booked', own)]
          const score = scores.get(id)
          const rating = score ? Math.round(score.average * 10) / 10 : null
          return { id, name, viewed, choseTime, startedForm, booked, rating, ratings: score?.count ?? 0 }
        }),
        sources: sources.sort((one, other) => other.viewed - one.viewed).slice(0, maxSources),
        ratings: await latestRatings(app.db, maxRatings),
      }
    },
  }
}
