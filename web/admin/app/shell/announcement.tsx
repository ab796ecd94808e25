import { lazy, Suspense } from 'react'
import { useStore } from '../../data/store.ts'
import { announcementQuestion } from '../../features/notifications/announcement.ts'

const AnnouncementDialog = lazy(() => import('../../features/notifications/announcement-dialog.tsx'))

/** Asks whether the customer is notified, while a change waits for the answer. */
export function Announcement() {
  const question = useStore(announcementQuestion)
  return (
    question && (
      <Suspense>
        <AnnouncementDialog question={question} />
      </Suspense>
    )
  )
}
