import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { prepared } from '../db/query/prepared.ts'
import { providerResource } from '../scheduling/plan/resource.ts'

/**
 * An upcoming reservation with the fields from which `checkProvider` decides whether it would still fit its provider
 * after a change of the provider's settings.
 */
export interface UpcomingReservation {
  readonly id: string
  readonly serviceId: string
  readonly customerId: string
  readonly status: 'pending' | 'confirmed'
  readonly start: number
  readonly end: number
}

interface ComingValues {
  readonly provider: number
  readonly resource: string
  readonly after: number
  readonly most: number
}

const columns = sql`reservation.id, service_id as "serviceId", customer_id as "customerId", status,
  reservation.start_at as "start", reservation.end_at as "end"`

const own = prepared<ComingValues, UpcomingReservation>(
  (_, p) => sql<UpcomingReservation>`
    select ${columns} from reservation
    where provider_id = ${p.provider} and start_at > ${p.after} and status <> 'cancelled'
    order by start_at limit ${p.most}`,
)

// The occupied time begins before the appointment by its buffer, at most one day (86,400 seconds), so the search in
// `occupancy` begins one day before `after`.
const shared = prepared<ComingValues, UpcomingReservation>(
  (_, p) => sql<UpcomingReservation>`
    select ${columns} from occupancy join reservation on reservation.id = occupancy.reservation_id
    where resource = ${p.resource} and occupancy.start_at > ${p.after} - 86400
      and reservation.start_at > ${p.after} and provider_id <> ${p.provider} and status <> 'cancelled'
    order by occupancy.start_at limit ${p.most}`,
)

/**
 * Returns at most `most` pending and confirmed reservations that start after `after`, ordered by start: those stored
 * under this provider, and those stored under another provider that also occupy this provider's time (collective
 * reservations).
 */
export async function listUpcoming(
  db: Database,
  of: { readonly providerId: number; readonly after: number; readonly most: number },
): Promise<UpcomingReservation[]> {
  const { providerId: provider, after, most } = of
  const values = { provider, resource: providerResource(provider), after, most }
  const rows = [...(await db.run(own, values)), ...(await db.run(shared, values))]
  return rows.sort((one, other) => one.start - other.start || (one.id < other.id ? -1 : 1)).slice(0, most)
}
