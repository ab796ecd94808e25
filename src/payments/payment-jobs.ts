/**
 * The kinds of jobs that bring a payment to the state that the processor reports: `sync` runs as soon as possible, `expiry`
 * when the time to pay has ended or when the processor's page is to be closed early.
 */
export const paymentJobs = { sync: 'payment-sync', expiry: 'payment-expiry' } as const

/** The kind of the job that asks the processor about one dispute. */
export const disputeJob = 'payment-dispute'

/**
 * The payload of a job about a payment; with `close`, the processor's page is closed even before the time to pay has ended.
 */
export interface PaymentJob {
  readonly id: string
  readonly close?: true
}
