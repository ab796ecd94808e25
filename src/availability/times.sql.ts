import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { prepared } from '../db/query/prepared.ts'
import { type ReachingValues, reaching, type SeatRow, seatsByResource } from '../reservations/occupancy.sql.ts'
import { toBooked } from '../reservations/reservations.sql.ts'
import type { Blocked } from '../scheduling/plan/occupancy.ts'
import type { Booked } from '../scheduling/plan/plan.ts'
import { providerIdOf, providerResource } from '../scheduling/plan/resource.ts'
import type { Interval } from '../scheduling/time/interval.ts'
import { blockedTimes, blocksByProvider, bookedOfProviders } from './plan.sql.ts'

/** A seat of a slot in a provider's time, buffers included. */
export interface HeldSeat extends Interval {
  readonly providerId: number
  readonly slot: string
  /** When it is let go of again; null for what a reservation has taken. */
  readonly expiresAt: number | null
}

/** All that lies in the time of some providers; each provider's by start. */
export interface ProviderTimesRows {
  readonly held: readonly HeldSeat[]
  readonly blocked: readonly (Blocked & { readonly providerId: number })[]
  /** Of any service, pending or confirmed, in no order. */
  readonly booked: readonly Booked[]
}

interface HeldRow extends SeatRow {
  readonly expires_at: number | null
}

const held = prepared<ReachingValues, HeldRow>(
  (_, p, dialect) => sql<HeldRow>`select resource, slot, start_at, end_at, expires_at from ${reaching(dialect, p)}`,
)

/** Whatever overlaps the stretch in the time of these providers; reservations when they start in it. */
export async function loadTimes(
  db: Database,
  providers: readonly number[],
  within: Interval,
): Promise<ProviderTimesRows> {
  const { start: from, end: until } = within
  const taken = await db.run(held, { resources: providers.map(providerResource), from, until })
  const closed = await db.run(blockedTimes, { providers, from, until })
  const booked = await db.run(bookedOfProviders, { providers, services: [], from, until, except: '' })
  return {
    held: [...seatsByResource(taken)].flatMap(([resource, rows]) =>
      rows.map((row) => toHeld(providerIdOf(resource), row)),
    ),
    blocked: [...blocksByProvider(closed)].flatMap(([providerId, times]) =>
      times.map((one) => ({ providerId, ...one })),
    ),
    booked: booked.map(toBooked),
  }
}

function toHeld(providerId: number, { slot, start_at, end_at, expires_at }: HeldRow): HeldSeat {
  return { providerId, slot, start: start_at, end: end_at, expiresAt: expires_at }
}
