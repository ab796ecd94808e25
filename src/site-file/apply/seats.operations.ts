import type { EffectiveSettings } from '../../catalogue/services/service.ts'
import type { Tx } from '../../db/perform/app.ts'
import { type Message, message } from '../../messages/message.ts'
import { clearExpiredHolds } from '../../reservations/booking/offer.operations.ts'
import { listSeats, takeSeat } from '../../reservations/occupancy.sql.ts'
import { openDayAt } from '../../scheduling/opening-hours.ts'
import { slotKey } from '../../scheduling/plan/occupancy.ts'
import { findOverlap } from '../site-file.sql.ts'
import type { PlannedReservation, SiteState } from './state.operations.ts'

interface Around {
  /** Whose time is taken, with the rule followed there. */
  readonly rules: readonly EffectiveSettings[]
  readonly world: SiteState
  /** All reservations of the file, to name the one in the way. */
  readonly planned: readonly PlannedReservation[]
}

/**
 * Takes a seat for an imported reservation at everyone it occupies. Opening hours, lead time and horizon do not bind
 * it; where there is no room, a message says what is in the way, and the rest is left untaken.
 */
export async function takeImportedSeats(tx: Tx, one: PlannedReservation, around: Around): Promise<Message | undefined> {
  const { rules, world } = around
  const { id, serviceId, start, end } = one.after
  const slot = slotKey(serviceId, start, end)
  await clearExpiredHolds(tx, rules, one.after)
  const owner = world.provider(rules[0]?.providerId ?? 0) ?? one.provider
  const { overrides } = openDayAt(owner, world.site.holidays, start)
  for (const rule of rules) {
    const { providerId } = rule
    const seats = await listSeats(tx.db, providerId, slot)
    const capacity = overrides.capacity ?? rule.capacity
    if (seats.length >= capacity) return message('seats_taken', { count: capacity })
    const time = seats[0]?.time ?? { start: start - rule.bufferBefore, end: end + rule.bufferAfter }
    const other = seats.length > 0 ? undefined : await findOverlap(tx.db, { providerId, slot, time })
    if (other) return overlapFault(other.reservationId, world.provider(providerId)?.name ?? '', around.planned)
    const seat = lowestFree(seats.map((taken) => taken.seat))
    await takeSeat(tx.db, { id: tx.newId('occupancy'), reservationId: id, providerId, slot, seat, time })
  }
  return undefined
}

function overlapFault(other: string | null, name: string, planned: readonly PlannedReservation[]): Message {
  const here = planned.find(({ after }) => after.id === other)
  if (here) return message('overlaps_entry', { at: here.at, name })
  return other === null ? message('overlaps_hold', { name }) : message('overlaps_reservation', { id: other, name })
}

function lowestFree(taken: readonly number[]): number {
  const seats = new Set(taken)
  let seat = 1
  while (seats.has(seat)) seat += 1
  return seat
}
