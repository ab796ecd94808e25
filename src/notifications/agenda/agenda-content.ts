import { wordsOf } from '../templates/defaults.ts'
import type { Locale } from '../templates/template.ts'

interface AgendaInput {
  readonly locale: Locale
  /** The zone in which the times are shown: the provider's, or the site's in the preview of a template. */
  readonly zone: string
  readonly provider: { readonly name: string }
  readonly site: { readonly name: string; readonly siteUrl: string }
  /** Any instant of the day that the agenda lists, in Unix seconds. */
  readonly day: number
  readonly appointments: readonly {
    readonly start: number
    readonly end: number
    readonly customer: string
    readonly service: string
    /** Whether the appointment waits for approval. */
    readonly pending: boolean
  }[]
}

/** Returns the content of an agenda mail: the template's variables, the list of appointments and the closing note. */
export function agendaContent({ locale, zone, provider, site, day, appointments }: AgendaInput) {
  const words = wordsOf(locale)
  const format = (style: Intl.DateTimeFormatOptions, at: number) =>
    new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, { ...style, timeZone: zone }).format(at * 1000)
  const time = (at: number) => format({ hour: '2-digit', minute: '2-digit' }, at)
  return {
    variables: {
      provider: { name: provider.name },
      date: format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }, day),
      count: appointments.length,
      site: { name: site.name, url: site.siteUrl },
    },
    details: appointments.map(({ start, end, customer, service, pending }) => {
      const remarks = [customer, service, pending ? words.pending : '']
      return [`${time(start)}–${time(end)}`, remarks.filter(Boolean).join(' · ')] as const
    }),
    note: words.timesIn.replace('{zone}', zone),
  }
}
