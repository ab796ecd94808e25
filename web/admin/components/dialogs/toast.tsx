import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import i18next from 'i18next'
import { failureOf } from '../../data/refusal.ts'

/** Says in a corner that something is done, with a way to undo it where there is one. */
export function toast(text: string, undo?: () => void): void {
  const id = crypto.randomUUID()
  const message = undo ? <WithUndo text={text} undo={undo} hide={() => notifications.hide(id)} /> : text
  const closeButtonProps = { 'aria-label': i18next.t('common.close') }
  const icon = <IconCheck size={18} />
  notifications.show({ id, message, color: 'teal', icon, closeButtonProps, autoClose: undo ? 12_000 : 5_000 })
}

/** Says in a corner what was refused, where the place that asked may be gone already. */
export function toastTrouble(error: unknown): void {
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

interface WithUndoProps {
  readonly text: string
  readonly undo: () => void
  readonly hide: () => void
}

function WithUndo({ text, undo, hide }: WithUndoProps) {
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text size="sm">{text}</Text>
      <Button
        size="compact-sm"
        variant="subtle"
        onClick={() => {
          hide()
          undo()
        }}
      >
        {i18next.t('common.undo')}
      </Button>
    </Group>
  )
}
