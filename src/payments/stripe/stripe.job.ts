import { hash } from 'node:crypto'
import type { Stripe as StripeClient } from 'stripe'
import type { OutboundClient } from '../../http/outbound/outbound-client.ts'
import { OutboundError } from '../../http/outbound/outbound-error.ts'
import { primaryLanguage } from '../../messages/language-tag.ts'
import type { DisputeState } from '../disputes/dispute.ts'
import {
  type Charge,
  type Checkout,
  type CheckoutRequest,
  type DisputeProgress,
  type Processor,
  ProcessorError,
  type RefundProgress,
} from '../processor.ts'
import { exactAmount, fromStripe } from './stripe-amount.ts'
import { listMovements, listPayouts } from './stripe-balance.job.ts'
import { cardOf, chargeCard, chargedIntent, intentCharge, savingOf, unlessGone } from './stripe-cards.job.ts'
import { isRefused, isStripeError } from './stripe-fault.ts'

/**
 * The version of Stripe's API that every request specifies, so that the default version of the account has no effect.
 */
const apiVersion = '2026-10-28.endive'
const timeout = 20_000
const shown = ['payment_intent.latest_charge.balance_transaction', 'setup_intent.payment_method']

/** The options with which `stripeProcessor` connects to Stripe. */
export interface StripeOptions {
  readonly secretKey: string
  readonly client: OutboundClient
  /** The base URL of Stripe's API; in tests, that of a local server. */
  readonly apiUrl: string
  readonly signal?: AbortSignal
}

type Session = StripeClient.Checkout.Session

/**
 * Returns a `Processor` that uses Stripe. Stripe's library is loaded on first use, so that a site without payments does
 * not use memory for it. Its requests go through the outbound client; its own retries are disabled, because the jobs
 * retry.
 */
export async function stripeProcessor(options: StripeOptions): Promise<Processor> {
  const stripe = await connect(options)
  return {
    openCheckout: (request) =>
      guarded(async () => {
        const wanted = sessionOf(request)
        // Stripe refuses an idempotency key that was used with other parameters. The parameters change, for example,
        // when the service is renamed, so their hash is part of the key.
        const digest = hash('sha256', JSON.stringify(wanted), 'hex').slice(0, 16)
        const session = await stripe.checkout.sessions.create(wanted, {
          idempotencyKey: `${request.paymentId}-${digest}`,
        })
        return checkoutOf(session)
      }),
    findCheckout: (id) => guarded(() => findSession(stripe, id)),
    closeCheckout: (id) =>
      guarded(async () => {
        const before = await findSession(stripe, id)
        if (before.state !== 'open') return before
        try {
          await stripe.checkout.sessions.expire(id)
        } catch (error) {
          // Stripe refuses to expire a session that was paid or has already expired. The session is read to find out
          // which.
          if (!isRefused(error)) throw error
        }
        return findSession(stripe, id)
      }),
    chargeCard: (request) => guarded(() => chargeCard(stripe, request)),
    findCharge: (id) =>
      guarded(async () => intentCharge(await stripe.paymentIntents.retrieve(id, { expand: [chargedIntent] }))),
    removeCard: ({ customer, card }) =>
      guarded(async () => {
        await unlessGone(() => stripe.paymentMethods.detach(card))
        await unlessGone(() => stripe.customers.del(customer))
      }),
    refund: ({ refundId, chargeId, amount, currency, old }) =>
      guarded(async () => {
        const made = old ? await stripe.refunds.list({ payment_intent: chargeId, limit: 100 }) : { data: [] }
        const known = made.data.find(({ metadata }) => metadata?.refund === refundId)
        if (known) return refundOf(known)
        const refund = await stripe.refunds.create(
          { payment_intent: chargeId, amount: exactAmount(amount, currency), metadata: { refund: refundId } },
          { idempotencyKey: refundId },
        )
        return refundOf(refund)
      }),
    findRefund: (id) => guarded(async () => refundOf(await stripe.refunds.retrieve(id))),
    findDispute: (id) => guarded(async () => disputeOf(await stripe.disputes.retrieve(id))),
    listMovements: (choice, after) => guarded(() => listMovements(stripe, choice, after)),
    listPayouts: (period, after) => guarded(() => listPayouts(stripe, period, after)),
    account: () =>
      guarded(async () => {
        const account = await stripe.accounts.retrieveCurrent()
        return account.settings?.dashboard.display_name || account.business_profile?.name || account.id
      }),
  }
}

async function connect({ secretKey, client, apiUrl, signal }: StripeOptions) {
  const { default: Stripe } = await import('stripe')
  const { hostname, port, protocol } = new URL(apiUrl)
  return new Stripe(secretKey, {
    apiVersion,
    host: hostname,
    port: port || (protocol === 'http:' ? '80' : '443'),
    protocol: protocol === 'http:' ? 'http' : 'https',
    httpClient: Stripe.createFetchHttpClient(guardedFetch(client, signal)),
    maxNetworkRetries: 0,
    telemetry: false,
    timeout,
  })
}

/**
 * Returns a `fetch` that uses the outbound client, which restricts addresses and limits the size and time of responses.
 */
function guardedFetch(client: OutboundClient, signal: AbortSignal | undefined): typeof fetch {
  return async (url, init) => {
    const body = typeof init?.body === 'string' ? init.body : undefined
    const response = await client.send({
      url: String(url),
      method: (['POST', 'DELETE'] as const).find((one) => one === init?.method) ?? 'GET',
      headers: Object.fromEntries(new Headers(init?.headers)),
      ...(body !== undefined && body !== '' && { body }),
      timeout,
      ...(signal && { signal }),
    })
    const headers = new Headers()
    for (const [name, value] of Object.entries(response.headers))
      for (const one of [value ?? []].flat()) headers.append(name, one)
    return new Response(response.body, { status: response.status, headers })
  }
}

function sessionOf(request: CheckoutRequest): StripeClient.Checkout.SessionCreateParams {
  const { paymentId, amount, currency, description, locale, returnUrl, cancelUrl, expiresAt } = request
  const shared = {
    locale: localeOf(locale),
    success_url: returnUrl,
    cancel_url: cancelUrl,
    expires_at: expiresAt,
  }
  if (request.savesCard) return savingOf(request, shared)
  const price = {
    currency: currency.toLowerCase(),
    unit_amount: exactAmount(amount, currency),
    product_data: { name: description },
  }
  return {
    mode: 'payment',
    // Only cards are allowed, because their payments are decided at once. A method that takes days would reserve the
    // seat for as long.
    allowed_payment_method_types: ['card'],
    // Prices are not converted to the customer's currency, so that the charged amount is the amount in the books.
    adaptive_pricing: { enabled: false },
    line_items: [{ quantity: 1, price_data: price }],
    client_reference_id: paymentId,
    metadata: { payment: paymentId },
    payment_intent_data: { metadata: { payment: paymentId } },
    ...shared,
  }
}

function localeOf(locale: string): 'de' | 'en' | 'es' | 'fr' | 'auto' {
  const language = primaryLanguage(locale)
  return (['de', 'en', 'es', 'fr'] as const).find((one) => one === language) ?? 'auto'
}

async function findSession(stripe: StripeClient, id: string): Promise<Checkout> {
  return checkoutOf(await stripe.checkout.sessions.retrieve(id, { expand: shown }))
}

function checkoutOf(session: Session): Checkout {
  const { id, url, status, payment_status: paid } = session
  if (paid === 'paid') return { state: 'paid', id, ...chargeOf(session) }
  const card = cardOf(session)
  if (card) return { state: 'saved', id, card }
  return status === 'open' && url ? { state: 'open', id, url } : { state: 'closed', id }
}

function chargeOf({ payment_intent: intent, amount_total, currency: code }: Session): Charge {
  const currency = (code ?? '').toUpperCase()
  const chargeId = typeof intent === 'string' ? intent : (intent?.id ?? '')
  const amount = fromStripe(amount_total ?? 0, currency)
  const charge = typeof intent === 'object' ? intent?.latest_charge : null
  const transaction = typeof charge === 'object' ? charge?.balance_transaction : null
  const known = typeof transaction === 'object' && transaction !== null ? transaction : undefined
  // A fee in the currency of the account is not recorded when the payment is in another currency.
  const sameCurrency = known?.currency.toUpperCase() === currency
  return { chargeId, amount, currency, fee: known && sameCurrency ? fromStripe(known.fee, currency) : null }
}

function refundOf({ id, status }: StripeClient.Refund): RefundProgress {
  if (status === 'succeeded') return { id, state: 'succeeded' }
  return { id, state: status === 'failed' || status === 'canceled' ? 'failed' : 'pending' }
}

function disputeOf(dispute: StripeClient.Dispute): DisputeProgress {
  const { id, payment_intent: intent, reason, status, evidence_details: evidence } = dispute
  const currency = dispute.currency.toUpperCase()
  // Movements in the currency of the account are not recorded when the dispute is in another currency.
  const moved = dispute.balance_transactions.filter((one) => one.currency.toUpperCase() === currency)
  const sum = (of: 'amount' | 'fee', sign: 1 | -1) =>
    fromStripe(
      // A movement that consists only of a fee has the amount 0 and counts as a withdrawal.
      moved.filter(({ amount }) => (Math.sign(amount) || -1) === sign).reduce((all, one) => all + one[of], 0),
      currency,
    )
  const [taken, returned] = [0 - sum('amount', -1), sum('amount', 1)]
  return {
    id,
    chargeId: typeof intent === 'string' ? intent : (intent?.id ?? ''),
    amount: fromStripe(dispute.amount, currency),
    currency,
    reason,
    state: disputeStateOf(status, taken > returned),
    taken,
    returned,
    fee: sum('fee', -1),
    feeReturned: 0 - sum('fee', 1),
    // Stripe sets `due_by` to 0 or null when no response is possible.
    dueAt: (status.endsWith('needs_response') && evidence.due_by) || null,
  }
}

function disputeStateOf(status: StripeClient.Dispute['status'], isTaken: boolean): DisputeState {
  // The status `prevented` means that a refund to the customer, or a block, ended the dispute before any money moved.
  // If more was withdrawn than returned nevertheless, the dispute counts as lost.
  if (status === 'lost' || (status === 'prevented' && isTaken)) return 'lost'
  // A closed inquiry did not become a chargeback, so it counts as won.
  if (status === 'won' || status === 'warning_closed' || status === 'prevented') return 'won'
  return status.startsWith('warning') ? 'inquiry' : 'open'
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw faultOf(error)
  }
}

function faultOf(error: unknown): Error {
  if (error instanceof ProcessorError) return error
  if (error instanceof OutboundError) return new ProcessorError('unavailable', error.message)
  if (!isStripeError(error)) return error instanceof Error ? error : new Error(String(error))
  const { type, code, statusCode } = error
  const detail = [statusCode, type, code].filter(Boolean).join(' ')
  if (statusCode === 401 || statusCode === 403) return new ProcessorError('unauthorized', detail)
  return new ProcessorError(isRefused(error) ? 'refused' : 'unavailable', detail)
}
