import type { NotificationKind } from '../notification.ts'

/** The subject and the text of a message as Liquid templates; paragraphs of the text are separated by blank lines. */
export interface Template {
  readonly subject: string
  readonly body: string
}

/** The templates of every kind in one language. */
export type Templates = Readonly<Record<NotificationKind, Template>>

/** The fixed texts that a message contains besides its template. */
export interface MessageWords {
  readonly when: string
  readonly service: string
  readonly provider: string
  readonly customer: string
  readonly email: string
  readonly phone: string
  /** The sentence that names the zone of the times; `{zone}` stands for the name of the zone. */
  readonly timesIn: string
  readonly unsubscribe: string
  /** The text of the link to the customer's page of the reservation. */
  readonly manage: string
  /** The text of the link that confirms the customer's e-mail address. */
  readonly verify: string
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
  const language = tag.toLowerCase().split('-', 1)[0]
  return locales.find((locale) => locale === language)
}

/** The variables that templates may use. */
export const placeholders = [
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
] as const
