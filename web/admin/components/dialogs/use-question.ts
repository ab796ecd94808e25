import { useState } from 'react'

/** A question in a `ConfirmDialog` before something is saved, and the subject that it is about while it is open. */
export interface ConfirmQuestion<Subject> {
  readonly subject: Subject | undefined
  /** Opens the question; resolves to whether the user confirmed and `run` has succeeded. */
  ask(subject: Subject): Promise<boolean>
  /** The props of the `ConfirmDialog`, which shows the error when `run` rejects. */
  readonly dialog: { readonly opened: boolean; readonly close: () => void; readonly confirm: () => Promise<unknown> }
}

/** Returns a question; `run` saves the subject when the user confirms. */
export function useQuestion<Subject>(run: (subject: Subject) => Promise<unknown>): ConfirmQuestion<Subject> {
  const [asked, setAsked] = useState<{ readonly subject: Subject; readonly answer: (saved: boolean) => void }>()
  return {
    subject: asked?.subject,
    ask: (subject) => new Promise((answer) => setAsked({ subject, answer })),
    dialog: {
      opened: asked !== undefined,
      close: () => {
        asked?.answer(false)
        setAsked(undefined)
      },
      confirm: async () => {
        if (!asked) return
        await run(asked.subject)
        asked.answer(true)
      },
    },
  }
}
