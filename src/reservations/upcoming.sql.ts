import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { prepared } from '../db/query/prepared.ts'
import { providerResource } from '../scheduling/plan/resource.ts'

/** A coming reservation as far as it matters whether its provider still works then. */
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

// A buffer may have begun a day before its appointment, and no more.
const shared = prepared<ComingValues, UpcomingReservation>(
  (_, p) => sql<UpcomingReservation>`
    select ${columns} from occupancy join reservation on reservation.id = occupancy.reservation_id
    where resource = ${p.resource} and occupancy.start_at > ${p.after} - 86400
      and reservation.start_at > ${p.after} and provider_id <> ${p.provider} and status <> 'cancelled'
    order by occupancy.start_at limit ${p.most}`,
)

/**
 * The first pending and confirmed reservations that begin after an instant and need this provider, by start: its own, and
 * those of collective services that it takes part in.
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
