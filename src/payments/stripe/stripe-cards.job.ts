import type { Stripe as StripeClient } from 'stripe'
import type { CardCharge, CardChargeRequest, CardReference, Charge, CheckoutRequest } from '../processor.ts'
import { exactAmount, fromStripe } from './stripe-amount.ts'
import { isRepeatedKey, isStripeError } from './stripe-fault.ts'

type Intent = StripeClient.PaymentIntent

/**
 * The path of the object that Stripe is asked to include in a PaymentIntent (`expand`), from which the processor's fee
 * is read.
 */
export const chargedIntent = 'latest_charge.balance_transaction'

/**
 * Returns the parameters of a Checkout Session that charges nothing and saves a card, which can later be charged in the
 * absence of its holder.
 */
export function savingOf(
  { paymentId, description, currency }: CheckoutRequest,
  shared: Pick<StripeClient.Checkout.SessionCreateParams, 'locale' | 'success_url' | 'cancel_url' | 'expires_at'>,
): StripeClient.Checkout.SessionCreateParams {
  return {
    mode: 'setup',
    allowed_payment_method_types: ['card'],
    currency: currency.toLowerCase(),
    // Stripe can charge a saved card only through the customer to which it is attached.
    customer_creation: 'always',
    client_reference_id: paymentId,
    metadata: { payment: paymentId },
    setup_intent_data: { description, metadata: { payment: paymentId } },
    ...shared,
  }
}

/**
 * Returns the card that a Checkout Session saved; undefined when it saved none or was loaded without its SetupIntent.
 */
export function cardOf({ customer, setup_intent: intent }: StripeClient.Checkout.Session): CardReference | undefined {
  if (typeof intent !== 'object' || intent?.status !== 'succeeded') return undefined
  const method = intent.payment_method
  const owner = idOf(customer ?? intent.customer)
  if (typeof method !== 'object' || method === null || owner === '') return undefined
  const { brand = '', last4 = '' } = method.card ?? {}
  return { customer: owner, card: method.id, brand, last4 }
}

/** Charges a saved card in the absence of its holder. */
export async function chargeCard(stripe: StripeClient, request: CardChargeRequest): Promise<CardCharge> {
  const { paymentId, amount, currency, card, description, old } = request
  const known = old ? await findIntent(stripe, request) : undefined
  if (known) return chargeState(known)
  const wanted: StripeClient.PaymentIntentCreateParams = {
    amount: exactAmount(amount, currency),
    currency: currency.toLowerCase(),
    customer: card.customer,
    payment_method: card.card,
    allowed_payment_method_types: ['card'],
    off_session: true,
    confirm: true,
    description,
    metadata: { payment: paymentId },
    expand: [chargedIntent],
  }
  try {
    const intent = await stripe.paymentIntents.create(wanted, { idempotencyKey: paymentId })
    // Stripe responds to a repeated request with the response to the first one, so the present state is read.
    return chargeState(intent.status === 'processing' ? await loadIntent(stripe, intent.id) : intent)
  } catch (error) {
    // The description contains the names of the service and the site. If one of them was changed after an attempt whose
    // response was lost, Stripe refuses the key; that attempt may have charged the card.
    const made = isRepeatedKey(error) ? await findIntent(stripe, request) : undefined
    if (made) return chargeState(made)
    // Stripe responds with 402 when the bank declines the card or requires that its holder authenticates.
    if (!isStripeError(error) || error.statusCode !== 402) throw error
    return { state: 'declined', reason: error.code === 'authentication_required' ? 'authentication' : 'declined' }
  }
}

/** Returns the PaymentIntent of an earlier attempt at a charge; undefined when there is none. */
async function findIntent(stripe: StripeClient, { paymentId, card }: CardChargeRequest): Promise<Intent | undefined> {
  const made = await stripe.paymentIntents.list({ customer: card.customer, limit: 10 })
  const known = made.data.find(({ metadata }) => metadata.payment === paymentId)
  return known && (await loadIntent(stripe, known.id))
}

function loadIntent(stripe: StripeClient, id: string): Promise<Intent> {
  return stripe.paymentIntents.retrieve(id, { expand: [chargedIntent] })
}

/**
 * Returns the charge of a PaymentIntent that succeeded; the fee is null while it is unknown, or in another currency.
 */
export function intentCharge({ id, amount_received, currency: code, latest_charge: charge }: Intent): Charge {
  const currency = code.toUpperCase()
  const transaction = typeof charge === 'object' ? charge?.balance_transaction : null
  const known = typeof transaction === 'object' && transaction !== null ? transaction : undefined
  const fee = known?.currency.toUpperCase() === currency ? fromStripe(known.fee, currency) : null
  return { chargeId: id, amount: fromStripe(amount_received, currency), currency, fee }
}

function chargeState(intent: Intent): CardCharge {
  if (intent.status === 'succeeded') return { state: 'paid', ...intentCharge(intent) }
  if (intent.status === 'processing') return { state: 'pending' }
  const needsHolder =
    intent.status === 'requires_action' || intent.last_payment_error?.code === 'authentication_required'
  return { state: 'declined', reason: needsHolder ? 'authentication' : 'declined' }
}

/** Calls `remove` to remove an object at Stripe; ignores 400 and 404, the statuses for a removed object. */
export async function unlessGone(remove: () => Promise<unknown>): Promise<void> {
  try {
    await remove()
  } catch (error) {
    // Stripe responds with 400 for a card that is attached to no customer, and with 404 for a deleted object.
    if (!isStripeError(error) || ![400, 404].includes(error.statusCode ?? 0)) throw error
  }
}

function idOf(of: string | { readonly id: string } | null): string {
  return typeof of === 'string' ? of : (of?.id ?? '')
}
