import { slotId } from '../../availability/slot-id.ts'
import { lockCatalogue, requireProvider, requireService } from '../../catalogue/catalogue.operations.ts'
import { loadSite } from '../../catalogue/site/site.sql.ts'
import type { ZoneChangePolicy } from '../../catalogue/site/site.ts'
import type { ReadDatabase } from '../../db/database.ts'
import type { Operation, Tx } from '../../db/perform/app.ts'
import { message } from '../../messages/message.ts'
import { Refusal } from '../../messages/refusal.ts'
import { wallTime } from '../../scheduling/time/zone.ts'
import { intendedInstant } from '../../scheduling/time/zone-change.ts'
import { listReservationsNamed } from '../../site-file/site-file.sql.ts'
import { lockBooking, occupy, requireRoom } from '../booking/offer.operations.ts'
import { takesRoom, wallClock, zoneData } from '../booking/reservations.operations.ts'
import { releaseSeatsOfAll, seatOwner } from '../occupancy.sql.ts'
import { type Reservation, shownReservation } from '../reservation.ts'
import { reservationLocks } from '../reservation-locks.ts'
import { comingReservationsQuery, updateReservation, updateZoneVersion } from '../reservations.sql.ts'

/**
 * An upcoming reservation whose instant no longer has the wall time for which it was booked, because the rules of its
 * time zone changed.
 */
export interface Displaced extends Pick<Reservation, 'id' | 'serviceId' | 'providerId' | 'start' | 'end'> {
  /** The wall time for which the reservation was booked. */
  readonly localStart: string
  readonly zone: string
  /** The wall time that the reservation's instant now has. */
  readonly shown: string
  /** The instant that the booked wall time now has. */
  readonly meant: number
  /**
   * Whether the reservation still has to be handled: it was last checked with older time zone data than this process
   * has.
   */
  readonly fresh: boolean
}

/**
 * Returns the displaced reservations, ascending by start, and the site's policy for them. A reservation is displaced if
 * it is pending or confirmed, starts after `now`, and its instant no longer has the booked wall time, because the rules
 * of its time zone changed.
 */
export async function listDisplaced(
  db: ReadDatabase,
  now: number,
): Promise<{ readonly policy: ZoneChangePolicy; readonly displaced: readonly Displaced[] }> {
  const displaced: Displaced[] = []
  for await (const rows of db.stream(comingReservationsQuery(db, now)))
    for (const row of rows) {
      const { id, zone, local_start: localStart, start_at: start, end_at: end } = row
      const meant = intendedInstant({ start, zone, localStart })
      if (meant === undefined) continue
      const [serviceId, providerId] = [row.service_id, row.provider_id]
      const [shown, fresh] = [wallTime(zone, start), row.tz_version < zoneData]
      displaced.push({ id, serviceId, providerId, start, end, localStart, zone, shown, meant, fresh })
    }
  return { policy: (await loadSite(db)).site.policies.zoneChanges, displaced }
}

interface Named {
  readonly ids: readonly string[]
}

/**
 * Moves the reservations of one slot to the instant that their wall time now has; refuses to move any of them if there
 * is no room for all, or the instant has passed. Opening hours and limits are not checked, as the reservations already
 * exist.
 */
export const followZone: Operation<Named, { readonly moved: number }> = async (tx, { ids }) => {
  const catalogue = await lockCatalogue(tx)
  const found = await lockDisplaced(tx, ids)
  const moves = found.map((before) => {
    const service = requireService(catalogue, before.serviceId)
    const provider = requireProvider(catalogue, before.providerId)
    const parties = { catalogue, service, provider }
    return { before, parties, after: placedAgain(before) }
  })
  await lockBooking(
    tx,
    found.map(({ customerId }) => customerId),
    moves.map(({ parties }) => parties),
  )
  // All seats are released before any is taken again: the old and the new time of a slot overlap when the slot is
  // longer than the clock change.
  const released = await releaseSeatsOfAll(
    tx.db,
    moves.map(({ before }) => before.id),
  )
  for (const { before, after, parties } of moves) {
    if (after.start <= tx.now) throw new Refusal({ code: 'slot_lead_time', message: message('wall_time_passed') })
    if (takesRoom(parties.service, after))
      await occupy(tx, seatOwner(after, released.get(after.id)), await requireRoom(tx, parties, after, before.id))
    const availabilityId = slotId(catalogue.secret, after, tx.now)
    const saved = { ...after, availabilityId, updatedAt: tx.now, version: before.version + 1 }
    await updateReservation(tx.db, saved)
    await tx.append({
      type: 'reservation.rescheduled',
      objectId: saved.id,
      object: shownReservation(saved, { full: true }),
      previous: shownReservation(before, { full: true }),
    })
  }
  return { moved: moves.length }
}

function placedAgain(before: Reservation): Reservation {
  const start = intendedInstant(before) ?? before.start
  const end = start + before.end - before.start
  // The wall time refers to the zone of the booking, not to the provider's current zone.
  return { ...before, start, end, ...wallClock({ provider: { timezone: before.zone } }, start) }
}

/**
 * Appends an event for each reservation that keeps its instant and so gets another wall time. A reservation is reported
 * once for each version of the time zone data, because the version with which it was checked is updated.
 */
export const reportZoneChange: Operation<Named, { readonly reported: number }> = async (tx, { ids }) => {
  const found = await lockDisplaced(tx, ids)
  for (const of of found) {
    const { localStart, zone, start } = of
    const shown = { ...shownReservation(of, { full: true }), zone, localStart, localStartNow: wallTime(zone, start) }
    await tx.append({ type: 'reservation.zone_changed', objectId: of.id, object: shown, previous: null })
  }
  await updateZoneVersion(
    tx.db,
    found.map(({ id }) => id),
    zoneData,
  )
  return { reported: found.length }
}

/**
 * Locks these reservations. Returns those among them that are no longer at their booked wall time and still have to be
 * handled.
 */
async function lockDisplaced(tx: Tx, ids: readonly string[]): Promise<Reservation[]> {
  await tx.lock(reservationLocks(ids))
  const found = await listReservationsNamed(tx.db, { ids, keys: [], starts: [] })
  return found
    .map(({ row }) => row)
    .filter((row) => row.status !== 'cancelled' && row.zoneVersion < zoneData && intendedInstant(row) !== undefined)
}
