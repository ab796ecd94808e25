import type { Money } from '../money.ts'
import type { Dispute } from './disputes/dispute.ts'

/** A page of the processor to be opened, on which a customer pays, or saves a card without paying. */
export interface CheckoutRequest extends Money {
  /** Our id of the payment: repeating the same request opens no second page. */
  readonly paymentId: string
  readonly savesCard: boolean
  /** What is paid for, as the customer reads it. */
  readonly description: string
  readonly locale: string
  /** Where the page sends the customer afterwards, and without a payment. */
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

/** A card that the processor keeps. */
export interface CardReference {
  /** The processor's ids of its customer and of the card. */
  readonly customer: string
  readonly card: string
  readonly brand: string
  readonly last4: string
}

/** A charge of a saved card without its customer; repeating it with the same payment charges once. */
export interface CardChargeRequest extends Money {
  readonly paymentId: string
  readonly card: Pick<CardReference, 'customer' | 'card'>
  readonly description: string
  /** Whether an attempt may be so old that the processor has forgotten its idempotency key: the charge is looked for first. */
  readonly old: boolean
}

/** What became of the charge of a saved card; the bank can decline it, or ask for the customer's authentication. */
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

/** A refund to be made; repeating it with the same id refunds once. */
export interface RefundRequest extends Money {
  readonly refundId: string
  readonly chargeId: string
  /** Whether an attempt may be so old that the processor has forgotten its idempotency key: the refund is looked for first. */
  readonly old: boolean
}

/** The state of a refund at the processor. */
export interface RefundProgress {
  readonly id: string
  readonly state: 'pending' | 'succeeded' | 'failed'
}

/** A dispute as the processor knows it. */
export interface DisputeProgress extends Omit<Dispute, 'paymentId' | 'createdAt'> {
  readonly chargeId: string
  /** What the processor charged for the dispute, and what it gave back of that. */
  readonly fee: number
  readonly feeReturned: number
}

/** What moved the balance of the account at the processor. */
export type MovementKind = 'charge' | 'refund' | 'refund_failed' | 'dispute' | 'dispute_won' | 'payout' | 'other'

/** A movement of the balance of the account at the processor; its amount is positive, whichever way it went. */
export interface Movement extends Money {
  readonly kind: MovementKind
  /** The processor's id of the charge, refund, dispute or payout. */
  readonly reference: string
  /** The charge that it is about, and our id of the payment where the processor knows it. */
  readonly chargeId: string | null
  readonly paymentId: string | null
  /** The processor's fee in the currency of the amount; null while it is unknown, or in another currency. */
  readonly fee: number | null
  /** What it added to the balance, in the smallest unit of the balance's currency; negative for what it took. */
  readonly net: number
  readonly at: number
}

/** Which movements are listed: those of a period, or those that a payout consists of. */
export type MovementChoice = { readonly from: number; readonly until: number } | { readonly payoutId: string }

/** A payout as the processor knows it. */
export interface ProcessorPayout extends Money {
  readonly id: string
  readonly state: 'pending' | 'paid' | 'failed'
  /** Whether the processor made it by itself, and says what it consists of. */
  readonly automatic: boolean
  readonly arrivesAt: number
  readonly createdAt: number
}

/**
 * A payment processor. Every method may be repeated: after a timeout it is unknown whether the processor acted, and the
 * repeated call returns what the first one did. Methods throw a `ProcessorError`.
 */
export interface Processor {
  openCheckout(request: CheckoutRequest): Promise<Checkout>
  findCheckout(id: string): Promise<Checkout>
  /** Closes the page, so that it can no longer be paid, unless it was paid before. */
  closeCheckout(id: string): Promise<Checkout>
  chargeCard(request: CardChargeRequest): Promise<CardCharge>
  /** Returns a charge of a saved card that was made. */
  findCharge(chargeId: string): Promise<Charge>
  /** Removes a card and the processor's record of its customer; removing it again changes nothing. */
  removeCard(card: Pick<CardReference, 'customer' | 'card'>): Promise<void>
  refund(request: RefundRequest): Promise<RefundProgress>
  findRefund(id: string): Promise<RefundProgress>
  findDispute(id: string): Promise<DisputeProgress>
  /** Lists movements of the balance; `after` is `''`, or the `next` of the page before. */
  listMovements(
    choice: MovementChoice,
    after: string,
  ): Promise<{ readonly movements: readonly Movement[]; readonly next: string | null }>
  /** Lists the payouts that were created in a period, in pages like `listMovements`. */
  listPayouts(
    period: { readonly from: number; readonly until: number },
    after: string,
  ): Promise<{ readonly payouts: readonly ProcessorPayout[]; readonly next: string | null }>
  /** Returns the name of the account that the keys belong to. */
  account(): Promise<string>
}

/** Why the processor did not do what was asked: no answer, keys that are not accepted, or a request it refuses for good. */
export type ProcessorFault = 'unavailable' | 'unauthorized' | 'refused'

/** A call of the processor that failed; the message names no customer and no secret. */
export class ProcessorError extends Error {
  readonly fault: ProcessorFault

  constructor(fault: ProcessorFault, detail: string) {
    super(detail)
    this.fault = fault
  }
}

/** The path that receives the events of the processor. */
export const eventsPath = '/payments/events/stripe/'
