import type { Money } from '../money.ts'
import type { Dispute } from './disputes/dispute.ts'

/** A page of the processor to be opened, on which a customer pays. */
export interface CheckoutRequest extends Money {
  /** Our id of the payment: repeating the same request opens no second page. */
  readonly paymentId: string
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
  | { readonly state: 'closed'; readonly id: string }

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

/**
 * A payment processor. Every method may be repeated: after a timeout it is unknown whether the processor acted, and the
 * repeated call returns what the first one did. Methods throw a `ProcessorError`.
 */
export interface Processor {
  openCheckout(request: CheckoutRequest): Promise<Checkout>
  findCheckout(id: string): Promise<Checkout>
  /** Closes the page, so that it can no longer be paid, unless it was paid before. */
  closeCheckout(id: string): Promise<Checkout>
  refund(request: RefundRequest): Promise<RefundProgress>
  findRefund(id: string): Promise<RefundProgress>
  findDispute(id: string): Promise<DisputeProgress>
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
