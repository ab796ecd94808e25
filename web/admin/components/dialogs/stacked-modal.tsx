import { Modal as MantineModal, type ModalProps } from '@mantine/core'
import { useDialogStack } from './dialog-stack.ts'

/**
 * A modal dialog that closes without asking, for one without fields or whose fields need no confirmation. See
 * `useDialogStack` for Escape, the focus, and dialogs above each other.
 */
export function StackedModal(props: ModalProps) {
  return <MantineModal {...props} {...useDialogStack(props)} />
}
