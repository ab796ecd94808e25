/**
 * The kinds of jobs that bring a payment to the state that the processor reports: `sync` runs as soon as possible;
 * `expiry` runs when the time to pay has ended, or earlier to close the payment page at the processor.
 */
export const paymentJobs = { sync: 'payment-sync', expiry: 'payment-expiry' } as const

/** The kind of the job that asks the processor about one dispute. */
export const disputeJob = 'payment-dispute'

/**
 * The payload of a job about a payment; with `close`, the job closes the payment page at the processor even before the
 * time to pay has ended, unless a reservation waits for the payment again. `chargeId` is the processor's id of a charge
 * for the payment, by which a no-show fee that was recorded as declined is found to be charged.
 */
export interface PaymentJob {
  readonly id: string
  readonly close?: true
  readonly chargeId?: string
}
