import { lazy, Suspense } from 'react'
import { useStore } from '../../data/store.ts'
import { announcementQuestion } from '../../features/notifications/announcement.ts'
import { cancellationQuestion } from '../../features/reservations/visit/cancellation.ts'
import { withDeferredTexts } from '../../i18n/index.ts'

const AnnouncementDialog = lazy(() => import('../../features/notifications/announcement-dialog.tsx'))
const CancelDialog = lazy(withDeferredTexts(() => import('../../features/reservations/visit/cancel-dialog.tsx')))

/**
 * Shows the dialog in which the user answers a question before a change is made: for a cancellation, the reason, the
 * refund and whether to notify the customers; for another change, only whether to notify the customers.
 */
export function QuestionDialogs() {
  const question = useStore(announcementQuestion)
  const cancellation = useStore(cancellationQuestion)
  if (!question && !cancellation) return null
  return (
    <Suspense>
      {cancellation && <CancelDialog question={cancellation} />}
      {question && <AnnouncementDialog question={question} />}
    </Suspense>
  )
}
