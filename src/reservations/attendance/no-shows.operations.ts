import type { Approval } from '../../catalogue/services/service.ts'
import { type NoShowPolicy, noShowsCountFrom, noShowVerdict } from '../../catalogue/site/no-show-policy.ts'
import type { Policies } from '../../catalogue/site/site.ts'
import { listSamePersons } from '../../customers/customers.sql.ts'
import type { Database } from '../../db/database.ts'
import { refusal } from '../../messages/refusal.ts'
import type { Reservation } from '../reservation.ts'
import { countNoShows, listGroupCustomers } from './no-shows.sql.ts'

/**
 * The no-shows of a customer of which staff are warned: their number, and the number of past months in which they were
 * counted.
 */
export interface RepeatedNoShows {
  readonly count: number
  readonly months: number
}

/**
 * Returns the no-shows of a customer when their number reaches the limit of the site's no-show policy; null otherwise.
 */
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
 * Applies the site's no-show policy to a booking on the booking page: refuses it when the policy refuses this number of
 * no-shows, otherwise returns the approval that the policy requires; undefined when it requires none. `customerIds` are
 * all customers who may be the person who books; their no-shows are added up.
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
 * Returns the approval that the no-show policy requires once the customer has paid or confirmed the e-mail address;
 * undefined when it requires none. As at booking, the no-shows of all customers who may be one of the persons of the
 * form are added up. The policy applies only to bookings on the booking page, which have a `source`.
 */
export async function approvalAfterNoShows(
  db: Database,
  policies: Policies,
  { source, customerId, groupId }: Pick<Reservation, 'source' | 'customerId' | 'groupId'>,
  now: number,
): Promise<Approval | undefined> {
  if (source === null || !policies.noShows) return undefined
  const customerIds = groupId === null ? [customerId] : await listGroupCustomers(db, groupId)
  const verdict = await verdictOf(db, policies.noShows, await listSamePersons(db, customerIds), now)
  // The reservation already exists, so a policy that would refuse a new booking requires approval instead.
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
