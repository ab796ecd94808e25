import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast, toastError, type Undo } from '../../../components/dialogs/toast.tsx'
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
  const completeAll = async (): Promise<void> => {
    const undos: Undo[] = []
    for (const { id } of open) undos.push(await send(id, 'completed'))
    toast(t('attendance.allCompleted', { count: open.length }), async () => {
      for (const undo of undos) await undo()
    })
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
