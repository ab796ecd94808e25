import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import { logoPath } from '../../catalogue/site/appearance.ts'
import { emailKey } from '../../customers/customer.ts'
import { findCustomer } from '../../customers/customers.sql.ts'
import type { JobHandler, JobResult, JobRun } from '../../jobs/job.ts'
import { composeMail } from '../mail/compose-mail.ts'
import { brandOf } from '../mail/layout.ts'
import { findSuppression, findTemplate, loadSettings } from '../notifications.sql.ts'
import { delays, entryMaker, maxAttempts, performed, type SendOptions, send } from '../outbox.job.ts'
import { localeOf } from '../templates/template.ts'
import { type BookingsJob, bookingsJobKind, newBookingsSecret } from './bookings-mail.operations.ts'

const kind = 'bookings_link'

/** The handler of messages with a link to the bookings of an address. */
export function bookingsMailJob(options: SendOptions): JobHandler {
  return {
    ...{ kind: bookingsJobKind, concurrency: 4, maxAttempts, delays, outbound: true },
    run: async (payload, run) => runBookingsMail(options, payload as BookingsJob, run),
  }
}

async function runBookingsMail(
  options: SendOptions,
  { customerId, language }: BookingsJob,
  run: JobRun,
): Promise<JobResult> {
  const { app, origin } = options
  const customer = customerId === '' ? undefined : await findCustomer(app.db, customerId)
  const stored = await loadSettings(app.db)
  const { settings } = stored
  if (!customer || !settings.enabled) return 'done'
  const { email } = customer
  if ((await findSuppression(app.db, emailKey(email)))?.reason === 'bounced') return 'done'
  // Only the message contains the secret, so another attempt creates another secret.
  const { secret, hash } = newBookingsSecret()
  const { issued } = await performed(app, 'booking-page.bookings.issue', { emailKey: emailKey(email), hash })
  if (!issued) return 'done'
  const { site } = await loadCatalogue(app.db)
  const locale = localeOf(language) ?? localeOf(site.language) ?? 'en'
  const composed = await composeMail({
    ...{ kind, locale, template: await findTemplate(app.db, { kind, locale, serviceId: '', channel: 'email' }) },
    variables: { site: { name: site.name, url: site.siteUrl } },
    site: brandOf(site, `${origin()}${logoPath}`),
    origin: origin(),
    link: `${origin()}/manage/bookings/${secret}/`,
  })
  const message = {
    messageId: `<${run.id}@${new URL(origin()).hostname}>`,
    thread: '',
    from: { name: settings.from.name || site.name, address: settings.from.address },
    replyTo: settings.replyTo,
    // Several customers may share the address, so the message names none of them.
    to: { name: '', address: email },
    ...composed,
  }
  const of = { kind, reservationId: null, customerId, recipient: email, locale, channel: 'email' } as const
  return send(options, run, { stored, message, entryOf: entryMaker(app, run, of) })
}
