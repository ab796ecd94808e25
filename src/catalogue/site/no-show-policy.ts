/** The site's treatment of customers who have missed several visits. */
export interface NoShowPolicy {
  /** The minimum number of missed visits in the period at which the policy applies to a customer. */
  readonly count: number
  /** The length of the period in which missed visits count, in months of 30 days. */
  readonly months: number
  /**
   * The treatment of bookings on the booking page: accepted, pending approval, or refused. Staff are warned in each
   * case.
   */
  readonly online: 'allow' | 'approve' | 'refuse'
}

const month = 30 * 86_400

/** Returns the start of the period in which missed visits count, in Unix seconds. */
export function noShowsCountFrom({ months }: NoShowPolicy, now: number): number {
  return now - months * month
}

/**
 * Returns the treatment of a booking by a customer with the given number of missed visits in the period; undefined when
 * the policy does not apply.
 */
export function noShowVerdict(policy: NoShowPolicy | null, missed: number): NoShowPolicy['online'] | undefined {
  return policy && missed >= policy.count ? policy.online : undefined
}
