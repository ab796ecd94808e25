import { sql } from 'kysely'
import type { Interval } from '../domain/interval.ts'
import type { Blocked, Occupied } from '../domain/occupancy.ts'
import type { Booked } from '../domain/plan.ts'
import type { Database } from './database.ts'
import { type ReachingValues, reaching, resourceOf } from './occupancy.ts'
import { blockedTimes, bookedOfProviders, toBlocked } from './plan.ts'
import { prepared } from './prepared.ts'
import { toBooked } from './reservations.ts'

/** A provider's taken time as it is written down: seats of one slot that are held until the same second, or for good. */
export interface Held extends Occupied {
  readonly providerId: number
  /** Null for what a reservation has taken. */
  readonly expiresAt: number | null
}

/** All that lies in the time of some providers. */
export interface Times {
  readonly held: readonly Held[]
  readonly blocked: readonly (Blocked & { readonly providerId: number })[]
  /** Of any service, pending or confirmed. */
  readonly booked: readonly Booked[]
}

interface HeldRow {
  readonly resource: string
  readonly slot: string
  readonly start_at: number
  readonly end_at: number
  readonly expires_at: number | null
  readonly taken: number
}

const held = prepared<ReachingValues, HeldRow>(
  (_, p, dialect) => sql<HeldRow>`
    select resource, slot, start_at, end_at, expires_at, count(*) as taken
    from ${reaching(dialect, p)}
    group by resource, start_at, end_at, slot, expires_at
    order by resource, start_at`,
)

/** Whatever overlaps the stretch in the time of these providers, by start; reservations when they start in it. */
export async function loadTimes(db: Database, providers: readonly number[], within: Interval): Promise<Times> {
  const { start: from, end: until } = within
  const taken = await db.run(held, { resources: providers.map(resourceOf), from, until })
  const closed = await db.run(blockedTimes, { providers, from, until })
  const booked = await db.run(bookedOfProviders, { providers, services: [], from, until, except: '' })
  return {
    held: taken.map((row) => ({
      providerId: Number(row.resource.slice(1)),
      slot: row.slot,
      start: row.start_at,
      end: row.end_at,
      expiresAt: row.expires_at,
      taken: Number(row.taken),
    })),
    blocked: closed.map((row) => ({ providerId: row.provider_id, ...toBlocked(row) })),
    booked: booked.map(toBooked),
  }
}
