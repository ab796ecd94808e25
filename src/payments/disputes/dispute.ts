import type { Money } from '../../money.ts'

/**
 * The state of a dispute: an inquiry of the bank, an open dispute, or a dispute or inquiry that ended in favour of the
 * site (`won`) or against it (`lost`).
 */
export type DisputeState = 'inquiry' | 'open' | 'won' | 'lost'

/** The reasons of a dispute for which the panel has a text; any other is shown as `other`. */
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
  /** The processor's id of the dispute. */
  readonly id: string
  readonly paymentId: string
  /** The processor's code for the reason of the dispute. */
  readonly reason: string
  readonly state: DisputeState
  /** The amounts that the processor withdrew from the site and returned to it, in the smallest unit of the currency. */
  readonly taken: number
  readonly returned: number
  /** Until when the site can submit evidence (Unix seconds); null when it cannot. */
  readonly dueAt: number | null
  readonly createdAt: number
}

/** Whether the bank has not yet decided a dispute. */
export function isUndecided({ state }: Pick<Dispute, 'state'>): boolean {
  return state === 'inquiry' || state === 'open'
}

/** Returns the amount that the processor withholds because of disputes, which cannot be refunded. */
export function heldBack(disputes: readonly Pick<Dispute, 'taken' | 'returned'>[]): number {
  return disputes.reduce((sum, { taken, returned }) => sum + Math.max(0, taken - returned), 0)
}
