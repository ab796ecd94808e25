import { createContext, useContext, useEffect, useRef } from 'react'

/** What a dialog or drawer knows about a form in it. */
export interface FormInDialog {
  /** Whether the form has changes that are not saved. */
  hasChanges(): boolean
  /** Whether a submission of the form is pending; absent for fields that are not submitted. */
  isPending?(): boolean
}

/** Registers a form with the dialog or drawer around it, and returns the function that ends the registration. */
export const FormsInDialog = createContext<(form: FormInDialog) => () => void>(() => () => {})

/**
 * Lets the dialog or drawer around it ask before it discards changes of fields that are not in a `Form`; renders
 * nothing. See `useReportedChanges`.
 */
export function ReportedChanges({ hasChanges }: Pick<FormInDialog, 'hasChanges'>): null {
  useReportedChanges({ hasChanges })
  return null
}

/**
 * Lets the dialog or drawer around a form stay open while the form is being submitted, and ask before it discards the
 * changes of the form.
 */
export function useReportedChanges(form: FormInDialog): void {
  const report = useContext(FormsInDialog)
  const current = useRef(form)
  useEffect(() => {
    current.current = form
  })
  useEffect(
    () =>
      report({
        hasChanges: () => current.current.hasChanges(),
        isPending: () => current.current.isPending?.() ?? false,
      }),
    [report],
  )
}
