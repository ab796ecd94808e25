import type { Money } from '../../money.ts'

/** The state of a dispute: the bank only asks, or the dispute is open, or it was decided for the site or against it. */
export type DisputeState = 'inquiry' | 'open' | 'won' | 'lost'

/** The reasons that have a text of their own; any other reads as `other`. */
export const disputeReasons = [
  'credit_not_processed',
  'duplicate',
  'fraudulent',
  'product_not_received',
  'product_unacceptable',
  'unrecognized',
] as const

/** A payment that a customer disputed with the bank. */
export interface Dispute extends Money {
  /** The processor's id. */
  readonly id: string
  readonly paymentId: string
  /** The processor's word for why. */
  readonly reason: string
  readonly state: DisputeState
  /** What the processor took back from the site, and what it returned, in the smallest unit of the currency. */
  readonly taken: number
  readonly returned: number
  /** Until when the site may answer; null when it no longer can. */
  readonly dueAt: number | null
  readonly createdAt: number
}

/** Whether the bank has not decided about a dispute yet. */
export function isUndecided({ state }: Pick<Dispute, 'state'>): boolean {
  return state === 'inquiry' || state === 'open'
}

/** Returns what the processor holds back for disputes, which cannot be refunded. */
export function heldBack(disputes: readonly Pick<Dispute, 'taken' | 'returned'>[]): number {
  return disputes.reduce((sum, { taken, returned }) => sum + Math.max(0, taken - returned), 0)
}
