import { ReportedChanges } from '../fields/forms-in-dialog.ts'
import { ConfirmDialog, type ConfirmDialogProps } from './confirm-dialog.tsx'

/**
 * Asks for confirmation before the changes of a form are saved. Until then they are unsaved: while the question is
 * open, the dialog or drawer around it asks before a link or the browser's Back button leaves it.
 */
export function SaveQuestion(props: ConfirmDialogProps) {
  return (
    <>
      <ReportedChanges hasChanges={() => props.opened} />
      <ConfirmDialog {...props} />
    </>
  )
}
