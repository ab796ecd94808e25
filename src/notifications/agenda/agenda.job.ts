import { findProviderLanguage } from '../../access/users/user-language.sql.ts'
import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import { emailKey } from '../../customers/customer.ts'
import type { JobHandler, JobResult, JobRun } from '../../jobs/job.ts'
import { listPlaced } from '../../reservations/calendar/calendar.sql.ts'
import { sendSiteMail } from '../mail/site-mail.job.ts'
import { findSuppression, loadSettings } from '../notifications.sql.ts'
import { delays, entryMaker, maxAttempts, type SendOptions, settle } from '../outbox.job.ts'
import { localeOf } from '../templates/template.ts'
import { type AgendaJob, agendaJobKind } from './agenda.operations.ts'
import { dayOfDate } from './agenda.ts'
import { agendaContent } from './agenda-content.ts'

/** Returns the handler of the jobs that send providers their daily agendas. */
export function agendaJob(options: SendOptions): JobHandler {
  return {
    ...{ kind: agendaJobKind, concurrency: 4, maxAttempts, delays, outbound: true },
    run: async (payload, run) => runAgenda(options, payload as AgendaJob, run),
  }
}

// The maximum number of appointments in an agenda, since providers would not read a longer list. Later appointments of
// the day are left out.
const maxListed = 200

async function runAgenda(options: SendOptions, { providerId, date }: AgendaJob, run: JobRun): Promise<JobResult> {
  const { app } = options
  const stored = await loadSettings(app.db)
  const { settings } = stored
  const catalogue = await loadCatalogue(app.db)
  const { site } = catalogue
  const provider = catalogue.provider(providerId)
  const day = provider && dayOfDate(provider.timezone, date)
  if (!settings.enabled || settings.agendaAt === null || !day || provider.email === '' || day.end <= app.now())
    return 'done'
  const period = { providerIds: [providerId], from: day.start, until: day.end }
  const placed = await listPlaced(app.db, period, { cancelled: false, limit: maxListed, shared: true })
  if (placed.length === 0) return 'done'
  const locale = localeOf((await findProviderLanguage(app.db, providerId)) ?? site.language) ?? 'en'
  if ((await findSuppression(app.db, emailKey(provider.email)))?.reason === 'bounced') {
    const of = { kind: 'agenda', reservationId: null, customerId: null, recipient: provider.email, locale } as const
    const entry = entryMaker(app, run, { ...of, channel: 'email' })('', 'skipped', 'bounced')
    return settle(app, run, { kind: 'done' }, { entry })
  }
  const shown = placed.map(({ start, end, serviceId, customer, status }) => {
    return { start, end, customer, service: catalogue.service(serviceId)?.name ?? '', pending: status === 'pending' }
  })
  return sendSiteMail(
    options,
    run,
    { stored, site },
    {
      ...{ kind: 'agenda', locale },
      ...agendaContent({ locale, zone: provider.timezone, provider, day: day.start, appointments: shown, site }),
      to: { name: provider.name, address: provider.email },
      replyTo: settings.replyTo,
      messageName: `agenda.${providerId}.${date}`,
    },
  )
}
