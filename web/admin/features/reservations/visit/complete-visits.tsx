import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast, toastError, type Undo } from '../../../components/dialogs/toast.tsx'
import { refetch } from '../../../data/queries.ts'
import { type AttendanceReservation, attendanceReads, useMarkAttendance } from './attendance.tsx'

/**
 * Calls all of the given functions in sequence, also after one that rejects, and then refetches what they changed.
 * Returns the results, and the errors of those that rejected.
 */
async function inSequence<T>(calls: readonly (() => Promise<T>)[]) {
  const results: T[] = []
  const errors: unknown[] = []
  for (const call of calls)
    await call().then(
      (result) => results.push(result),
      (error: unknown) => errors.push(error),
    )
  await refetch(attendanceReads)
  return { results, errors }
}

async function undoAll(undos: readonly Undo[]): Promise<void> {
  const { errors } = await inSequence(undos)
  if (errors.length > 0) throw errors[0]
}

/**
 * A button that marks all confirmed reservations whose customers have arrived or are in service as completed, with one
 * undo for all of them; renders nothing for fewer than two such reservations.
 */
export function CompleteVisits({ reservations }: { readonly reservations: readonly AttendanceReservation[] }) {
  const { t } = useTranslation()
  const send = useMarkAttendance([])
  const [pending, setPending] = useState(false)
  const open = reservations.filter(
    ({ status, attendance }) => status === 'confirmed' && (attendance === 'arrived' || attendance === 'in_service'),
  )
  const completeAll = async (): Promise<void> => {
    const { results, errors } = await inSequence(
      open.map(
        ({ id }) =>
          () =>
            send(id, 'completed'),
      ),
    )
    const undos = results.filter((undo) => undo !== undefined)
    if (results.length > 0)
      toast(
        t('attendance.allCompleted', { count: results.length }),
        undos.length > 0 ? () => undoAll(undos) : undefined,
      )
    if (errors.length > 0) toastError(errors[0])
  }
  if (open.length < 2) return null
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={pending}
      onClick={() => {
        setPending(true)
        void completeAll().finally(() => setPending(false))
      }}
    >
      {t('attendance.completeAll', { count: open.length })}
    </Button>
  )
}
