import type { ModalProps } from '@mantine/core'
import { StackedModal } from './stacked-modal.tsx'
import { useUnsavedForms } from './unsaved-forms.tsx'

/** A modal dialog that asks before it discards unsaved changes of a form in it; see `useUnsavedForms`. */
export function Modal({ onClose, children, ...props }: ModalProps) {
  const { leave, around } = useUnsavedForms(onClose)
  return (
    <StackedModal {...props} onClose={leave}>
      {around(children)}
    </StackedModal>
  )
}
