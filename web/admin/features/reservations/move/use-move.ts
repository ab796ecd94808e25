import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReservationStatus } from '../../../../../src/reservations/reservation.ts'
import { toast } from '../../../components/dialogs/toast.tsx'
import { useFormats } from '../../../data/dates/formats.ts'
import { refetch, useWrite } from '../../../data/queries.ts'
import type { PanelRouteRequest } from '../../../data/request.ts'
import { askAnnouncement } from '../../notifications/announcement.ts'

/** The fields of a reservation that a move needs. */
export interface MoveReservation {
  readonly id: string
  /** The name of the customer; empty when the customer was removed. */
  readonly customer: string
  readonly serviceId: string
  readonly providerId: number
  readonly start: number
  readonly end: number
  readonly status: ReservationStatus
}

/** What the user saw of a reservation; the service refuses the move of a reservation that differs. */
type SeenReservation = NonNullable<PanelRouteRequest<'POST /calendar/move/'>['body']['from']>

/**
 * The provider and the times (Unix seconds) to which a reservation is moved. `end` is sent only when `resized` is true;
 * otherwise the service determines the end.
 */
export interface MoveTarget {
  readonly providerId: number
  readonly start: number
  readonly end: number
  readonly resized: boolean
}

/** A move that failed, with the error: usually a refusal by the service. */
export interface RefusedMove {
  readonly reservation: MoveReservation
  readonly to: MoveTarget
  readonly from: SeenReservation
  /** Whether the customer is notified if the move succeeds after all. */
  readonly notify: boolean
  readonly error: unknown
}

/** How a refused move is repeated: the reason for overriding rules, and `from` and `notify` of the refused move. */
interface MoveOverride {
  readonly reason: string
  /** Set when staff deliberately book the provider's time twice. */
  readonly doubleBook?: true
  readonly from: SeenReservation
  readonly notify: boolean
}

/** The pending and the refused move, and the functions that make a move and dismiss a refusal. */
export interface Move {
  /** The pending move; undefined when no move is pending. */
  readonly moving: (MoveTarget & { readonly id: string }) | undefined
  readonly refused: RefusedMove | undefined
  dismiss(): void
  /**
   * Moves a reservation after asking whether the customer is notified; reports the success and offers undo. An error is
   * stored in `refused`, as when the reservation no longer has the slot and the status of `reservation`. With `again`,
   * repeats a refused move without asking, and overrides rules with the given reason.
   */
  drop(reservation: MoveReservation, to: MoveTarget, again?: MoveOverride): Promise<void>
}

const shown = [
  'GET /calendar/',
  'GET /calendar/free/',
  'GET /calendar/verdict/',
  'GET /reservations/',
  'GET /reservations/one/',
  'GET /today/',
  'GET /conflicts/',
  'GET /history/',
] as const

/**
 * Returns a `Move`, which moves reservations. Its `moving` lets the caller show a reservation at its target before the
 * service responds.
 */
export function useMove(): Move {
  const { t } = useTranslation()
  const { dateTime } = useFormats()
  const write = useWrite('POST /calendar/move/', shown)
  const undo = useWrite('POST /reservations/undo/', shown)
  const [moving, setMoving] = useState<Move['moving']>()
  const [refused, setRefused] = useState<RefusedMove>()

  const refuse = async (no: RefusedMove): Promise<void> => {
    setRefused(no)
    await refetch(shown)
  }

  /** Undoes the change `change` of the history, by which the reservation was moved to `to`. */
  const undoMove = (reservation: MoveReservation, to: MoveTarget, change: string, notify: boolean): Promise<void> => {
    const { id, providerId, start, end, status } = reservation
    const before = { providerId, start, end, resized: true }
    // The service determined the end of a move without a new length.
    const from = { providerId: to.providerId, start: to.start, ...(to.resized && { end: to.end }), status }
    setMoving({ id, ...before })
    return undo
      .mutateAsync({ body: { id, change, ...(!notify && { notify }) } })
      .finally(() => setMoving(undefined))
      .then(
        () => toast(t('calendar.back', { customer: nameOf(reservation) })),
        (error: unknown) => refuse({ reservation: withMoveTarget(reservation, to), to: before, from, notify, error }),
      )
  }

  const nameOf = ({ customer }: MoveReservation): string => customer || t('reservations.removed')

  return {
    moving,
    refused,
    dismiss: () => setRefused(undefined),
    async drop(reservation, to, again) {
      const { id, status } = reservation
      const { providerId, start, end, resized } = to
      const seen = { providerId: reservation.providerId, start: reservation.start, end: reservation.end, status }
      const from = again?.from ?? seen
      setRefused(undefined)
      setMoving({ id, ...to })
      const notify = again?.notify ?? (await askAnnouncement([{ id, providerId, start, end }]))
      if (notify === undefined) {
        setMoving(undefined)
        return
      }
      const more = {
        ...(again && { override: { reason: again.reason, ...(again.doubleBook && { doubleBook: true }) } }),
        ...(!notify && { notify }),
      }
      await write
        .mutateAsync({ body: { id, from, providerId, start, ...(resized && { end }), ...more } })
        .finally(() => setMoving(undefined))
        .then(
          ({ change }) =>
            toast(
              t('calendar.moved', { customer: nameOf(reservation), time: dateTime(start) }),
              change === null ? undefined : () => undoMove(reservation, to, change, notify),
            ),
          (error: unknown) => refuse({ reservation, to, from, notify, error }),
        )
    },
  }
}

/** Returns a reservation with the provider and the times of the target of a move. */
export function withMoveTarget<T extends MoveReservation>(reservation: T, { providerId, start, end }: MoveTarget): T {
  return { ...reservation, providerId, start, end }
}
