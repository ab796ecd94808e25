/** The kinds of jobs that ask the processor about a payment: as soon as possible, and when the time to pay has ended. */
export const paymentJobs = { sync: 'payment-sync', expiry: 'payment-expiry' } as const

/** The kind of the job that asks the processor about one dispute. */
export const disputeJob = 'payment-dispute'

/** The payload of a job about a payment; with `close`, its page is closed before the time to pay has ended. */
export interface PaymentJob {
  readonly id: string
  readonly close?: true
}
