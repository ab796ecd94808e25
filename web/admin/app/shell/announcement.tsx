import { lazy, Suspense } from 'react'
import { useStore } from '../../data/store.ts'
import { announcementQuestion } from '../../features/notifications/announcement.ts'
import { cancellationQuestion } from '../../features/reservations/visit/cancellation.ts'
import { withLaterWords } from '../../i18n/index.ts'

const AnnouncementDialog = lazy(() => import('../../features/notifications/announcement-dialog.tsx'))
const CancelDialog = lazy(withLaterWords(() => import('../../features/reservations/visit/cancel-dialog.tsx')))

/** Asks about a cancellation, or whether the customer is notified, while a change waits for the answer. */
export function Announcement() {
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
