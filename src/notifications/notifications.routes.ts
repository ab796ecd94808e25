import { ownProvider, type PanelContext } from '../access/sessions/panel-session.routes.ts'
import { namesOfUsers } from '../access/users/users.sql.ts'
import type { notificationRoutes } from '../contract/panel/outbound/notifications.ts'
import { emailKey } from '../customers/customer.ts'
import type { Database } from '../db/database.ts'
import { encrypt, type KeySource } from '../encryption.ts'
import type { Handlers } from '../http/call.ts'
import { message } from '../messages/message.ts'
import { Refusal, refusal } from '../messages/refusal.ts'
import type { Operations } from '../operations.ts'
import { accountKinds } from './account/account-kinds.ts'
import { previewAnnouncement } from './announcement.operations.ts'
import { compose, composeSms, type MessageSource, variablesOf } from './mail/compose.ts'
import { composeMail, type MailSource } from './mail/compose-mail.ts'
import { liquidFault } from './mail/liquid.ts'
import { isNotificationKind } from './notification.ts'
import { passwordPlace, showSettings } from './notifications.operations.ts'
import {
  type Channel,
  findEntry,
  findSuppression,
  findTemplate,
  listEntries,
  listOwnTemplates,
  listSuppressions,
  listTemplateVersions,
  type TemplateKey,
} from './notifications.sql.ts'
import { defaultSmsText } from './sms/sms-texts.ts'
import { defaultTemplate } from './templates/defaults.ts'
import { sampleMail, sampleSource } from './templates/sample.operations.ts'
import { type Locale, placeholdersOf, type Template, type TemplateKind } from './templates/template.ts'

const maxVersions = 50
const maxSuppressions = 1_000

/**
 * Returns the handlers of the panel's routes about notifications: settings, the test message, templates, previews, the
 * log and suppressed addresses.
 */
export function notificationHandlers({
  app,
  findKey,
  smtpGiven,
}: Pick<PanelContext, 'app' | 'findKey' | 'smtpGiven'>): Handlers<typeof notificationRoutes, Operations> {
  const { db } = app
  return {
    'GET /notifications/settings/': async () => ({ ...(await showSettings(db)), smtpGiven }),

    'POST /notifications/settings/edit/': async ({ body: { password, ...settings }, perform }) => {
      const sealedPassword = typeof password === 'string' ? await sealed(findKey, password) : password
      await perform('notifications.settings.edit', {
        ...{ settings, smtpGiven },
        ...(sealedPassword !== undefined && { sealedPassword }),
      })
      return {}
    },

    'POST /notifications/test/': ({ body, perform }) => perform('notifications.test', { ...body, smtpGiven }),

    'GET /notifications/': async ({ query: { id, ...filter }, paging }) => {
      if (id === undefined) return listEntries(db, filter, paging)
      const entry = await findEntry(db, id)
      return { page: entry ? [entry] : [], total: entry ? 1 : 0 }
    },

    'GET /notifications/templates/': async () => ({ all: await listOwnTemplates(db) }),

    'GET /notifications/template/': async ({ query }) => {
      const key = keyOf(query)
      const own = await findTemplate(db, key)
      const versions = await listTemplateVersions(db, key, maxVersions)
      const names = await namesOfUsers(db, [...new Set(versions.map(({ userId }) => userId))])
      const { subject, body } = own ?? defaultOf(key)
      return {
        ...{ subject, body, isDefault: own === undefined, placeholders: [...placeholdersOf(key.kind)] },
        versions: versions.map(({ userId, ...version }) => ({ ...version, by: new Map(names).get(userId) ?? '' })),
      }
    },

    'POST /notifications/template/edit/': async ({ body, session, now, perform }) => {
      const { kind, subject } = body
      // A manager who could change the text around the link to set a password could lead administrators elsewhere.
      if (accountKinds.some((one) => one === kind) && session.user.role !== 'admin') throw refusal('template_forbidden')
      const key = keyOf(body)
      const reset = body.body.trim() === ''
      if (!reset) await requireValid(body, variablesOfSample(await sample(db, key, body, now)))
      const template = reset ? { subject: '', body: '' } : { subject, body: body.body }
      return perform('notifications.templates.edit', { ...key, ...template })
    },

    'POST /notifications/preview/': async ({ body, now }) => {
      const source = await sample(db, keyOf(body), body, now, body.reservationId)
      await requireValid(body, variablesOfSample(source))
      if (isMailSource(source)) return composeMail(source)
      if (body.channel === 'sms') return { subject: '', text: await composeSms(source), html: '' }
      return compose(source)
    },

    'GET /notifications/announcement/': ({ query, session, now }) =>
      previewAnnouncement(db, query, { ofProvider: ownProvider(session), now }),

    'GET /notifications/suppressions/': async ({ query: { address } }) => {
      if (address === undefined) return { all: [...(await listSuppressions(db, maxSuppressions))] }
      const found = await findSuppression(db, emailKey(address))
      return { all: found ? [found] : [] }
    },

    'POST /notifications/suppressions/remove/': async ({ body, perform }) => {
      await perform('notifications.allow', { address: emailKey(body.address) })
      return {}
    },
  }
}

async function sealed(findKey: KeySource, password: string): Promise<string> {
  const keys = await findKey()
  if (!keys) throw refusal('secret_key_missing')
  return encrypt(keys, password, passwordPlace)
}

function keyOf({
  kind,
  locale,
  serviceId = '',
  channel = 'email',
}: {
  readonly kind: TemplateKind
  readonly locale: Locale
  readonly serviceId?: string
  readonly channel?: Channel
}): TemplateKey {
  if (!isNotificationKind(kind)) {
    const field = channel === 'sms' ? 'channel' : serviceId === '' ? undefined : 'serviceId'
    const because = message('template_of_mail')
    if (field) throw new Refusal({ code: 'invalid_parameter', message: because, details: { [field]: because } })
  }
  return { kind, locale, serviceId, channel }
}

function defaultOf({ kind, locale, channel }: TemplateKey): Template {
  return channel === 'sms' && isNotificationKind(kind)
    ? { subject: '', body: defaultSmsText(kind, locale) }
    : defaultTemplate(kind, locale)
}

/**
 * Returns data to validate and preview a template: data of the reservation if `kind` is a notification and
 * `reservationId` is given, otherwise invented data.
 */
function sample(
  db: Database,
  { kind, locale, serviceId }: TemplateKey,
  template: Template,
  now: number,
  reservationId?: string,
): Promise<MessageSource | MailSource> {
  return isNotificationKind(kind)
    ? sampleSource(db, { kind, locale, serviceId }, template, now, reservationId)
    : sampleMail(db, { kind, locale }, template, now)
}

function isMailSource(source: MessageSource | MailSource): source is MailSource {
  return 'variables' in source
}

function variablesOfSample(source: MessageSource | MailSource): object {
  return isMailSource(source) ? source.variables : variablesOf(source)
}

/** Throws a refusal that names the field when a template cannot be rendered. */
async function requireValid(template: Template, variables: object): Promise<void> {
  for (const field of ['subject', 'body'] as const) {
    const fault = await liquidFault(template[field], variables)
    if (fault === undefined) continue
    const because = message('template_invalid', { fault })
    throw new Refusal({ code: 'template_invalid', message: because, details: { [field]: because } })
  }
}
