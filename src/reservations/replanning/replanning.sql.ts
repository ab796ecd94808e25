import { sql } from 'kysely'
import { maxBufferMinutes } from '../../catalogue/services/service.ts'
import type { Database } from '../../db/database.ts'
import { prepared } from '../../db/query/prepared.ts'
import { providerResource } from '../../scheduling/plan/resource.ts'
import { maxLength } from '../reservations.sql.ts'

/** An upcoming pending or confirmed reservation that needs a provider who is absent. */
export interface AffectedRow {
  readonly id: string
  readonly serviceId: string
  readonly providerId: number
  readonly customerId: string
  readonly status: 'pending' | 'confirmed'
  readonly start: number
  readonly end: number
}

interface Values {
  readonly provider: number
  readonly resource: string
  readonly from: number
  readonly until: number
  /** No appointment or occupied time that starts at or before this instant (Unix seconds) can overlap the period. */
  readonly reach: number
  /** The end of the period (Unix seconds), extended by the longest buffer. */
  readonly last: number
  readonly now: number
  readonly most: number
}

// The longest buffer in seconds.
const maxBuffer = maxBufferMinutes * 60

// The query searches by provider and by occupied seats. A pending reservation may have no seat, and a reservation of a
// collective service, which occupies several providers, may be stored under another provider.
const affected = prepared<Values, AffectedRow>(
  (_, p) => sql<AffectedRow>`
    select id, service_id as "serviceId", provider_id as "providerId", customer_id as "customerId", status,
      start_at as "start", end_at as "end"
    from reservation
    where start_at > ${p.reach} and start_at > ${p.now} and start_at < ${p.until} and end_at > ${p.from}
      and status <> 'cancelled'
      and (provider_id = ${p.provider} or id in (
        select reservation_id from occupancy
        where resource = ${p.resource} and reservation_id is not null
          and start_at > ${p.reach} and start_at < ${p.last}))
    order by start_at, id limit ${p.most}`,
)

/**
 * Returns at most `most` pending and confirmed reservations that start after `now`, overlap [from, until) without their
 * buffers, and are stored under the provider or occupy it; ordered by start.
 */
export function listAffected(
  db: Database,
  of: { readonly providerId: number; readonly from: number; readonly until: number },
  { now, most }: { readonly now: number; readonly most: number },
): Promise<readonly AffectedRow[]> {
  const { providerId, from, until } = of
  const resource = providerResource(providerId)
  const reach = from - maxLength - 2 * maxBuffer
  return db.run(affected, { provider: providerId, resource, from, until, reach, last: until + maxBuffer, now, most })
}
