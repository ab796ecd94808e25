import type { CancellationRefund, ReservationStatus } from '../../../../../src/reservations/reservation.ts'
import { createStore } from '../../../data/store.ts'
import { type AnnouncementMessage, firstMessage } from '../../notifications/announcement.ts'

/**
 * The reasons of a cancellation that the panel suggests while the site's policies list none, as keys of translations.
 */
export const defaultCancelReasons = ['customer', 'ill', 'provider', 'duplicate'] as const

/** A reservation that is about to be cancelled. */
export interface ReservationToCancel {
  readonly id: string
  readonly status: ReservationStatus
  readonly start: number
  readonly customer: { readonly name: string }
  readonly service: { readonly name: string }
}

/** The user's answers to the questions about a cancellation: reason, notification and refund. */
export interface Cancellation {
  /** The reason of the cancellation; empty when the user gave none. */
  readonly cancelReason: string
  readonly notify: boolean
  /** What is refunded: the amount by the service's refund rule, the full payments, or nothing. */
  readonly refund: CancellationRefund
}

/** An open question about a cancellation; `answer(undefined)` leaves the reservations as they are. */
export interface CancellationQuestion {
  readonly reservations: readonly ReservationToCancel[]
  /**
   * The message to the first customer who would get one, looked up for the first three reservations only; undefined
   * when none of these customers would get a message.
   */
  readonly message: AnnouncementMessage | undefined
  answer(cancellation: Cancellation | undefined): void
}

/** The question that `CancelDialog` shows; undefined while there is none. */
export const cancellationQuestion = createStore<CancellationQuestion | undefined>(undefined)

/**
 * Asks the user for the reason of a cancellation, whether the customers are notified, and how much is refunded.
 * Resolves to undefined when the user decides not to cancel.
 */
export async function askCancellation(reservations: readonly ReservationToCancel[]): Promise<Cancellation | undefined> {
  const message = await firstMessage(reservations.map(({ id }) => ({ id, status: 'cancelled' })))
  return new Promise((resolve) => {
    cancellationQuestion.set({
      reservations,
      message,
      answer(cancellation) {
        cancellationQuestion.set(undefined)
        resolve(cancellation)
      },
    })
  })
}
