import type { ModalProps } from '@mantine/core'
import { StackedModal } from './stacked-modal.tsx'
import { useUnsavedForms } from './unsaved-forms.tsx'

const closedByButton = { closeOnEscape: false, closeOnClickOutside: false } as const

interface GuardedModalProps extends ModalProps {
  /**
   * Whether only a button closes the dialog, not Escape or a click outside, because it shows something that cannot be
   * shown again, such as a secret.
   */
  readonly showsOnce?: boolean
}

/** A modal dialog that asks before it discards unsaved changes of a form in it; see `useUnsavedForms`. */
export function Modal({ onClose, children, showsOnce = false, ...props }: GuardedModalProps) {
  const { leave, around } = useUnsavedForms({ opened: props.opened, onClose })
  return (
    <StackedModal {...props} {...(showsOnce && closedByButton)} onClose={leave}>
      {around(children)}
    </StackedModal>
  )
}
