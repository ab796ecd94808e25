import { findProviderLanguage } from '../access/users/user-language.sql.ts'
import { loadCatalogue } from '../catalogue/catalogue.sql.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Customer } from '../customers/customer.ts'
import { findCustomer } from '../customers/customers.sql.ts'
import { listIdsOf } from '../customers/erasure/traces.sql.ts'
import { findSmsConsent } from '../customers/sms-consent/sms-consent.sql.ts'
import type { Database } from '../db/database.ts'
import type { Money } from '../money.ts'
import { findFeePayment } from '../payments/cards/cards.sql.ts'
import { isAwaiting, type Reservation } from '../reservations/reservation.ts'
import { findReservation } from '../reservations/reservations.sql.ts'
import type { MessageSource } from './mail/compose.ts'
import { brandOf } from './mail/layout.ts'
import {
  isAboutCancellation,
  isAboutFee,
  type NotificationKind,
  propertiesOf,
  type ReservationState,
} from './notification.ts'
import { type Channel, findTemplate } from './notifications.sql.ts'
import type { NotificationSettings } from './settings.ts'
import { localeOf } from './templates/template.ts'

/** The fields of a reservation from which a message about it is composed. */
export type Subject = Pick<
  ReservationState,
  'id' | 'serviceId' | 'customerId' | 'providerId' | 'start' | 'end' | 'status' | 'expires' | 'payment' | 'meeting'
>

/** Returns the fields of a reservation from which a message about it is composed. */
export function subjectOf({ expiresAt, ...reservation }: Reservation): Subject {
  return { ...reservation, ...(expiresAt !== null && { expires: expiresAt }) }
}

/**
 * Returns the reservation that a message about an event describes, with the customer that it is sent to or is about;
 * undefined when the message is obsolete. One about an appointment that does not take place is obsolete only when the
 * reservation is confirmed again for the same start and provider; one about the no-show fee, when the state of the fee
 * has changed; a request for approval, when the reservation does not wait for it; any other, when the reservation was
 * removed or its status, start, end or provider has changed.
 *
 * Messages about an appointment that does not take place and about the fee describe `state`, the reservation in the
 * event, with the customer of that time or the one into whom that customer was merged. All others describe the present
 * reservation with its present customer.
 */
export async function findSubject(
  db: Database,
  kind: NotificationKind,
  state: ReservationState,
): Promise<Subject | undefined> {
  const current = await findReservation(db, state.id)
  if (!stillApplies(kind, state, current)) return undefined
  if (!current) return state
  if (!isAboutCancellation(kind) && !isAboutFee(kind)) return subjectOf(current)
  const { customerId } = current
  return (await isSamePerson(db, customerId, state.customerId)) ? { ...state, customerId } : state
}

/**
 * Returns the start from which a reservation was moved; undefined when it has the same start as before, and when it had
 * another customer, whose appointment is not disclosed to the present one.
 */
export async function findFormerStart(
  db: Database,
  before: ReservationState | null,
  { start, customerId }: Subject,
): Promise<number | undefined> {
  if (!before || before.start === start) return undefined
  return (await isSamePerson(db, customerId, before.customerId)) ? before.start : undefined
}

/** Whether a former customer of a reservation is the present one, or was merged into the present one. */
async function isSamePerson(db: Database, present: string, former: string): Promise<boolean> {
  return present === former || (await listIdsOf(db, present)).includes(former)
}

function stillApplies(kind: NotificationKind, state: ReservationState, current: Reservation | undefined): boolean {
  if (kind === 'staff_approval') return current?.status === 'pending' && !isAwaiting(current)
  if (isAboutFee(kind)) return current?.payment?.noShowFee?.state === state.payment?.noShowFee?.state
  if (isAboutCancellation(kind))
    return current?.status !== 'confirmed' || current.start !== state.start || current.providerId !== state.providerId
  return (
    current !== undefined &&
    current.status === state.status &&
    current.start === state.start &&
    current.end === state.end &&
    current.providerId === state.providerId
  )
}

/** The recipient of a message, with language and time zone. */
export interface Recipient {
  readonly name: string
  readonly address: string
  readonly language: string
  readonly zone: string
}

/** A message with its recipient, before it is composed. */
export interface AddressedMessage {
  readonly recipient: Recipient
  readonly source: MessageSource
  readonly customer: Customer
  readonly catalogue: Catalogue
}

/**
 * Loads the recipient and the content of a message about a reservation; undefined when there is no recipient on this
 * channel, when the service, provider or customer no longer exists, and when the message would announce a charge of the
 * no-show fee that was not made or is returned.
 */
export async function loadAddressed(
  db: Database,
  {
    kind,
    state,
    previousStart,
    settings,
    logoUrl,
    channel,
    fee: planned,
  }: {
    readonly kind: NotificationKind
    readonly state: Subject
    readonly previousStart: number | undefined
    readonly settings: NotificationSettings
    /** The URL of the site's logos, to which the id of a logo is appended. */
    readonly logoUrl: string
    readonly channel: Channel
    /** The amount of the charge or link that the message announces; if absent, that of the newest one is loaded. */
    readonly fee?: Money
  },
): Promise<AddressedMessage | undefined> {
  const catalogue = await loadCatalogue(db)
  const { site } = catalogue
  const customer = await findCustomer(db, state.customerId)
  const service = catalogue.service(state.serviceId)
  const provider = catalogue.provider(state.providerId)
  const { audience } = propertiesOf(kind)
  const recipients: Readonly<Record<typeof audience, Recipient | undefined>> = {
    customer: customer && {
      ...{ name: customer.name, language: customer.language },
      address: channel === 'sms' ? ((await findSmsConsent(db, customer.id))?.number ?? '') : customer.email,
      zone: customer.timezone ?? provider?.timezone ?? site.timezone,
    },
    provider: provider && {
      ...{ name: provider.name, address: provider.email, zone: provider.timezone },
      language: audience === 'provider' ? ((await findProviderLanguage(db, provider.id)) ?? '') : '',
    },
    staff: { name: '', address: settings.staffAddress, language: '', zone: site.timezone },
  }
  const recipient = recipients[audience]
  if (!customer || !service || !provider || !recipient || recipient.address === '') return undefined
  const purpose = collecting[kind]
  const collected = planned ?? (purpose && (await findFeePayment(db, state.id, purpose)))
  if (purpose !== undefined && !collected) return undefined
  const locale = localeOf(recipient.language) ?? localeOf(site.language) ?? 'en'
  const source: MessageSource = {
    ...{ kind, locale, customer, service, provider, previousStart, unsubscribeUrl: undefined, zone: recipient.zone },
    template: await findTemplate(db, { kind, serviceId: service.id, locale, channel }),
    site: { ...brandOf(site, logoUrl), url: site.siteUrl },
    ...{ start: state.start, end: state.end, fee: collected ?? agreedFee(state), meeting: meetingOf(kind, state) },
  }
  return { recipient, source, customer, catalogue }
}

/** The kinds of messages that contain the address of the online meeting of a confirmed reservation. */
const withMeeting: ReadonlySet<NotificationKind> = new Set([
  ...(['confirmed', 'rescheduled', 'reminder', 'provider_new', 'provider_changed'] as const),
])

function meetingOf(kind: NotificationKind, { status, meeting }: Subject): string | undefined {
  return status === 'confirmed' && withMeeting.has(kind) ? (meeting ?? undefined) : undefined
}

/** The purposes of the payments that messages of these kinds announce. */
const collecting: Readonly<Partial<Record<NotificationKind, 'fee' | 'link'>>> = {
  fee_charged: 'fee',
  fee_requested: 'link',
}

function agreedFee({ payment }: Subject): Money | undefined {
  return payment?.noShowFee && { amount: payment.noShowFee.amount, currency: payment.currency }
}
