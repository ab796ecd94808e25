import { type ReactNode, useCallback, useRef, useState } from 'react'
import { type FormInDialog, FormsInDialog } from '../fields/forms-in-dialog.ts'
import { DiscardQuestion } from './discard-question.tsx'

/**
 * Guards the forms in a dialog or drawer. `leave` closes the dialog, after a question if a form in it has changes that
 * are not saved: it is for Escape, the close button and a click outside, not for a form that was saved or cancelled. It
 * does nothing while a form is being submitted, since the response may be an error, or a secret that is shown only once.
 * `around` must contain what the dialog shows.
 */
export function useUnsavedForms(onClose: () => void) {
  const [asking, setAsking] = useState(false)
  const forms = useRef(new Set<FormInDialog>())
  const report = useCallback((form: FormInDialog) => {
    forms.current.add(form)
    return () => {
      forms.current.delete(form)
    }
  }, [])
  const leave = (): void => {
    if ([...forms.current].some((form) => form.isPending?.())) return
    if ([...forms.current].some((form) => form.hasChanges())) setAsking(true)
    else onClose()
  }
  const around = (children: ReactNode): ReactNode => (
    <FormsInDialog value={report}>
      {children}
      <DiscardQuestion opened={asking} close={() => setAsking(false)} discard={onClose} />
    </FormsInDialog>
  )
  return { leave, around }
}
