import { Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { CancelButton, ErrorAlert } from '../fields/write-form.tsx'
import { StackedModal } from './stacked-modal.tsx'

/** The props of a `ConfirmDialog`. */
export interface ConfirmDialogProps {
  readonly opened: boolean
  readonly close: () => void
  readonly title: string
  readonly text: string
  /** The label of the confirming button, a verb. */
  readonly action: string
  /** Whether the confirming button is red, as for an action that removes, disables or discards something. */
  readonly danger?: boolean
  /** Performs the action. The dialog closes when the returned promise resolves, and shows the error when it rejects. */
  readonly confirm: () => Promise<unknown>
  /** Further content or fields above the buttons. */
  readonly children?: ReactNode
}

/** Asks for confirmation before an action that is hard to undo. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, close, title, text, action, danger = false, confirm, children } = props
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const leave = (): void => {
    setProblem(undefined)
    close()
  }
  const go = (): void => {
    setPending(true)
    void confirm()
      .then(leave, setProblem)
      .finally(() => setPending(false))
  }
  return (
    <StackedModal opened={opened} onClose={leave} title={title}>
      <Stack gap="md">
        <Text size="sm">{text}</Text>
        {children}
        <ErrorAlert error={problem} />
        <Group justify="flex-end" gap="xs">
          <CancelButton onClick={leave} />
          <Button {...(danger && { color: 'red' })} loading={pending} onClick={go} data-autofocus>
            {action}
          </Button>
        </Group>
      </Stack>
    </StackedModal>
  )
}
