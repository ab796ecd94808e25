import { sql } from 'kysely'
import { namesOfUsers } from '../access/users/users.sql.ts'
import { namesOfCustomers } from '../customers/customers.sql.ts'
import type { Database } from '../db/database.ts'
import { kindOf, type LoggedEvent } from './event.ts'

/** What an entry of the history is about, for people who know names rather than ids. */
export interface EntrySubject {
  /**
   * The name of the changed object; of the customer for a reservation, a payment or a note, and of the provider or the
   * service for time off, a calendar or a link. Empty if there is none, as after an erasure.
   */
  readonly name: string
  /** The start of the reservation or of the time off (Unix seconds); null for other objects. */
  readonly start: number | null
}

/** An object whose current name an entry shows, because the event itself has none. */
interface Named {
  readonly kind: 'customer' | 'provider' | 'service' | 'user' | 'reservation'
  readonly id: string
}

/** Returns a function that returns what one of these events is about. */
export async function findSubjects(
  db: Database,
  events: readonly LoggedEvent[],
): Promise<(event: LoggedEvent) => EntrySubject> {
  const naming = events.flatMap((event) => (ownName(event) === '' ? (namingObject(event) ?? []) : []))
  const idsOf = (kind: Named['kind']) => [
    ...new Set(naming.flatMap((one) => (one.kind === kind && one.id !== '' ? [one.id] : []))),
  ]
  const reservations = await listBookings(db, idsOf('reservation'))
  const customerIds = [...idsOf('customer'), ...[...reservations.values()].map(({ customerId }) => customerId)]
  const names = {
    customer: await namesOfCustomers(db, [...new Set(customerIds)]),
    provider: await namesIn(db, 'provider', idsOf('provider')),
    service: await namesIn(db, 'service', idsOf('service')),
    user: new Map(await namesOfUsers(db, idsOf('user'))),
  }
  const nameOf = ({ kind, id }: Named) =>
    kind === 'reservation' ? names.customer.get(reservations.get(id)?.customerId ?? '') : names[kind].get(id)
  return (event) => {
    const by = namingObject(event)
    const reservation = by?.kind === 'reservation' ? reservations.get(by.id) : undefined
    return {
      name: ownName(event) || (by && nameOf(by)) || '',
      start: startOf(event) ?? reservation?.start ?? null,
    }
  }
}

type State = Readonly<Record<string, unknown>>

function stateOf({ object, previous }: LoggedEvent): State {
  return object ?? previous ?? {}
}

/** Returns the name that an object has in its event, or what identifies an object without a name; empty for neither. */
function ownName(event: LoggedEvent): string {
  const { name, email, url } = stateOf(event)
  return [name, email, url].find((text): text is string => typeof text === 'string' && text !== '') ?? ''
}

function startOf(event: LoggedEvent): number | null {
  const { start } = stateOf(event)
  return typeof start === 'number' && ['reservation', 'time_off'].includes(kindOf(event.type)) ? start : null
}

/** Returns the object whose name an event without a name is shown with; undefined when there is none. */
function namingObject(event: LoggedEvent): Named | undefined {
  const { objectId, type } = event
  const { customerId, providerId, serviceId, reservationIds } = stateOf(event)
  const kind = kindOf(type)
  if (kind === 'reservation')
    return typeof customerId === 'string' ? { kind: 'customer', id: customerId } : { kind, id: objectId }
  if (kind === 'payment')
    return { kind: 'reservation', id: Array.isArray(reservationIds) ? String(reservationIds[0]) : '' }
  if (kind === 'user') return { kind, id: objectId }
  if (['customer', 'customer_note', 'sms_consent'].includes(kind) || type.startsWith('booking_page.deletion'))
    return { kind: 'customer', id: objectId }
  if (typeof providerId === 'number') return { kind: 'provider', id: String(providerId) }
  if (typeof serviceId === 'string') return { kind: 'service', id: serviceId }
  return kind === 'booking_page' ? { kind: 'service', id: objectId } : undefined
}

async function listBookings(
  db: Database,
  ids: readonly string[],
): Promise<Map<string, { readonly customerId: string; readonly start: number }>> {
  const rows = await db.build
    .selectFrom('reservation')
    .select(['id', 'customer_id', 'start_at'])
    .where(db.dialect.listed(sql.ref('id'), ids, 'text'))
    .execute()
  return new Map(rows.map((row) => [row.id, { customerId: row.customer_id, start: row.start_at }]))
}

async function namesIn(
  db: Database,
  table: 'provider' | 'service',
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { listed } = db.dialect
  const id = sql.ref('id')
  const rows = await db.build
    .selectFrom(table)
    .select(['id', 'name'])
    .where(table === 'provider' ? listed(id, ids.map(Number), 'bigint') : listed(id, ids, 'text'))
    .execute()
  return new Map(rows.map(({ id: found, name }) => [String(found), name]))
}
