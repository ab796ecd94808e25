import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { desk } from '../../../../src/access/users/role-groups.ts'
import type { CancellationRefund, ReservationStatus } from '../../../../src/reservations/reservation.ts'
import { toast } from '../../components/dialogs/toast.tsx'
import { refetch, useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { useMay } from '../../data/session.ts'
import { askAnnouncement } from '../notifications/announcement.ts'
import { askCancellation } from './visit/cancellation.ts'

/** The fields of a reservation that a status change needs. */
export type Changeable = Pick<
  Item<'GET /reservations/'>,
  'id' | 'status' | 'start' | 'end' | 'service' | 'provider'
> & { readonly customer: { readonly id: string; readonly name: string } }

/** A refused status change with its error. */
export interface RefusedStatus {
  readonly reservation: Changeable
  readonly to: ReservationStatus
  /** Whether the customer is notified if the change succeeds after all. */
  readonly notify: boolean
  readonly error: unknown
}

/** The title above refused status changes: what could not be done. */
export function refusalTitle(refused: readonly RefusedStatus[], t: TFunction<'words'>): string {
  const restoring = refused.every(({ reservation }) => reservation.status === 'cancelled')
  return t(restoring ? 'reservations.restoreRefused' : 'reservations.refused', { count: refused.length })
}

/** How a refused status change is repeated: rules are overridden with the reason. */
export interface StatusOverride {
  readonly reason: string
  /** Whether the time is deliberately booked twice. */
  readonly doubleBook?: true
  readonly notify: boolean
}

/** Changes the status of reservations, one request at a time. */
export interface StatusChange {
  /** How many of the requests are done while others are pending. */
  readonly progress: { readonly done: number; readonly all: number } | undefined
  /** The refusals of the last run. */
  readonly refused: readonly RefusedStatus[]
  forget(): void
  /**
   * Asks for the reason of a cancellation and whether customers are notified, sets the status of each reservation,
   * confirms it and offers undo.
   */
  set(
    reservations: readonly Changeable[],
    status: ReservationStatus,
    how?: { readonly again?: StatusOverride },
  ): Promise<void>
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

/** Changes the status of reservations one by one; a refusal does not affect the others. */
export function useStatusChange(): StatusChange {
  const { t } = useTranslation()
  const mayOverride = useMay(desk)
  const write = useWrite('POST /reservations/status/')
  const [progress, setProgress] = useState<StatusChange['progress']>()
  const [refused, setRefused] = useState<readonly RefusedStatus[]>([])

  const each = async (
    changes: readonly (readonly [Changeable, ReservationStatus])[],
    how: {
      readonly notify: boolean
      readonly override?: Omit<StatusOverride, 'notify'> | undefined
      readonly cancelReason?: string | undefined
      readonly refund?: CancellationRefund
    },
  ): Promise<Changeable[]> => {
    const { notify, override, cancelReason = '', refund = 'rule' } = how
    const more = {
      ...(override && { override }),
      ...(!notify && { notify }),
      ...(cancelReason !== '' && { cancelReason }),
      ...(refund !== 'rule' && { refund }),
    }
    const done: Changeable[] = []
    const no: RefusedStatus[] = []
    for (const [reservation, status] of changes) {
      setProgress({ done: done.length + no.length, all: changes.length })
      await write.mutateAsync({ body: { id: reservation.id, status, ...more } }).then(
        () => done.push(reservation),
        (error: unknown) => no.push({ reservation, to: status, notify, error }),
      )
    }
    setProgress(undefined)
    setRefused(no)
    await refetch(shown)
    return done
  }

  return {
    progress,
    refused,
    forget: () => setRefused([]),
    async set(reservations, status, { again } = {}) {
      const changing = reservations.filter((one) => one.status !== status)
      if (changing.length === 0) return
      const asked =
        again ??
        (status === 'cancelled'
          ? await askCancellation(changing)
          : { notify: await askAnnouncement(changing.map(({ id }) => ({ id, status }))) })
      if (asked?.notify === undefined) return
      const { notify } = asked
      const cancelReason = 'cancelReason' in asked ? asked.cancelReason : ''
      const refund = 'refund' in asked ? asked.refund : 'rule'
      const done = await each(
        changing.map((one) => [one, status] as const),
        {
          ...{ notify, cancelReason, refund },
          override: again && { reason: again.reason, ...(again.doubleBook && { doubleBook: true }) },
        },
      )
      if (done.length === 0) return
      const declined = status === 'cancelled' && done.every((one) => one.status === 'pending')
      toast(t(`reservations.done.${declined ? 'declined' : status}`, { count: done.length }), () => {
        const back = done.map((one) => [one, one.status] as const)
        // The previous status was valid a moment ago, so undo overrides rules such as the lead time.
        const override = mayOverride ? { reason: t('calendar.undone') } : undefined
        void each(back, { notify, override }).then(({ length: count }) => {
          if (count > 0) toast(t('reservations.undone', { count }))
        })
      })
    },
  }
}
