import type { Money } from '../money.ts'
import type { Dispute } from './disputes/dispute.ts'

/** A request for a page of the processor on which a customer pays, or saves a card without a charge. */
export interface CheckoutRequest extends Money {
  /**
   * The id of the payment in this service, which makes the request to the processor idempotent: a repeated request
   * creates no second checkout page.
   */
  readonly paymentId: string
  readonly savesCard: boolean
  /** The text that says what the payment is for; the page shows it to a customer who pays. */
  readonly description: string
  readonly locale: string
  /** The addresses to which the customer returns after paying, and without paying. */
  readonly returnUrl: string
  readonly cancelUrl: string
  readonly expiresAt: number
}

/** The state of the processor's page. */
export type Checkout =
  | { readonly state: 'open'; readonly id: string; readonly url: string }
  | ({ readonly state: 'paid'; readonly id: string } & Charge)
  | { readonly state: 'saved'; readonly id: string; readonly card: CardReference }
  | { readonly state: 'closed'; readonly id: string }

/** A card that is stored at the processor. */
export interface CardReference {
  /** The ids that the processor gave to the customer and to the card. */
  readonly customer: string
  readonly card: string
  readonly brand: string
  readonly last4: string
}

/**
 * A request to charge a saved card in the absence of its holder; repeating it for the same payment charges only once.
 */
export interface CardChargeRequest extends Money {
  readonly paymentId: string
  readonly card: Pick<CardReference, 'customer' | 'card'>
  readonly description: string
  /**
   * Whether an earlier attempt may be older than the period for which the processor stores idempotency keys. If so, an
   * existing charge is looked up first.
   */
  readonly old: boolean
}

/** The result of charging a saved card; `authentication` means that the bank requires its holder to authenticate. */
export type CardCharge =
  | ({ readonly state: 'paid' } & Charge)
  | { readonly state: 'declined'; readonly reason: 'declined' | 'authentication' }
  | { readonly state: 'pending' }

/** A charge that was captured. */
export interface Charge extends Money {
  readonly chargeId: string
  /** The processor's fee in the currency of the charge; null while it is unknown, or in another currency. */
  readonly fee: number | null
}

/** A refund to be requested; a repeated request with the same id refunds only once. */
export interface RefundRequest extends Money {
  readonly refundId: string
  readonly chargeId: string
  /**
   * Whether an earlier attempt may be older than the period for which the processor stores idempotency keys. If so, an
   * existing refund is looked up first.
   */
  readonly old: boolean
}

/** A refund's id and state at the processor; the id is empty when the processor refused the refund. */
export interface RefundProgress {
  readonly id: string
  readonly state: 'pending' | 'succeeded' | 'failed'
}

/** A dispute in the state that the processor reports. */
export interface DisputeProgress extends Omit<Dispute, 'paymentId' | 'createdAt'> {
  readonly chargeId: string
  /** The fee charged for the dispute and the part of it that was returned, in the smallest unit of the currency. */
  readonly fee: number
  readonly feeReturned: number
}

/** The kind of a movement of the balance at the processor. */
export type MovementKind = 'charge' | 'refund' | 'refund_failed' | 'dispute' | 'dispute_won' | 'payout' | 'other'

/**
 * A movement of the balance at the processor. `amount` is positive for incoming and for outgoing money; `net` is
 * negative when the balance decreases.
 */
export interface Movement extends Money {
  readonly kind: MovementKind
  /**
   * The processor's id of the charge, refund, dispute or payout; for the kind `other`, of the object that caused the
   * movement or, if there is none, of the movement itself.
   */
  readonly reference: string
  /**
   * The processor's id of the charge that the movement concerns, and the id of the payment in this service; null when
   * the processor does not report them.
   */
  readonly chargeId: string | null
  readonly paymentId: string | null
  /** The processor's fee in the currency of the amount; null while it is unknown, or in another currency. */
  readonly fee: number | null
  /** The change of the balance, in the smallest unit of the balance's currency; negative when the balance decreases. */
  readonly net: number
  readonly at: number
}

/** Which movements are listed: those of a period (Unix seconds, `until` excluded), or those listed for a payout. */
export type MovementChoice = { readonly from: number; readonly until: number } | { readonly payoutId: string }

/** A payout in the state that the processor reports. */
export interface ProcessorPayout extends Money {
  readonly id: string
  readonly state: 'pending' | 'paid' | 'failed'
  /** Whether the processor created the payout on its schedule; only then can it list the payout's movements. */
  readonly automatic: boolean
  readonly arrivesAt: number
  readonly createdAt: number
}

/**
 * A payment processor. Every method is idempotent: after a timeout, when it is unknown whether the processor acted, the
 * call can be repeated and has no second effect. A method throws a `ProcessorError` when its call of the processor
 * fails.
 */
export interface Processor {
  openCheckout(request: CheckoutRequest): Promise<Checkout>
  findCheckout(id: string): Promise<Checkout>
  /**
   * Closes a page, so that it can no longer be used. Returns the state of the page, which is `paid` or `saved` when the
   * customer paid or saved a card before it was closed.
   */
  closeCheckout(id: string): Promise<Checkout>
  chargeCard(request: CardChargeRequest): Promise<CardCharge>
  /** Returns the charge with this id, which was made to a saved card; the amount is 0 if it was not captured. */
  findCharge(chargeId: string): Promise<Charge>
  /** Removes a card and its customer at the processor; does nothing when they were already removed. */
  removeCard(card: Pick<CardReference, 'customer' | 'card'>): Promise<void>
  refund(request: RefundRequest): Promise<RefundProgress>
  findRefund(id: string): Promise<RefundProgress>
  findDispute(id: string): Promise<DisputeProgress>
  /**
   * Lists one page of movements of the balance. `after` is `''` for the first page, otherwise the `next` of the page
   * before; `next` is null on the last page.
   */
  listMovements(
    choice: MovementChoice,
    after: string,
  ): Promise<{ readonly movements: readonly Movement[]; readonly next: string | null }>
  /** Lists the payouts that were created in a period, in pages like `listMovements`. */
  listPayouts(
    period: { readonly from: number; readonly until: number },
    after: string,
  ): Promise<{ readonly payouts: readonly ProcessorPayout[]; readonly next: string | null }>
  /** Returns the name of the processor's account to which the keys of the site belong, or its id if it has no name. */
  account(): Promise<string>
}

/** Why a call failed: temporarily (`unavailable`), because of the keys (`unauthorized`), or for good (`refused`). */
export type ProcessorFault = 'unavailable' | 'unauthorized' | 'refused'

/** The failure of a call of the processor; the message contains neither customer data nor secrets. */
export class ProcessorError extends Error {
  readonly fault: ProcessorFault

  constructor(fault: ProcessorFault, detail: string) {
    super(detail)
    this.fault = fault
  }
}

/** The path of the route that receives the events of the processor. */
export const eventsPath = '/payments/events/stripe/'
