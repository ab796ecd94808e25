import { feeOf } from './stripe-balance.ts'
import type { StandInCard } from './stripe-cards.ts'

/** A checkout session as the stand-in for Stripe stores it. */
export interface StandInSession {
  readonly id: string
  status: 'open' | 'complete' | 'expired'
  /** `setup` for a session that saves a card and charges nothing. */
  readonly mode: 'payment' | 'setup'
  payment_status: 'unpaid' | 'paid' | 'no_payment_required'
  /** The id of the card that the customer saved in a `setup` session; null until then. */
  card: string | null
  readonly amount_total: number
  readonly currency: string
  readonly expires_at: number
  readonly metadata: Readonly<Record<string, string>>
  readonly success_url: string
  readonly cancel_url: string
  readonly name: string
  payment_intent: string | null
}

/** A refund as the stand-in for Stripe stores it. */
export interface StandInRefund {
  readonly id: string
  readonly payment_intent: string
  readonly amount: number
  readonly currency: string
  readonly metadata: Readonly<Record<string, string>>
  status: 'pending' | 'succeeded' | 'failed'
}

/** Returns a checkout session as Stripe's API returns it, with the objects that the service asks to expand. */
export function shownSession(session: StandInSession, saved: StandInCard | undefined): object {
  const { name: _, card: __, payment_intent: intent, ...shown } = session
  const { currency, amount_total: amount } = session
  const transaction = { object: 'balance_transaction', fee: feeOf(amount), currency }
  const charge = { object: 'charge', id: `ch_${intent}`, balance_transaction: transaction }
  return {
    ...{ ...shown, object: 'checkout.session' },
    url: session.status === 'open' ? `https://checkout.stripe.example/${session.id}` : null,
    customer: saved?.customer ?? null,
    setup_intent: shownSetup(session, saved),
    payment_intent: intent && { object: 'payment_intent', id: intent, latest_charge: charge },
  }
}

function shownSetup({ id, mode }: StandInSession, card: StandInCard | undefined): object | null {
  if (mode !== 'setup') return null
  const intent = { object: 'setup_intent', id: `seti_${id}`, status: card ? 'succeeded' : 'requires_payment_method' }
  const { brand, last4 } = card ?? {}
  return { ...intent, payment_method: card ? { object: 'payment_method', id: card.id, card: { brand, last4 } } : null }
}

/** Returns a refund as Stripe's API returns it. */
export function shownRefund(refund: StandInRefund): object {
  return { object: 'refund', ...refund }
}
