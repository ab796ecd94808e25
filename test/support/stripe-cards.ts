import { feeOf, type StandInBalance } from './stripe-balance.ts'

/**
 * How the bank answers when a saved card is charged in the absence of its holder; with `processing`, the bank has not
 * decided when the processor answers (see `StandInCards.approve`).
 */
export type BankVerdict = 'approved' | 'declined' | 'authentication' | 'processing'

/** A card as the stand-in for Stripe stores it. */
export interface StandInCard {
  readonly id: string
  /** The id of the customer that the card is attached to; null after the card was detached. */
  customer: string | null
  readonly brand: string
  readonly last4: string
  verdict: BankVerdict
}

/** A PaymentIntent of a charge of a saved card, without a checkout page; the amount in minor currency units. */
export interface StandInIntent {
  readonly id: string
  readonly customer: string
  readonly amount: number
  readonly currency: string
  readonly metadata: Readonly<Record<string, string>>
  readonly status: 'succeeded' | 'processing' | 'requires_payment_method'
  readonly error: 'card_declined' | 'authentication_required' | null
}

type Reply = readonly [status: number, body: object]

const outcomes = {
  approved: { status: 'succeeded', error: null },
  processing: { status: 'processing', error: null },
  declined: { status: 'requires_payment_method', error: 'card_declined' },
  authentication: { status: 'requires_payment_method', error: 'authentication_required' },
} as const satisfies Readonly<Record<BankVerdict, Pick<StandInIntent, 'status' | 'error'>>>

/**
 * The cards, customers and charges of saved cards at the stand-in for Stripe. A request for a charge that the bank
 * declines is answered with status 402 and the code of the bank, as Stripe documents for `off_session`; the
 * PaymentIntent of the charge then requires another card.
 */
export class StandInCards {
  readonly cards = new Map<string, StandInCard>()
  readonly customers = new Set<string>()
  readonly intents = new Map<string, StandInIntent>()
  readonly #balance: StandInBalance
  readonly #next: () => number
  readonly #happened: (type: string, object: object) => void

  constructor(balance: StandInBalance, next: () => number, happened: (type: string, object: object) => void) {
    this.#balance = balance
    this.#next = next
    this.#happened = happened
  }

  /** Attaches a card to a new customer, as if the customer had entered it on the checkout page. */
  save({ brand = 'visa', last4 = '4242', verdict = 'approved' as BankVerdict } = {}): StandInCard {
    const customer = `cus_${this.#next()}`
    const card: StandInCard = { id: `pm_${this.#next()}`, customer, brand, last4, verdict }
    this.customers.add(customer)
    this.cards.set(card.id, card)
    return card
  }

  /**
   * Answers a request about cards, customers or PaymentIntents; returns undefined for any other request, and for an
   * unknown PaymentIntent.
   */
  answer(method: string, path: string, sent: URLSearchParams): Reply | undefined {
    if (path === '/v1/payment_intents') return method === 'POST' ? this.#charge(sent) : this.#list(sent)
    const intent = this.intents.get(/^\/v1\/payment_intents\/(\w+)$/.exec(path)?.[1] ?? '')
    if (intent) return [200, shownIntent(intent)]
    const detached = /^\/v1\/payment_methods\/(\w+)\/detach$/.exec(path)?.[1]
    if (detached !== undefined) return this.#detach(detached)
    const customer = /^\/v1\/customers\/(\w+)$/.exec(path)?.[1]
    if (customer === undefined || method !== 'DELETE') return undefined
    if (!this.customers.delete(customer)) return refused(404, 'resource_missing')
    return [200, { id: customer, object: 'customer', deleted: true }]
  }

  #detach(id: string): Reply {
    const card = this.cards.get(id)
    if (card?.customer === undefined) return refused(404, 'resource_missing')
    if (card.customer === null) return refused(400)
    card.customer = null
    return [200, { id, object: 'payment_method', customer: null }]
  }

  #list(sent: URLSearchParams): Reply {
    const data = [...this.intents.values()].filter(({ customer }) => customer === sent.get('customer'))
    return [200, { object: 'list', has_more: false, data: data.toReversed().map(shownIntent) }]
  }

  #charge(sent: URLSearchParams): Reply {
    const [card, amount] = [this.cards.get(sent.get('payment_method') ?? ''), Number(sent.get('amount'))]
    const customer = sent.get('customer') ?? ''
    if (sent.get('off_session') !== 'true' || sent.get('confirm') !== 'true') return refused(400)
    if (!card || card.customer !== customer) return refused(card ? 400 : 404, 'resource_missing')
    if (amount < 50) return refused(400, 'amount_too_small')
    const currency = sent.get('currency') ?? ''
    const intent: StandInIntent = {
      ...{ id: `pi_${this.#next()}`, customer, amount, currency, ...outcomes[card.verdict] },
      metadata: { payment: sent.get('metadata[payment]') ?? '' },
    }
    this.intents.set(intent.id, intent)
    if (intent.error !== null) {
      this.#happened('payment_intent.payment_failed', eventObjectOf(intent))
      const fault = { type: 'card_error', code: intent.error, message: 'Declined by the stand-in.' }
      return [402, { error: { ...fault, payment_intent: shownIntent(intent) } }]
    }
    if (intent.status === 'succeeded') this.#charged(intent)
    return [200, shownIntent(intent)]
  }

  /** Lets a charge succeed that the bank had not decided. */
  approve(undecided: StandInIntent): void {
    const intent = { ...undecided, status: 'succeeded' as const }
    this.intents.set(intent.id, intent)
    this.#charged(intent)
  }

  #charged(intent: StandInIntent): void {
    const { id, amount, currency } = intent
    this.#balance.move({ type: 'charge', source: `ch_${id}`, amount, fee: feeOf(amount), currency })
    this.#happened('payment_intent.succeeded', eventObjectOf(intent))
  }
}

function eventObjectOf({ id, metadata }: StandInIntent): object {
  return { object: 'payment_intent', id, metadata }
}

function shownIntent({ error, ...intent }: StandInIntent): object {
  const { id, amount, currency, status } = intent
  const transaction = { object: 'balance_transaction', fee: feeOf(amount), currency }
  const paid = status === 'succeeded'
  return {
    ...{ object: 'payment_intent', ...intent, amount_received: paid ? amount : 0 },
    latest_charge: paid ? { object: 'charge', id: `ch_${id}`, balance_transaction: transaction } : null,
    last_payment_error: error && { type: 'card_error', code: error },
  }
}

function refused(status: number, code?: string): Reply {
  return [status, { error: { type: 'invalid_request_error', ...(code && { code }), message: 'Refused.' } }]
}
