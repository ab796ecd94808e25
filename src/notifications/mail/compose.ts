import { labelled } from '../../messages/labelled.ts'
import { currencyFormat, decimalText, type Money } from '../../money.ts'
import type { NotificationKind } from '../notification.ts'
import { defaultSmsText } from '../sms/sms-texts.ts'
import { defaultTemplate, wordsOf } from '../templates/defaults.ts'
import type { Locale, Template } from '../templates/template.ts'
import { type Brand, layout } from './layout.ts'
import { renderLiquid, type TemplateVariables } from './liquid.ts'

/** The data from which a message about a reservation is composed. */
export interface MessageSource {
  readonly kind: NotificationKind
  readonly locale: Locale
  readonly template: Template | undefined
  readonly customer: { readonly name: string; readonly email: string; readonly phone: string }
  readonly service: { readonly name: string }
  readonly provider: { readonly name: string }
  readonly site: Brand & { readonly url: string }
  readonly start: number
  readonly end: number
  /**
   * The start of the reservation before the change that the message announces; undefined when the change does not
   * affect the start, and in `confirmed` messages, reminders and follow-ups.
   */
  readonly previousStart: number | undefined
  readonly zone: string
  readonly unsubscribeUrl: string | undefined
  /**
   * The time at which the reservation expires unless the customer confirms the e-mail address or pays (Unix seconds);
   * undefined when it does not expire, and in previews, except the preview of the `verify_email` template.
   */
  readonly deadline?: number | undefined
  /** The link to a page on which the customer manages the reservation, confirms the e-mail address or pays. */
  readonly action?: { readonly kind: 'manage' | 'verify' | 'pay'; readonly url: string } | undefined
  /** The fee for a missed visit; undefined when the reservation has none. */
  readonly fee?: Money | undefined
  /** The address of an online appointment; undefined when the message contains none. */
  readonly meeting?: string | undefined
  /**
   * The receipts of the reservation, the oldest first, with links to print them; only in mails that link to the page on
   * which the customer manages the reservation.
   */
  readonly receipts?: readonly { readonly number: string; readonly url: string }[]
}

/** The subject of a composed message, and its content as plain text and as HTML. */
export interface ComposedMessage {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Returns the variables for a message's template; times are in the zone and language of the message. */
export function variablesOf(source: MessageSource): TemplateVariables {
  const { locale, zone, start, end, previousStart, deadline, customer, service, provider, site, action, fee } = source
  const format = (style: Intl.DateTimeFormatOptions, at: number) =>
    new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, { ...style, timeZone: zone }).format(at * 1000)
  const date = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const
  const time = { hour: '2-digit', minute: '2-digit' } as const
  const moment = (at: number) => `${format(date, at)}, ${format(time, at)}`
  return {
    customer: { name: customer.name, email: customer.email, phone: customer.phone },
    service: { name: service.name },
    provider: { name: provider.name },
    site: { name: site.name, url: site.url },
    start: moment(start),
    start_date: format(date, start),
    start_time: format(time, start),
    end_time: format(time, end),
    timezone: zone,
    previous_start: previousStart === undefined ? '' : moment(previousStart),
    manage_url: action?.kind === 'manage' ? action.url : '',
    deadline: deadline === undefined ? '' : moment(deadline),
    fee: fee ? amountText(fee, locale) : '',
    meeting: source.meeting ?? '',
  }
}

function amountText(fee: Money, locale: Locale): string {
  const format = new Intl.NumberFormat(locale === 'en' ? 'en-GB' : locale, currencyFormat(fee.currency))
  return format.format(Number(decimalText(fee)))
}

/** Composes a message from its template, as plain text and as HTML. */
export async function compose(source: MessageSource): Promise<ComposedMessage> {
  const { kind, locale, unsubscribeUrl, site } = source
  const variables = variablesOf(source)
  const words = wordsOf(locale)
  const { subject, paragraphs } = await renderTemplate(source.template ?? defaultTemplate(kind, locale), variables)
  const forStaff = kind.startsWith('provider_') || kind === 'staff_approval'
  const details: readonly (readonly [string, string])[] = [
    [words.when, `${variables.start}–${variables.end_time}`],
    [words.service, variables.service.name],
    [words.provider, variables.provider.name],
    [words.meeting, variables.meeting],
    ...(forStaff
      ? ([
          [words.customer, variables.customer.name],
          [words.email, variables.customer.email],
          [words.phone, variables.customer.phone],
        ] as const)
      : []),
  ]
  const shown = details.filter(([, value]) => value !== '')
  const zone = words.timesIn.replace('{zone}', variables.timezone)
  const action = source.action && { text: words[source.action.kind], url: source.action.url }
  const links = (source.receipts ?? []).map(({ number, url }) => ({ text: `${words.receipt} ${number}`, url }))
  const line = (label: string, text: string) => labelled(label, text, locale)
  const unsubscribe = unsubscribeUrl === undefined ? undefined : { text: words.unsubscribe, url: unsubscribeUrl }
  return {
    subject,
    text: [
      ...paragraphs,
      shown.map(([name, value]) => line(name, value)).join('\n'),
      ...(action ? [line(action.text, action.url)] : []),
      ...links.map(({ text, url }) => line(text, url)),
      zone,
      site.name,
      ...(unsubscribe ? [line(unsubscribe.text, unsubscribe.url)] : []),
    ].join('\n\n'),
    html: layout({
      ...{ locale, subject, site, paragraphs, details: shown, note: zone },
      ...(unsubscribe && { footer: unsubscribe }),
      ...(action && { action }),
      links,
    }),
  }
}

/** Renders a template: its subject on one line, and the paragraphs of its text. */
export async function renderTemplate(
  { subject, body }: Template,
  variables: object,
): Promise<{ readonly subject: string; readonly paragraphs: readonly string[] }> {
  return {
    subject: (await renderLiquid(subject, variables)).replace(/\s+/g, ' ').trim(),
    paragraphs: (await renderLiquid(body, variables)).trim().split(/\n\s*\n/),
  }
}

// The maximum number of characters (UTF-16 units) of a short message (SMS). A longer text is cut off, as a gateway may
// refuse it.
const maxSmsLength = 1_000

/** Composes the text of a short message (SMS) from its template. */
export async function composeSms(source: MessageSource): Promise<string> {
  const { kind, locale, template } = source
  const text = await renderLiquid(template?.body ?? defaultSmsText(kind, locale), variablesOf(source))
  return text
    .replace(/[^\S\n]+/g, ' ')
    .trim()
    .slice(0, maxSmsLength)
}
