import { type EffectiveSettings, maxBufferMinutes } from '../../catalogue/services/service.ts'
import type { Tx } from '../../db/perform/app.ts'
import { type Message, message } from '../../messages/message.ts'
import { clearExpiredHolds } from '../../reservations/booking/offer.operations.ts'
import { listSeats, type SeatOwner, takeSeats } from '../../reservations/occupancy.sql.ts'
import { overridesOf } from '../../scheduling/opening-hours.ts'
import { lowestFreeSeats, slotKey } from '../../scheduling/plan/occupancy.ts'
import { providerResource } from '../../scheduling/plan/resource.ts'
import { findOverlap } from '../site-file.sql.ts'
import type { PlannedReservation, SiteState } from './state.operations.ts'

const maxBuffer = maxBufferMinutes * 60

interface Around {
  /** The settings of each provider that the reservation occupies. */
  readonly rules: readonly EffectiveSettings[]
  readonly world: SiteState
  /** All planned reservations of the file, one of which may be the cause of a conflict. */
  readonly planned: readonly PlannedReservation[]
  /** The owner of the seats, with their expiry. */
  readonly owner: SeatOwner
}

/**
 * Takes the seats of an imported reservation with each provider that it occupies, whatever the opening hours and
 * however early or late the slot is booked. When there is no free seat, returns a message that describes the conflict.
 * A reservation whose time, with its buffer, cannot touch that of a later booking any more takes no seat.
 */
export async function takeImportedSeats(tx: Tx, one: PlannedReservation, around: Around): Promise<Message | undefined> {
  const { rules, world, owner } = around
  const { serviceId, start, end } = one.after
  if (rules.every((rule) => end + rule.bufferAfter + maxBuffer <= tx.now)) return undefined
  const slot = slotKey(serviceId, start, end)
  await clearExpiredHolds(tx, rules, one.after)
  const provider = world.provider(rules[0]?.providerId ?? 0) ?? one.provider
  const overrides = overridesOf(provider, world.site.holidays, { start, end })
  const resources = rules.map((rule) => providerResource(rule.providerId))
  const taken = await listSeats(tx.db, resources, slot)
  for (const rule of rules) {
    const { providerId } = rule
    const seats = taken.get(providerResource(providerId)) ?? []
    const capacity = overrides.capacity ?? rule.capacity
    if (seats.length >= capacity) return message('seats_taken', { count: capacity })
    const time = seats[0]?.time ?? { start: start - rule.bufferBefore, end: end + rule.bufferAfter }
    const other = seats.length > 0 ? undefined : await findOverlap(tx.db, { providerId, slot, time })
    if (other) return overlapFault(other.reservationId, world.provider(providerId)?.name ?? '', around.planned)
    const free = lowestFreeSeats(
      seats.map((one) => one.seat),
      1,
    )
    await takeSeats(
      tx.db,
      free.map((seat) => ({ id: tx.newId('occupancy'), owner, providerId, slot, seat, time })),
    )
  }
  return undefined
}

function overlapFault(other: string | null, name: string, planned: readonly PlannedReservation[]): Message {
  const here = planned.find(({ after }) => after.id === other)
  if (here) return message('overlaps_entry', { at: here.at, name })
  return other === null ? message('overlaps_hold', { name }) : message('overlaps_reservation', { id: other, name })
}
