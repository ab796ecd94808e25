import type { Money } from '../../money.ts'
import type { Movement } from '../processor.ts'

/** What a difference concerns: the amount of a charge, refund, dispute or payout, or the processor's fee. */
export type DifferenceKind = 'charge' | 'fee' | 'refund' | 'dispute' | 'payout'

/** An amount that differs between the books and the processor, or between a payout and its movements. */
export interface Difference {
  readonly kind: DifferenceKind
  /** The processor's id of the charge, refund, dispute or payout. */
  readonly reference: string
  readonly paymentId: string | null
  /**
   * The amount in the books and the amount at the processor, in the smallest unit of the currency; null where it is
   * missing. For a payout, `booked` is the sum of the movements that the processor lists for it.
   */
  readonly booked: number | null
  readonly found: number | null
  readonly currency: string
  /**
   * When the processor moved the money or created the payout; if it lists no movement, when this service last changed
   * the charge, refund or dispute (Unix seconds).
   */
  readonly at: number
}

/** A charge, refund or dispute with its amount in the books. */
export interface BookedAmount extends Money {
  readonly kind: Exclude<DifferenceKind, 'fee' | 'payout'>
  readonly reference: string
  readonly paymentId: string
  readonly fee: number
  readonly postedAt: number
}

/** The sum of the processor's movements of one charge, refund or dispute. */
interface Found extends Money {
  readonly kind: BookedAmount['kind']
  readonly reference: string
  readonly paymentId: string | null
  /** The processor's fee in the currency of the amount; null while it is unknown, or in another currency. */
  readonly fee: number | null
  readonly at: number
}

const subjects = {
  charge: { kind: 'charge', sign: 1 },
  refund: { kind: 'refund', sign: 1 },
  refund_failed: { kind: 'refund', sign: -1 },
  dispute: { kind: 'dispute', sign: 1 },
  dispute_won: { kind: 'dispute', sign: -1 },
} as const

/** Returns the id under which a difference is stored. It is the same in every comparison. */
export function differenceId({ kind, reference }: Pick<Difference, 'kind' | 'reference'>): string {
  return `${kind}:${reference}`
}

/**
 * Returns the differences between the processor's movements and the books; `booked` holds the entries of the books for
 * these movements. Three sorts of movements are not compared: payouts, those of the kind `other`, and those whose entry
 * in the books is in another currency.
 */
export function differencesOf(movements: readonly Movement[], booked: readonly BookedAmount[]): Difference[] {
  const known = new Map(booked.map((one) => [differenceId(one), one]))
  const differences: Difference[] = []
  for (const one of found(movements)) {
    const { kind, reference, currency, at, amount, fee } = one
    const entry = known.get(differenceId(one))
    const of = { reference, currency, at, paymentId: entry?.paymentId ?? one.paymentId }
    if (!entry && amount !== 0) differences.push({ ...of, kind, booked: null, found: amount })
    if (entry?.currency !== currency) continue
    if (entry.amount !== amount) differences.push({ ...of, kind, booked: entry.amount, found: amount })
    if (fee !== null && entry.fee !== fee) differences.push({ ...of, kind: 'fee', booked: entry.fee, found: fee })
  }
  return differences
}

function found(movements: readonly Movement[]): Found[] {
  const sums = new Map<string, Found>()
  for (const { kind, reference, paymentId, amount, currency, fee, at } of movements) {
    if (kind === 'payout' || kind === 'other') continue
    const subject = subjects[kind]
    const key = differenceId({ kind: subject.kind, reference })
    const before = sums.get(key) ?? { kind: subject.kind, reference, paymentId, amount: 0, currency, fee: 0, at }
    sums.set(key, {
      ...before,
      amount: before.amount + subject.sign * amount,
      fee: before.fee === null || fee === null ? null : before.fee + fee,
    })
  }
  return [...sums.values()]
}

/** A payout of the processor to the bank. */
export interface Payout extends Money {
  readonly id: string
  readonly state: 'pending' | 'paid' | 'failed'
  /** The part from payments of this service, less fees, in the smallest unit; the whole amount of a manual payout. */
  readonly own: number
  /** Whether the movements that the processor lists for the payout add up to its amount; true for a manual payout. */
  readonly matched: boolean
  readonly arrivesAt: number
  readonly createdAt: number
}

const day = 86_400
// Movements of the last hour are not compared, because the books may not contain them yet.
const settling = 3_600
const usual = 7 * day
const first = 30 * day

/**
 * Returns the period in which the books are compared with the processor, as Unix seconds. The period ends an hour ago
 * and lasts 30 days the first time, then seven days or as long as is needed to overlap the last period by a day.
 */
export function windowOf(now: number, last: { readonly untilAt: number } | undefined) {
  const until = now - settling
  return { from: last ? Math.min(until - usual, last.untilAt - day) : until - first, until }
}
