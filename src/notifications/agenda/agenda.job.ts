import { findProviderLanguage } from '../../access/users/user-language.sql.ts'
import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import { logoPath } from '../../catalogue/site/appearance.ts'
import { emailKey } from '../../customers/customer.ts'
import type { JobHandler, JobResult, JobRun } from '../../jobs/job.ts'
import { listPlaced } from '../../reservations/calendar/calendar.sql.ts'
import { brandOf, layout } from '../mail/layout.ts'
import { findSuppression, loadSettings } from '../notifications.sql.ts'
import { delays, entryMaker, maxAttempts, type SendOptions, send } from '../outbox.job.ts'
import { wordsOf } from '../templates/defaults.ts'
import { localeOf } from '../templates/template.ts'
import { type AgendaJob, agendaJobKind } from './agenda.operations.ts'
import { dayOfDate } from './agenda.ts'
import { agendaTexts } from './agenda-texts.ts'

/** The handler of the daily agendas of providers. */
export function agendaJob(options: SendOptions): JobHandler {
  return {
    ...{ kind: agendaJobKind, concurrency: 4, maxAttempts, delays, outbound: true },
    run: async (payload, run) => runAgenda(options, payload as AgendaJob, run),
  }
}

// Maximum number of appointments in an agenda; nobody reads a longer one.
const maxListed = 200

async function runAgenda(options: SendOptions, { providerId, date }: AgendaJob, run: JobRun): Promise<JobResult> {
  const { app, origin } = options
  const stored = await loadSettings(app.db)
  const { settings } = stored
  const catalogue = await loadCatalogue(app.db)
  const { site } = catalogue
  const provider = catalogue.provider(providerId)
  const day = provider && dayOfDate(provider.timezone, date)
  if (!settings.enabled || settings.agendaAt === null || !day || provider.email === '' || day.end <= app.now())
    return 'done'
  if ((await findSuppression(app.db, emailKey(provider.email)))?.reason === 'bounced') return 'done'
  const period = { providerIds: [providerId], from: day.start, until: day.end }
  const placed = await listPlaced(app.db, period, { cancelled: false, limit: maxListed })
  if (placed.length === 0) return 'done'
  const locale = localeOf((await findProviderLanguage(app.db, providerId)) ?? site.language) ?? 'en'
  const texts = agendaTexts[locale]
  const format = (style: Intl.DateTimeFormatOptions, at: number) =>
    new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, { ...style, timeZone: provider.timezone }).format(
      at * 1000,
    )
  const time = (at: number) => format({ hour: '2-digit', minute: '2-digit' }, at)
  const shownDate = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }, day.start)
  const fill = (text: string) => text.replace('{date}', shownDate).replace('{count}', String(placed.length))
  const details = placed.map(({ start, end, serviceId, customer, status }) => {
    const names = [customer, catalogue.service(serviceId)?.name ?? '', status === 'pending' ? texts.pending : '']
    return [`${time(start)}–${time(end)}`, names.filter(Boolean).join(' · ')] as const
  })
  const subject = fill(texts.subject)
  const note = wordsOf(locale).timesIn.replace('{zone}', provider.timezone)
  const message = {
    messageId: `<agenda.${providerId}.${date}@${new URL(origin()).hostname}>`,
    thread: '',
    from: { name: settings.from.name || site.name, address: settings.from.address },
    replyTo: settings.replyTo,
    to: { name: provider.name, address: provider.email },
    subject,
    text: [fill(texts.first), details.map((line) => line.join('  ')).join('\n'), note, site.name].join('\n\n'),
    html: layout({
      ...{
        locale,
        subject,
        site: brandOf(site, `${origin()}${logoPath}`),
        paragraphs: [fill(texts.first)],
        details,
        note,
      },
    }),
  }
  const of = { kind: 'agenda', reservationId: null, customerId: null, recipient: provider.email, locale } as const
  return send(options, run, { stored, message, entryOf: entryMaker(app, run, { ...of, channel: 'email' }) })
}
