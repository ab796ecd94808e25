import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../components/dialogs/toast.tsx'
import { useFormats } from '../../data/dates/formats.ts'
import { useWrite } from '../../data/queries.ts'
import type { PanelQuery } from '../../data/request.ts'
import { useUser } from '../../data/session.ts'
import type { ColumnReservation } from './grid/columns.ts'

/** The target of a move; the end is used only when the reservation is resized. */
export interface Destination {
  readonly providerId: number
  readonly start: number
  readonly end: number
  readonly resized: boolean
}

/** A refused move with its error. */
export interface RefusedMove {
  readonly reservation: ColumnReservation
  readonly to: Destination
  readonly error: unknown
}

/** Moves reservations on the calendar. */
export interface Move {
  /** The pending move. */
  readonly moving: (Destination & { readonly id: string }) | undefined
  readonly refused: RefusedMove | undefined
  forget(): void
  /** Moves a reservation, confirms the move and offers to undo it. With a reason, the move overrides rules. */
  drop(reservation: ColumnReservation, to: Destination, reason?: string): Promise<void>
}

const shown = [
  'GET /calendar/',
  'GET /calendar/verdict/',
  'GET /reservations/',
  'GET /reservations/one/',
  'GET /today/',
] as const

/** Moves reservations optimistically; a refused move is rolled back. */
export function useMove(): Move {
  const { t } = useTranslation()
  const { dateTime } = useFormats()
  const { role } = useUser()
  const write = useWrite('POST /calendar/move/', shown)
  const [moving, setMoving] = useState<Move['moving']>()
  const [refused, setRefused] = useState<RefusedMove>()

  const send = (body: PanelQuery<'POST /calendar/move/'>['body'], to: Destination): Promise<unknown> => {
    setMoving({ id: body.id, ...to })
    return write.mutateAsync({ body }).finally(() => setMoving(undefined))
  }

  const back = (reservation: ColumnReservation, to: Destination): void => {
    const { id, providerId, start, end } = reservation
    const before = { providerId, start, end, resized: true }
    // The previous time was valid a moment ago, so undo overrides rules such as the lead time.
    const override = role === 'provider' ? {} : { override: { reason: t('calendar.undone') } }
    void send({ id, providerId, start, end, ...override }, before).then(
      () => toast(t('calendar.back', { customer: nameOf(reservation) })),
      (error: unknown) => setRefused({ reservation: moved(reservation, to), to: before, error }),
    )
  }

  const nameOf = ({ customer }: ColumnReservation): string => customer || t('reservations.removed')

  return {
    moving,
    refused,
    forget: () => setRefused(undefined),
    async drop(reservation, to, reason) {
      const { id } = reservation
      const { providerId, start, end, resized } = to
      const override = reason === undefined ? {} : { override: { reason } }
      setRefused(undefined)
      await send({ id, providerId, start, ...(resized && { end }), ...override }, to).then(
        () =>
          toast(t('calendar.moved', { customer: nameOf(reservation), time: dateTime(start) }), () =>
            back(reservation, to),
          ),
        (error: unknown) => setRefused({ reservation, to, error }),
      )
    },
  }
}

/** Returns the reservation at its target. */
export function moved(reservation: ColumnReservation, { providerId, start, end }: Destination): ColumnReservation {
  return { ...reservation, providerId, start, end }
}
