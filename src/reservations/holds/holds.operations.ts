import { type Parties, resolvedEnd } from '../../availability/slot-plan.operations.ts'
import { lockCatalogue, requireProvider, requireService } from '../../catalogue/catalogue.operations.ts'
import type { Operation, Tx } from '../../db/perform/app.ts'
import { message } from '../../messages/message.ts'
import { Refusal, refusal } from '../../messages/refusal.ts'
import { editReservation } from '../booking/edit.operations.ts'
import { findFreeSeats, findOffer, lockBooking, lockBookingsOf } from '../booking/offer.operations.ts'
import { releaseHeldSeats, renewSeats, takeSeats } from '../occupancy.sql.ts'
import type { Reservation } from '../reservation.ts'
import { reservationLocks } from '../reservation-locks.ts'
import { findReservation } from '../reservations.sql.ts'
import { type Hold, holdSeconds, maxHoldsPerAddress } from './hold.ts'
import {
  countHolds,
  deleteExpired,
  deleteHold,
  findHold,
  insertHold,
  listExpiredReservations,
  maxExpired,
  extendHold as storeExtension,
} from './holds.sql.ts'

/** The input of `placeHold`: the slot that a booking form reserves while the customer fills it in. */
export interface PlaceHold {
  readonly formHash: string
  readonly addressHash: string
  readonly serviceId: string
  /** The providers in order of preference; the slot is reserved with the first who is free at `start`. */
  readonly providerIds: readonly number[]
  readonly start: number
  readonly seats: number
}

/**
 * Holds a slot for `holdSeconds` while a customer fills in a booking form, and releases the slot that the form held
 * before; an unexpired hold of the same slot and seats is returned unchanged. Checks every rule that does not depend on
 * the customer. Refuses when the client address has `maxHoldsPerAddress` other holds.
 */
export const placeHold: Operation<PlaceHold, Hold> = async (tx, input) => {
  const { formHash, addressHash, serviceId, start, seats } = input
  const catalogue = await lockCatalogue(tx)
  const service = requireService(catalogue, serviceId)
  const candidates = input.providerIds.map((id): Parties => {
    return { catalogue, service, provider: requireProvider(catalogue, id) }
  })
  await lockBooking(tx, [], candidates, [formLock(formHash), `hold-address:${addressHash}`])
  const held = await findHold(tx.db, formHash)
  // A repeated request of a form for the same slot returns the existing hold with its expiry, so that repeating a
  // request does not extend a hold.
  if (held && held.expiresAt > tx.now && isFor(held, input)) return held
  await claimHold(tx, formHash)
  if ((await countHolds(tx.db, addressHash, tx.now)) >= maxHoldsPerAddress)
    throw refusal('hold_limit', { count: maxHoldsPerAddress })
  let no = new Refusal({ code: 'slot_full', message: message('slot_full') })
  for (const parties of candidates) {
    const wanted = { serviceId, providerId: parties.provider.id, start, end: resolvedEnd(parties, start) }
    const offer = await findOffer(tx, parties, { wanted })
    if ('no' in offer) {
      no = new Refusal({ code: offer.no, message: offer.message })
      continue
    }
    const id = tx.newId('hold')
    const expiresAt = tx.now + holdSeconds
    const free = await findFreeSeats(tx, { holdId: id, expiresAt }, offer, { count: seats })
    if (!free) continue
    await takeSeats(tx.db, free)
    const hold = { ...wanted, id, formHash, addressHash, seats, extended: false, placedAt: tx.now, expiresAt }
    await insertHold(tx.db, hold)
    return hold
  }
  throw no
}

function isFor(hold: Hold, { serviceId, providerIds, start, seats }: PlaceHold): boolean {
  const sameSlot = hold.serviceId === serviceId && hold.start === start && hold.seats === seats
  return sameSlot && providerIds.includes(hold.providerId)
}

/**
 * Extends the hold of a booking form to `holdSeconds` from now, once; a hold that was already extended is returned
 * unchanged. Refuses a form without an unexpired hold.
 */
export const extendHold: Operation<{ readonly formHash: string }, Hold> = async (tx, { formHash }) => {
  const catalogue = await lockCatalogue(tx)
  const seen = await requireHold(tx, formHash)
  const service = requireService(catalogue, seen.serviceId)
  const parties = { catalogue, service, provider: requireProvider(catalogue, seen.providerId) }
  await lockBooking(tx, [], [parties], [formLock(formHash)])
  const hold = await requireHold(tx, formHash)
  if (hold.id !== seen.id) throw refusal('hold_expired')
  if (hold.extended) return hold
  const extended = { ...hold, extended: true, expiresAt: tx.now + holdSeconds }
  // The expiry job may delete the hold or its seats after the hold was read, when its own time is a second later.
  const { id: holdId, expiresAt } = extended
  const lasts =
    (await storeExtension(tx.db, extended, tx.now)) && (await renewSeats(tx.db, { holdId, expiresAt }, tx.now))
  if (!lasts) throw refusal('hold_expired')
  return extended
}

/** Releases the slot that a booking form holds; does nothing when the form has no hold. */
export const releaseHold: Operation<{ readonly formHash: string }, Record<string, never>> = async (
  tx,
  { formHash },
) => {
  await tx.lock([formLock(formHash)])
  await claimHold(tx, formHash)
  return {}
}

/**
 * Deletes the hold of a booking form and releases its seats, so that the transaction can take them. Returns the hold;
 * undefined when the form has none or the hold has expired. The caller must hold the lock with the key `formLock`.
 */
export async function claimHold(tx: Tx, formHash: string): Promise<Hold | undefined> {
  const hold = await findHold(tx.db, formHash)
  if (!hold) return undefined
  await releaseHeldSeats(tx.db, hold.id)
  await deleteHold(tx.db, hold.id)
  return hold.expiresAt > tx.now ? hold : undefined
}

/** Returns the key of the lock that protects the hold of a booking form. */
export function formLock(formHash: string): string {
  return `hold-form:${formHash}`
}

async function requireHold(tx: Tx, formHash: string): Promise<Hold> {
  const hold = await findHold(tx.db, formHash)
  if (!hold || hold.expiresAt <= tx.now) throw refusal('hold_expired')
  return hold
}

const maxRows = 2_000

/**
 * Cancels one batch of expired pending reservations, and deletes a batch of expired seats and holds (slots reserved for
 * open booking forms); `more` says whether more may remain. Availability ignores an expired seat even before it is
 * released here.
 */
export const expire: Operation<Record<never, never>, { readonly cancelled: number; readonly more: boolean }> = async (
  tx,
) => {
  const ids = await listExpiredReservations(tx.db, tx.now)
  const expired = ids.length > 0 ? await lockExpired(tx, ids) : []
  for (const { id } of expired) await editReservation(tx, { id, status: 'cancelled' })
  const { more } = await deleteExpired(tx.db, tx.now, maxRows)
  return { cancelled: expired.length, more: more || ids.length === maxExpired }
}

/** Locks reservations with what their cancellation locks; returns those that are still pending and expired. */
async function lockExpired(tx: Tx, ids: readonly string[]): Promise<readonly Reservation[]> {
  const catalogue = await lockCatalogue(tx)
  await tx.lock(reservationLocks(ids))
  const expired: Reservation[] = []
  for (const id of ids) {
    const found = await findReservation(tx.db, id)
    if (found?.status === 'pending' && found.expiresAt !== null && found.expiresAt <= tx.now) expired.push(found)
  }
  await lockBookingsOf(tx, catalogue, expired)
  return expired
}
