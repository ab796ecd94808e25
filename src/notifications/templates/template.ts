import { primaryLanguage } from '../../messages/language-tag.ts'
import { type AccountMailKind, accountKinds, switchableAccountKinds } from '../account/account-kinds.ts'
import { isNotificationKind, type NotificationKind } from '../notification.ts'

/** The subject and the text of a message as Liquid templates; paragraphs of the text are separated by blank lines. */
export interface Template {
  readonly subject: string
  readonly body: string
}

/** The kinds of mails that are not about one reservation; without the test mail, which has no template. */
export const mailKinds = ['agenda', 'bookings_link', ...accountKinds] as const

/** A kind of mail that is not about one reservation. */
export type MailKind = (typeof mailKinds)[number]

/** A kind of message whose subject and text a template determines. */
export type TemplateKind = NotificationKind | MailKind

/** Whether a text is the name of a kind of message that has templates. */
export function isTemplateKind(text: string): text is TemplateKind {
  return isNotificationKind(text) || mailKinds.some((kind) => kind === text)
}

/** The default template of each kind of message, in one language. */
export type Templates = Readonly<Record<TemplateKind, Template>>

/** The fixed texts that a mail contains besides the texts of its template. */
export interface MessageWords {
  readonly when: string
  readonly service: string
  readonly provider: string
  /** The label before the address of an online appointment. */
  readonly meeting: string
  readonly customer: string
  readonly email: string
  readonly phone: string
  /** The sentence that names the zone of the times; `{zone}` stands for the name of the zone. */
  readonly timesIn: string
  readonly unsubscribe: string
  /** The text of the link to the page on which the customer manages the reservation. */
  readonly manage: string
  /** The beginning of the text of a link to a receipt, before the number of the receipt. */
  readonly receipt: string
  /** The text of the link that confirms the customer's e-mail address. */
  readonly verify: string
  /** The text of the link with which a customer pays. */
  readonly pay: string
  /** The remark that an agenda adds to an appointment that is not confirmed yet. */
  readonly pending: string
  /** The text of a link to a page of the panel. */
  readonly panel: string
}

/** The languages of messages. */
export const locales = ['en', 'de', 'es', 'fr'] as const

/** A language of messages. */
export type Locale = (typeof locales)[number]

/**
 * Returns the language of messages for a language tag such as `de-AT`; undefined when there are no messages in that
 * language.
 */
export function localeOf(tag: string): Locale | undefined {
  const language = primaryLanguage(tag)
  return locales.find((locale) => locale === language)
}

const reservationPlaceholders = [
  'customer.name',
  'customer.email',
  'customer.phone',
  'service.name',
  'provider.name',
  'site.name',
  'site.url',
  'start',
  'start_date',
  'start_time',
  'end_time',
  'timezone',
  'previous_start',
  'manage_url',
  'deadline',
  'fee',
  'meeting',
] as const

const detailedKinds: readonly AccountMailKind[] = switchableAccountKinds

/** Returns the names of the variables that templates of a kind may use. */
export function placeholdersOf(kind: TemplateKind): readonly string[] {
  if (isNotificationKind(kind)) return reservationPlaceholders
  const ofSite = ['site.name', 'site.url']
  if (kind === 'bookings_link') return ofSite
  if (kind === 'agenda') return ['provider.name', 'date', 'count', ...ofSite]
  return ['user.name', ...(detailedKinds.includes(kind) ? ['detail'] : []), ...ofSite]
}
