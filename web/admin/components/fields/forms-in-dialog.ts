import { createContext, useContext, useEffect, useRef } from 'react'

/** Tells whether a form has changes that are not saved. */
export type HasChanges = () => boolean

/** Registers a form with the dialog or drawer around it, and returns the function that ends the registration. */
export const FormsInDialog = createContext<(form: HasChanges) => () => void>(() => () => {})

/**
 * Lets the dialog or drawer around it ask before it discards changes of fields that are not in a `Form`; renders
 * nothing. See `useReportedChanges`.
 */
export function ReportedChanges({ hasChanges }: { readonly hasChanges: HasChanges }): null {
  useReportedChanges(hasChanges)
  return null
}

/** Lets the dialog or drawer around a form ask before it discards the changes of the form. */
export function useReportedChanges(hasChanges: HasChanges): void {
  const report = useContext(FormsInDialog)
  const current = useRef(hasChanges)
  useEffect(() => {
    current.current = hasChanges
  })
  useEffect(() => report(() => current.current()), [report])
}
