import type { NotificationKind } from '../notification.ts'
import { defaultSmsText } from '../sms/sms-texts.ts'
import { defaultTemplate, wordsOf } from '../templates/defaults.ts'
import type { Locale, Template } from '../templates/template.ts'
import { type Brand, layout } from './layout.ts'
import { renderLiquid, type TemplateVariables } from './liquid.ts'

/** What a message about a reservation is made from. */
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
  /** The start before a move; undefined for other messages. */
  readonly previousStart: number | undefined
  readonly zone: string
  readonly unsubscribeUrl: string | undefined
  /** When the reservation expires unless the customer confirms the e-mail address; undefined for other messages. */
  readonly deadline?: number | undefined
  /** The customer's page of the reservation; undefined for messages without a link to it. */
  readonly manageUrl?: string | undefined
  /** The page where the customer confirms the e-mail address; undefined for other messages. */
  readonly verifyUrl?: string | undefined
}

/** A composed message. */
export interface ComposedMessage {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The variables of a message's template; times are in its zone and language. */
export function variablesOf(source: MessageSource): TemplateVariables {
  const {
    locale,
    zone,
    start,
    end,
    previousStart,
    deadline,
    customer,
    service,
    provider,
    site,
    manageUrl = '',
  } = source
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
    deadline: deadline === undefined ? '' : moment(deadline),
    manage_url: manageUrl,
  }
}

/** Composes a message from its template: a plain text, and the same as HTML. */
export async function compose(source: MessageSource): Promise<ComposedMessage> {
  const { kind, locale, unsubscribeUrl, site } = source
  const template = source.template ?? defaultTemplate(kind, locale)
  const variables = variablesOf(source)
  const words = wordsOf(locale)
  const subject = (await renderLiquid(template.subject, variables)).replace(/\s+/g, ' ').trim()
  const paragraphs = (await renderLiquid(template.body, variables)).trim().split(/\n\s*\n/)
  const forStaff = kind.startsWith('provider_') || kind === 'staff_approval'
  const details: readonly (readonly [string, string])[] = [
    [words.when, `${variables.start}–${variables.end_time}`],
    [words.service, variables.service.name],
    [words.provider, variables.provider.name],
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
  const { manageUrl, verifyUrl } = source
  const [word, url] = verifyUrl === undefined ? (['manage', manageUrl] as const) : (['verify', verifyUrl] as const)
  const action = url === undefined ? undefined : { text: words[word], url }
  const unsubscribe = unsubscribeUrl === undefined ? undefined : { text: words.unsubscribe, url: unsubscribeUrl }
  return {
    subject,
    text: [
      ...paragraphs,
      shown.map(([name, value]) => `${name}: ${value}`).join('\n'),
      ...(action ? [`${action.text}: ${action.url}`] : []),
      zone,
      site.name,
      ...(unsubscribe ? [`${unsubscribe.text}: ${unsubscribe.url}`] : []),
    ].join('\n\n'),
    html: layout({
      ...{ locale, subject, site, paragraphs, details: shown, note: zone },
      ...(unsubscribe && { footer: unsubscribe }),
      ...(action && { action }),
    }),
  }
}

// Gateways refuse or split longer messages.
const maxSmsLength = 1_000

/** Composes a short message from its template. */
export async function composeSms(source: MessageSource): Promise<string> {
  const { kind, locale, template } = source
  const text = await renderLiquid(template?.body ?? defaultSmsText(kind, locale), variablesOf(source))
  return text
    .replace(/[^\S\n]+/g, ' ')
    .trim()
    .slice(0, maxSmsLength)
}
