import { findUserLanguage } from '../../access/users/user-language.sql.ts'
import { hashLinkSecret, newLinkSecret } from '../../access/users/users.operations.ts'
import { findUser } from '../../access/users/users.sql.ts'
import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import type { JobHandler, JobResult, JobRun } from '../../jobs/job.ts'
import { sendSiteMail } from '../mail/site-mail.job.ts'
import { loadSettings } from '../notifications.sql.ts'
import { delays, maxAttempts, performed, type SendOptions } from '../outbox.job.ts'
import { localeOf } from '../templates/template.ts'
import { linkKinds } from './account-kinds.ts'
import { type AccountJob, accountJobKind } from './account-mail.operations.ts'

/** Returns the handler of the jobs that send messages to users of the panel. */
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
  const { app } = options
  const stored = await loadSettings(app.db)
  const known = await findUser(app.db, userId)
  if (!stored.settings.enabled || known?.user.status !== 'active') return 'done'
  const { email, name } = known.user
  const { site } = await loadCatalogue(app.db)
  return sendSiteMail(
    options,
    run,
    { stored, site },
    {
      kind,
      locale: localeOf((await findUserLanguage(app.db, userId)) ?? site.language) ?? 'en',
      variables: { user: { name }, detail, site: { name: site.name, url: site.siteUrl } },
      link: linkKinds.includes(kind) ? await newLink(options, userId, kind) : undefined,
      to: { name, address: email },
      replyTo: '',
    },
  )
}

/**
 * Returns a link for setting a password. Only the message contains the secret of the link: the database stores its
 * hash. An invitation makes earlier links of the user invalid. A forgotten password does not, because anyone may say
 * that they forgot it.
 */
async function newLink({ app, origin }: SendOptions, id: string, kind: AccountJob['kind']): Promise<string> {
  const secret = newLinkSecret()
  const link = { id, linkHash: hashLinkSecret(secret), liftSecondFactor: false, beside: kind === 'password_reset' }
  await performed(app, 'users.invite', link)
  return `${origin()}/admin/set-password#${secret}`
}
