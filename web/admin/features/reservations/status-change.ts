import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReservationStatus } from '../../../../src/reservations/reservation.ts'
import { toast } from '../../components/dialogs/toast.tsx'
import type { Item } from '../../data/ask.ts'
import { readAgain, useWrite } from '../../data/queries.ts'
import { useUser } from '../../data/session.ts'

/** A reservation, as far as changing its status needs it. */
export type Changeable = Pick<
  Item<'GET /reservations/'>,
  'id' | 'status' | 'start' | 'end' | 'customer' | 'service' | 'provider'
>

/** A reservation whose status could not be changed, and what the service said. */
export interface RefusedStatus {
  readonly reservation: Changeable
  readonly to: ReservationStatus
  readonly error: unknown
}

/** Changing the status of reservations, one after the other. */
export interface StatusChange {
  /** How many of how many are done, while it goes on. */
  readonly progress: { readonly done: number; readonly all: number } | undefined
  /** Those that were refused the last time. */
  readonly refused: readonly RefusedStatus[]
  forget(): void
  /** Sets the status of each, says so, and offers the way back; with a reason it needs no more than room. */
  set(reservations: readonly Changeable[], status: ReservationStatus, reason?: string): Promise<void>
}

const shown = [
  'GET /reservations/',
  'GET /reservations/one/',
  'GET /today/',
  'GET /history/',
  'GET /calendar/',
  'GET /calendar/verdict/',
] as const

/** Changes the status of reservations: each is decided by itself, and what is refused leaves the others standing. */
export function useStatusChange(): StatusChange {
  const { t } = useTranslation()
  const { role } = useUser()
  const write = useWrite('POST /reservations/status/')
  const [progress, setProgress] = useState<StatusChange['progress']>()
  const [refused, setRefused] = useState<readonly RefusedStatus[]>([])

  const each = async (
    changes: readonly (readonly [Changeable, ReservationStatus])[],
    reason?: string,
  ): Promise<Changeable[]> => {
    const anyway = reason === undefined ? {} : { anyway: { reason } }
    const done: Changeable[] = []
    const no: RefusedStatus[] = []
    for (const [reservation, status] of changes) {
      setProgress({ done: done.length + no.length, all: changes.length })
      await write.mutateAsync({ body: { id: reservation.id, status, ...anyway } }).then(
        () => done.push(reservation),
        (error: unknown) => no.push({ reservation, to: status, error }),
      )
    }
    setProgress(undefined)
    setRefused(no)
    await readAgain(shown)
    return done
  }

  return {
    progress,
    refused,
    forget: () => setRefused([]),
    async set(reservations, status, reason) {
      const changing = reservations.filter((one) => one.status !== status)
      const done = await each(
        changing.map((one) => [one, status] as const),
        reason,
      )
      if (done.length === 0) return
      toast(t(`reservations.done.${status}`, { count: done.length }), () => {
        const back = done.map((one) => [one, one.status] as const)
        // They were so a moment ago: what has become impossible since, such as a lead time, does not keep them away.
        void each(back, role === 'provider' ? undefined : t('calendar.undone')).then(({ length: count }) => {
          if (count > 0) toast(t('reservations.undone', { count }))
        })
      })
    },
  }
}
