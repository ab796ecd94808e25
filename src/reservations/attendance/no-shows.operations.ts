import type { Approval } from '../../catalogue/services/service.ts'
import { type NoShowPolicy, noShowsCountFrom, noShowVerdict } from '../../catalogue/site/no-show-policy.ts'
import type { Policies } from '../../catalogue/site/site.ts'
import type { Database } from '../../db/database.ts'
import { refusal } from '../../messages/refusal.ts'
import type { Reservation } from '../reservation.ts'
import { countNoShows } from './no-shows.sql.ts'

/** Missed visits of which staff are warned: their number, and the months in which they were missed. */
export interface RepeatedNoShows {
  readonly count: number
  readonly months: number
}

/** Returns the missed visits of a customer to whom the site's policy applies; null for any other. */
export async function findRepeatedNoShows(
  db: Database,
  { noShows: policy }: Policies,
  customerId: string,
  now: number,
): Promise<RepeatedNoShows | null> {
  if (!policy) return null
  const count = await countNoShows(db, [customerId], noShowsCountFrom(policy, now))
  return noShowVerdict(policy, count) ? { count, months: policy.months } : null
}

/**
 * Refuses a booking on the booking page when these customers, who are the same person to the site, have missed too many
 * visits; returns the approval that the booking needs besides the service's.
 */
export async function requireFewNoShows(
  db: Database,
  policies: Policies,
  customerIds: readonly string[],
  now: number,
): Promise<Approval | undefined> {
  const verdict = await verdictOf(db, policies.noShows, customerIds, now)
  if (verdict === 'refuse') throw refusal('customer_blocked')
  return verdict === 'approve' ? 'admin' : undefined
}

/**
 * Returns the approval that a reservation needs besides the service's once its customer has paid or confirmed the
 * e-mail address. The policy is about bookings on the booking page, which alone have a source.
 */
export async function approvalAfterNoShows(
  db: Database,
  policies: Policies,
  { source, customerId }: Pick<Reservation, 'source' | 'customerId'>,
  now: number,
): Promise<Approval | undefined> {
  if (source === null) return undefined
  const verdict = await verdictOf(db, policies.noShows, [customerId], now)
  // The reservation exists: too late to refuse it.
  return verdict === 'approve' || verdict === 'refuse' ? 'admin' : undefined
}

async function verdictOf(
  db: Database,
  policy: NoShowPolicy | null,
  customerIds: readonly string[],
  now: number,
): Promise<NoShowPolicy['online'] | undefined> {
  if (!policy || policy.online === 'allow') return undefined
  return noShowVerdict(policy, await countNoShows(db, customerIds, noShowsCountFrom(policy, now)))
}
