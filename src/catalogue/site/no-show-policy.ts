/** What happens when a customer has missed several visits. */
export interface NoShowPolicy {
  /** The number of missed visits from which on the policy applies. */
  readonly count: number
  /** How far back missed visits count, in months of 30 days. */
  readonly months: number
  /** What a booking on the booking page does: as usual, waits for approval, or is refused. Staff are always warned. */
  readonly online: 'allow' | 'approve' | 'refuse'
}

const month = 30 * 86_400

/** Returns the start of the period in which missed visits count, in Unix seconds. */
export function noShowsCountFrom({ months }: NoShowPolicy, now: number): number {
  return now - months * month
}

/**
 * Returns what the policy says about a booking of somebody with this many missed visits in its period; undefined where
 * it does not apply.
 */
export function noShowVerdict(policy: NoShowPolicy | null, missed: number): NoShowPolicy['online'] | undefined {
  return policy && missed >= policy.count ? policy.online : undefined
}
