import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast, toastError } from '../../../components/dialogs/toast.tsx'
import { type AttendanceReservation, useMarkAttendance } from './attendance.tsx'

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
  const undo = async (): Promise<void> => {
    for (const { id, attendance } of open) await send(id, attendance)
  }
  const completeAll = async (): Promise<void> => {
    for (const { id } of open) await send(id, 'completed')
    toast(t('attendance.allCompleted', { count: open.length }), undo)
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
