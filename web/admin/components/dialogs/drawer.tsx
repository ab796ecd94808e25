import { type DrawerProps, Drawer as MantineDrawer } from '@mantine/core'
import { useDialogStack } from './dialog-stack.ts'

/** A modal drawer. See `useDialogStack` for Escape, the focus, and dialogs above each other. */
export function Drawer(props: DrawerProps) {
  return <MantineDrawer {...props} {...useDialogStack(props)} />
}
