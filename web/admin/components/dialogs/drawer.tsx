import { type DrawerProps, Drawer as MantineDrawer } from '@mantine/core'
import { useDialogStack } from './dialog-stack.ts'
import { useUnsavedForms } from './unsaved-forms.tsx'

/**
 * A modal drawer that asks before it discards unsaved changes of a form in it; see `useUnsavedForms`, and
 * `useDialogStack` for Escape, the focus, and dialogs above each other.
 */
export function Drawer({ onClose, children, ...props }: DrawerProps) {
  const { leave, around } = useUnsavedForms({ opened: props.opened, onClose })
  return (
    <MantineDrawer {...props} onClose={leave} {...useDialogStack({ ...props, onClose: leave })}>
      {around(children)}
    </MantineDrawer>
  )
}
