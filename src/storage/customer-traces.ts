import { sql } from 'kysely'
import type { Customer } from '../domain/customer.ts'
import type { LoggedEvent } from '../domain/event.ts'
import type { Reservation } from '../domain/reservation.ts'
import type { Database } from './database.ts'
import { toEvent } from './events.ts'
import { toReservation } from './reservations.ts'

/** Every reservation of these customers, by start. */
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

/** Whose entries in the log are meant: those of customers, of their reservations and of a host user. */
export interface Traces {
  readonly customerIds: readonly string[]
  readonly reservationIds: readonly string[]
  /** 0 for none. */
  readonly hostUserId: number
}

/** Where the log speaks of a customer: under the own id, those merged into it, and reservations, removed ones too. */
export async function findTraces(db: Database, { id, hostUserId }: Customer): Promise<Traces> {
  const customerIds = [id]
  for (const one of customerIds) customerIds.push(...(await listMergedInto(db, one)))
  const kept = await listReservationsOf(db, customerIds)
  const removed = await listRemovedOf(db, customerIds)
  return { customerIds, reservationIds: [...kept.map((one) => one.id), ...removed], hostUserId }
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
    // As the index has it: only then is it used.
    .where('type', '=', sql.lit('reservation.removed'))
    .where(db.dialect.listed(db.dialect.removedOf(), customerIds, 'text'))
    .execute()
  return rows.map((row) => row.object_id)
}

/** The entries of the log about a customer, in order. */
export async function listEventsAbout(db: Database, traces: Traces): Promise<LoggedEvent[]> {
  const rows = await db.build
    .selectFrom('event')
    .selectAll()
    .where(about(db, traces))
    .orderBy('tx')
    .orderBy('n')
    .execute()
  return rows.map(toEvent)
}

/** Takes what they say out of the entries of the log about a customer; that something happened stays, and its digest. */
export async function blankEventsAbout(db: Database, traces: Traces): Promise<void> {
  await db.build.updateTable('event').set({ body: null, salt: null }).where(about(db, traces)).execute()
}

/** Takes everything out of a customer's reservations that integrations put there. */
export async function blankReservationsOf(db: Database, customerId: string): Promise<void> {
  await db.build
    .updateTable('reservation')
    .set({ data: '{}', key: null })
    .where('customer_id', '=', customerId)
    .execute()
}

/** Gives all reservations and notes of one customer to another. */
export async function moveTraces(db: Database, from: string, to: string, now: number): Promise<void> {
  await db.build
    .updateTable('reservation')
    .set((e) => ({ customer_id: to, updated_at: now, version: e('version', '+', 1) }))
    .where('customer_id', '=', from)
    .execute()
  await db.build.updateTable('customer_note').set({ customer_id: to }).where('customer_id', '=', from).execute()
}

/** Deletes all notes about a customer. */
export async function deleteNotesOf(db: Database, customerId: string): Promise<void> {
  await db.build.deleteFrom('customer_note').where('customer_id', '=', customerId).execute()
}

/** Deletes a host user to whom no customer is linked but this one. */
export async function deleteHostUserOf(db: Database, { id, hostUserId }: Customer): Promise<boolean> {
  const other = await db.build
    .selectFrom('customer')
    .select('id')
    .where('host_user_id', '=', hostUserId)
    .where('id', '!=', id)
    .limit(1)
    .executeTakeFirst()
  if (other) return false
  await db.build.deleteFrom('host_user').where('id', '=', hostUserId).execute()
  return true
}

function about(db: Database, { customerIds, reservationIds, hostUserId }: Traces) {
  const { listed } = db.dialect
  const object = sql.ref('object_id')
  return sql<boolean>`(kind in ('customer', 'customer_note') and ${listed(object, customerIds, 'text')}
    or kind = 'reservation' and ${listed(object, reservationIds, 'text')}
    or kind = 'host_user' and object_id = ${String(hostUserId)})`
}
