import { findUserLanguage } from '../../access/users/user-language.sql.ts'
import { hashLinkSecret, newLinkSecret } from '../../access/users/users.operations.ts'
import { findUser } from '../../access/users/users.sql.ts'
import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import { logoPath } from '../../catalogue/site/appearance.ts'
import type { JobHandler, JobResult, JobRun } from '../../jobs/job.ts'
import { composeMail } from '../mail/compose-mail.ts'
import { brandOf } from '../mail/layout.ts'
import { findTemplate, loadSettings } from '../notifications.sql.ts'
import { delays, entryMaker, maxAttempts, performed, type SendOptions, send } from '../outbox.job.ts'
import { localeOf } from '../templates/template.ts'
import { linkKinds } from './account-kinds.ts'
import { type AccountJob, accountJobKind } from './account-mail.operations.ts'

/** The handler of messages to users of the panel. */
export function accountMailJob(options: SendOptions): JobHandler {
  return {
    ...{ kind: accountJobKind, concurrency: 2, maxAttempts, delays, outbound: true },
    run: async (payload, run) => runAccountMail(options, payload as AccountJob, run),
  }
}

async function runAccountMail(
  options: SendOptions,
  { kind, userId, detail = '' }: AccountJob,
  run: JobRun,
): Promise<JobResult> {
  const { app, origin } = options
  const stored = await loadSettings(app.db)
  const { settings } = stored
  const known = await findUser(app.db, userId)
  if (!settings.enabled || known?.user.status !== 'active') return 'done'
  const { email, name } = known.user
  const { site } = await loadCatalogue(app.db)
  const locale = localeOf((await findUserLanguage(app.db, userId)) ?? site.language) ?? 'en'
  const composed = await composeMail({
    ...{ kind, locale, template: await findTemplate(app.db, { kind, locale, serviceId: '', channel: 'email' }) },
    variables: { user: { name }, detail, site: { name: site.name, url: site.siteUrl } },
    site: brandOf(site, `${origin()}${logoPath}`),
    origin: origin(),
    link: linkKinds.includes(kind) ? await newLink(options, userId) : undefined,
  })
  const message = {
    messageId: `<${run.id}@${new URL(origin()).hostname}>`,
    thread: '',
    from: { name: settings.from.name || site.name, address: settings.from.address },
    replyTo: '',
    to: { name, address: email },
    ...composed,
  }
  const of = { kind, reservationId: null, customerId: null, recipient: email, locale, channel: 'email' } as const
  const entryOf = entryMaker(app, run, of)
  return send(options, run, { stored, message, entryOf })
}

/**
 * Returns a link for setting a password; earlier links of the user become invalid. Only the message contains the secret
 * of the link: the database stores its hash.
 */
async function newLink({ app, origin }: SendOptions, id: string): Promise<string> {
  const secret = newLinkSecret()
  await performed(app, 'users.invite', { id, linkHash: hashLinkSecret(secret), liftSecondFactor: false })
  return `${origin()}/admin/set-password#${secret}`
}
