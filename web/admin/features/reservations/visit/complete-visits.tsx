import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast, toastError, type Undo } from '../../../components/dialogs/toast.tsx'
import { type AttendanceReservation, useMarkAttendance } from './attendance.tsx'

/** Calls all of the given functions in sequence, also after one that rejects; then rejects with the first error. */
async function undoAll(undos: readonly Undo[]): Promise<void> {
  const errors: unknown[] = []
  for (const undo of undos) await undo().then(undefined, (error: unknown) => errors.push(error))
  if (errors.length > 0) throw errors[0]
}

/**
 * A button that marks all confirmed reservations whose customers have arrived or are in service as completed, with one
 * undo for all of them; renders nothing for fewer than two such reservations.
 */
export function CompleteVisits({ reservations }: { readonly reservations: readonly AttendanceReservation[] }) {
  const { t } = useTranslation()
  const send = useMarkAttendance()
  const [pending, setPending] = useState(false)
  const open = reservations.filter(
    ({ status, attendance }) => status === 'confirmed' && (attendance === 'arrived' || attendance === 'in_service'),
  )
  const completeAll = async (): Promise<void> => {
    const undos: Undo[] = []
    for (const { id } of open) {
      const undo = await send(id, 'completed')
      if (undo) undos.push(undo)
    }
    toast(t('attendance.allCompleted', { count: open.length }), undos.length > 0 ? () => undoAll(undos) : undefined)
  }
  if (open.length < 2) return null
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={pending}
      onClick={() => {
        setPending(true)
        void completeAll()
          .then(undefined, toastError)
          .finally(() => setPending(false))
      }}
    >
      {t('attendance.completeAll', { count: open.length })}
    </Button>
  )
}
