import type { PanelContext } from '../access/sessions/panel-session.routes.ts'
import type { jobRoutes } from '../contract/panel/system/jobs.ts'
import type { Handlers } from '../http/call.ts'
import { jobFigures, listJobs } from '../jobs/list.ts'
import { findOutboundPause } from '../jobs/outbound-pause.ts'
import type { Operations } from '../operations.ts'

/**
 * Returns the handlers of the panel's routes that list, count, retry and discard jobs of the queue, and resume outbound
 * jobs.
 */
export function jobHandlers({ app }: Pick<PanelContext, 'app'>): Handlers<typeof jobRoutes, Operations> {
  return {
    'GET /jobs/': ({ query, paging }) => listJobs(app.db, query, paging),

    'GET /jobs/figures/': async ({ now }) => ({
      ...(await jobFigures(app.db, now)),
      outboundPausedAt: await findOutboundPause(app.db),
    }),

    'POST /jobs/retry/': async ({ body, perform }) => {
      await perform('jobs.retry', body)
      return {}
    },

    'POST /jobs/discard/': async ({ body, perform }) => {
      await perform('jobs.discard', body)
      return {}
    },

    'POST /jobs/resume-outbound/': async ({ perform }) => {
      await perform('jobs.resume-outbound', {})
      return {}
    },
  }
}
