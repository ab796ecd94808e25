import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReservationStatus } from '../../../../src/reservations/reservation.ts'
import { toast } from '../../components/dialogs/toast.tsx'
import { refetch, useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { askAnnouncement } from '../notifications/announcement.ts'
import { askCancellation } from './visit/cancellation.ts'

/** The fields of a reservation that a status change needs. */
export type StatusReservation = Pick<
  Item<'GET /reservations/'>,
  'id' | 'status' | 'start' | 'end' | 'service' | 'provider'
> & { readonly customer: { readonly id: string; readonly name: string } }

/** A status change that failed, with the error: usually a refusal by the service. */
export interface RefusedStatusChange {
  readonly reservation: StatusReservation
  readonly to: ReservationStatus
  /** Whether the customer is notified when the change is repeated and then succeeds. */
  readonly notify: boolean
  readonly error: unknown
}

/**
 * Returns the title of the alert or dialog about refused status changes. The title states that reservations could not
 * be restored if all of them have the status `cancelled`, and otherwise that they could not be changed.
 */
export function refusalTitle(refused: readonly RefusedStatusChange[], t: TFunction<'words'>): string {
  const restoring = refused.every(({ reservation }) => reservation.status === 'cancelled')
  return t(restoring ? 'reservations.restoreRefused' : 'reservations.refused', { count: refused.length })
}

/**
 * The options with which a refused status change is repeated: the reason for overriding rules, and the `notify` of the
 * refused change.
 */
export interface StatusOverride {
  readonly reason: string
  /** Set when staff deliberately book the provider's time twice. */
  readonly doubleBook?: true
  readonly notify: boolean
}

/**
 * The result of `useStatusChange`: the state of the status changes, and the functions that make them and dismiss
 * refusals.
 */
export interface StatusChange {
  /** The number of finished requests and of all requests; undefined when none is pending. */
  readonly progress: { readonly done: number; readonly all: number } | undefined
  /**
   * The refused changes of the last call of `set` or of its undo, whichever ran last, without those that were repeated
   * since; empty after `dismiss`.
   */
  readonly refused: readonly RefusedStatusChange[]
  dismiss(): void
  /**
   * Sets the status of each reservation after asking whether customers are notified and, for a cancellation, for the
   * reason; reports the success and, if the status of any changed, offers undo. Refusals are stored in `refused`. Skips
   * reservations that already have the status; a reservation whose status is no longer the given one is refused. With
   * `again`, repeats refused changes: asks nothing, and overrides rules with the given reason. Resolves to false when
   * the user decides against the changes, otherwise to true.
   */
  set(
    reservations: readonly StatusReservation[],
    status: ReservationStatus,
    how?: { readonly again?: StatusOverride },
  ): Promise<boolean>
}

const shown = [
  'GET /reservations/',
  'GET /customers/one/',
  'GET /reservations/one/',
  'GET /today/',
  'GET /conflicts/',
  'GET /history/',
  'GET /calendar/',
  'GET /calendar/free/',
  'GET /calendar/verdict/',
] as const

/**
 * Returns a `StatusChange`, which changes the status of reservations one by one; a refused change does not affect the
 * other reservations.
 */
export function useStatusChange(): StatusChange {
  const { t } = useTranslation()
  const write = useWrite('POST /reservations/status/')
  const undo = useWrite('POST /reservations/undo/')
  const [progress, setProgress] = useState<StatusChange['progress']>()
  const [refused, setRefused] = useState<readonly RefusedStatusChange[]>([])

  /** Sends one request per change in sequence, and returns the results of the successful ones. */
  const each = async <T>(
    changes: readonly {
      readonly reservation: StatusReservation
      readonly to: ReservationStatus
      readonly send: () => Promise<T>
    }[],
    how: {
      readonly notify: boolean
      /** Whether `changes` repeats refused ones; the others remain in `refused`. */
      readonly isRepeated: boolean
    },
  ): Promise<T[]> => {
    const { notify, isRepeated } = how
    const done: T[] = []
    const no: RefusedStatusChange[] = []
    for (const { reservation, to, send } of changes) {
      setProgress({ done: done.length + no.length, all: changes.length })
      await send().then(
        (result) => done.push(result),
        (error: unknown) => no.push({ reservation, to, notify, error }),
      )
    }
    setProgress(undefined)
    const repeated = new Set(changes.map(({ reservation }) => reservation.id))
    setRefused((before) => [...(isRepeated ? before.filter((one) => !repeated.has(one.reservation.id)) : []), ...no])
    await refetch(shown)
    return done
  }

  return {
    progress,
    refused,
    dismiss: () => setRefused([]),
    async set(reservations, status, { again } = {}) {
      const changing = reservations.filter((one) => one.status !== status)
      if (changing.length === 0) return true
      const asked =
        again ??
        (status === 'cancelled'
          ? await askCancellation(changing)
          : { notify: await askAnnouncement(changing.map(({ id }) => ({ id, status }))) })
      if (asked?.notify === undefined) return false
      const { notify } = asked
      const cancelReason = 'cancelReason' in asked ? asked.cancelReason : ''
      const refund = 'refund' in asked ? asked.refund : 'rule'
      const how = { notify, isRepeated: again !== undefined }
      const more = {
        ...(again && { override: { reason: again.reason, ...(again.doubleBook && { doubleBook: true }) } }),
        ...(!notify && { notify }),
        ...(cancelReason !== '' && { cancelReason }),
        ...(refund !== 'rule' && { refund }),
      }
      const done = await each(
        changing.map((reservation) => ({
          ...{ reservation, to: status },
          send: async () => {
            const { change } = await write.mutateAsync({
              body: { id: reservation.id, status, from: reservation.status, ...more },
            })
            return { reservation, change }
          },
        })),
        how,
      )
      if (done.length === 0) return true
      const declined = status === 'cancelled' && done.every(({ reservation }) => reservation.status === 'pending')
      // A change is null when another user had set the status in the meantime; there is nothing to undo then.
      const changed = done.flatMap(({ reservation, change }) => (change === null ? [] : [{ reservation, change }]))
      const undoAll = async (): Promise<void> => {
        const { length: count } = await each(
          changed.map(({ reservation, change }) => ({
            ...{ reservation: { ...reservation, status }, to: reservation.status },
            send: () => undo.mutateAsync({ body: { id: reservation.id, change, ...(!notify && { notify }) } }),
          })),
          how,
        )
        if (count > 0) toast(t('reservations.undone', { count }))
      }
      const text = t(`reservations.done.${declined ? 'declined' : status}`, { count: done.length })
      toast(text, changed.length > 0 ? undoAll : undefined)
      return true
    },
  }
}
