import { logoPath } from '../../catalogue/site/appearance.ts'
import type { Site } from '../../catalogue/site/site.ts'
import type { JobResult, JobRun } from '../../jobs/job.ts'
import { findTemplate, type StoredSettings } from '../notifications.sql.ts'
import { entryMaker, type SendOptions, send } from '../outbox.job.ts'
import { composeMail, type MailSource } from './compose-mail.ts'
import { brandOf } from './layout.ts'

/** A mail of the site that is not about one reservation. */
export interface SiteMail extends Pick<MailSource, 'kind' | 'locale' | 'variables' | 'link' | 'details' | 'note'> {
  readonly to: { readonly name: string; readonly address: string }
  /** The address to which the recipient replies; `''` for the sender's address. */
  readonly replyTo: string
  /** The part of the Message-ID before the `@`; the id of the job when absent. */
  readonly messageName?: string
  /** The customer that the message log lists the mail under. */
  readonly customerId?: string
}

/** Composes a mail from the site's template, sends it, and stores the outcome in the message log. */
export async function sendSiteMail(
  options: SendOptions,
  run: JobRun,
  { stored, site }: { readonly stored: StoredSettings; readonly site: Site },
  { to, replyTo, messageName = run.id, customerId, ...mail }: SiteMail,
): Promise<JobResult> {
  const { app } = options
  const { kind, locale } = mail
  const { from } = stored.settings
  const origin = options.origin()
  const composed = await composeMail({
    ...mail,
    template: await findTemplate(app.db, { kind, locale, serviceId: '', channel: 'email' }),
    site: brandOf(site, `${origin}${logoPath}`),
    origin,
  })
  const message = {
    messageId: `<${messageName}@${new URL(origin).hostname}>`,
    thread: '',
    from: { name: from.name || site.name, address: from.address },
    ...{ replyTo, to },
    ...composed,
  }
  const of = { kind, reservationId: null, customerId: customerId ?? null, recipient: to.address, locale } as const
  return send(options, run, { stored, message, entryOf: entryMaker(app, run, { ...of, channel: 'email' }) })
}
