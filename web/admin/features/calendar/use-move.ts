import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../components/dialogs/toast.tsx'
import type { PanelQuery } from '../../data/ask.ts'
import { useFormats } from '../../data/dates/formats.ts'
import { useWrite } from '../../data/queries.ts'
import { useUser } from '../../data/session.ts'
import type { ColumnReservation } from './grid/columns.ts'

/** Where a reservation is to go; without an end it is as long as it is there. */
export interface Destination {
  readonly providerId: number
  readonly start: number
  readonly end: number
  readonly stretched: boolean
}

/** A reservation that was not moved, and what the service said. */
export interface RefusedMove {
  readonly reservation: ColumnReservation
  readonly to: Destination
  readonly error: unknown
}

/** Moving reservations on the calendar. */
export interface Move {
  /** The one on its way, with where it will be. */
  readonly moving: (Destination & { readonly id: string }) | undefined
  readonly refused: RefusedMove | undefined
  forget(): void
  /** Moves it, says so, and offers the way back; with a reason it needs no more than room. */
  drop(reservation: ColumnReservation, to: Destination, reason?: string): Promise<void>
}

const shown = [
  'GET /calendar/',
  'GET /calendar/verdict/',
  'GET /reservations/',
  'GET /reservations/one/',
  'GET /today/',
] as const

/** Moves reservations: shown at once where they are to be, and back where they were when the service says no. */
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
    const before = { providerId, start, end, stretched: true }
    // It was there a moment ago: what has become impossible since, such as its lead time, does not keep it away.
    const anyway = role === 'provider' ? {} : { anyway: { reason: t('calendar.undone') } }
    void send({ id, providerId, start, end, ...anyway }, before).then(
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
      const { providerId, start, end, stretched } = to
      const anyway = reason === undefined ? {} : { anyway: { reason } }
      setRefused(undefined)
      await send({ id, providerId, start, ...(stretched && { end }), ...anyway }, to).then(
        () =>
          toast(t('calendar.moved', { customer: nameOf(reservation), time: dateTime(start) }), () =>
            back(reservation, to),
          ),
        (error: unknown) => setRefused({ reservation, to, error }),
      )
    },
  }
}

/** The reservation where it is to be. */
export function moved(reservation: ColumnReservation, { providerId, start, end }: Destination): ColumnReservation {
  return { ...reservation, providerId, start, end }
}
