import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast, toastTrouble } from '../../../components/dialogs/toast.tsx'
import { type Attended, useMarks } from './attendance.tsx'

/** Completes the visits of all customers who came, in one step that can be undone; nothing when fewer than two are open. */
export function CompleteVisits({ reservations }: { readonly reservations: readonly Attended[] }) {
  const { t } = useTranslation()
  const send = useMarks()
  const [pending, setPending] = useState(false)
  const open = reservations.filter(
    ({ status, attendance }) => status === 'confirmed' && (attendance === 'arrived' || attendance === 'in_service'),
  )
  const undo = async (): Promise<void> => {
    for (const { id, attendance } of open) await send(id, attendance)
  }
  const completeAll = async (): Promise<void> => {
    for (const { id } of open) await send(id, 'completed')
    toast(t('attendance.allCompleted', { count: open.length }), () => void undo().then(undefined, toastTrouble))
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
          .then(undefined, toastTrouble)
          .finally(() => setPending(false))
      }}
    >
      {t('attendance.completeAll', { count: open.length })}
    </Button>
  )
}
