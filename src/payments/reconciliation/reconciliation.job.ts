import { resultOf } from '../../db/perform/outcome.ts'
import { workerContext } from '../../db/perform/worker-context.ts'
import type { JobHandler, JobResult, JobRun } from '../../jobs/job.ts'
import type { Daybook } from '../../operations.ts'
import { type PaymentJobOptions, paymentDelays, repeatedWhenDown } from '../checkout/payment-work.job.ts'
import { findPayment } from '../payments.sql.ts'
import {
  type Movement,
  type MovementChoice,
  type Processor,
  ProcessorError,
  type ProcessorPayout,
} from '../processor.ts'
import { reconciliationJob } from './reconciliation.operations.ts'
import { findOwn, findReconciliation, listBooked } from './reconciliation.sql.ts'
import {
  type BookedAmount,
  type Difference,
  differenceId,
  differencesOf,
  type Payout,
  windowOf,
} from './reconciliation.ts'

// Seconds until a comparison that found new differences is repeated. In the meantime, the processor is asked about the
// payments concerned, which may resolve the differences.
const againSeconds = 600
const idsAtOnce = 500
// The maximum number of differences that one run records. A greater number usually has one common cause, which the
// first differences show as well.
const maxRecorded = 500

/** Queues the comparison of the books with the processor for the next night. */
export async function queueNightly({ perform, now }: Pick<Daybook, 'perform' | 'now'>): Promise<void> {
  resultOf(await perform('payments.reconciliation.queue', { atOnce: false }, { ...byWorker, now: now() }))
}

const byWorker = workerContext('payments')

/** Returns the handler of the job that compares the books with the movements and payouts that the processor lists. */
export function reconciliationJobs(options: PaymentJobOptions): JobHandler {
  return {
    ...{ kind: reconciliationJob, concurrency: 1, maxAttempts: Number.MAX_SAFE_INTEGER, delays: paymentDelays },
    outbound: true,
    run: (_, run) => reconcile(options, run),
  }
}

function reconcile(options: PaymentJobOptions, run: JobRun): Promise<JobResult> {
  return repeatedWhenDown(options, run, async (processor) => {
    const { app } = options
    const { from, until } = windowOf(app.now(), await findReconciliation(app.db))
    const listed = await allMovements(processor, { from, until })
    const own = await ownOf(app, listed)
    const booked = await bookedOf(app, own)
    const missing = await missingAt(app, processor, { from, until, seen: new Set(booked.map(differenceId)) })
    const payouts = await payoutsOf(app, processor, { from, until })
    const differences = [...differencesOf(own, booked), ...missing, ...payouts.flatMap(payoutDifference)]
    const recorded = { differences: differences.slice(0, maxRecorded), isTruncated: differences.length > maxRecorded }
    const input = { from, until, compared: own.length, ...recorded, payouts }
    const context = { ...byWorker, now: app.now() }
    const { again } = resultOf(await app.perform('payments.reconciliation.record', input, context))
    if (!again) return 'done'
    return { retryAt: app.now() + againSeconds, why: 'Differences were found, which are compared again.' }
  })
}

async function allMovements(processor: Processor, choice: MovementChoice): Promise<Movement[]> {
  const all: Movement[] = []
  for (let after: string | null = ''; after !== null; ) {
    const page: Awaited<ReturnType<Processor['listMovements']>> = await processor.listMovements(choice, after)
    all.push(...page.movements)
    after = page.next
  }
  return all
}

/**
 * Returns the movements that belong to payments of this service, since other systems may use the same account at the
 * processor.
 */
async function ownOf({ db }: Pick<Daybook, 'db'>, movements: readonly Movement[]): Promise<Movement[]> {
  const idsOf = ({ chargeId, paymentId }: Movement) => [chargeId, paymentId].filter((id) => id !== null)
  const own = new Set<string>()
  for (const ids of inParts(movements.flatMap(idsOf))) for (const id of await findOwn(db, ids)) own.add(id)
  return movements.filter((movement) => idsOf(movement).some((id) => own.has(id)))
}

async function bookedOf({ db }: Pick<Daybook, 'db'>, movements: readonly Movement[]): Promise<BookedAmount[]> {
  const booked: BookedAmount[] = []
  for (const references of inParts(movements.map(({ reference }) => reference)))
    booked.push(...(await listBooked(db, { references })))
  return booked
}

/**
 * Returns differences for charges, refunds and disputes that the books contain and the processor does not list. These
 * are the ones that this service last changed in the period, whose amount in the books is not 0, and that are absent
 * from the processor's movements of the period. The processor is asked for each of them by id; a difference is returned
 * if the processor reports another amount or none.
 */
async function missingAt(
  { db }: Pick<Daybook, 'db'>,
  processor: Processor,
  { from, until, seen }: { readonly from: number; readonly until: number; readonly seen: ReadonlySet<string> },
): Promise<Difference[]> {
  const missing: Difference[] = []
  for (const one of await listBooked(db, { posted: { start: from, end: until } })) {
    const { kind, reference, paymentId, amount, currency, postedAt: at } = one
    if (seen.has(differenceId(one)) || amount === 0 || at < from || at >= until) continue
    // The books may record a movement later than it happened, so the processor may list it before the period. Therefore
    // the processor is asked for it by its id.
    const found = await amountAt({ db }, processor, one).catch(nothingIfUnknown)
    if (found !== amount) missing.push({ kind, reference, paymentId, booked: amount, found, currency, at })
  }
  return missing
}

async function amountAt(
  { db }: Pick<Daybook, 'db'>,
  processor: Processor,
  { kind, reference, paymentId, amount }: BookedAmount,
): Promise<number | null> {
  if (kind === 'refund') return (await processor.findRefund(reference)).state === 'failed' ? 0 : amount
  if (kind === 'dispute') {
    const { taken, returned } = await processor.findDispute(reference)
    return taken - returned
  }
  const checkoutId = (await findPayment(db, paymentId))?.checkoutId
  // A saved card is charged without a page of the processor.
  if (!checkoutId) return (await processor.findCharge(reference)).amount
  const checkout = await processor.findCheckout(checkoutId)
  return checkout.state === 'paid' ? checkout.amount : null
}

/** Returns null when the processor refused the request, as it does for an unknown id; throws any other error again. */
function nothingIfUnknown(error: unknown): null {
  if (error instanceof ProcessorError && error.fault === 'refused') return null
  throw error
}

async function payoutsOf(
  app: Pick<Daybook, 'db'>,
  processor: Processor,
  choice: { readonly from: number; readonly until: number },
): Promise<(Payout & { readonly listed: number })[]> {
  const all: ProcessorPayout[] = []
  for (let after: string | null = ''; after !== null; ) {
    const page: Awaited<ReturnType<Processor['listPayouts']>> = await processor.listPayouts(choice, after)
    all.push(...page.payouts)
    after = page.next
  }
  const payouts: (Payout & { readonly listed: number })[] = []
  for (const { automatic, ...payout } of all) {
    // The processor lists the movements of automatic payouts only, not of manual ones.
    const parts = automatic ? await allMovements(processor, { payoutId: payout.id }) : []
    const sum = (of: readonly Movement[]) =>
      of.filter(({ kind }) => kind !== 'payout').reduce((total, { net }) => total + net, 0)
    const listed = automatic ? sum(parts) : payout.amount
    const own = automatic ? sum(await ownOf(app, parts)) : payout.amount
    payouts.push({ ...payout, own, listed, matched: listed === payout.amount })
  }
  return payouts
}

function payoutDifference({
  id,
  amount,
  currency,
  matched,
  listed,
  createdAt: at,
}: Payout & { readonly listed: number }) {
  if (matched) return []
  return [{ kind: 'payout' as const, reference: id, paymentId: null, booked: listed, found: amount, currency, at }]
}

function inParts(ids: readonly string[]): string[][] {
  const unique = [...new Set(ids)]
  return Array.from({ length: Math.ceil(unique.length / idsAtOnce) }, (_, at) =>
    unique.slice(at * idsAtOnce, (at + 1) * idsAtOnce),
  )
}
