/**
 * The kinds of jobs that ask the processor about a payment: `sync` as soon as possible, `expiry` when the time to pay has
 * ended.
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
