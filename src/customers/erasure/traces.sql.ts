import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { toEvent } from '../../db/log/event-log.ts'
import type { LoggedEvent } from '../../history/event.ts'
import { writeOffId } from '../../payments/desk/desk-payments.ts'
import type { Reservation } from '../../reservations/reservation.ts'
import { toReservation } from '../../reservations/reservations.sql.ts'
import { emailKey } from '../customer.ts'
import { findCustomer } from '../customers.sql.ts'
import { listReassigned } from './reassigned.sql.ts'

/** Returns every reservation of the given customers, ordered by start. */
export async function listReservationsOf(db: Database, customerIds: readonly string[]): Promise<Reservation[]> {
  const rows = await db.build
    .selectFrom('reservation')
    .selectAll()
    .where(db.dialect.listed(sql.ref('customer_id'), customerIds, 'text'))
    .orderBy('start_at')
    .orderBy('id')
    .execute()
  return rows.map(toReservation)
}

/**
 * The ids of the objects whose entries in the event log contain data about one customer: the customer and the customers
 * merged into this one, their reservations and host users, and the write-offs of amounts due for these reservations;
 * and the e-mail addresses that the event log has of these customers.
 */
export interface CustomerTraces {
  readonly customerIds: readonly string[]
  readonly reservationIds: readonly string[]
  /** Those of `reservationIds` that belong to these customers, or did when they were removed. */
  readonly ownReservationIds: readonly string[]
  readonly hostUserIds: readonly number[]
  readonly writeOffIds: readonly string[]
  readonly addresses: readonly string[]
}

/**
 * Finds the objects whose entries in the event log are about a customer, whether or not the customer still exists: the
 * customer and customers merged into this one, their host users, and reservations that belong or ever belonged to any
 * of them, including removed reservations, with the write-offs for these reservations. Write-offs after a reservation
 * was given to another customer are left out.
 */
export async function findTraces(db: Database, id: string): Promise<CustomerTraces> {
  const customerIds = await listIdsOf(db, id)
  const present = (await listReservationsOf(db, customerIds)).map((one) => one.id)
  const removed = await listRemovedOf(db, customerIds)
  const ownReservationIds = [...new Set([...present, ...removed])]
  const reassigned = await listReassigned(db, customerIds)
  const reservationIds = [...new Set([...ownReservationIds, ...reassigned.map((one) => one.id)])]
  const profiles = await listFormerProfiles(db, customerIds)
  const usersOf = profiles.map(({ host_user: user }) => user).filter((user) => typeof user === 'number')
  const hostUserIds = [...new Set(usersOf)].filter((user) => user !== 0)
  const addresses = [...new Set(profiles.map(({ email }) => email).filter((email) => typeof email === 'string'))]
  const writeOffIds = await listWriteOffs(db, ownReservationIds)
  for (const { id: given, at } of reassigned) writeOffIds.push(...(await listWriteOffs(db, [given], at)))
  return { customerIds, reservationIds, ownReservationIds, hostUserIds, writeOffIds, addresses }
}

// A write-off is a payment due that staff waive. Its id is the object id of the events about it.
async function listWriteOffs(
  db: Database,
  reservationIds: readonly string[],
  until = Number.MAX_SAFE_INTEGER,
): Promise<string[]> {
  const rows = await db.build
    .selectFrom('ledger_posting')
    .select('source')
    .where('kind', '=', 'write_off')
    .where(db.dialect.listed(sql.ref('reservation_id'), reservationIds, 'text'))
    .where('posted_at', '<=', until)
    .execute()
  return rows.map(({ source }) => writeOffId(source))
}

/**
 * Returns a customer's own id and the ids of all customers merged into that customer, directly or through another
 * merge. Earlier versions could add a merged customer again; such a customer is another one and is left out.
 */
export async function listIdsOf(db: Database, id: string): Promise<string[]> {
  const ids = new Set([id])
  // A set iterates also over what is added meanwhile.
  for (const one of ids)
    for (const merged of await listMergedInto(db, one)) if (!(await findCustomer(db, merged))) ids.add(merged)
  return [...ids]
}

/** Whether the event log still contains data about the objects in `traces`. */
export async function hasTraces(db: Database, traces: CustomerTraces): Promise<boolean> {
  const row = await db.build
    .selectFrom('event')
    .select('id')
    .where(about(db, traces))
    .where('body', 'is not', null)
    .where('type', '!=', 'customer.erased')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Whether a customer who existed at `since` (Unix seconds) was erased since then, or merged into a customer who was
 * erased; then the event log no longer has the profile that the merge removed. Erasures before `since` do not count:
 * the row of an erased customer who has reservations remains, and staff may use it for another customer.
 */
export async function isErasedSince(db: Database, customerId: string, since: number): Promise<boolean> {
  const row = await db.build
    .selectFrom('event')
    .select('id')
    .where('kind', '=', 'customer')
    .where('object_id', '=', customerId)
    .where('created_at', '>=', since)
    .where((e) =>
      e.or([e('type', '=', 'customer.erased'), e.and([e('type', '=', 'customer.removed'), e('body', 'is', null)])]),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the profiles of the given customers before and after each change that the event log has. */
async function listFormerProfiles(
  db: Database,
  customerIds: readonly string[],
): Promise<Readonly<Record<string, unknown>>[]> {
  const rows = await db.build
    .selectFrom('event')
    .selectAll()
    .where('kind', '=', 'customer')
    .where(db.dialect.listed(sql.ref('object_id'), customerIds, 'text'))
    .execute()
  return rows.flatMap((row) => {
    const { object, previous } = toEvent(row)
    return [object, previous].filter((profile) => profile !== null)
  })
}

async function listMergedInto(db: Database, id: string): Promise<string[]> {
  const rows = await db.build
    .selectFrom('event')
    .selectAll()
    .where('kind', '=', 'customer')
    .where('object_id', '=', id)
    .where('type', '=', 'customer.merged')
    .execute()
  return rows.flatMap((row) => {
    const from = toEvent(row).object?.mergedFrom
    return typeof from === 'string' ? [from] : []
  })
}

async function listRemovedOf(db: Database, customerIds: readonly string[]): Promise<string[]> {
  const rows = await db.build
    .selectFrom('event')
    .select('object_id')
    // The planner uses the partial index only when the query repeats the condition of the index.
    .where('type', '=', sql.lit('reservation.removed'))
    .where(db.dialect.listed(db.dialect.removedOf(), customerIds, 'text'))
    .execute()
  return rows.map((row) => row.object_id)
}

/** Returns the entries of the event log about the objects in `traces`, in the order of the log. */
export async function listEventsAbout(db: Database, traces: CustomerTraces): Promise<LoggedEvent[]> {
  const rows = await db.build
    .selectFrom('event')
    .selectAll()
    .where(about(db, traces))
    .orderBy('tx')
    .orderBy('n')
    .execute()
  return rows.map(toEvent)
}

/**
 * Erases the content of the event log's entries about the objects in `traces`. The entries and the digests of their
 * former content remain.
 */
export async function blankEventsAbout(db: Database, traces: CustomerTraces): Promise<void> {
  await db.build.updateTable('event').set({ body: null, salt: null }).where(about(db, traces)).execute()
}

/**
 * Erases from a customer's reservations the integration data, the keys that identify them in a JSON site file, the
 * sources (from where the customer came), the notes, the reasons for cancellation and the ratings.
 */
export async function blankReservationsOf(db: Database, customerId: string): Promise<void> {
  await db.build
    .deleteFrom('rating')
    .where('reservation_id', 'in', (from) =>
      from.selectFrom('reservation').select('id').where('customer_id', '=', customerId),
    )
    .execute()
  await db.build
    .updateTable('reservation')
    .set({ data: '{}', key: null, source: null, note: '', cancel_reason: '' })
    .where('customer_id', '=', customerId)
    .execute()
}

/**
 * Erases the reasons that staff gave until an instant (Unix seconds) for refunds of payments for the given
 * reservations; all of them when the instant is absent.
 */
export async function blankRefundReasons(
  db: Database,
  reservationIds: readonly string[],
  until = Number.MAX_SAFE_INTEGER,
): Promise<void> {
  const ofThem = sql<boolean>`${db.dialect.listed(sql.ref('reservation_id'), reservationIds, 'text')}`
  await db.build
    .updateTable('refund')
    .set({ reason: '' })
    .where(ofThem)
    .where('created_at', '<=', until)
    .where('payment_id', 'in', (from) => from.selectFrom('payment_share').select('payment_id').where(ofThem))
    .execute()
}

/** Reassigns all reservations, notes, payments and records of messages of one customer to another. */
export async function moveTraces(db: Database, from: string, to: string, now: number): Promise<void> {
  await db.build
    .updateTable('reservation')
    .set((e) => ({ customer_id: to, updated_at: now, version: e('version', '+', 1) }))
    .where('customer_id', '=', from)
    .execute()
  await db.build.updateTable('customer_note').set({ customer_id: to }).where('customer_id', '=', from).execute()
  await db.build.updateTable('notification').set({ customer_id: to }).where('customer_id', '=', from).execute()
  await db.build.updateTable('payment').set({ customer_id: to }).where('customer_id', '=', from).execute()
}

/**
 * Deletes the messages to the given customers, the messages to providers and staff about the given reservations, and
 * the consents of these customers to short messages (SMS). Messages to another customer remain, also if they are about
 * one of these reservations. Also removes `addresses`, all recipients of messages to these customers, and the phone
 * numbers in the consents from the list of recipients that get no messages, except those that another customer has.
 */
export async function deleteMessagesOf(
  db: Database,
  { customerIds, reservationIds }: Pick<CustomerTraces, 'customerIds' | 'reservationIds'>,
  addresses: readonly string[],
): Promise<void> {
  const toThem = sql<boolean>`${db.dialect.listed(sql.ref('customer_id'), customerIds, 'text')}`
  const sent = await db.build.selectFrom('notification').select('recipient').distinct().where(toThem).execute()
  const consents = await db.build.selectFrom('sms_consent').select('number').where(toThem).execute()
  const recipients = [...addresses, ...sent.map(({ recipient }) => recipient)]
  const keys = [...recipients.map(emailKey), ...consents.map(({ number }) => number)]
  await db.build
    .deleteFrom('mail_suppression')
    .where(db.dialect.listed(sql.ref('address_key'), keys, 'text'))
    .where('address_key', 'not in', (from) =>
      from
        .selectFrom('customer')
        .select('email_key')
        .where(db.dialect.listed(sql.ref('email_key'), keys, 'text'))
        .where(({ not }) => not(db.dialect.listed(sql.ref('customer.id'), customerIds, 'text'))),
    )
    .where('address_key', 'not in', (from) =>
      from
        .selectFrom('sms_consent')
        .select('number')
        .where(db.dialect.listed(sql.ref('number'), keys, 'text'))
        .where(({ not }) => not(toThem)),
    )
    .execute()
  // The subject of a message to a provider contains the name of the customer at that time.
  const aboutThem = sql<boolean>`(customer_id is null
    and ${db.dialect.listed(sql.ref('reservation_id'), reservationIds, 'text')})`
  await db.build
    .deleteFrom('notification')
    .where(({ or }) => or([toThem, aboutThem]))
    .execute()
  await db.build.deleteFrom('sms_consent').where(toThem).execute()
}

/** Deletes all notes about a customer. */
export async function deleteNotesOf(db: Database, customerId: string): Promise<void> {
  await db.build.deleteFrom('customer_note').where('customer_id', '=', customerId).execute()
}

/**
 * Deletes the given host users (accounts of the host platform), except those to which a customer other than `id` is
 * linked; returns the ids of the deleted host users.
 */
export async function deleteHostUsersOf(db: Database, id: string, hostUserIds: readonly number[]): Promise<number[]> {
  const rows = await db.build
    .deleteFrom('host_user')
    .where(db.dialect.listed(sql.ref('host_user.id'), hostUserIds, 'bigint'))
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('customer')
            .select('customer.id')
            .whereRef('customer.host_user_id', '=', 'host_user.id')
            .where('customer.id', '!=', id),
        ),
      ),
    )
    .returning('host_user.id')
    .execute()
  return rows.map((row) => row.id)
}

function about(db: Database, { customerIds, reservationIds, hostUserIds, writeOffIds }: CustomerTraces) {
  const { listed } = db.dialect
  const object = sql.ref('object_id')
  return sql<boolean>`(kind in ('customer', 'customer_note', 'sms_consent') and ${listed(object, customerIds, 'text')}
    or kind = 'reservation' and ${listed(object, reservationIds, 'text')}
    or kind = 'payment' and ${listed(object, writeOffIds, 'text')}
    or kind = 'host_user' and ${listed(object, hostUserIds.map(String), 'text')})`
}

/** Returns the ratings that a customer gave. */
export async function listRatingsOf(
  db: Database,
  customerId: string,
): Promise<{ readonly reservationId: string; readonly score: number; readonly comment: string }[]> {
  const rows = await db.build
    .selectFrom('rating')
    .innerJoin('reservation', 'reservation.id', 'rating.reservation_id')
    .select(['rating.reservation_id', 'rating.score', 'rating.comment'])
    .where('reservation.customer_id', '=', customerId)
    .orderBy('rating.created_at')
    .execute()
  return rows.map(({ reservation_id, score, comment }) => ({ reservationId: reservation_id, score, comment }))
}

/**
 * Returns the kind, creation time and expiry time of every mailed link, and of every browser in which such a link was
 * opened, with access to the bookings of the given e-mail addresses.
 */
export async function listBookingsAccess(
  db: Database,
  emailKeys: readonly string[],
): Promise<{ readonly kind: string; readonly created: number; readonly expires: number }[]> {
  const rows = await db.build
    .selectFrom('bookings_access')
    .selectAll()
    .where(db.dialect.listed(sql.ref('email_key'), emailKeys, 'text'))
    .orderBy('created_at')
    .execute()
  return rows.map(({ kind, created_at, expires_at }) => ({ kind, created: created_at, expires: expires_at }))
}

/**
 * Revokes the access of all mailed links, and of the browsers in which such links were opened, to the bookings of the
 * given e-mail addresses.
 */
export async function deleteBookingsAccess(db: Database, emailKeys: readonly string[]): Promise<void> {
  await db.build
    .deleteFrom('bookings_access')
    .where(db.dialect.listed(sql.ref('email_key'), emailKeys, 'text'))
    .execute()
}
