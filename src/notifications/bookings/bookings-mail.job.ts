import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import { emailKey } from '../../customers/customer.ts'
import { findCustomer } from '../../customers/customers.sql.ts'
import type { JobHandler, JobResult, JobRun } from '../../jobs/job.ts'
import { sendSiteMail } from '../mail/site-mail.job.ts'
import { findSuppression, loadSettings } from '../notifications.sql.ts'
import { delays, maxAttempts, performed, type SendOptions } from '../outbox.job.ts'
import { localeOf } from '../templates/template.ts'
import { type BookingsJob, bookingsJobKind, newBookingsSecret } from './bookings-mail.operations.ts'

/** Returns the handler of the jobs that mail a link to the bookings of an e-mail address. */
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
  // The customer may have been erased since the job was queued.
  if (email === '') return 'done'
  if ((await findSuppression(app.db, emailKey(email)))?.reason === 'bounced') return 'done'
  // The secret is stored only as a hash, so each attempt creates a new one.
  const { secret, hash } = newBookingsSecret()
  const { issued } = await performed(app, 'booking-page.bookings.issue', { emailKey: emailKey(email), hash })
  if (!issued) return 'done'
  const { site } = await loadCatalogue(app.db)
  return sendSiteMail(
    options,
    run,
    { stored, site },
    {
      kind: 'bookings_link',
      locale: localeOf(language) ?? localeOf(site.language) ?? 'en',
      variables: { site: { name: site.name, url: site.siteUrl } },
      link: `${origin()}/manage/bookings/${secret}/`,
      // Several customers may share the address, so the message contains no name.
      to: { name: '', address: email },
      replyTo: settings.replyTo,
      customerId,
    },
  )
}
