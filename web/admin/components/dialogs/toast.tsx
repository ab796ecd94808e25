import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import i18next from 'i18next'
import { failureOf } from '../../data/refusal.ts'

/** Reverts a change; when the returned promise rejects, the error is shown in a notification. */
export type Undo = () => Promise<unknown>

/** Shows a success notification for 5 seconds, or for 12 seconds with an undo button when `undo` is given. */
export function toast(text: string, undo?: Undo): void {
  const id = crypto.randomUUID()
  const message = undo ? <UndoToast text={text} undo={undo} hide={() => notifications.hide(id)} /> : text
  const closeButtonProps = { 'aria-label': i18next.t('common.close') }
  const icon = <IconCheck size={18} />
  notifications.show({ id, message, color: 'teal', icon, closeButtonProps, autoClose: undo ? 12_000 : 5_000 })
}

/** Shows the message of an error until the user closes it, for actions whose form or dialog may be closed already. */
export function toastError(error: unknown): void {
  const message = failureOf(error).sentence ?? i18next.t('states.noConnection')
  const closeButtonProps = { 'aria-label': i18next.t('common.close') }
  notifications.show({
    message,
    color: 'red',
    icon: <IconAlertTriangle size={18} />,
    closeButtonProps,
    autoClose: false,
  })
}

interface UndoToastProps {
  readonly text: string
  readonly undo: Undo
  readonly hide: () => void
}

function UndoToast({ text, undo, hide }: UndoToastProps) {
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text size="sm">{text}</Text>
      <Button
        size="compact-sm"
        variant="subtle"
        flex="none"
        onClick={() => {
          hide()
          undo().then(undefined, toastError)
        }}
      >
        {i18next.t('common.undo')}
      </Button>
    </Group>
  )
}
