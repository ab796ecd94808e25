import { Modal as MantineModal, type ModalProps } from '@mantine/core'
import { useDialogStack } from './dialog-stack.ts'

/** A modal dialog. See `useDialogStack` for Escape, the focus, and dialogs above each other. */
export function Modal(props: ModalProps) {
  return <MantineModal {...props} {...useDialogStack(props)} />
}
