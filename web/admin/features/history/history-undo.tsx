import { Button, Group, Text } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx'
import { toast } from '../../components/dialogs/toast.tsx'
import { ErrorAlert } from '../../components/fields/write-form.tsx'
import { refetchAll, useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { translateMessage } from '../../i18n/index.ts'
import { eventName, subjectName } from './event-name.ts'

interface HistoryUndoProps {
  readonly entry: Item<'GET /history/'>
  readonly close: () => void
}

/**
 * A button that undoes one change of the history, with confirmation when the undo removes a record, or moves or cancels
 * an appointment. For a change that cannot be undone, explains why instead.
 */
export function HistoryUndo({ entry, close }: HistoryUndoProps) {
  const { t } = useTranslation()
  const write = useWrite('POST /history/undo/')
  const [asking, setAsking] = useState(false)
  const { seq, type, undo } = entry
  const { does } = undo
  if (does === null)
    return (
      <Text size="sm" c="dimmed">
        {undo.why && translateMessage(undo.why)}
      </Text>
    )
  const done = (): void => {
    toast(t('history.undone', { type: eventName(type, t), object: subjectName(entry) }))
    close()
    // The undone change may affect any screen.
    void refetchAll()
  }
  const confirmation = does === 'edit' || does === 'add' ? undefined : does
  return (
    <>
      {!confirmation && <ErrorAlert error={write.error} />}
      <Group justify="flex-end">
        <Button
          variant="default"
          leftSection={<IconArrowBackUp size={16} stroke={1.5} />}
          loading={write.isPending}
          onClick={() => (confirmation ? setAsking(true) : write.mutate({ body: { seq } }, { onSuccess: done }))}
        >
          {t('history.undo')}
        </Button>
      </Group>
      {confirmation && (
        <ConfirmDialog
          opened={asking}
          close={() => setAsking(false)}
          title={t(`history.asks.${confirmation}.title`)}
          text={t(`history.asks.${confirmation}.text`)}
          action={t(`history.asks.${confirmation}.action`)}
          danger={confirmation !== 'move'}
          confirm={() => write.mutateAsync({ body: { seq } }).then(done)}
        />
      )}
    </>
  )
}
