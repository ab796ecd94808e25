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
import { releaseSeats } from '../occupancy.sql.ts'
import { type Reservation, shownReservation } from '../reservation.ts'
import { comingReservationsQuery, updateReservation, updateZoneVersion } from '../reservations.sql.ts'

/** A coming reservation that is no longer at the wall time it was booked for, because its zone's rules changed. */
export interface Displaced extends Pick<Reservation, 'id' | 'serviceId' | 'providerId' | 'start' | 'end'> {
  /** The wall time it was booked for. */
  readonly localStart: string
  readonly zone: string
  /** What the wall shows at its instant by now. */
  readonly shown: string
  /** The instant that the wall time means by now. */
  readonly meant: number
  /** Nobody has heard of it yet: the zone data that said so is older than this service's. */
  readonly fresh: boolean
}

/** Every displaced reservation that begins after `now`, by start, and what the site does about them. */
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
 * Moves the reservations of one slot to the instant that their wall time means by now: all of them where there is
 * room, else refused and none. As they have been given already, opening hours and limits are not asked again.
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
  // Seats of one slot stand in each other's way where the slot is longer than the change of the clock.
  for (const { before } of moves) await releaseSeats(tx.db, before.id)
  for (const { before, after, parties } of moves) {
    if (after.start <= tx.now) throw new Refusal({ code: 'slot_lead_time', message: message('wall_time_passed') })
    const offer = await requireRoom(tx, parties, after, before.id)
    if (takesRoom(parties.service, after.status)) await occupy(tx, before.id, offer)
    const availabilityId = slotId(catalogue.secret, after, tx.now)
    const saved = { ...after, availabilityId, updatedAt: tx.now, version: before.version + 1 }
    await updateReservation(tx.db, saved)
    await tx.append({
      type: 'reservation.updated',
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
  // In the zone it was booked in, whatever the provider's has become since.
  return { ...before, start, end, ...wallClock({ provider: { timezone: before.zone } }, start) }
}

/** Tells of reservations that keep their instant although it shows another wall time by now; of each once. */
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

/** Those of the reservations that are displaced and that nobody has dealt with, as they will stay. */
async function lockDisplaced(tx: Tx, ids: readonly string[]): Promise<Reservation[]> {
  await tx.lock(ids.map((id) => `reservation:${id}`))
  const found = await listReservationsNamed(tx.db, { ids, keys: [], starts: [] })
  return found
    .map(({ row }) => row)
    .filter((row) => row.status !== 'cancelled' && row.zoneVersion < zoneData && intendedInstant(row) !== undefined)
}
