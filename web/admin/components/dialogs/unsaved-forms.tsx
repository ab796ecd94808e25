import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router'
import { type ReactNode, useCallback, useRef, useState } from 'react'
import { type FormInDialog, FormsInDialog } from '../fields/forms-in-dialog.ts'
import { DiscardQuestion } from './discard-question.tsx'

interface GuardedDialog {
  readonly opened: boolean
  readonly onClose: () => void
}

/**
 * Guards the forms in a dialog or drawer. `leave` closes the dialog, after a question if a form in it has changes that
 * are not saved: it is for Escape, the close button and a click outside, not for a form that was saved or cancelled. It
 * does nothing while a form is being submitted, since the response may be an error, or a secret that is shown only
 * once. The same question is asked before a link or the browser's Back button leaves the dialog. `around` must contain
 * what the dialog shows.
 */
export function useUnsavedForms({ opened, onClose }: GuardedDialog) {
  const [asking, setAsking] = useState(false)
  const forms = useRef(new Set<FormInDialog>())
  const report = useCallback((form: FormInDialog) => {
    forms.current.add(form)
    return () => {
      forms.current.delete(form)
    }
  }, [])
  const haveChanges = useCallback(() => [...forms.current].some((form) => form.hasChanges()), [])
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: useCallback<ShouldBlockFn>((to) => leavesDialog(to) && haveChanges(), [haveChanges]),
    enableBeforeUnload: haveChanges,
    // While the dialog itself asks, its answer closes the dialog at once: a navigation that waits for a blocker would
    // close it after the question, to which the focus then cannot return.
    disabled: !opened || asking,
    withResolver: true,
  })
  const isBlocked = status === 'blocked'
  const leave = (): void => {
    if ([...forms.current].some((form) => form.isPending?.())) return
    if (haveChanges()) setAsking(true)
    else onClose()
  }
  const around = (children: ReactNode): ReactNode => (
    <FormsInDialog value={report}>
      {children}
      <DiscardQuestion
        opened={asking || isBlocked}
        close={() => {
          setAsking(false)
          reset?.()
        }}
        discard={isBlocked ? proceed : onClose}
      />
    </FormsInDialog>
  )
  return { leave, around }
}

/**
 * Whether a navigation leaves the page, or the record that the dialog shows, by a link or the browser's buttons. A
 * dialog that closes itself removes its parameters from the address of the same page.
 */
function leavesDialog({ current, next, action }: Parameters<ShouldBlockFn>[0]): boolean {
  if (action !== 'PUSH' && action !== 'REPLACE') return true
  if (next.pathname !== current.pathname) return true
  const [from, to] = [current.search, next.search].map((search) => ('open' in search ? search.open : ''))
  return Boolean(to) && to !== from
}
