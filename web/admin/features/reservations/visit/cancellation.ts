import type { CancellationRefund, ReservationStatus } from '../../../../../src/reservations/reservation.ts'
import { createStore } from '../../../data/store.ts'
import { firstMessage, type Message } from '../../notifications/announcement.ts'

/** The reasons to choose from while the site has no list of its own. */
export const defaultCancelReasons = ['customer', 'ill', 'provider', 'duplicate'] as const

/** A reservation that is about to be cancelled. */
export interface Cancelled {
  readonly id: string
  readonly status: ReservationStatus
  readonly start: number
  readonly customer: { readonly name: string }
  readonly service: { readonly name: string }
}

/** How reservations are cancelled. */
export interface Cancellation {
  /** Empty when no reason was given. */
  readonly cancelReason: string
  readonly notify: boolean
  /** What of the payments is refunded. */
  readonly refund: CancellationRefund
}

/** An open question about a cancellation. */
export interface CancellationQuestion {
  readonly reservations: readonly Cancelled[]
  /** The message that the first customer receives; undefined when no customer receives one. */
  readonly message: Message | undefined
  answer(cancellation: Cancellation | undefined): void
}

/** The question that the dialog shows; undefined while there is none. */
export const cancellationQuestion = createStore<CancellationQuestion | undefined>(undefined)

/**
 * Asks for the reason of a cancellation and whether the customers are notified. Resolves to undefined when the user
 * keeps the reservations.
 */
export async function askCancellation(reservations: readonly Cancelled[]): Promise<Cancellation | undefined> {
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
