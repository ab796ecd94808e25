import { resultOf } from '../../db/perform/outcome.ts'
import { workerContext } from '../../db/perform/worker-context.ts'
import type { JobHandler, JobResult, JobRun } from '../../jobs/job.ts'
import { findReservation } from '../../reservations/reservations.sql.ts'
import { type PaymentJobOptions, paymentDelays, repeatedWhenDown } from '../checkout/payment-work.job.ts'
import { listShares } from '../payments.sql.ts'
import { cardNeededUntil } from './card.ts'
import { type CardJob, cardJob } from './card-release.operations.ts'
import { findCard, isBeingCharged } from './cards.sql.ts'

// Seconds after which it is checked again whether the charge of a no-show fee to the card has been decided.
const chargingSeconds = 300

/**
 * Returns the handler of the job that removes a saved card at the payment processor once no reservation needs it, or
 * after the data of its customer was erased; in both cases not while a no-show fee is being charged to the card.
 */
export function cardJobs(options: PaymentJobOptions): JobHandler {
  return {
    ...{ kind: cardJob, concurrency: 2, maxAttempts: Number.MAX_SAFE_INTEGER, delays: paymentDelays, outbound: true },
    run: (payload, run) => runCard(options, payload as CardJob, run),
  }
}

async function runCard(options: PaymentJobOptions, { id, erased }: CardJob, run: JobRun): Promise<JobResult> {
  const { app } = options
  const card = await findCard(app.db, id)
  if (card?.removedAt !== null) return 'done'
  const neededUntil = erased ? 0 : await neededFor(options, id)
  const context = { ...workerContext('payments'), now: app.now() }
  if (neededUntil > app.now()) {
    resultOf(await app.perform('payments.cards.later', { id, runAt: neededUntil }, context))
    return 'done'
  }
  // Without its card, a charge whose answer was lost could no longer be found, and would be recorded as declined.
  if (await isBeingCharged(app.db, id))
    return { retryAt: app.now() + chargingSeconds, why: 'A no-show fee is being charged to the card.' }
  return repeatedWhenDown(options, run, async (processor) => {
    await processor.removeCard(card)
    resultOf(await app.perform('payments.cards.removed', { id }, context))
    return 'done'
  })
}

async function neededFor({ app }: PaymentJobOptions, id: string): Promise<number> {
  const shares = (await listShares(app.db, id)).filter(({ state }) => state === 'waiting' || state === 'booked')
  const reservations = await Promise.all(shares.map(({ reservationId }) => findReservation(app.db, reservationId)))
  return Math.max(0, ...reservations.map(cardNeededUntil))
}
