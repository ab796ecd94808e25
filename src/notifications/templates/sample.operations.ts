import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import type { ProviderRecord } from '../../catalogue/providers/provider.ts'
import type { Service } from '../../catalogue/services/service.ts'
import { logoPath } from '../../catalogue/site/appearance.ts'
import { findCustomer } from '../../customers/customers.sql.ts'
import type { Database } from '../../db/database.ts'
import { refusal } from '../../messages/refusal.ts'
import { firstMeeting } from '../../reservations/meeting.ts'
import { awaitedSeconds } from '../../reservations/reservation.ts'
import { findReservation } from '../../reservations/reservations.sql.ts'
import { dayAt, dayOf } from '../../scheduling/time/zone.ts'
import { linkKinds } from '../account/account-kinds.ts'
import { agendaContent } from '../agenda/agenda-content.ts'
import { type MessageSource, variablesOf } from '../mail/compose.ts'
import type { MailSource } from '../mail/compose-mail.ts'
import { brandOf } from '../mail/layout.ts'
import { type NotificationKind, propertiesOf } from '../notification.ts'
import type { SmsVariables } from '../sms/sms.ts'
import type { Locale, MailKind, Template } from './template.ts'

interface SampleKey {
  readonly kind: NotificationKind
  readonly locale: Locale
  readonly serviceId: string
}

/**
 * Returns sample data for a message about the given reservation, or about an invented appointment 24 to 25 hours from
 * now; the fee and any deadline or previous start are always invented. Refuses an unknown reservation.
 */
export async function sampleSource(
  db: Database,
  { kind, locale, serviceId }: SampleKey,
  template: Template | undefined,
  now: number,
  reservationId?: string,
): Promise<MessageSource> {
  const { site, services, providers, ...catalogue } = await loadCatalogue(db)
  const reservation = reservationId === undefined ? undefined : await findReservation(db, reservationId)
  if (reservationId !== undefined && !reservation) throw refusal('reservation_not_found')
  const customer = reservation && (await findCustomer(db, reservation.customerId))
  const service = catalogue.service(reservation?.serviceId ?? serviceId) ?? services[0]
  const provider = reservation ? catalogue.provider(reservation.providerId) : providers[0]
  const start = reservation?.start ?? Math.ceil((now + 86_400) / 3_600) * 3_600
  return {
    ...{ kind, locale, template, start },
    end: reservation?.end ?? start + 3_600,
    deadline: kind === 'verify_email' ? now + awaitedSeconds.email : undefined,
    meeting: reservation ? (reservation.meeting ?? undefined) : sampleMeeting(service, provider),
    fee: { amount: 2_500, currency: site.currency },
    previousStart: kind.endsWith('changed') || kind === 'rescheduled' ? start - 86_400 : undefined,
    zone: customer?.timezone ?? provider?.timezone ?? site.timezone,
    customer: customer ?? { name: 'Alex Kim', email: 'alex.kim@example.com', phone: '+49 30 901820' },
    service: service ?? { name: site.name },
    provider: provider ?? { name: site.name },
    // The panel's content security policy permits no images of other origins, so the logo has a relative URL.
    site: { ...brandOf(site, logoPath), url: site.siteUrl },
    unsubscribeUrl: propertiesOf(kind).optional ? 'https://example.com/unsubscribe/' : undefined,
  }
}

function sampleMeeting(service: Service | undefined, provider: ProviderRecord | undefined): string | undefined {
  return service && provider
    ? (firstMeeting({ status: 'confirmed' }, { service, provider }, '…') ?? undefined)
    : undefined
}

/** Returns invented data for a mail that is not about one reservation; an agenda contains names from the catalogue. */
export async function sampleMail(
  db: Database,
  { kind, locale }: { readonly kind: MailKind; readonly locale: Locale },
  template: Template | undefined,
  now: number,
): Promise<MailSource> {
  const { site, services, providers } = await loadCatalogue(db)
  const { start: day } = dayOf(site.timezone, dayAt(site.timezone, now) + 1)
  const appointments = [9, 11].map((hour, at) => {
    const start = day + hour * 3_600
    const service = services[at % services.length]?.name ?? site.name
    return { start, end: start + 3_600, customer: 'Alex Kim', service, pending: at === 1 }
  })
  const provider = providers[0] ?? { name: site.name }
  const address = { name: site.name, url: site.siteUrl }
  return {
    ...{ kind, locale, template, site: brandOf(site, logoPath), origin: 'https://example.com' },
    ...(kind === 'agenda'
      ? agendaContent({ locale, zone: site.timezone, provider, site, day, appointments })
      : { variables: { user: { name: 'Alex Kim' }, detail: sampleDetail(kind, now), site: address } }),
    ...(kind === 'bookings_link' && { link: 'https://example.com/manage/bookings/…/' }),
    ...(linkKinds.some((one) => one === kind) && { link: 'https://example.com/admin/set-password#…' }),
  }
}

function sampleDetail(kind: MailKind, now: number): string {
  if (kind === 'new_sign_in') return 'Firefox, Linux, 203.0.113.7'
  if (kind === 'backup_overdue') return new Date((now - 3 * 86_400) * 1_000).toISOString().slice(0, 10)
  if (kind === 'payment_disputed' || kind === 'dispute_decided') return '45.00 EUR'
  if (kind === 'payments_differ') return '2'
  return 'https://example.com/hook'
}

/** Returns the variables of an invented short message, to validate and test the template of the gateway's request. */
export async function sampleSms(db: Database, now: number, sender: string) {
  const key = { kind: 'reminder', locale: 'en', serviceId: '', channel: 'sms' } as const
  const own: SmsVariables = {
    ...{ to: '+4930901820', to_digits: '4930901820', sender, text: 'An "invented" text\nof two lines.' },
    ...{ kind: key.kind, locale: key.locale, id: 'sample' },
  }
  return { ...variablesOf(await sampleSource(db, key, undefined, now)), ...own }
}
