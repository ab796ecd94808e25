import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import { logoPath } from '../../catalogue/site/appearance.ts'
import { findCustomer } from '../../customers/customers.sql.ts'
import type { Database } from '../../db/database.ts'
import { refusal } from '../../messages/refusal.ts'
import { awaitedSeconds } from '../../reservations/reservation.ts'
import { findReservation } from '../../reservations/reservations.sql.ts'
import { type MessageSource, variablesOf } from '../mail/compose.ts'
import { brandOf } from '../mail/layout.ts'
import { propertiesOf } from '../notification.ts'
import type { TemplateKey } from '../notifications.sql.ts'
import type { SmsVariables } from '../sms/sms.ts'
import type { Template } from './template.ts'

/** What a preview is composed from: a reservation, or an invented appointment tomorrow. */
export async function sampleSource(
  db: Database,
  { kind, locale, serviceId }: TemplateKey,
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
    previousStart: kind.endsWith('changed') || kind === 'rescheduled' ? start - 86_400 : undefined,
    zone: customer?.timezone ?? provider?.timezone ?? site.timezone,
    customer: customer ?? { name: 'Alex Kim', email: 'alex.kim@example.com', phone: '+49 30 901820' },
    service: service ?? { name: site.name },
    provider: provider ?? { name: site.name },
    // The panel's policy admits images of its own origin alone.
    site: { ...brandOf(site, logoPath), url: site.siteUrl },
    unsubscribeUrl: propertiesOf(kind).optional ? 'https://example.com/unsubscribe/' : undefined,
  }
}

/** The variables of an invented short message, with which the body of a gateway is validated and tried. */
export async function sampleSms(db: Database, now: number, sender: string) {
  const key = { kind: 'reminder', locale: 'en', serviceId: '', channel: 'sms' } as const
  const own: SmsVariables = {
    ...{ to: '+4930901820', to_digits: '4930901820', sender, text: 'An "invented" text\nof two lines.' },
    ...{ kind: key.kind, locale: key.locale, id: 'sample' },
  }
  return { ...variablesOf(await sampleSource(db, key, undefined, now)), ...own }
}
