import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { desk } from '../../../../../src/access/users/role-groups.ts'
import { toast } from '../../../components/dialogs/toast.tsx'
import { useFormats } from '../../../data/dates/formats.ts'
import { useWrite } from '../../../data/queries.ts'
import type { PanelQuery } from '../../../data/request.ts'
import { useMay } from '../../../data/session.ts'
import { askAnnouncement } from '../../notifications/announcement.ts'

/** The fields of a reservation that a move needs. */
export interface Movable {
  readonly id: string
  /** The name of the customer; empty when the customer was removed. */
  readonly customer: string
  readonly serviceId: string
  readonly providerId: number
  readonly start: number
  readonly end: number
}

/** The target of a move; the end is used only when the reservation is resized. */
export interface Destination {
  readonly providerId: number
  readonly start: number
  readonly end: number
  readonly resized: boolean
}

/** A refused move with its error. */
export interface RefusedMove {
  readonly reservation: Movable
  readonly to: Destination
  /** Whether the customer is notified if the move succeeds after all. */
  readonly notify: boolean
  readonly error: unknown
}

/** How a refused move is repeated. */
interface MoveOverride {
  readonly reason: string
  /** Whether the time is deliberately booked twice. */
  readonly doubleBook?: true
  readonly notify: boolean
}

/** Moves reservations to another time or provider. */
export interface Move {
  /** The pending move. */
  readonly moving: (Destination & { readonly id: string }) | undefined
  readonly refused: RefusedMove | undefined
  forget(): void
  /**
   * Asks whether the customer is notified, moves a reservation, confirms the move and offers to undo it. With `again`, a
   * refused move is repeated: rules are overridden with the reason.
   */
  drop(reservation: Movable, to: Destination, again?: MoveOverride): Promise<void>
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

/** Moves reservations optimistically; a refused move is rolled back. */
export function useMove(): Move {
  const { t } = useTranslation()
  const { dateTime } = useFormats()
  const mayOverride = useMay(desk)
  const write = useWrite('POST /calendar/move/', shown)
  const [moving, setMoving] = useState<Move['moving']>()
  const [refused, setRefused] = useState<RefusedMove>()

  const send = (body: PanelQuery<'POST /calendar/move/'>['body'], to: Destination): Promise<unknown> => {
    setMoving({ id: body.id, ...to })
    return write.mutateAsync({ body }).finally(() => setMoving(undefined))
  }

  const back = (reservation: Movable, to: Destination, notify: boolean): void => {
    const { id, providerId, start, end } = reservation
    const before = { providerId, start, end, resized: true }
    // The previous time was valid a moment ago, so undo overrides rules such as the lead time.
    const override = mayOverride ? { override: { reason: t('calendar.undone') } } : {}
    void send({ id, providerId, start, end, ...override, ...(!notify && { notify }) }, before).then(
      () => toast(t('calendar.back', { customer: nameOf(reservation) })),
      (error: unknown) => setRefused({ reservation: moved(reservation, to), to: before, notify, error }),
    )
  }

  const nameOf = ({ customer }: Movable): string => customer || t('reservations.removed')

  return {
    moving,
    refused,
    forget: () => setRefused(undefined),
    async drop(reservation, to, again) {
      const { id } = reservation
      const { providerId, start, end, resized } = to
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
      await send({ id, providerId, start, ...(resized && { end }), ...more }, to).then(
        () =>
          toast(t('calendar.moved', { customer: nameOf(reservation), time: dateTime(start) }), () =>
            back(reservation, to, notify),
          ),
        (error: unknown) => setRefused({ reservation, to, notify, error }),
      )
    },
  }
}

/** Returns the reservation at its target. */
export function moved<T extends Movable>(reservation: T, { providerId, start, end }: Destination): T {
  return { ...reservation, providerId, start, end }
}
