import type { Stripe as StripeClient } from 'stripe'
import type { Movement, MovementChoice, MovementKind, ProcessorPayout } from '../processor.ts'
import { fromStripe } from './stripe-amount.ts'

// The number of objects on a page. The HTTP client reads at most 64 KB of a response, and a movement with its charge
// takes up to 5 KB.
const perPage = 10

/** Returns a page of Stripe's balance transactions of a period or of a payout. */
export async function listMovements(stripe: StripeClient, choice: MovementChoice, after: string) {
  const { data, has_more: more } = await stripe.balanceTransactions.list({
    ...('payoutId' in choice ? { payout: choice.payoutId } : { created: { gte: choice.from, lt: choice.until } }),
    limit: perPage,
    expand: ['data.source'],
    ...(after !== '' && { starting_after: after }),
  })
  return { movements: data.map(movementOf), next: more ? (data.at(-1)?.id ?? null) : null }
}

/** Returns a page of Stripe's payouts that were created in a period. */
export async function listPayouts(
  stripe: StripeClient,
  { from, until }: { readonly from: number; readonly until: number },
  after: string,
) {
  const { data, has_more: more } = await stripe.payouts.list({
    created: { gte: from, lt: until },
    limit: perPage,
    ...(after !== '' && { starting_after: after }),
  })
  return { payouts: data.map(payoutOf), next: more ? (data.at(-1)?.id ?? null) : null }
}

const kinds: Readonly<Record<string, MovementKind>> = {
  charge: 'charge',
  payment: 'charge',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund_failed',
  payment_failure_refund: 'refund_failed',
  payout: 'payout',
  payout_cancel: 'payout',
  payout_failure: 'payout',
}

function movementOf(transaction: StripeClient.BalanceTransaction): Movement {
  const { type, reporting_category: category, created, source, fee, net } = transaction
  const object = typeof source === 'object' && source !== null ? source : undefined
  const settled = transaction.currency.toUpperCase()
  const dispute = category === 'dispute' ? 'dispute' : category === 'dispute_reversal' ? 'dispute_won' : undefined
  const kind = dispute ?? kinds[type] ?? 'other'
  // The amount is that of the object behind the transaction, such as a charge, refund or payout. The transaction's own
  // amount is used if there is no such object, as for a fee, and for a dispute, which can move less than its amount.
  const own = object && 'amount' in object && 'currency' in object && dispute === undefined ? object : undefined
  const currency = (own?.currency ?? transaction.currency).toUpperCase()
  const intent = object && 'payment_intent' in object ? object.payment_intent : null
  const chargeId = typeof intent === 'string' ? intent : (intent?.id ?? null)
  const metadata = object && 'metadata' in object ? object.metadata : null
  return {
    kind,
    reference: kind === 'charge' && chargeId !== null ? chargeId : (object?.id ?? transaction.id),
    chargeId,
    paymentId: metadata?.payment ?? null,
    amount: Math.abs(fromStripe(own?.amount ?? transaction.amount, currency)),
    currency,
    fee: settled === currency ? fromStripe(fee, currency) : null,
    net: fromStripe(net, settled),
    at: created,
  }
}

function payoutOf({ id, amount, currency: code, status, automatic, arrival_date, created }: StripeClient.Payout) {
  const currency = code.toUpperCase()
  return {
    ...{ id, amount: fromStripe(amount, currency), currency, automatic },
    state: status === 'paid' ? 'paid' : status === 'failed' || status === 'canceled' ? 'failed' : 'pending',
    arrivesAt: arrival_date,
    createdAt: created,
  } satisfies ProcessorPayout
}
