import { useBlocker } from '@tanstack/react-router'
import { DiscardQuestion } from './discard-question.tsx'

/** Asks for confirmation before a navigation that would discard unsaved changes. */
export function UnsavedGuard({ when }: { readonly when: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => when,
    enableBeforeUnload: when,
    withResolver: true,
  })
  return <DiscardQuestion opened={status === 'blocked'} close={() => reset?.()} discard={() => proceed?.()} />
}
