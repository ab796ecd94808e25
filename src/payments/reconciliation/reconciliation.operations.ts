import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import type { Operation, Tx } from '../../db/perform/app.ts'
import { enqueue, findRunAt } from '../../jobs/queue.ts'
import { refusal } from '../../messages/refusal.ts'
import { dayAt, dayStart } from '../../scheduling/time/zone.ts'
import { post } from '../ledger/ledger.operations.ts'
import { disputeJob, type PaymentJob, paymentJobs } from '../payment-jobs.ts'
import { findProcessor } from '../settings/payment-settings.sql.ts'
import {
  findDifference,
  listDifferences,
  type StoredDifference,
  saveDifference,
  savePayout,
  saveReconciliation,
} from './reconciliation.sql.ts'
import { type Difference, differenceId, type Payout } from './reconciliation.ts'

/** The kind of the job that compares the books with the processor. */
export const reconciliationJob = 'payment-reconciliation'

// The time of day at which the job runs: 3 hours after midnight in the site's time zone, in seconds.
const nightSeconds = 3 * 3_600

/**
 * Queues the comparison of the books with the processor: for the next night, or at once. The comparison of the night is
 * not queued while another one runs or is due earlier. Does nothing without a processor.
 */
export const queueReconciliation: Operation<{ readonly atOnce: boolean }, Record<never, never>> = async (
  tx,
  { atOnce },
) => {
  if (!(await findProcessor(tx.db))) return {}
  const { site } = await loadCatalogue(tx.db)
  const today = dayAt(site.timezone, tx.now)
  const nights = [today, today + 1].map((day) => dayStart(site.timezone, day) + nightSeconds)
  const night = nights.find((at) => at > tx.now)
  const runAt = atOnce ? tx.now : (night ?? tx.now)
  await tx.lock(['payment-settings'])
  const job = { kind: reconciliationJob, key: 'site' }
  // The job of the night would replace a comparison that staff started, one that is retried after an outage of the
  // processor, or one that confirms differences.
  const pendingAt = atOnce ? undefined : await findRunAt(tx, job)
  if (pendingAt !== undefined && pendingAt <= runAt) return {}
  await enqueue(tx, [{ ...job, runAt }])
  return {}
}

/** The input of `recordReconciliation`: what was compared, and what was found. */
export interface RecordReconciliation {
  readonly from: number
  readonly until: number
  readonly compared: number
  readonly differences: readonly Difference[]
  /** Whether the comparison found more differences than `differences` contains. */
  readonly isTruncated: boolean
  readonly payouts: readonly Payout[]
}

// The maximum number of unresolved differences for which one comparison checks whether they are gone.
const maxOpen = 1_000

/**
 * Records a comparison of the books with the processor. A stored difference of the period that is no longer found is
 * resolved, unless the list of differences is truncated. For a difference that is new or whose amounts have changed, a
 * job asks the processor about the payment or dispute, if any, and `again` is true: the comparison should be repeated
 * soon. A difference that the repeated comparison finds with the same amounts is confirmed and reported once. A
 * difference that staff resolved is ignored while its amounts are the same; one that disappeared by itself counts as
 * new when it is found again.
 */
export const recordReconciliation: Operation<RecordReconciliation, { readonly again: boolean }> = async (tx, input) => {
  const { from, until, compared, differences, isTruncated, payouts } = input
  await tx.lock(['payment-settings'])
  const found = new Set(differences.map(differenceId))
  for (const open of isTruncated ? [] : await listDifferences(tx.db, maxOpen))
    if (!found.has(open.id) && open.at >= from && open.at < until)
      await saveDifference(tx.db, { ...open, confirmedAt: null, resolvedAt: tx.now })
  let fresh = 0
  let confirmed = 0
  for (const difference of differences) {
    const known = await findDifference(tx.db, differenceId(difference))
    const same = known?.booked === difference.booked && known?.found === difference.found
    if (same && known.resolvedAt !== null && known.confirmedAt !== null) continue
    const before = same && known.resolvedAt === null ? known : undefined
    const confirms = before !== undefined && before.confirmedAt === null
    const confirmedAt = confirms ? tx.now : (before?.confirmedAt ?? null)
    await saveDifference(tx.db, { ...difference, foundAt: before?.foundAt ?? tx.now, confirmedAt, resolvedAt: null })
    if (confirms) confirmed += 1
    if (before) continue
    fresh += 1
    await askAbout(tx, difference)
  }
  for (const payout of payouts) await recordPayout(tx, payout)
  await saveReconciliation(tx.db, { fromAt: from, untilAt: until, ranAt: tx.now, compared })
  if (confirmed > 0) {
    const object = { count: confirmed }
    await tx.append({ type: 'payment_settings.differences_found', objectId: 'site', object, previous: null })
  }
  return { again: fresh > 0 }
}

async function askAbout(tx: Tx, { kind, reference, paymentId }: Difference): Promise<void> {
  if (kind === 'dispute') return enqueue(tx, [{ kind: disputeJob, key: reference, payload: { id: reference } }])
  if (paymentId === null) return
  const payload: PaymentJob = { id: paymentId, ...(kind === 'charge' && { chargeId: reference }) }
  await enqueue(tx, [{ kind: paymentJobs.sync, key: paymentId, payload }])
}

async function recordPayout(tx: Tx, payout: Payout): Promise<void> {
  const { id, own: amount, currency, state } = payout
  await savePayout(tx.db, payout)
  if (state === 'pending') return
  // A payout can fail after it was reported as paid. A second posting then moves the money back to the processor.
  await post(tx, [{ kind: 'payout', cause: id, amount, currency }])
  if (state === 'failed') await post(tx, [{ kind: 'payout', cause: `${id}/failed`, amount: -amount, currency }])
}

/** Marks a difference as resolved by staff; it is not reported again unless its amounts change. */
export const resolveDifference: Operation<{ readonly id: string }, Record<never, never>> = async (tx, { id }) => {
  await tx.lock(['payment-settings'])
  const known = await findDifference(tx.db, id)
  if (!known) throw refusal('difference_not_found')
  if (known.resolvedAt !== null) return {}
  const resolved: StoredDifference = { ...known, confirmedAt: known.confirmedAt ?? tx.now, resolvedAt: tx.now }
  await saveDifference(tx.db, resolved)
  const { kind, reference, booked, found, currency } = known
  const object = { kind, reference, booked, found, currency }
  await tx.append({ type: 'payment_settings.difference_resolved', objectId: 'site', object, previous: null })
  return {}
}
