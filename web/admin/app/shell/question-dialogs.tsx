import { lazyPart } from '../../components/lazy-part.tsx'
import { useStore } from '../../data/store.ts'
import { announcementQuestion } from '../../features/notifications/announcement.ts'
import { cancellationQuestion } from '../../features/reservations/visit/cancellation.ts'
import { withDeferredTexts } from '../../i18n/index.ts'

interface QuestionProps {
  readonly question: { answer(none: undefined): void }
}

const withdrawable = {
  closeOf:
    ({ question }: QuestionProps) =>
    () =>
      question.answer(undefined),
}
const AnnouncementDialog = lazyPart(() => import('../../features/notifications/announcement-dialog.tsx'), withdrawable)
const CancelDialog = lazyPart(
  withDeferredTexts(() => import('../../features/reservations/visit/cancel-dialog.tsx')),
  withdrawable,
)

/**
 * Shows the dialog in which the user answers a question before a change is made: for a cancellation, the reason, the
 * refund and whether to notify the customers; for another change, only whether to notify the customers.
 */
export function QuestionDialogs() {
  const question = useStore(announcementQuestion)
  const cancellation = useStore(cancellationQuestion)
  if (!question && !cancellation) return null
  return (
    <>
      {cancellation && <CancelDialog question={cancellation} />}
      {question && <AnnouncementDialog question={question} />}
    </>
  )
}
