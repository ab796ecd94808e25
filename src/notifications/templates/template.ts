import type { NotificationKind } from '../notification.ts'

/** The subject and the text of a message as Liquid templates; paragraphs of the text are separated by blank lines. */
export interface Template {
  readonly subject: string
  readonly body: string
}

/** The templates of every kind in one language. */
export type Templates = Readonly<Record<NotificationKind, Template>>

/** The words that a message needs beside its template. */
export interface MessageWords {
  readonly when: string
  readonly service: string
  readonly provider: string
  readonly customer: string
  readonly email: string
  readonly phone: string
  /** `{zone}` stands for the name of the time zone. */
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

/** The language of a tag such as `de-AT`; undefined when messages do not speak it. */
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
  'deadline',
  'manage_url',
] as const
